import type { JsonObject, JsonValue } from "@hasp/schema";
import { isList, isObject } from "../../../../compiler/src/model/json-kind.js";
import { textOf } from "../source/json-values.js";
import { objectOf } from "../source/json-values.js";

/** Describes bytes in JSON: a model sends `{ base64 }` or `{ text }`, and the handler sends the bytes. */
export function bytesSchema(description: string | undefined): JsonObject {
  const form = (name: string, schema: JsonObject): JsonObject => ({
    type: "object",
    required: [name],
    properties: { [name]: schema, filename: { type: "string", description: "The name of the file." } },
  });
  return objectOf([
    ["description", description],
    [
      "anyOf",
      [
        form("text", { type: "string", description: "The content as text." }),
        form("base64", { type: "string", description: "The content in base64.", contentEncoding: "base64" }),
      ],
    ],
  ]);
}

/** Recognizes `format: binary` in 3.0, and a media type without an encoding since 3.1. */
export function isBytesSchema(schema: JsonValue | undefined): boolean {
  if (!isObject(schema)) return false;
  const { type, format, contentMediaType, contentEncoding } = schema;
  const isText = type === undefined || type === "string" || (isList(type) && type.includes("string"));
  if (!isText || contentEncoding !== undefined) return false;
  return format === "binary" || (textOf(contentMediaType) !== undefined && !/json/iu.test(String(contentMediaType)));
}
