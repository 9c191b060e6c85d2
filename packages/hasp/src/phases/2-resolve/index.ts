import { resolveMetadata } from "@hasp/runtime";
import type { JsonValue } from "@hasp/schema";
import type { Diagnostic, Found, Location } from "../../diagnostics/diagnostic.js";
import type { LoadedDocument, SourceText } from "../../model/document.js";
import { Facts } from "../../model/facts.js";
import type { ToolSpec } from "../../model/spec.js";
import type { ToolModel } from "../../model/tool.js";
import { findContradictions } from "./contradictions.js";
import { findInheritedClaims } from "./inherited-claims.js";
import { findNameConflicts } from "./names.js";
import { readSpecs, type LocatedSpec } from "./read-specs.js";
import { type CheckedReferences, createReferenceChecker, type ReferenceChecker } from "./references.js";
import { withoutParts } from "./repair.js";
import { findRelaxations } from "./relaxations.js";
import { counted, ignoreProgress, type OnProgress } from "../../diagnostics/progress.js";

/**
 * Turns spec documents into tools, sorted by name: every default filled, each relaxation marked, every `$ref` checked.
 * Specs with errors are refused. `sources` includes files that could not be loaded; `factsOf` gives what was computed from a
 * tool before. Tools whose names are `excluded` are passed over.
 */
export function resolve(
  documents: readonly LoadedDocument[],
  sources: readonly SourceText[] = [],
  factsOf: FactsOfTool = () => new Facts(),
  excluded: ReadonlySet<string> = new Set(),
  onProgress: OnProgress = ignoreProgress,
): ResolvedTools {
  const diagnostics: Diagnostic[] = [];
  const references = createReferenceChecker(documents, sources);
  const tools: ToolModel[] = [];
  /** Refused tools, each as the later phases may look at it; `undefined` where there is nothing to look at. */
  const refused = new Map<ToolModel, RefusedTool | undefined>();
  for (const document of counted(documents, "Resolving specs", onProgress)) {
    if (document.role !== "spec") continue;
    const read = readDocument(document, factsOf);
    diagnostics.push(...read.diagnostics);
    for (const { tool, isFaulty, removed } of read.value) {
      if (excluded.has(tool.name)) continue;
      tools.push(tool);
      const found = checkedParts(tool, references);
      diagnostics.push(...found.flatMap((each) => each.diagnostics));
      const isUsable = found.every((each) => each.isUsable);
      if (isFaulty || removed.length > 0 || !isUsable) {
        const broken = found.flatMap((each) => each.diagnostics.map(({ location }) => location));
        refused.set(tool, isUsable ? { tool, removed } : withoutReferences(tool, removed, broken));
      }
    }
  }
  diagnostics.push(...findNameConflicts(tools));
  const value = byName(tools.filter((tool) => !refused.has(tool)));
  const names = new Set(value.map(({ name }) => name));
  return {
    value,
    diagnostics,
    refused: [...refused.values()].flatMap((each) => {
      if (each === undefined || names.has(each.tool.name)) return [];
      names.add(each.tool.name);
      return [each];
    }),
  };
}

/** Checks the references of both schemas. The facts of a tool rest on every document that these lead to. */
function checkedParts(tool: ToolModel, references: ReferenceChecker): readonly CheckedReferences[] {
  const check = (): readonly CheckedReferences[] =>
    ["input", "output"].map((key) => references.check(tool.document, `${tool.pointer}/${key}`));
  let found: readonly CheckedReferences[] | undefined;
  const isSettled = tool.facts.of("settled references", () => {
    found = check();
    return found.every((each) => each.isSettled);
  });
  return isSettled && found === undefined ? SETTLED : (found ?? check());
}

const SETTLED: readonly CheckedReferences[] = [{ isUsable: true, diagnostics: [], isSettled: true }];

/** The tools of a project. */
export interface ResolvedTools extends Found<readonly ToolModel[]> {
  /** Tools with errors, without their faulty parts: later phases search them for other faults and do nothing else. */
  readonly refused: readonly RefusedTool[];
}

/** A tool with errors. */
export interface RefusedTool {
  readonly tool: ToolModel;
  /** JSON Pointers inside the spec of what was left out. */
  readonly removed: readonly string[];
}

/** A tool without the references that lead nowhere, if they all stand in its own schemas and below their roots. */
function withoutReferences(
  tool: ToolModel,
  removed: readonly string[],
  broken: readonly (Location | undefined)[],
): RefusedTool | undefined {
  const pointers = broken.map((location) =>
    location?.uri === tool.document.uri && location.pointer.startsWith(`${tool.pointer}/`)
      ? location.pointer.slice(tool.pointer.length)
      : undefined,
  );
  if (pointers.length === 0 || !pointers.every((each) => each !== undefined && each.split("/").length > 3)) {
    return undefined;
  }
  const parts = pointers.filter((each) => each !== undefined);
  const spec = withoutParts(tool.spec as unknown as JsonValue, parts);
  return spec === undefined
    ? undefined
    : { tool: { ...tool, spec: spec as unknown as ToolSpec, facts: new Facts() }, removed: [...removed, ...parts] };
}

/** Gives what was computed from the tool at a pointer of a document. */
export type FactsOfTool = (document: LoadedDocument, pointer: string) => Facts;

/** A tool that was read from its own document alone. */
interface ReadTool {
  readonly tool: ToolModel;
  /** Whether its claims contradict each other or come from a YAML alias. */
  readonly isFaulty: boolean;
  /** JSON Pointers inside the spec of faulty parts that were left out. */
  readonly removed: readonly string[];
}

function readDocument(document: LoadedDocument, factsOf: FactsOfTool): Found<readonly ReadTool[]> {
  const specs = document.facts.live("specs", () => readSpecs(document));
  const diagnostics: Diagnostic[] = [...specs.diagnostics];
  const value = specs.value.map((located): ReadTool => {
    const { document: from, pointer, removed = [] } = located;
    const facts = removed.length === 0 ? factsOf(from, pointer) : new Facts();
    const { tool, faults } = facts.live("model", () => {
      const model = toModel(located, facts);
      return { tool: model, faults: [...findContradictions(model), ...findInheritedClaims(model)] };
    });
    diagnostics.push(...faults);
    return { tool, isFaulty: faults.length > 0, removed };
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
