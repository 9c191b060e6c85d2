import { resolveMetadata } from "@hasp/runtime";
import type { Diagnostic, Found } from "../../diagnostics/diagnostic.js";
import type { LoadedDocument, SourceText } from "../../model/document.js";
import { Facts } from "../../model/facts.js";
import type { ToolModel } from "../../model/tool.js";
import { findContradictions } from "./contradictions.js";
import { findInheritedClaims } from "./inherited-claims.js";
import { findNameConflicts } from "./names.js";
import { readSpecs, type LocatedSpec } from "./read-specs.js";
import { createReferenceChecker } from "./references.js";
import { findRelaxations } from "./relaxations.js";

/**
 * Turns spec documents into tools, sorted by name: every default filled, each relaxation marked, every `$ref` checked.
 * Drops specs with errors. `sources` includes files that could not be loaded; `factsOf` gives what was computed from a
 * tool before. Tools whose names are `excluded` are passed over.
 */
export function resolve(
  documents: readonly LoadedDocument[],
  sources: readonly SourceText[] = [],
  factsOf: FactsOfTool = () => new Facts(),
  excluded: ReadonlySet<string> = new Set(),
): Found<readonly ToolModel[]> {
  const diagnostics: Diagnostic[] = [];
  const references = createReferenceChecker(documents, sources);
  const tools: ToolModel[] = [];
  const refused = new Set<ToolModel>();
  for (const document of documents) {
    if (document.role !== "spec") continue;
    const read = readDocument(document, factsOf);
    diagnostics.push(...read.diagnostics);
    for (const { tool, isFaulty } of read.value) {
      if (excluded.has(tool.name)) continue;
      tools.push(tool);
      if (isFaulty) refused.add(tool);
      for (const key of ["input", "output"]) {
        const found = references.check(document, `${tool.pointer}/${key}`);
        diagnostics.push(...found.diagnostics);
        if (!found.isUsable) refused.add(tool);
      }
    }
  }
  diagnostics.push(...findNameConflicts(tools));
  return { value: byName(tools.filter((tool) => !refused.has(tool))), diagnostics };
}

/** Gives what was computed from the tool at a pointer of a document. */
export type FactsOfTool = (document: LoadedDocument, pointer: string) => Facts;

/** A tool that was read from its own document alone. */
interface ReadTool {
  readonly tool: ToolModel;
  /** Whether its claims contradict each other or come from a YAML alias. */
  readonly isFaulty: boolean;
}

function readDocument(document: LoadedDocument, factsOf: FactsOfTool): Found<readonly ReadTool[]> {
  const specs = readSpecs(document);
  const diagnostics: Diagnostic[] = [...specs.diagnostics];
  const value = specs.value.map((located): ReadTool => {
    const tool = toModel(located, factsOf(located.document, located.pointer));
    const faults = [...findContradictions(tool), ...findInheritedClaims(tool)];
    diagnostics.push(...faults);
    return { tool, isFaulty: faults.length > 0 };
  });
  return { value, diagnostics };
}

function toModel({ document, pointer, spec }: LocatedSpec, facts: Facts): ToolModel {
  const { metadata, stated } = resolveMetadata(spec);
  return {
    name: spec.name,
    document,
    pointer,
    spec,
    metadata,
    stated,
    relaxations: findRelaxations(spec, metadata),
    facts,
    locate: (inside, part) => document.locate(pointer + inside, part),
  };
}

/** Sorts tools by name and keeps the first of each name. */
function byName(tools: readonly ToolModel[]): readonly ToolModel[] {
  const named = new Map<string, ToolModel>();
  for (const tool of tools) if (!named.has(tool.name)) named.set(tool.name, tool);
  return [...named.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
