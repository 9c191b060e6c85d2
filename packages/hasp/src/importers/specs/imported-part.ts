import { createHash } from "node:crypto";
import { canonicalText, type JsonObject, type JsonValue } from "@hasp/schema";

// Not `suggested`: approving removes lines from it. The hints of the source are kept under `origin`.
const KEYS: ReadonlySet<string> = new Set(["title", "description", "input", "output", "handler"]);

/** Returns whether an importer owns a key of a spec; the author owns all other keys. */
export function isImportedKey(key: string): boolean {
  return KEYS.has(key) || key.startsWith("x-imported-");
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
