import type { Diagnostic } from "../diagnostics/diagnostic.js";
import type { CompilePlan, DiffLevels, RuleSeverities } from "../model/plan.js";
import type { Suppression } from "../phases/4-check/suppression-comments.js";
import { rules } from "../rules/index.js";
import { diffDiagnostics } from "./diagnostics.js";
import type { Version } from "./version.js";

const ORDER = ["off", "info", "warning", "error"] as const;
type Level = (typeof ORDER)[number];

/** Settings under which fewer findings fail, and folders whose old content the build no longer keeps up to date. */
export function compareSettings(before: Version, after: Version): readonly Diagnostic[] {
  return [
    ...loweredRules(before.plan, after.plan),
    ...newlyIgnored(before, after),
    ...loweredLevels(before.plan.diff ?? {}, after.plan.diff ?? {}),
    ...changedFolders(before.plan, after.plan),
    ...partialToolsets(before.plan, after.plan),
  ];
}

function loweredRules(before: CompilePlan, after: CompilePlan): readonly Diagnostic[] {
  const defaults: RuleSeverities = Object.fromEntries(rules.map(({ id, severity }) => [id, severity]));
  const found = lowered({ ...defaults, ...before.rules }, { ...defaults, ...after.rules }, "/rules", "");
  const overridden = after.overrides.flatMap(({ path, rules: severities }, index) => {
    const earlier = before.overrides.filter((each) => each.path === path).map((each) => each.rules);
    const was: RuleSeverities = Object.assign({}, defaults, before.rules, ...earlier);
    return lowered(was, severities, `/overrides/${index}/rules`, ` in "${path}"`);
  });
  return [...found, ...overridden];

  function lowered(was: RuleSeverities, is: RuleSeverities, pointer: string, where: string): readonly Diagnostic[] {
    return Object.entries(is).flatMap(([rule, level]) => {
      const old = was[rule];
      if (old === undefined || !isLower(level, old)) return [];
      const location = after.locations?.[`${pointer}/${rule}`] ?? after.locations?.[pointer];
      return [diffDiagnostics("rule-lowered", location, { rule, before: old, after: level, where })];
    });
  }
}

function newlyIgnored(before: Version, after: Version): readonly Diagnostic[] {
  const old = new Set(before.plan.ignore.map(({ rule, path }) => `${rule} ${path}`));
  const entries = after.plan.ignore.flatMap(({ rule, path }, index) =>
    old.has(`${rule} ${path}`)
      ? []
      : [diffDiagnostics("finding-ignored", after.plan.locations?.[`/ignore/${index}`], { rule, path })],
  );
  const keyOf = ({ rule, location }: Suppression): string => `${rule} ${location.uri}`;
  const left = before.suppressions.map(keyOf);
  const comments = after.suppressions.flatMap((suppression) => {
    const at = left.indexOf(keyOf(suppression));
    if (at !== -1) left.splice(at, 1);
    const { rule, location } = suppression;
    return at === -1 ? [diffDiagnostics("finding-ignored", location, { rule, path: location.uri })] : [];
  });
  return [...entries, ...comments];
}

function loweredLevels(before: DiffLevels, after: DiffLevels): readonly Diagnostic[] {
  return (["loosens", "mayLoosen"] as const).flatMap((level) => {
    const [was, is] = [before[level] ?? "error", after[level] ?? "error"];
    if (!isLower(is, was)) return [];
    return [diffDiagnostics("level-lowered", undefined, { level, before: was, after: is })];
  });
}

function changedFolders(before: CompilePlan, after: CompilePlan): readonly Diagnostic[] {
  const folders = [
    { setting: "outDir", was: before.outDir, is: after.outDir },
    { setting: "handlers", was: before.handlersDir, is: after.handlersDir },
  ];
  return folders
    .filter(({ was, is }) => was !== is)
    .map(({ setting, was, is }) => diffDiagnostics("folder-changed", undefined, { setting, before: was, after: is }));
}

function partialToolsets(before: CompilePlan, after: CompilePlan): readonly Diagnostic[] {
  const earlier = new Map(before.toolsets.map((toolset) => [toolset.name, toolset]));
  return after.toolsets
    .filter(({ name, partial }) => partial === true && earlier.has(name) && earlier.get(name)?.partial !== true)
    .map(({ name }) => diffDiagnostics("toolset-partial", after.locations?.[`/toolsets/${name}`], { toolset: name }));
}

function isLower(level: Level, than: Level): boolean {
  return ORDER.indexOf(level) < ORDER.indexOf(than);
}
