import { createHash } from "node:crypto";
import { own } from "../../../../compiler/src/model/own.js";
import { SPEC_KEYS, type SpecKey } from "../../../../compiler/src/model/spec/keys.js";
import { canonicalText, type JsonObject, type JsonValue } from "@hasp/schema";

/** True for keys that imports own; the author owns all others. */
export function isImportedKey(key: string): boolean {
  return own<SpecKey>(SPEC_KEYS, key)?.imported === true || key.startsWith("x-imported-");
}

/**
 * Computes the digest of a spec's imported part, kept under `origin` to detect changes by the source and by the author.
 */
export function importedDigest(spec: JsonObject): string {
  return digestOf(importedPart(spec));
}

export function importedPart(spec: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(spec).filter(([key]) => isImportedKey(key)));
}

export function digestOf(value: JsonValue): string {
  return `sha256-${createHash("sha256").update(canonical(value)).digest("hex")}`;
}

export function canonical(value: JsonValue | undefined): string {
  return value === undefined ? "" : canonicalText(value);
}
