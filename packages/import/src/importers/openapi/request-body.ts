import type { JsonObject, JsonValue } from "@hasp/schema";
import { dropUndefined, toList, toObject, isList, isObject, escapeToken } from "@hasp/base/json";
import { MEDIA_TYPE } from "@hasp/handlers/build";
import type { EntryReader } from "../entries/source-entry.js";
import type { ImportSource } from "../source/importer.js";
import { readString } from "../source/json-values.js";
import {
  type BodyForm,
  chooseMedia,
  findObject,
  listSchemas,
  type LocatedObject,
  type MaybeReference,
  type Media,
} from "./openapi-document.js";
import type { OpenapiOperation } from "./operations.js";
import { addDescription, isKnownStyle, readSerialization } from "./parameters.js";

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

export function readBody(
  value: JsonObject,
  { entry, item, method }: OpenapiOperation,
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
  const body = findObject({ value: value["requestBody"], document: item.document, pointer }, documents);
  if (typeof body === "string") {
    note("broken-body", item.document.locate(pointer), { tool, problem: body });
    return "refused";
  }
  const { content } = body.value;
  const media = chooseMedia(content);
  const refuse = (problem: string): "refused" => {
    note("broken-body", body.document.locate(body.pointer), { tool, problem });
    return "refused";
  };
  if (media === undefined) {
    return refuse(`JSON cannot express a body of ${Object.keys(toObject(content)).join(", ") || "no media type"}`);
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
  const isForm = media.form === "form" || media.form === "multipart";
  const encoding = isForm
    ? { ...(media.form === "multipart" && typesOfFiles(at, documents)), ...encodingOf(media) }
    : {};
  return {
    schema: isObject(schema) ? addDescription(readString(body.value["description"]), schema) : schema,
    isRequired: body.value["required"] === true,
    declaration: (reference) =>
      dropUndefined({
        [KINDS[media.form]]: reference,
        mediaType:
          media.type.includes("*") || media.type.toLowerCase() === USUAL_TYPES[media.form] ? undefined : media.type,
        encoding: Object.keys(encoding).length === 0 ? undefined : encoding,
      }),
  };
}

function schemaOfMedia(
  { form, value }: Media,
  at: LocatedObject,
  documents: ImportSource["documents"],
  { translate }: EntryReader,
): JsonValue | undefined {
  const { schema } = value;
  if (form === "bytes") return createBytesSchema(isObject(schema) ? readString(schema["description"]) : undefined);
  if (schema === undefined) return SCHEMALESS[form];
  const place = { pointer: `${at.pointer}/schema`, document: at.document };
  const parts = form === "multipart" ? findFormParts({ ...place, value: schema }, documents) : undefined;
  if (parts !== undefined) return createFormSchema(parts, translate);
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

/** Reads the media types of files that their schemas state. */
function typesOfFiles(at: LocatedObject, documents: ImportSource["documents"]): JsonObject {
  const { schema } = at.value;
  if (schema === undefined) return {};
  const parts = findFormParts({ value: schema, pointer: `${at.pointer}/schema`, document: at.document }, documents);
  return Object.fromEntries(
    (parts ?? []).flatMap(({ name, value, pointer, document, files }) => {
      const target = files === "one" ? findObject({ value, pointer, document }, documents) : "none";
      const type = typeof target === "string" ? undefined : readString(target.value["contentMediaType"]);
      return type === undefined || !new RegExp(MEDIA_TYPE, "u").test(type) || type.includes("*")
        ? []
        : [[name, { contentType: type }] as const];
    }),
  );
}

function encodingOf({ value }: Media): JsonObject {
  const { encoding } = value;
  return Object.fromEntries(
    Object.entries(toObject(encoding)).flatMap(([name, entry]) => {
      const written = isObject(entry) ? encodingOfProperty(entry) : undefined;
      return written === undefined ? [] : [[name, written] as const];
    }),
  );
}

function encodingOfProperty(entry: JsonObject): JsonObject | undefined {
  if (STYLE_WORDS.some((word) => entry[word] !== undefined) && isKnownStyle(entry)) {
    return readSerialization(entry, "query") ?? { style: "form", explode: true };
  }
  const contentType = readString(entry["contentType"]);
  // The sender may choose among several types; a single one is binding.
  return contentType === undefined || /[,*]/u.test(contentType) ? undefined : { contentType };
}

const STYLE_WORDS = ["style", "explode", "allowReserved"];

interface OpenapiFormPart {
  readonly name: string;
  readonly value: JsonValue;
  readonly pointer: string;
  readonly document: LocatedObject["document"];
  readonly isRequired: boolean;
  /** Set if the property is a file, or a list of files. */
  readonly files: "one" | "several" | undefined;
}

function findFormParts(
  start: MaybeReference,
  documents: ImportSource["documents"],
): readonly OpenapiFormPart[] | undefined {
  const schemas = listSchemas(start, documents);
  const required = new Set(schemas.flatMap(({ value }) => toList(value["required"])));
  const parts = schemas.flatMap((schema) => {
    const { properties } = schema.value;
    return Object.entries(toObject(properties)).map(([name, value]): OpenapiFormPart => {
      const pointer = `${schema.pointer}/properties/${escapeToken(name)}`;
      const { document } = schema;
      const files = filesOf({ value, pointer, document }, documents);
      return { name, value, pointer, document, isRequired: required.has(name), files };
    });
  });
  return parts.some(({ files }) => files !== undefined) ? parts : undefined;
}

function createFormSchema(
  parts: readonly OpenapiFormPart[],
  translate: EntryReader["translate"],
): JsonObject | undefined {
  const properties = new Map<string, JsonValue>();
  for (const { name, value, pointer, document, files } of parts) {
    if (isObject(value) && value["readOnly"] === true) continue;
    const description = isObject(value) ? readString(value["description"]) : undefined;
    const schema =
      files === "one"
        ? createBytesSchema(description)
        : files === "several"
          ? dropUndefined({ type: "array", description, items: createBytesSchema(undefined) })
          : translate(value, { role: "input", pointer, document });
    if (schema === undefined) return undefined;
    properties.set(name, schema);
  }
  const required = parts.filter(({ name, isRequired }) => isRequired && properties.has(name)).map(({ name }) => name);
  return dropUndefined({
    type: "object",
    required: required.length === 0 ? undefined : [...new Set(required)],
    properties: Object.fromEntries(properties),
  });
}

function filesOf(start: MaybeReference, documents: ImportSource["documents"]): OpenapiFormPart["files"] {
  const target = findObject(start, documents);
  if (typeof target === "string") return undefined;
  if (isBytesSchema(target.value)) return "one";
  const { items } = target.value;
  if (items === undefined) return undefined;
  const item = findObject({ ...target, value: items }, documents);
  return typeof item !== "string" && isBytesSchema(item.value) ? "several" : undefined;
}

/** Describes bytes in JSON: a model sends `{ base64 }` or `{ text }`, and the handler sends the bytes. */
function createBytesSchema(description: string | undefined): JsonObject {
  const form = (name: string, schema: JsonObject): JsonObject => ({
    type: "object",
    required: [name],
    properties: { [name]: schema, filename: { type: "string", description: "The name of the file." } },
  });
  return dropUndefined({
    description,
    anyOf: [
      form("text", { type: "string", description: "The content as text." }),
      form("base64", { type: "string", description: "The content in base64.", contentEncoding: "base64" }),
    ],
  });
}

/** Recognizes `format: binary` in 3.0, and a media type without an encoding since 3.1. */
function isBytesSchema(schema: JsonValue | undefined): boolean {
  if (!isObject(schema)) return false;
  const { type, format, contentMediaType, contentEncoding } = schema;
  const isText = type === undefined || type === "string" || (isList(type) && type.includes("string"));
  // "binary" is no encoding of JSON Schema, but is often written for a file.
  if (!isText || (contentEncoding !== undefined && contentEncoding !== "binary")) return false;
  if (contentEncoding === "binary") return true;
  return (
    format === "binary" || (readString(contentMediaType) !== undefined && !/json/iu.test(String(contentMediaType)))
  );
}
