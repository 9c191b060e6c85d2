import type { JsonObject, JsonValue } from "@hasp/schema";
import { isObject } from "../../../../compiler/src/model/json-kind.js";
import { escapeToken } from "../../../../compiler/src/model/json-pointer.js";
import { MEDIA_TYPE } from "../../../../compiler/src/spec/handlers/http-schema.js";
import type { EntryReader } from "../entries/source-entry.js";
import type { ImportSource } from "../source/import-source.js";
import { objectOf, textOf } from "../source/json-values.js";
import { bytesSchema } from "./bytes.js";
import { partsWithFiles, schemaOfParts } from "./form-with-files.js";
import { bestMedia, type BodyForm, type Media } from "./media-types.js";
import { objectAt, type LocatedObject } from "./openapi-document.js";
import type { Operation } from "./operations.js";
import { describedBy } from "./parameters.js";
import { isKnownStyle, serializationOf } from "./serialization.js";

interface Body {
  readonly schema: JsonValue;
  readonly isRequired: boolean;
  declaration(value: string): JsonObject;
}

const KINDS: { readonly [form in BodyForm]: string } = {
  json: "json",
  form: "form",
  multipart: "multipart",
  text: "binary",
  bytes: "binary",
};

const USUAL_TYPES: { readonly [form in BodyForm]: string | undefined } = {
  json: "application/json",
  form: "application/x-www-form-urlencoded",
  multipart: "multipart/form-data",
  text: undefined,
  // By default, handlers send a model's text as text/plain.
  bytes: undefined,
};

/** Returns the body of an operation; `refused` if it cannot be sent, after reporting why. */
export function bodyOf(
  value: JsonObject,
  { entry, item, method }: Operation,
  { documents }: ImportSource,
  reader: EntryReader,
): Body | "refused" | undefined {
  if (value["requestBody"] === undefined) return undefined;
  const { note, name: tool } = reader;
  const pointer = `${entry.pointer}/requestBody`;
  if (method === "GET" || method === "HEAD") {
    note("body-ignored", item.document.locate(pointer), { tool, method });
    return undefined;
  }
  const body = objectAt({ value: value["requestBody"], document: item.document, pointer }, documents);
  if (typeof body === "string") {
    note("broken-body", item.document.locate(pointer), { tool, problem: body });
    return "refused";
  }
  const { content } = body.value;
  const media = bestMedia(content);
  const refuse = (problem: string): "refused" => {
    note("broken-body", body.document.locate(body.pointer), { tool, problem });
    return "refused";
  };
  if (media === undefined) {
    return refuse(
      `JSON cannot express a body of ${Object.keys(isObject(content) ? content : {}).join(", ") || "no media type"}`,
    );
  }
  if (!new RegExp(MEDIA_TYPE, "u").test(media.type) && !media.type.includes("*")) {
    return refuse(`${media.type} is not a media type`);
  }
  if (media.value["schema"] === undefined && media.value["itemSchema"] !== undefined) {
    return refuse(`a stream of items in ${media.type} is not one value`);
  }
  const at: LocatedObject = {
    value: media.value,
    document: body.document,
    pointer: `${body.pointer}/content/${escapeToken(media.type)}`,
  };
  const schema = schemaOfMedia(media, at, documents, reader);
  if (schema === undefined) return "refused";
  const encoding = media.form === "form" || media.form === "multipart" ? encodingOf(media) : {};
  return {
    schema: isObject(schema) ? describedBy(textOf(body.value["description"]), schema) : schema,
    isRequired: body.value["required"] === true,
    declaration: (reference) =>
      objectOf([
        [KINDS[media.form], reference],
        ["mediaType", mediaTypeOf(media)],
        ["encoding", Object.keys(encoding).length === 0 ? undefined : encoding],
      ]),
  };
}

/** Returns an unusual media type; a range of types means the usual one. */
function mediaTypeOf({ type, form }: Media): string | undefined {
  return type.includes("*") || type.toLowerCase() === USUAL_TYPES[form] ? undefined : type;
}

function schemaOfMedia(
  { form, value }: Media,
  at: LocatedObject,
  documents: ImportSource["documents"],
  { translate }: EntryReader,
): JsonValue | undefined {
  const { schema } = value;
  if (form === "bytes") return bytesSchema(isObject(schema) ? textOf(schema["description"]) : undefined);
  if (schema === undefined) return SCHEMALESS[form];
  const place = { pointer: `${at.pointer}/schema`, document: at.document };
  const parts = form === "multipart" ? partsWithFiles({ ...place, value: schema }, documents) : undefined;
  if (parts !== undefined) return schemaOfParts(parts, translate);
  // A form has named fields, even if its schema does not say `object`.
  const isForm = form === "form" || form === "multipart";
  const isUntyped = isObject(schema) && schema["type"] === undefined && schema["$ref"] === undefined;
  return translate(isForm && isUntyped ? { type: "object", ...schema } : schema, { ...place, role: "input" });
}

const SCHEMALESS = {
  json: {},
  text: { type: "string" },
  // All form fields are sent as text.
  form: { type: "object", additionalProperties: { type: "string" } },
  multipart: { type: "object", additionalProperties: { type: "string" } },
} as const;

function encodingOf({ value }: Media): JsonObject {
  const { encoding } = value;
  return Object.fromEntries(
    Object.entries(isObject(encoding) ? encoding : {}).flatMap(([name, entry]) => {
      const written = isObject(entry) ? encodingOfProperty(entry) : undefined;
      return written === undefined ? [] : [[name, written] as const];
    }),
  );
}

function encodingOfProperty(entry: JsonObject): JsonObject | undefined {
  if (STYLE_WORDS.some((word) => entry[word] !== undefined) && isKnownStyle(entry)) {
    return serializationOf(entry, "query") ?? { style: "form", explode: true };
  }
  const contentType = textOf(entry["contentType"]);
  // The sender may choose among several types; a single one is binding.
  return contentType === undefined || /[,*]/u.test(contentType) ? undefined : { contentType };
}

const STYLE_WORDS = ["style", "explode", "allowReserved"];
