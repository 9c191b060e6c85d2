import { groupBy, isStructured, sortBy } from "@hasp/base/json";
import { resolveMetadata, findContradictions as contradictionsOf, type Contradiction } from "@hasp/runtime/contract";
import type { JsonValue } from "@hasp/schema";
import { capitalize, type Diagnostic, type Found, type Location, findSuggestions } from "@hasp/base/diagnostics";
import type { LoadedDocument } from "../../model/document.js";
import type { ToolSpec } from "../../model/spec-keys.js";
import type { ToolModel } from "../../model/tool.js";
import type { CompileContext } from "../../context/context.js";
import { findInheritedClaims, findRelaxations, mayHoldAliases } from "./relaxations.js";
import type { SpecFormat } from "../../spec/spec-format.js";
import { readSpecs, type LocatedSpec, removeParts } from "./read-specs.js";
import { createReferenceChecker, type ReferenceChecker } from "./references.js";
import { resolveDiagnostics } from "./diagnostics.js";
import { isReservedName } from "../../model/reserved-names.js";

export interface ResolvedTools {
  readonly tools: readonly ToolModel[];
  /** Tools without their faulty parts, which later phases only search for other faults. */
  readonly refused: readonly ToolModel[];
}

/** Turns spec documents into tools, sorted by name: every default filled, each relaxation marked, every `$ref` checked. */
export function resolve(documents: readonly LoadedDocument[], context: CompileContext): Found<ResolvedTools> {
  const references = createReferenceChecker(documents, context.sources);
  const specs = documents.filter(({ role }) => role === "spec").map((document) => ({ document, pointer: "" }));
  const specFormat = context.plugins.handlerKinds.specFormat();
  const read = context.each("Resolving specs", specs, ({ document }) => resolveFile(document, references, specFormat));
  const found = read.flatMap((file) => file.tools.filter(({ tool }) => !context.exclusions.names.has(tool.name)));
  const tools = byName(found.flatMap(({ tool, isSound }) => (isSound ? [tool] : [])));
  const names = new Set(tools.map(({ name }) => name));
  const refused = byName(found.flatMap(({ repaired }) => repaired ?? [])).filter(({ name }) => !names.has(name));
  return {
    value: { tools, refused },
    diagnostics: [
      ...findFaultyExclusions(context),
      ...read.flatMap(({ diagnostics }) => diagnostics),
      ...found.flatMap(({ diagnostics }) => diagnostics),
      ...findNameConflicts(found.map(({ tool }) => tool)),
    ],
  };
}

function findFaultyExclusions({
  plan: { exclude, locations = {} },
  exclusions: { declared, unparsed },
}: CompileContext): readonly Diagnostic[] {
  const known = [...new Set([...declared.map(({ name }) => name), ...unparsed.values()])];
  const seen = new Set<string>();
  return exclude.flatMap(({ tool }, index) => {
    const isRepeated = seen.has(tool);
    seen.add(tool);
    const location = locations[`/exclude/${index}`];
    if (isRepeated) return [resolveDiagnostics("duplicate-exclusion", location, { tool })];
    if (known.includes(tool)) return [];
    return [resolveDiagnostics("unknown-exclusion", location, { tool, nearest: findSuggestions(tool, known) })];
  });
}

export interface ResolvedFile {
  readonly tools: readonly ResolvedTool[];
  /** Findings about no tool in particular. */
  readonly diagnostics: readonly Diagnostic[];
  /** False if the outcome may change although the documents that the file leads to stay the same. */
  readonly isSettled: boolean;
}

interface ResolvedTool {
  readonly tool: ToolModel;
  readonly diagnostics: readonly Diagnostic[];
  readonly isSound: boolean;
  /** An unsound tool without its faulty parts, for later phases; missing if nothing is left. */
  readonly repaired?: ToolModel;
}

function resolveFile(document: LoadedDocument, references: ReferenceChecker, format: SpecFormat): ResolvedFile {
  const { value, diagnostics } = readSpecs(document, format);
  const mayInherit = mayHoldAliases(document);
  const checked = value.map((spec) => resolveTool(spec, references, mayInherit));
  return {
    tools: checked.map(({ tool }) => tool),
    diagnostics,
    isSettled: checked.every(({ isSettled }) => isSettled),
  };
}

function resolveTool(
  spec: LocatedSpec,
  references: ReferenceChecker,
  mayInherit: boolean,
): { readonly tool: ResolvedTool; readonly isSettled: boolean } {
  const tool = toModel(spec);
  const faults = [...findContradictions(tool), ...(mayInherit ? findInheritedClaims(tool) : [])];
  const found = ["input", "output"].map((key) => references.check(tool.document, `${tool.pointer}/${key}`));
  const dangling = found.flatMap(({ diagnostics }) => diagnostics);
  const isUsable = found.every((each) => each.isUsable);
  const isSound = faults.length === 0 && tool.removed.length === 0 && isUsable;
  const repaired = isUsable ? tool : withoutReferences(tool, dangling);
  return {
    tool: {
      tool,
      diagnostics: [...faults, ...dangling],
      isSound,
      ...(isSound || repaired === undefined ? {} : { repaired }),
    },
    isSettled: found.every((each) => each.isSettled),
  };
}

