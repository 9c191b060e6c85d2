import { type Diagnostic, isError } from "@hasp/base/diagnostics";
import { listDeclaredTools, type DeclaredTool, type LoadedDocument, type SourceText } from "../model/document.js";
import { sortBy, groupBy } from "@hasp/base/json";
import type { ExclusionPlan } from "../model/plan.js";
import type { FlatTool } from "../model/tool.js";

export interface Exclusions {
  readonly names: ReadonlySet<string>;
  /** True for a finding that must not be reported: about excluded tools only, or premature while a spec does not parse. */
  covers(diagnostic: Diagnostic): boolean;
  readonly declared: readonly DeclaredTool[];
  /** Specs that cannot be parsed, each with the tool that its name promises, or its path. */
  readonly unparsed: ReadonlyMap<string, string>;
}

/** Returns the tool that a file with one spec is named after, or the path of a file with several. */
function promisedTool(uri: string): string {
  return /(?:^|\/)([^/]+)\.tool\.(?:ya?ml|json)$/u.exec(uri)?.[1] ?? uri;
}

export function findExclusions(
  exclude: readonly ExclusionPlan[],
  sources: readonly SourceText[],
  documents: readonly LoadedDocument[],
): Exclusions {
  const parsed = new Set(documents.map(({ uri }) => uri));
  const broken = sources.filter(({ role, uri }) => role === "spec" && !parsed.has(uri));
  const unparsed = new Map(broken.map(({ uri }) => [uri, promisedTool(uri)]));
  const declared = listDeclaredTools(documents);
  const names = new Set(exclude.map(({ tool }) => tool));
  const kept = new Set(declared.filter(({ name }) => !names.has(name)).map(({ document }) => document.uri));
  const files = new Set([
    ...declared.map(({ document }) => document.uri).filter((uri) => !kept.has(uri)),
    ...[...unparsed].filter(([, tool]) => names.has(tool)).map(([uri]) => uri),
  ]);
  return {
    names,
    declared,
    unparsed,
    covers({ tool, location, needsAllSpecs }) {
      if (needsAllSpecs === true && unparsed.size > 0) return true;
      return tool === undefined ? location !== undefined && files.has(location.uri) : names.has(tool);
    },
  };
}

/** Finds the tools that keep a project from being built, each with the codes of its errors. */
export function findFaultyTools(
  { names, declared, unparsed }: Exclusions,
  sound: readonly FlatTool[],
  diagnostics: readonly Diagnostic[],
): readonly ExclusionPlan[] {
  const usable = new Set(sound.map(({ name }) => name));
  const faults = new Map<string, Set<string>>();
  const blame = (tool: string, ...codes: readonly string[]): void => {
    if (names.has(tool)) return;
    const known = faults.get(tool) ?? new Set<string>();
    for (const code of codes) known.add(code);
    faults.set(tool, known);
  };
  const byName = groupBy(declared, ({ name }) => name);
  const byFile = groupBy(declared, ({ document }) => document.uri);
  // A tool may be unusable through an error in a file that it shares with others.
  for (const { name } of declared) if (!usable.has(name)) blame(name);
  for (const tool of unparsed.values()) blame(tool);
  for (const { tool, location, code } of diagnostics.filter(isError)) {
    const uri = location?.uri ?? "";
    const promised = unparsed.get(uri);
    if (promised !== undefined) blame(promised, code);
    for (const { name } of (tool === undefined ? byFile.get(uri) : byName.get(tool)) ?? []) blame(name, code);
  }
  return sortBy(faults, ([key]) => key).map(([tool, codes]) => ({
    tool,
    reason: codes.size === 0 ? "a file that it uses has errors" : `it has errors: ${[...codes].toSorted().join(", ")}`,
  }));
}
