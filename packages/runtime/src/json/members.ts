import type { JsonObject, SchemaObject } from "@hasp/schema";

/** Reads a record's own key; `undefined` if it is inherited or absent. */
export function own<Value>(record: { readonly [key: string]: Value } | undefined, key: string): Value | undefined {
  return record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;
}

/** True for a list; unlike `Array.isArray`, it narrows read-only ones. */
export function isList<Value>(value: Value): value is Extract<Value, readonly unknown[]> {
  return Array.isArray(value);
}

/** Escapes a key as one token of a JSON Pointer (RFC 6901). */
export function escapeToken(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** Splits a JSON Pointer into its keys and indexes. */
export function pointerTokens(pointer: string): readonly string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** Undoes the percent-encoding of a reference; a malformed one stays as it is. */
export function decodeReference(reference: string): string {
  try {
    return decodeURIComponent(reference);
  } catch {
    return reference;
  }
}

/** True for a JSON value that is neither null nor a list. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** True if a schema declares its value secret. */
export function isSecretSchema(schema: SchemaObject & { readonly "x-secret"?: unknown }): boolean {
  return schema.writeOnly === true || schema.format === "password" || schema["x-secret"] === true;
}
