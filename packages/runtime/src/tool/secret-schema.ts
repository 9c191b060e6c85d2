import type { SchemaObject } from "@hasp/schema";

export function isSecretSchema(schema: SchemaObject & { readonly "x-secret"?: unknown }): boolean {
  return schema.writeOnly === true || schema.format === "password" || schema["x-secret"] === true;
}
