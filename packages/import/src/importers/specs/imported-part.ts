import { createHash } from "node:crypto";
import { pickMembers, own, canonicalText } from "@hasp/base/json";
import { SPEC_KEYS, type SpecKey } from "@hasp/compiler/model";
import type { JsonObject, JsonValue } from "@hasp/schema";
import type { SharedFile } from "../source/importer.js";
import { createToolName } from "./names.js";

/** True for keys that imports own; the author owns all others. */
export function isImportedKey(key: string): boolean {
  return own<SpecKey>(SPEC_KEYS, key)?.imported === true || key.startsWith("x-imported-");
}

/** Computes the digest of a spec's imported part. `origin` keeps it, to detect changes by source and author. */
export function computeImportedDigest(spec: JsonObject): string {
  return computeDigest(pickImported(spec));
}

export function pickImported(spec: JsonObject): JsonObject {
  return pickMembers(spec, isImportedKey);
}

export function computeDigest(value: JsonValue): string {
  return `sha256-${createHash("sha256").update(printCanonical(value)).digest("hex")}`;
}

export function printCanonical(value: JsonValue | undefined): string {
  return value === undefined ? "" : canonicalText(value);
}

export const SHARED_ORIGIN = "x-imported-from";

export function createSharedFileName(source: string): string {
  return `${createToolName(source.replace(/\.[^.]*$/u, ""))}.schemas.yaml`;
}

export function createSharedFile(kind: string, source: string, definitions: JsonObject): SharedFile | undefined {
  const entries = Object.entries(definitions);
  if (entries.length === 0) return undefined;
  const digests = Object.fromEntries(
    entries.map(([name, schema]): [string, JsonValue] => [name, computeDigest(schema)]),
  );
  return {
    fileName: createSharedFileName(source),
    content: { $defs: definitions, [SHARED_ORIGIN]: { kind, source, digests } },
  };
}
