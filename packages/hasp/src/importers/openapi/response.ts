import type { JsonValue } from "@hasp/schema";
import { isObject } from "../../model/json-kind.js";
import { escapeToken } from "../../model/json-pointer.js";
import type { EntryReader } from "../entries/source-entry.js";
import type { ImportSource } from "../source/import-source.js";
import { canonical } from "../specs/imported-part.js";
import { bestMedia } from "./media-types.js";
import { objectAt } from "./openapi-document.js";
import type { Operation } from "./operations.js";

/**
 * Returns the output schema of an operation if all its success responses share one JSON schema; otherwise `undefined`.
 */
export function outputOf(
  { entry, item }: Operation,
  { documents }: ImportSource,
  { translate }: EntryReader,
): JsonValue | undefined {
  const responses = isObject(entry.value) ? entry.value["responses"] : undefined;
  if (!isObject(responses)) return undefined;
  const successes = Object.entries(responses).filter(([status]) => /^2(?:\d\d|XX)$/iu.test(status));
  const schemas = successes.map(([status, value]) => {
    const response = objectAt(
      { value, document: item.document, pointer: `${entry.pointer}/responses/${escapeToken(status)}` },
      documents,
    );
    if (typeof response === "string") return undefined;
    const media = bestMedia(response.value["content"]);
    const schema = media?.form === "json" ? media.value["schema"] : undefined;
    if (media === undefined || schema === undefined) return undefined;
    return {
      schema,
      document: response.document,
      pointer: `${response.pointer}/content/${escapeToken(media.type)}/schema`,
    };
  });
  const [first] = schemas;
  if (first === undefined) return undefined;
  const isOne = schemas.every(
    (other) =>
      other !== undefined && other.document === first.document && canonical(other.schema) === canonical(first.schema),
  );
  return isOne
    ? translate(first.schema, { role: "output", pointer: first.pointer, document: first.document })
    : undefined;
}
