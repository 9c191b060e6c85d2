import type { JsonObject, JsonValue } from "@hasp/schema";
import { isList } from "../../../../compiler/src/model/json-kind.js";

const COUNTS: ReadonlySet<string> = new Set([
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "minProperties",
  "maxProperties",
]);
const OTHER_SPELLINGS: ReadonlyMap<string, string> = new Map(
  [...COUNTS, "anyOf", "additionalProperties", "propertyOrdering"].map((word) => [
    word.replaceAll(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`),
    word,
  ]),
);

/**
 * Converts strings of a Gemini schema in protocol buffer JSON to numbers: counts are 64-bit integers that may be
 * strings (protobuf.dev, ProtoJSON format), and `enum` is a list of strings regardless of the type.
 */
export function fromProtocolBuffer(schema: JsonObject): JsonObject {
  const type = typeof schema["type"] === "string" ? schema["type"].toLowerCase() : "";
  const entries = Object.entries(schema).map(([written, value]): [string, JsonValue] => {
    const word = OTHER_SPELLINGS.get(written) ?? written;
    if (COUNTS.has(word)) return [word, numberIn(value, /^\d{1,15}$/u)];
    if (word === "enum" && isList(value) && (type === "integer" || type === "number")) {
      return [word, value.map((item) => numberIn(item, /^-?\d{1,15}$/u))];
    }
    return [word, value];
  });
  return Object.fromEntries(entries.filter(([word, value]) => word !== "format" || value !== "enum"));
}

function numberIn(value: JsonValue, pattern: RegExp): JsonValue {
  return typeof value === "string" && pattern.test(value) ? Number(value) : value;
}
