import { isStructured, isObject, type JsonValue } from "./json-value.js";

/** Escapes a key as one token of a JSON Pointer (RFC 6901). */
export function escapeToken(key: string): string {
  // Nearly every key is its own token; this is asked for every node of every schema.
  return key.includes("~") || key.includes("/") ? key.replaceAll("~", "~0").replaceAll("/", "~1") : key;
}

export function unescapeToken(token: string): string {
  return token.includes("~") ? token.replaceAll("~1", "/").replaceAll("~0", "~") : token;
}

export function appendToPointer(pointer: string, key: string | number): string {
  // To V8, a string that is concatenated once takes half the memory of one that is concatenated twice.
  const step = `/${typeof key === "number" ? key : escapeToken(key)}`;
  return pointer + step;
}

/** Splits a JSON Pointer into its unescaped steps. `""` has none. */
export function parsePointer(pointer: string): string[] {
  return pointer.split("/").slice(1).map(unescapeToken);
}

/** Undoes the percent escapes of a URI fragment; `undefined` if they are broken. */
export function decodeFragment(fragment: string): string | undefined {
  if (!fragment.includes("%")) return fragment;
  try {
    return decodeURIComponent(fragment);
  } catch {
    return undefined;
  }
}

/** Returns the value at a JSON Pointer, through own members and items only; `undefined` if there is none. */
export function findValueAt(root: JsonValue, pointer: string): JsonValue | undefined;
export function findValueAt(root: unknown, pointer: string): unknown;
export function findValueAt(root: unknown, pointer: string): unknown {
  return parsePointer(pointer).reduce(readStep, root);
}

/** Takes one unescaped step of a JSON Pointer. */
export function readStep(value: unknown, step: string): unknown {
  if (!isStructured(value) || !Object.hasOwn(value, step)) return undefined;
  // The length of a list is an own property of it, but no item.
  return Array.isArray(value) && step === "length" ? undefined : Reflect.get(value, step);
}

/**
 * Reads a local reference, such as `#` and `#/$defs/a%20b`, as a JSON Pointer; `undefined` for an anchor, for a
 * reference to another document and for broken percent escapes.
 */
export function readReference(reference: string): string | undefined {
  const fragment = readFragment(reference);
  const isPointer = fragment === "" || fragment?.startsWith("/") === true;
  return isPointer ? parsePointer(fragment).reduce(appendToPointer, "") : undefined;
}

function readFragment(reference: string): string | undefined {
  return reference.startsWith("#") ? decodeFragment(reference.slice(1)) : undefined;
}

/** Writes a JSON Pointer as a local reference, which {@link readReference} reads. */
export function writeReference(pointer: string): string {
  // Half of a surrogate pair has no percent escape.
  return `#${pointer.replaceAll(/[^$/\p{Surrogate}]+/gu, encodeURIComponent)}`;
}

interface FollowedReference {
  readonly value: JsonValue;
  /** JSON Pointer from the root to the value. */
  readonly pointer: string;
}

/**
 * Follows a local reference, `#`, `#/$defs/a%20b` or `#anchor`, from the document's root; `undefined` if it leads
 * nowhere or is malformed.
 */
export function followReference(root: JsonValue | object, reference: string): FollowedReference | undefined {
  const fragment = readFragment(reference);
  if (fragment === undefined) return undefined;
  const pointer = readReference(reference);
  if (pointer === undefined) return findAnchor(root, fragment);
  const value = findValueAt(root as JsonValue, pointer);
  return value === undefined ? undefined : { value, pointer };
}

/** Finds the one object that an anchor names, outside of those with an `$id`, which have anchors of their own. */
function findAnchor(root: JsonValue | object, name: string): FollowedReference | undefined {
  const places = new Map<JsonValue | object, string>([[root, ""]]);
  const found: FollowedReference[] = [];
  for (const [value, pointer] of places) {
    if (isObject(value)) {
      if (value !== root && typeof value["$id"] === "string") continue;
      if (value["$anchor"] === name || value["$dynamicAnchor"] === name) found.push({ value, pointer });
    }
    for (const [key, inner] of Object.entries(value ?? {}) as [string, JsonValue][]) {
      if (typeof inner === "object" && !places.has(inner)) places.set(inner, appendToPointer(pointer, key));
    }
  }
  // One of two may be data: only the keywords of JSON Schema could tell.
  return found.length === 1 ? found[0] : undefined;
}
