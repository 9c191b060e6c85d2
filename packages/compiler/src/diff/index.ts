import type { Severity } from "@hasp/schema";
import type { Diagnostic } from "../diagnostics/diagnostic.js";
import { sortDiagnostics } from "../diagnostics/diagnostic-bag.js";
import type { CompilePlan } from "../model/plan.js";
import type { FlatTool } from "../model/tool.js";
import { promptTokens } from "../text/prompt-tokens.js";
import { compareLedgers } from "./compare-ledgers.js";
import { compareLists } from "./compare-lists.js";
import { comparePolicies } from "./compare-policies.js";
import { addedClaims } from "./compare-safety.js";
import { compareSettings } from "./compare-settings.js";
import { compareTool } from "./compare-tool.js";
import { diffDiagnostics, levelName, findList, type DiffList } from "./diagnostics.js";
import type { Version } from "./version.js";

export { compareCosts, type ListCost } from "./compare-lists.js";
export { diffDiagnostics, isUnproved, levelName, findList, type DiffList } from "./diagnostics.js";
export { compileVersion, type Version } from "./version.js";

const ORDER: readonly (DiffList | undefined)[] = [undefined, "breaks", "loosens", "prompt"];

/** Compares two versions of a project. `base` names the earlier one in messages; `check` reports tools with errors. */
export function compareVersions(before: Version, after: Version, base: string): readonly Diagnostic[] {
  const found = [
    ...after.tools.flatMap((tool) => compareOrAdd(before, after, tool, base)),
    ...goneTools(before, after, base),
    ...compareLists(before, after, (tool) => earlierOf(before, tool)),
    ...compareLedgers(before, after),
    ...compareSettings(before, after),
    ...comparePolicies(before, after, base),
  ];
  const sorted = sortDiagnostics(withLevels(found, [before.plan, after.plan]));
  return ORDER.flatMap((list) => sorted.filter(({ code }) => findList(code) === list));
}

/** A renamed tool that keeps its old name as an alias is the same tool. */
function earlierOf(before: Version, tool: FlatTool): FlatTool | undefined {
  const byName = before.tools.find(({ name }) => name === tool.name);
  return byName ?? before.tools.find(({ name }) => tool.spec.aliases?.includes(name));
}

function compareOrAdd(before: Version, after: Version, tool: FlatTool, base: string): readonly Diagnostic[] {
  const earlier = earlierOf(before, tool);
  if (earlier !== undefined) {
    return compareTool({ tool: earlier, version: before }, { tool, version: after });
  }
  const details = { tool: tool.name };
  const location = tool.locate("/name");
  if (before.broken.has(tool.name)) {
    return [diffDiagnostics("not-comparable", location, { name: tool.name, base }, details), ...addedClaims(tool)];
  }
  return [
    ...addedClaims(tool),
    diffDiagnostics("tool-added", location, { tokens: promptTokens(tool, after.plan) }, details),
  ];
}

/** Finds names that no tool has any more. Tools with errors have no callers and are reported by `check`. */
function goneTools(before: Version, after: Version, base: string): readonly Diagnostic[] {
  const names = new Set([...after.broken, ...after.tools.flatMap(({ name, spec }) => [name, ...(spec.aliases ?? [])])]);
  return before.tools.flatMap((tool) => {
    const { name, spec } = tool;
    if (after.broken.has(name)) return [];
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
    const name = levelName(diagnostic.code);
    if (name === undefined) return diagnostic;
    const wanted = plans.map(({ diff }) => SEVERITIES.indexOf(diff?.[name] ?? diagnostic.severity));
    return { ...diagnostic, severity: SEVERITIES[Math.max(...wanted)] ?? diagnostic.severity };
  });
}
