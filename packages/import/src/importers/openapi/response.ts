import type { JsonValue } from "@hasp/schema";
import { isObject } from "../../../../compiler/src/model/json-kind.js";
import { escapeToken } from "../../../../compiler/src/model/json-pointer.js";
import type { EntryReader } from "../entries/source-entry.js";
import type { ImportSource } from "../source/import-source.js";
import { canonical } from "../specs/imported-part.js";
import { bestMedia } from "./media-types.js";
import { objectAt, type LocatedObject, type MaybeReference } from "./openapi-document.js";
import type { Operation } from "./operations.js";

export interface Success {
  readonly responses: readonly LocatedObject[];
  /** The JSON schema that they share, if they do. */
  readonly schema: MaybeReference | undefined;
}

/** Returns the successful response; reports a stream, which has no schema as a whole. */
export function successOf(
  { entry, item }: Operation,
  { documents }: ImportSource,
  { note, name }: EntryReader,
): Success {
  const written = isObject(entry.value) ? entry.value["responses"] : undefined;
  const successes = Object.entries(isObject(written) ? written : {}).filter(([status]) =>
    /^2(?:\d\d|XX)$/iu.test(status),
  );
  const located = successes.map(([status, value]) =>
    objectAt(
      { value, document: item.document, pointer: `${entry.pointer}/responses/${escapeToken(status)}` },
      documents,
    ),
  );
  const responses = located.filter((response) => typeof response !== "string");
  const schemas = responses.map((response) => {
    const media = bestMedia(response.value["content"]);
    if (media !== undefined && media.value["itemSchema"] !== undefined && media.value["schema"] === undefined) {
      note("stream-output", response.document.locate(response.pointer), { tool: name, type: media.type });
    }
    const value = media?.form === "json" ? media.value["schema"] : undefined;
    if (media === undefined || value === undefined) return undefined;
    const pointer = `${response.pointer}/content/${escapeToken(media.type)}/schema`;
    return { value, document: response.document, pointer };
  });
  const [first] = schemas;
  const isOne =
    responses.length === successes.length &&
    schemas.every(
      (other) => other?.document === first?.document && canonical(other?.value) === canonical(first?.value),
    );
  return { responses, schema: isOne ? first : undefined };
}

export function outputOf(schema: MaybeReference | undefined, { translate }: EntryReader): JsonValue | undefined {
  return schema?.value === undefined
    ? undefined
    : translate(schema.value, { role: "output", pointer: schema.pointer, document: schema.document });
}
