import type { SchemaObject } from "@hasp/schema";

export { escapeToken, isList, isObject, own, pointerTokens, unescapeToken } from "@hasp/schema/internal/runtime";

/** Undoes the percent-encoding of a reference; a malformed one stays as it is. */
export function decodeReference(reference: string): string {
  try {
    return decodeURIComponent(reference);
  } catch {
    return reference;
  }
}

/** True if a schema declares its value secret. */
export function isSecretSchema(schema: SchemaObject & { readonly "x-secret"?: unknown }): boolean {
  return schema.writeOnly === true || schema.format === "password" || schema["x-secret"] === true;
}
