import type { JsonObject, JsonValue } from "@hasp/schema";
import type { Diagnostic, Found, Location } from "../../diagnostics/diagnostic.js";
import { importDiagnostics } from "../source/diagnostics.js";
import { objectOf, textOf } from "../source/json-values.js";
import { importedDigest } from "./imported-part.js";
import type { ImportedTool } from "./imported-source.js";

/** One tool of a source, its schemas already in the words of a spec. */
export interface SourceTool {
  /** What the source calls it. It stands under `origin`, and tells later which tool a spec is of. */
  readonly name: string;
  readonly title?: JsonValue | undefined;
  readonly description?: JsonValue | undefined;
  readonly input: JsonValue;
  readonly output?: JsonValue | undefined;
  /** Words by which toolsets may select it; the author's from then on. */
  readonly tags?: readonly string[] | undefined;
  /** What the source claims, in the words of a spec. */
  readonly suggested?: JsonObject | undefined;
  /** What else the source says; it is kept and read by nothing. */
  readonly rest?: JsonObject | undefined;
  /** What `origin` keeps beside the name: hints and whatever a handler needs to know. A change of it is drift. */
  readonly facts?: JsonObject | undefined;
}

/** A tool with the names that it is given, and the digest of what came from the source. */
export function specOfTool(
  tool: SourceTool,
  { kind, source, name, wanted, fileName, locate }: SpecSettings,
): Found<ImportedTool> {
  const diagnostics: Diagnostic[] = [];
  const about = { tool: wanted };
  if (name !== wanted) {
    diagnostics.push(importDiagnostics("renamed", locate("/name"), { from: wanted, to: name }, about));
  }
  const description = textOf(tool.description);
  if (description === undefined) diagnostics.push(importDiagnostics("no-description", locate(""), about, about));
  const rest = Object.entries(tool.rest ?? {});
  const imported = objectOf([
    ["hasp", 1],
    ["name", name],
    ["title", textOf(tool.title)],
    ["description", description ?? ""],
    ["tags", tool.tags],
    ["input", tool.input],
    ["output", tool.output],
    ["suggested", tool.suggested],
    ...rest.map(([key, value]): readonly [string, JsonValue] => [
      key.startsWith("x-") ? key : `x-imported-${key}`,
      value,
    ]),
  ]);
  const origin: JsonObject = { kind, source, name: tool.name, ...tool.facts, digest: importedDigest(imported) };
  return { value: { name, fileName, spec: { ...imported, origin }, locate: () => locate("") }, diagnostics };
}

interface SpecSettings {
  readonly kind: string;
  /** What the specs call the source. */
  readonly source: string;
  readonly name: string;
  /** The name that the source gives or suggests. */
  readonly wanted: string;
  readonly fileName: string;
  /** The place of a pointer into the tool. */
  locate(pointer: string): Location;
}
