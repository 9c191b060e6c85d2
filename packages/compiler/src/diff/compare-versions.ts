import { canonicalText, groupBy } from "@hasp/base/json";
import type { JsonValue, Severity } from "@hasp/schema";
import { type Diagnostic, type Location, sortDiagnostics } from "@hasp/base/diagnostics";
import type { CompilePlan } from "../model/plan.js";
import type { FlatTool } from "../model/tool.js";
import { countPromptTokens } from "../text/prompt-tokens.js";
import { compareFlows } from "./compare-flows.js";
import { compareLedgers } from "./compare-ledgers.js";
import { compareLists } from "./compare-lists.js";
import { comparePolicies } from "./compare-policies.js";
import { listAddedClaims } from "./compare-safety.js";
import { compareSettings } from "./compare-settings.js";
import { compareTool, compareNames } from "./compare-tool.js";
import { diffDiagnostics, findLevelName, findList, type DiffList } from "./diagnostics.js";
import type { EarlierOf, Version } from "./version.js";

const ORDER: readonly (DiffList | undefined)[] = [undefined, "breaks", "loosens", "prompt"];

/** Compares two versions of a project. `base` names the earlier one in messages; `check` reports tools with errors. */
export function compareVersions(before: Version, after: Version, base: string): readonly Diagnostic[] {
  const renamed = renamedTools(before, after);
  const counterparts = new Map(after.tools.map((tool) => [tool, earlierOf(before, tool, renamed)]));
  const earlier: EarlierOf = (tool) => counterparts.get(tool);
  const nameBefore = (name: string): string => {
    const tool = after.tools.find((each) => each.name === name);
    return (tool && earlier(tool)?.name) ?? name;
  };
  const isFirst = before.tools.length + before.broken.size === 0;
  const found = [
    ...(isFirst ? [diffDiagnostics("project-new", undefined, { base })] : []),
    ...after.tools.flatMap((tool) =>
      [...compareOrAdd(before, after, tool, earlier(tool), base), ...compareNames(before, earlier(tool), tool)].map(
        (each) => ({ ...each, tool: tool.name }),
      ),
    ),
    ...goneTools(before, after, renamed, base),
    ...compareLists(before, after, earlier),
    ...compareLedgers(before, after, nameBefore),
    ...compareSettings(before, after, earlier),
    ...comparePolicies(before, after, base, earlier),
    ...compareFlows(before, after, earlier),
  ];
  // Without earlier tools, no call can break.
  const reported = isFirst ? found.filter((each) => findList(each) !== "breaks") : found;
  const sorted = sortDiagnostics(withLevels(joinClaims(reported), [before.plan, after.plan]));
  return ORDER.flatMap((list) => sorted.filter((each) => findList(each) === list));
}

type Renamed = ReadonlyMap<FlatTool, FlatTool>;

/** Finds the earlier version of a tool, also under its former name. */
function earlierOf(before: Version, tool: FlatTool, renamed: Renamed): FlatTool | undefined {
  const byName = before.tools.find(({ name }) => name === tool.name);
  return byName ?? before.tools.find(({ name }) => tool.spec.aliases?.includes(name)) ?? renamed.get(tool);
}

/** Finds new tools that are the only ones to equal a lost one in all but the name. */
function renamedTools(before: Version, after: Version): Renamed {
  const meaning = ({ spec, input, output }: FlatTool): string =>
    canonicalText([{ ...spec, name: "" }, input.schema, output?.schema ?? null] as unknown as JsonValue);
  const taken = listTakenNames(after);
  const known = new Set([...before.broken, ...before.tools.map(({ name }) => name)]);
  const isExcluded = (name: string): boolean => after.plan.exclude.some(({ tool }) => tool === name);
  const gone = before.tools.filter(({ name }) => !taken.has(name) && !isExcluded(name));
  const added = after.tools.filter(({ name }) => !known.has(name));
  const [old, now] = [gone, added].map((tools) => groupBy(tools, meaning));
  const pairs = [...(now ?? [])].flatMap(([text, tools]): readonly (readonly [FlatTool, FlatTool])[] => {
    const [tool, another] = tools;
    const [earlier, second] = old?.get(text) ?? [];
    const isClear = tool !== undefined && earlier !== undefined && another === undefined && second === undefined;
    return isClear ? [[tool, earlier]] : [];
  });
  return new Map(pairs);
}