/** Removes references that lead nowhere, if they all stand in the tool's own schemas and below their roots. */
function withoutReferences(tool: ToolModel, dangling: readonly Diagnostic[]): ToolModel | undefined {
  const pointers = dangling.map(({ location }) => pointerInside(tool, location));
  if (pointers.length === 0 || !pointers.every((each) => each !== undefined && each.split("/").length > 3)) {
    return undefined;
  }
  const parts = pointers.filter((each) => each !== undefined);
  const spec = removeParts(tool.spec as unknown as JsonValue, parts);
  return spec === undefined
    ? undefined
    : { ...tool, spec: spec as unknown as ToolSpec, removed: [...tool.removed, ...parts] };
}

function pointerInside({ document, pointer }: ToolModel, location: Location | undefined): string | undefined {
  return location?.uri === document.uri && location.pointer.startsWith(`${pointer}/`)
    ? location.pointer.slice(pointer.length)
    : undefined;
}

export function toModel({ document, pointer, spec, removed }: LocatedSpec): ToolModel {
  const { metadata, stated } = resolveMetadata(spec);
  return {
    name: spec.name,
    document,
    pointer,
    spec,
    metadata,
    stated,
    relaxations: findRelaxations(spec, metadata),
    removed,
    locate: (inside, part) => document.locate(pointer + inside, part),
  };
}

function byName(tools: readonly ToolModel[]): readonly ToolModel[] {
  const named = new Map<string, ToolModel>();
  for (const tool of tools) if (!named.has(tool.name)) named.set(tool.name, tool);
  return sortBy(named.values(), ({ name }) => name);
}

/** A name or alias of a tool, with its place in the spec. */
interface TakenName {
  readonly tool: ToolModel;
  readonly name: string;
  readonly pointer: string;
}

function findNameConflicts(tools: readonly ToolModel[]): readonly Diagnostic[] {
  const names = tools.map((tool): TakenName => ({ tool, name: tool.name, pointer: "/name" }));
  const aliases = tools.flatMap((tool) =>
    (tool.spec.aliases ?? []).map((name, index): TakenName => ({ tool, name, pointer: `/aliases/${index}` })),
  );
  const owners = groupBy(names, ({ name }) => name);
  const claims = groupBy(aliases, ({ name }) => name);
  return [
    ...[...names, ...aliases]
      .filter(({ name }) => isReservedName(name))
      .map(({ tool, name, pointer }) =>
        resolveDiagnostics("reserved-name", tool.locate(pointer), { name }, { tool: tool.name }),
      ),
    ...names.flatMap((taken) => {
      const { tool, name, pointer } = taken;
      const [first = taken] = owners.get(name) ?? [];
      // A place is looked for only where there is a conflict: a cached document is parsed again to find it.
      if (first === taken) return [];
      const details = besides(tool, first, "the first one");
      return [resolveDiagnostics("duplicate-name", tool.locate(pointer), { name }, details)];
    }),
    ...aliases.flatMap((taken) => {
      const { tool, name: alias, pointer } = taken;
      const [owner] = owners.get(alias) ?? [];
      const [first = taken] = claims.get(alias) ?? [];
      if (owner !== undefined) {
        const details = besides(tool, owner, "the tool of that name");
        return [resolveDiagnostics("alias-is-a-tool", tool.locate(pointer), { alias }, details)];
      }
      if (first === taken) return [];
      const details = besides(tool, first, "the first claim");
      const parameters = { alias, owner: first.tool.name };
      return [resolveDiagnostics("duplicate-alias", tool.locate(pointer), parameters, details)];
    }),
  ];
}

function besides(tool: ToolModel, other: TakenName, message: string): Pick<Diagnostic, "related"> & { tool: string } {
  return { tool: tool.name, related: [{ location: other.tool.locate(other.pointer), message }] };
}

function findContradictions(tool: ToolModel): readonly Diagnostic[] {
  return contradictionsOf(tool.spec).map(({ value, other, why }) => {
    const location = tool.locate(pointerOf(value));
    const parameters = { claim: quoted(value), other: quoted(other), why: capitalize(why) };
    const related = [{ location: tool.locate(pointerOf(other)), message: `"${parameters.other}" is stated here` }];
    return resolveDiagnostics("contradiction", location, parameters, { tool: tool.name, related });
  });
}

type LocatedValue = Contradiction["value"];

function pointerOf({ at }: LocatedValue): string {
  return at.map((key) => `/${key}`).join("");
}

function quoted({ name, value }: LocatedValue): string {
  if (!isStructured(value)) return `${name}: ${String(value)}`;
  const [[key, source] = ["", ""]] = Object.entries(value);
  return `${name}: { ${key}: ${String(source)} }`;
}
