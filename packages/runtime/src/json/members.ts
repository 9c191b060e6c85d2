import type { JsonObject, SchemaObject } from "@hasp/schema";

// Written out: processes that load nothing of the schema package need them too.

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** True for a list; unlike `Array.isArray`, it narrows read-only ones. */
export function isList<Value>(value: Value): value is Extract<Value, readonly unknown[]> {
  return Array.isArray(value);
}

/** Returns the value of an own key, never an inherited one. */
export function own<Value>(record: { readonly [key: string]: Value } | undefined, key: string): Value | undefined {
  return record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;
}

/** Escapes a key as a token of a JSON Pointer (RFC 6901). */
export function escapeToken(token: string): string {
  // Nearly every key is its own token, and this runs for every node of every schema.
  return token.includes("~") || token.includes("/") ? token.replaceAll("~", "~0").replaceAll("/", "~1") : token;
}

export function unescapeToken(token: string): string {
  return token.includes("~") ? token.replaceAll("~1", "/").replaceAll("~0", "~") : token;
}

export function parsePointer(pointer: string): readonly string[] {
  return pointer.split("/").slice(1).map(unescapeToken);
}

/** Undoes the percent-encoding of a reference; a malformed one stays as it is. */
export function decodeReference(reference: string): string {
  try {
    return decodeURIComponent(reference);
  } catch {
    return reference;
  }
}

export function isSecretSchema(schema: SchemaObject & { readonly "x-secret"?: unknown }): boolean {
  return schema.writeOnly === true || schema.format === "password" || schema["x-secret"] === true;
}
