import { createHash } from "node:crypto";
import { canonicalText, type JsonObject, type JsonValue } from "@hasp/schema";

// Not `suggested`: approving takes lines out of it. The hints of the source stand under `origin`.
const KEYS: ReadonlySet<string> = new Set(["title", "description", "input", "output"]);

/** Whether a key of a spec is what an importer writes and may write again; everything else is the author's. */
export function isImportedKey(key: string): boolean {
  return KEYS.has(key) || key.startsWith("x-imported-");
}

/**
 * Digest of the part of a spec that came from its source. It stands under `origin`, and tells later whether the source
 * has changed and whether the author has.
 */
export function importedDigest(spec: JsonObject): string {
  const part = Object.fromEntries(Object.entries(spec).filter(([key]) => isImportedKey(key)));
  return digestOf(part);
}

/** Digest of a value, in which the order of keys says nothing. */
export function digestOf(value: JsonValue): string {
  return `sha256-${createHash("sha256").update(canonical(value)).digest("hex")}`;
}

/** JSON text in which the order of keys says nothing; what is absent has none. */
export function canonical(value: JsonValue | undefined): string {
  return value === undefined ? "" : canonicalText(value);
}
