import { createHash } from "node:crypto";
import { own } from "../../../../compiler/src/model/own.js";
import { SPEC_KEYS, type SpecKey } from "../../../../compiler/src/model/spec/keys.js";
import { canonicalText, type JsonObject, type JsonValue } from "@hasp/schema";

/** Returns whether an importer owns a key of a spec; the author owns all other keys. */
export function isImportedKey(key: string): boolean {
  return own<SpecKey>(SPEC_KEYS, key)?.imported === true || key.startsWith("x-imported-");
}

/**
 * Computes the digest of the imported part of a spec. Kept under `origin` to detect changes by the source and edits by
 * the author.
 */
export function importedDigest(spec: JsonObject): string {
  return digestOf(importedPart(spec));
}

/** The imported part of a spec. */
export function importedPart(spec: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(spec).filter(([key]) => isImportedKey(key)));
}

/** Computes the digest of a value, ignoring key order. */
export function digestOf(value: JsonValue): string {
  return `sha256-${createHash("sha256").update(canonical(value)).digest("hex")}`;
}

/** Serializes a value as JSON with sorted keys; returns `undefined` for an absent value. */
export function canonical(value: JsonValue | undefined): string {
  return value === undefined ? "" : canonicalText(value);
}
