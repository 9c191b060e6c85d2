import { dropUndefined } from "@hasp/base/json";
import type { JsonObject, JsonValue } from "@hasp/schema";
import type { Diagnostic, Found, Location } from "@hasp/base/diagnostics";
import { SPEC_KEY_ROWS, type KeysWith } from "@hasp/compiler/model";
import { importDiagnostics } from "../source/diagnostics.js";
import { readString } from "../source/json-values.js";
import { computeImportedDigest } from "./imported-part.js";
import { removeSecrets } from "./remove-secrets.js";
import type { ImportedTool } from "../source/importer.js";

type ImportedPart = { readonly [Key in KeysWith<{ readonly imported: true }>]?: JsonValue | undefined };

export interface SourceTool extends ImportedPart {
  /** Its name in the source. Kept under `origin` to match the spec to its tool later. */
  readonly name: string;
  readonly input: JsonValue;
  /** Tags that toolsets may select; the author owns them after the import. */
  readonly tags?: readonly string[] | undefined;
  readonly suggested?: JsonObject | undefined;
  /** Other source data; kept but never read. */
  readonly rest?: JsonObject | undefined;
  /** Further values under `origin`: hints, and facts that a handler needs. A change is drift. */
  readonly facts?: JsonObject | undefined;
}

export function createSpec(
  tool: SourceTool,
  { kind, source, name, wanted, fileName, isOpen, locate }: SpecSettings,
): Found<ImportedTool> {
  const diagnostics: Diagnostic[] = [];
  const about = { tool: wanted };
  if (name !== wanted) {
    diagnostics.push(importDiagnostics("renamed", locate("/name"), { from: wanted, to: name }, about));
  }
  const stated = readString(tool.description);
  const description = stated ?? sentenceOf(wanted);
  if (stated === undefined) {
    diagnostics.push(importDiagnostics("no-description", locate(""), { ...about, description }, about));
  }
  const { name: nameAtSource, rest = {}, facts, suggested, ...given } = tool;
  const { title, handler, output } = given;
  const spec: { readonly [key: string]: JsonValue | undefined } = {
    ...given,
    hasp: 1,
    name,
    title: readString(title),
    description,
    // A service may deviate from its own description, and Zod removes what its schema lacks. The author decides when
    // that is an error.
    outputCheck: (handler === undefined && kind !== "zod") || output === undefined ? undefined : "report",
  };
  const { value: imported, removed } = removeSecrets(
    dropUndefined({
      ...Object.fromEntries(SPEC_KEY_ROWS.map(([key]) => [key, spec[key]] as const)),
      ...Object.fromEntries(
        Object.entries(rest).map(([key, value]) => [key.startsWith("x-") ? key : `x-imported-${key}`, value]),
      ),
    }),
  );
  if (removed > 0) {
    diagnostics.push(importDiagnostics("secret-removed", locate(""), { ...about, count: removed }, about));
  }
  const digest = computeImportedDigest(imported);
  const origin = dropUndefined({ kind, source, name: nameAtSource, ...facts, suggested, digest });
  return { value: { name, fileName, spec: { ...imported, origin }, isOpen, locate: () => locate("") }, diagnostics };
}

/** Converts a name to a sentence: `listOpenOrders` becomes "List open orders." */
function sentenceOf(name: string): string {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/gu, "$1 $2")
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .toLowerCase();
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}.`;
}

interface SpecSettings {
  readonly kind: string;
  readonly source: string;
  readonly name: string;
  readonly wanted: string;
  readonly fileName: string;
  readonly isOpen: boolean;
  locate(pointer: string): Location;
}
