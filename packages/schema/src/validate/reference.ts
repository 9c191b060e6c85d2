import type { Site } from "./check.js";
import { unusable } from "./compiler.js";

/** The part of a schema document that a `$ref` of the form `#` or `#/…` names. Throws on any other. */
export function resolvePointer(
  root: unknown,
  reference: unknown,
  at: Site,
): { readonly schema: unknown; readonly pointer: string } {
  const site: Site = { ...at, keyword: "$ref" };
  if (typeof reference !== "string") throw unusable(site, "must be a string");
  if (reference !== "#" && !reference.startsWith("#/")) {
    throw unusable(site, `names ${JSON.stringify(reference)}, which is not in this schema; flatten the schema first`);
  }
  const pointer = decoded(reference.slice(1), site);
  let schema = root;
  for (const token of pointer.split("/").slice(1)) {
    const key = token.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof schema !== "object" || schema === null || !Object.hasOwn(schema, key)) {
      throw unusable(site, `names ${JSON.stringify(reference)}, but nothing is there`);
    }
    const parent: object = schema;
    schema = Object.getOwnPropertyDescriptor(parent, key)?.value;
    if (schema !== root && isResource(schema)) {
      throw unusable(site, "leads through a schema with its own $id; flatten the schema first");
    }
  }
  return { schema, pointer };
}

function isResource(value: unknown): boolean {
  if (typeof value !== "object" || value === null || !("$id" in value)) return false;
  return typeof value.$id === "string" && !("$ref" in value);
}

function decoded(fragment: string, site: Site): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    throw unusable(site, "is not percent-encoded as a URI must be");
  }
}
