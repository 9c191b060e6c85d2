import type { Site } from "./checks/check.js";
import { textOf, unusable } from "./checks/compiler.js";
import { pointerKeys } from "../json/pointer.js";

/** Finds the part of a schema document that a `$ref` of the form `#` or `#/…` names. Throws on any other. */
export function resolveReference(root: unknown, site: Site): { readonly schema: unknown; readonly pointer: string } {
  const reference = textOf(site);
  if (!/^#(?:\/|$)/.test(reference)) throw unusable(site, "points outside the schema: flatten it first");
  let pointer: string;
  try {
    pointer = decodeURIComponent(reference.slice(1));
  } catch {
    throw unusable(site, "must be percent-encoded like a URI");
  }
  let schema = root;
  for (const key of pointerKeys(pointer)) {
    const member = typeof schema === "object" && schema && Object.getOwnPropertyDescriptor(schema, key);
    if (!member) throw unusable(site, "names a place that does not exist");
    schema = member.value;
    if (isResource(schema)) throw unusable(site, "leads through a schema with its own $id: flatten it first");
  }
  return { schema, pointer };
}

/** True if a subschema is a schema resource of its own, in which `#` means itself. */
export function isResource(value: unknown): boolean {
  return typeof value === "object" && value !== null && "$id" in value && typeof value.$id === "string";
}
