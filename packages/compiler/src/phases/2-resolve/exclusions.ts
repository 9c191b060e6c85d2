import { suggestionsFor } from "../../diagnostics/closest.js";
import type { Diagnostic } from "../../diagnostics/diagnostic.js";
import { isError } from "../../diagnostics/severity.js";
import type { ExclusionPlan } from "../../model/plan.js";
import type { FlatTool } from "../../model/tool.js";
import type { CompileContext } from "../../context/context.js";
import { declaredTools, type DeclaredTool } from "../../model/document.js";
import { resolveDiagnostics } from "./diagnostics.js";

interface Exclusions {
  readonly names: ReadonlySet<string>;
  /** True for a finding that must not be reported: about excluded tools only, or premature while a spec does not parse. */
  covers(diagnostic: Diagnostic): boolean;
  /** Findings about entries that exclude nothing. */
  readonly diagnostics: readonly Diagnostic[];
  readonly declarations: Declarations;
}

interface Declarations {
  readonly tools: readonly DeclaredTool[];
  /** Specs that cannot be parsed, each with the tool that its name promises, or its path. */
  readonly unparsed: ReadonlyMap<string, string>;
}

function findDeclarations({ sources, documents }: CompileContext): Declarations {
  const parsed = new Set(documents.map(({ uri }) => uri));
  const unparsed = sources.filter(({ role, uri }) => role === "spec" && !parsed.has(uri));
  return { tools: declaredTools(documents), unparsed: new Map(unparsed.map(({ uri }) => [uri, promisedTool(uri)])) };
}

/** Returns the tool that a file with one spec is named after, or the path of a file with several. */
function promisedTool(uri: string): string {
  return /(?:^|\/)([^/]+)\.tool\.(?:ya?ml|json)$/u.exec(uri)?.[1] ?? uri;
}

export function findExclusions(context: CompileContext): Exclusions {
  const { exclude, locations = {} } = context.plan;
  const declarations = findDeclarations(context);
  const { tools, unparsed } = declarations;
  const names = new Set(exclude.map(({ tool }) => tool));
  const known = [...new Set([...tools.map(({ name }) => name), ...unparsed.values()])];
  const seen = new Set<string>();
  const diagnostics = exclude.flatMap(({ tool }, index) => {
    const isRepeated = seen.has(tool);
    seen.add(tool);
    const location = locations[`/exclude/${index}`];
    if (isRepeated) return [resolveDiagnostics("duplicate-exclusion", location, { tool })];
    if (known.includes(tool)) return [];
    return [resolveDiagnostics("unknown-exclusion", location, { tool, nearest: suggestionsFor(tool, known) })];
  });
  const kept = new Set(tools.filter(({ name }) => !names.has(name)).map(({ document }) => document.uri));
  const files = new Set([
    ...tools.map(({ document }) => document.uri).filter((uri) => !kept.has(uri)),
    ...[...unparsed].filter(([, tool]) => names.has(tool)).map(([uri]) => uri),
  ]);
  return {
    names,
    diagnostics,
    declarations,
    covers({ tool, location, needsAllSpecs }) {
      if (needsAllSpecs === true && unparsed.size > 0) return true;
      return tool === undefined ? location !== undefined && files.has(location.uri) : names.has(tool);
    },
  };
}

/** Finds the tools that keep a project from being built, each with the codes of its errors. */
export function faultyTools(
  { names, declarations: { tools, unparsed } }: Exclusions,
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
  // A tool may be unusable through an error in a file that it shares with others.
  for (const { name } of tools) if (!usable.has(name)) blame(name);
  for (const tool of unparsed.values()) blame(tool);
  for (const { tool, location, code } of diagnostics.filter(isError)) {
    const uri = location?.uri ?? "";
    const promised = unparsed.get(uri);
    if (promised !== undefined) blame(promised, code);
    for (const { name, document } of tools) {
      if (tool === undefined ? document.uri === uri : name === tool) blame(name, code);
    }
  }
  return [...faults]
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([tool, codes]) => ({
      tool,
      reason:
        codes.size === 0 ? "a file that it uses has errors" : `it has errors: ${[...codes].toSorted().join(", ")}`,
    }));
}
