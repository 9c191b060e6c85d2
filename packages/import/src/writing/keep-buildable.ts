import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { JsonObject, JsonValue } from "@hasp/schema";
import { type Diagnostic, type Found, isError } from "@hasp/base/diagnostics";
import { pickMembers, toObject, isList, isObject, parsePointer } from "@hasp/base/json";
import { describeFault, findNeededDefinitions, readDefinitionName } from "../importers/buildable/definitions.js";
import { importDiagnostics } from "../importers/source/diagnostics.js";
import { type ImportedSource, type ImportedTool, readSourceName } from "../importers/source/importer.js";
import { computeImportedDigest, createSharedFile } from "../importers/specs/imported-part.js";
import { toSlashPath } from "@hasp/project";
import { createHostWithFiles } from "@hasp/project/read";
import type { MovedSpec } from "./import-records.js";

interface BuildSettings {
  readonly root: string;
  readonly config?: string | undefined;
  /** Absolute folder of the specs. */
  readonly out: string;
  /** The importer, and the name of its source. */
  readonly kind: string;
  readonly source: string;
  /** Specs in other places, by their tools' names at the source. */
  readonly moved: ReadonlyMap<string, MovedSpec>;
}

/**
 * Compiles the project in memory as it would be after the import. Anything that no build accepts is left out and named:
 * a part that a spec can do without, or else its tool. A tool that already has a spec stays: its author may have changed
 * the part that no build accepts. Ends, since each round leaves something out.
 */
export async function keepBuildable(
  { value, diagnostics: earlier }: Found<ImportedSource>,
  settings: BuildSettings,
): Promise<Found<ImportedSource>> {
  const diagnostics = [...earlier];
  let imported = value;
  while (imported.tools.length > 0) {
    const files = placeFiles(imported, settings);
    const round = leaveOut(imported, await findErrors(imported, files, settings), files);
    if (round.diagnostics.length === 0) break;
    imported = withoutUnused(round.value, settings);
    diagnostics.push(...round.diagnostics);
  }
  return { value: imported, diagnostics };
}

/** The imported files by their paths from the root. */
interface ImportedFiles {
  readonly tools: ReadonlyMap<string, ImportedTool>;
  readonly shared: string | undefined;
  /** True for the path of a spec that is there already. */
  isThere(path: string): boolean;
}

function placeFiles({ tools, shared }: ImportedSource, { root, out, moved }: BuildSettings): ImportedFiles {
  const pathOf = (path: string): string => toSlashPath(root, path);
  return {
    tools: new Map(
      tools.map((tool) => [pathOf(moved.get(readSourceName(tool))?.path ?? resolve(out, tool.fileName)), tool]),
    ),
    shared: shared && pathOf(resolve(out, shared.fileName)),
    isThere: (path) => existsSync(resolve(root, path)),
  };
}

/** Finds the errors of the project with the imported files; none if it has no usable configuration. */
async function findErrors(
  { shared, connections = [] }: ImportedSource,
  files: ImportedFiles,
  { root, config }: BuildSettings,
): Promise<readonly Diagnostic[]> {
  const [{ readProject }, { compile }, { listProjectRules }] = await Promise.all([
    import("@hasp/project/read"),
    import("@hasp/compiler"),
    import("@hasp/compiler/plugins"),
  ]);
  const texts = new Map([...files.tools].map(([path, { spec }]) => [path, JSON.stringify(spec)]));
  if (files.shared !== undefined) texts.set(files.shared, JSON.stringify(shared?.content));
  const host = createHostWithFiles(root, texts);
  const project = await readProject(root, { host, unlocked: true, config });
  if (project.plan === undefined) return [];
  const own = Object.fromEntries(connections.map(({ name, settings }) => [name, settings]));
  // A connection of the same name and another kind is the import's own finding.
  const plan = { ...project.plan, connections: { ...project.plan.connections, ...own } };
  const { diagnostics } = await compile(project.sources, plan, { plugins: project.plugins, emits: false });
  // A team's own rules ask for things that people add to a spec afterwards, such as an owner.
  const ofTeam = new Set(listProjectRules(plan).map(({ id }) => id));
  return diagnostics.filter((each) => isError(each) && !ofTeam.has(each.code));
}