/** Joins the findings that a claim is new and that its own change approves it. */
function joinClaims(found: readonly Diagnostic[]): readonly Diagnostic[] {
  const keyOf = (tool: string | undefined, location: Location | undefined): string =>
    JSON.stringify([tool, location?.uri, location?.pointer]);
  const approved = new Map(
    found.flatMap((each) => {
      const claim = each.code === "diff/self-approved" ? each.related?.[0]?.location : undefined;
      return claim === undefined ? [] : [[keyOf(each.tool, claim), each] as const];
    }),
  );
  const joined = new Map<Diagnostic, Diagnostic>();
  const told = new Set<Diagnostic>();
  for (const each of found) {
    const approval = approved.get(keyOf(each.tool, each.location));
    if (approval === undefined || !NEW_CLAIMS.has(each.code)) continue;
    told.add(each);
    if (each.code !== "diff/claim-added") {
      joined.set(approval, { ...approval, message: `${each.message} ${approval.message}` });
    }
  }
  return found.filter((each) => !told.has(each)).map((each) => joined.get(each) ?? each);
}

const NEW_CLAIMS: ReadonlySet<string> = new Set(["diff/claim-added", "diff/loosened"]);

function compareOrAdd(
  before: Version,
  after: Version,
  tool: FlatTool,
  earlier: FlatTool | undefined,
  base: string,
): readonly Diagnostic[] {
  if (earlier !== undefined) {
    const found = compareTool({ tool: earlier, version: before }, { tool, version: after });
    if (earlier.name === tool.name) return found;
    const names = { before: earlier.name, after: tool.name };
    const isAlias = tool.spec.aliases?.includes(earlier.name) === true;
    const name = isAlias ? "renamed-with-alias" : "tool-renamed";
    return [diffDiagnostics(name, tool.locate("/name"), names), ...found];
  }
  const location = tool.locate("/name");
  const added = before.broken.has(tool.name)
    ? diffDiagnostics("not-comparable", location, { name: tool.name, base })
    : diffDiagnostics("tool-added", location, { tokens: countPromptTokens(tool, after.plan) });
  return [added, ...listAddedClaims(tool)];
}

/** Lists the names and aliases of a version's tools, with the names of those that have errors. */
function listTakenNames({ broken, tools }: Version): ReadonlySet<string> {
  return new Set([...broken, ...tools.flatMap(({ name, spec }) => [name, ...(spec.aliases ?? [])])]);
}

/** Finds names that no tool has any more. Tools with errors have no callers and are reported by `check`. */
function goneTools(before: Version, after: Version, renamed: Renamed, base: string): readonly Diagnostic[] {
  const names = listTakenNames(after);
  return before.tools.flatMap((tool) => {
    const { name, spec } = tool;
    if (after.broken.has(name) || [...renamed.values()].includes(tool)) return [];
    // The location is in a file of the earlier version.
    const was = { tool: name, related: [{ location: tool.locate("/name"), message: `It was here at ${base}` }] };
    const index = after.plan.exclude.findIndex(({ tool: excluded }) => excluded === name);
    const exclusion = after.plan.exclude[index];
    if (!names.has(name) && exclusion !== undefined) {
      const location = after.plan.locations?.[`/exclude/${index}`];
      return [diffDiagnostics("tool-excluded", location, { name, reason: exclusion.reason }, was)];
    }
    if (!names.has(name)) return [diffDiagnostics("tool-gone", undefined, { name }, was)];
    const now = after.tools.find((each) => each.name === name || each.spec.aliases?.includes(name));
    const gone = (spec.aliases ?? []).filter((alias) => !names.has(alias));
    return gone.map((alias) => diffDiagnostics("alias-gone", now?.locate("/name"), { alias }, { tool: now?.name }));
  });
}

const SEVERITIES: readonly Severity[] = ["info", "warning", "error"];

/** Applies the stricter of the two configurations, so that a change cannot lower its own levels. */
function withLevels(diagnostics: readonly Diagnostic[], plans: readonly CompilePlan[]): readonly Diagnostic[] {
  return diagnostics.map((diagnostic) => {
    const name = findLevelName(diagnostic);
    if (name === undefined) return diagnostic;
    const wanted = plans.map(({ diff }) => SEVERITIES.indexOf(diff?.[name] ?? diagnostic.severity));
    return { ...diagnostic, severity: SEVERITIES[Math.max(...wanted)] ?? diagnostic.severity };
  });
}