/** Leaves out the tools and parts that the errors are about. No diagnostics if none of them can be left out. */
function leaveOut(
  imported: ImportedSource,
  errors: readonly Diagnostic[],
  files: ImportedFiles,
): Found<ImportedSource> {
  const diagnostics: Diagnostic[] = [];
  const tools: ImportedTool[] = [];
  const refused: string[] = [];
  const needs = createNeedSearch(imported);
  const ofShared = errors.filter(({ location }) => location !== undefined && location.uri === files.shared);
  for (const [path, tool] of files.tools) {
    const about = { tool: tool.name };
    const own = errors.filter(isAbout(path, tool));
    const parts = own.map((error) => ({ error, part: findDispensablePart(error, path) }));
    const problem =
      parts.find(({ part }) => part === undefined)?.error ??
      (ofShared.length === 0 ? undefined : ofShared.find(needs(tool)));
    if (problem !== undefined && !files.isThere(path)) {
      const { message, location } = problem;
      const definition = ofShared.includes(problem) ? readDefinitionName(location?.pointer ?? "") : undefined;
      const parameters = { ...about, problem: describeFault(message, definition) };
      diagnostics.push(importDiagnostics("not-buildable", tool.locate(), parameters, about));
      refused.push(tool.name);
      continue;
    }
    const left = new Map(parts.flatMap(({ error, part }) => (part === undefined ? [] : [[part, error] as const])));
    tools.push(left.size === 0 ? tool : { ...tool, spec: removeParts(tool.spec, new Set(left.keys())) });
    for (const [part, { message }] of left) {
      diagnostics.push(importDiagnostics("part-left-out", tool.locate(), { ...about, part, problem: message }, about));
    }
  }
  return { value: { ...imported, tools, refused: [...imported.refused, ...refused] }, diagnostics };
}

/** Creates a check that an error is about an imported spec: it is in it, or it names the tool without a place. */
function isAbout(path: string, { name }: ImportedTool): (error: Diagnostic) => boolean {
  return ({ location, related = [], tool }) =>
    location === undefined
      ? tool === name
      : location.uri === path || related.some((each) => each.location.uri === path);
}

/** Creates a search for the errors in shared definitions that a tool needs. */
function createNeedSearch({ shared }: ImportedSource): (tool: ImportedTool) => (error: Diagnostic) => boolean {
  const definitions = readDefinitions(shared);
  return (tool) => {
    const needed = findNeededDefinitions(listSchemas(tool), definitions);
    return ({ location }) => {
      const name = readDefinitionName(location?.pointer ?? "");
      return name === undefined || needed.has(name);
    };
  };
}

/** Keys that a spec can do without. */
const DISPENSABLE: ReadonlySet<string> = new Set(["title", "tags", "output", "outputCheck", "examples"]);

/** Returns the key of a part that a spec can do without and that holds an error, or `tags/` and the number of a tag. */
function findDispensablePart({ location }: Diagnostic, path: string): string | undefined {
  if (location?.uri !== path) return undefined;
  const [key = "", index] = parsePointer(location.pointer);
  if (key === "tags" && index !== undefined) return `${key}/${index}`;
  return DISPENSABLE.has(key) || key.startsWith("x-") ? key : undefined;
}

function removeParts(spec: JsonObject, parts: ReadonlySet<string>): JsonObject {
  const kept = Object.fromEntries(
    Object.entries(spec).flatMap(([key, value]): readonly (readonly [string, JsonValue])[] => {
      if (parts.has(key) || (key === "outputCheck" && parts.has("output"))) return [];
      if (key !== "tags" || !isList(value)) return [[key, value]];
      const tags = value.filter((_tag, index) => !parts.has(`${key}/${index}`));
      return tags.length === 0 ? [] : [[key, tags]];
    }),
  );
  const { origin } = kept;
  return isObject(origin) ? { ...kept, origin: { ...origin, digest: computeImportedDigest(kept) } } : kept;
}

/** Leaves out the shared definitions that no tool needs. */
function withoutUnused(imported: ImportedSource, { kind, source }: BuildSettings): ImportedSource {
  const { shared, ...rest } = imported;
  const definitions = readDefinitions(shared);
  const needed = findNeededDefinitions(imported.tools.flatMap(listSchemas), definitions);
  const kept = pickMembers(definitions, (name) => needed.has(name));
  const less = createSharedFile(kind, source, kept);
  return less === undefined ? rest : { ...rest, shared: less };
}

/** Returns the schemas of a spec that may refer to shared definitions. */
export function listSchemas({ spec }: ImportedTool): readonly unknown[] {
  return [spec["input"], spec["output"]];
}

export function readDefinitions(shared: ImportedSource["shared"]): JsonObject {
  const definitions = shared?.content["$defs"];
  return toObject(definitions);
}
