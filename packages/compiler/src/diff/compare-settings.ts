import ignore from "ignore";
import { createLocation, type Diagnostic, type Location } from "@hasp/base/diagnostics";
import type { FlowSetting } from "@hasp/runtime";
import { decideFlow } from "@hasp/runtime/contract";
import type { JsonObject } from "@hasp/schema";
import { listNeeded, listToolsetMembers, type NeededExtension, printSome } from "../model/toolset-members.js";
import type {
  CompilePlan,
  CustomRule,
  DialectPlan,
  DiffLevels,
  ProjectPlan,
  RuleSeverities,
  ToolsetPlan,
} from "../model/plan.js";
import type { FlatTool } from "../model/tool.js";
import { createSeverities } from "../phases/4-check/severities.js";
import { appendToPointer, dropUndefined, escapeToken, groupBy, own, isSameJson } from "@hasp/base/json";
import { listProjectRules } from "../plugins/custom-rules.js";
import { compareConnections } from "./compare-handlers.js";
import { diffDiagnostics } from "./diagnostics.js";
import { type CompareMember, type EarlierOf, ignored, type Members, type Version } from "./version.js";

const ORDER = ["off", "info", "warning", "error"] as const;
type RuleLevel = (typeof ORDER)[number];

export function compareSettings(before: Version, after: Version, earlierOf: EarlierOf): readonly Diagnostic[] {
  const lowered = findLoweredFlows(before, after, earlierOf);
  const found = [MEMBERS, PROJECT_MEMBERS]
    .flatMap(Object.values<CompareMember<Version>>)
    .flatMap((compare) => compare(before, after));
  const listNamed = ({ tools }: Version, { plan }: Version): readonly NeededExtension[] =>
    listNeeded(tools, listToolsetMembers([], plan.toolsets));
  const [was, is] = [listNamed(before, before), listNamed(after, after)];
  const moves = after.tools
    .map((tool): Move => [readUri(earlierOf(tool) ?? tool), readUri(tool)])
    .filter(([from, to]) => from !== to);
  const kept = lowered.length > 0 ? listNamed(after, before) : [];
  return [
    ...found,
    ...lowered,
    ...loweredInFiles(ignoringAsOff(before), ignoringAsOff(after), new Set(), moves),
    ...silencedAnew(before, after),
    ...compareExtensions("extension-gone", was, [...kept, ...is], after),
    ...compareExtensions("extension-added", is, was, before),
  ];
}

/** Reports extensions that only one registry names. In the other version, a tool with errors may ask for any. */
function compareExtensions(
  finding: "extension-gone" | "extension-added",
  named: readonly NeededExtension[],
  others: readonly NeededExtension[],
  { broken }: Version,
): readonly Diagnostic[] {
  const known = new Set(others.map(({ name }) => name));
  return named
    .filter(({ name, tools }) => !known.has(name) && !tools.some((tool) => broken.has(tool)))
    .map(({ name, tools }) => diffDiagnostics(finding, undefined, { name, tools: printSome(tools) }));
}

const PROJECT_MEMBERS: Members<Omit<ProjectPlan, "plan">, Version> = {
  specs: ignored("a tool that they no longer name is gone, and one that they name now is new"),
  plugins: ignored("the plan holds them, loaded"),
  remotes: ignored("the schemas that they pin are compared in each tool"),
  callStore: ({ callStore: was }, { callStore: is, plan }) => {
    const [before, after] = [was, is].map((setting) => JSON.stringify(setting));
    if (before === after) return [];
    const location = plan.locations?.["/callStore"];
    if (before === undefined) return noteChange("callStore", location, "not set", after ?? "");
    return after === undefined
      ? [diffDiagnostics("call-store-gone", undefined, { before })]
      : [diffDiagnostics("call-store-moved", location, { before, after })];
  },
};

const ofThePlan =
  (compare: CompareMember<CompilePlan>): CompareMember<Version> =>
  (before, after) =>
    compare(before.plan, after.plan);

const MEMBERS: Members<CompilePlan, Version> = {
  outDir: ofThePlan(changedFolder("outDir", ({ outDir }) => outDir)),
  handlersDir: ofThePlan(changedFolder("handlers", ({ handlersDir }) => handlersDir)),
  importExtension: ignored("the same modules by other names"),
  jsonLists: ignored("the same lists in another form"),
  declarations: ignored("the same tools in another form"),
  bundle: ignored("the same tools in another form"),
  namespaces: ofThePlan(({ namespaces: before = "none" }, { namespaces: after = "none", locations }) =>
    noteChange("emit.namespaces", locations?.["/emit"], before, after),
  ),
  context: movedContext,
  contextMembers: ignored("read from the type of the context"),
  testContext: ofThePlan(movedTestContext),
  dialects: ofThePlan(changedDialects),
  clients: ignored("findings of the rule about them are compared"),
  server: ignored("a name that others give"),
  isServed: ignored("an option of the command"),
  toolsets: ofThePlan(changedToolsets),
  connections: (before, after) => compareConnections(before.plan, after.plan, after.kinds),
  instructions: ofThePlan(({ instructions: before = "" }, { instructions: after = "", locations }) =>
    noteChange("serve.instructions", locations?.["/serve"], before, after),
  ),
  budgets: ofThePlan(raisedBudgets),
  diff: ofThePlan((before, after) => loweredLevels(before.diff ?? {}, after.diff ?? {}, after.locations?.["/diff"])),
  approvals: ofThePlan(({ approvals: was }, { approvals: is, locations }) => {
    const [before, after = "not set"] = [was?.verify, is?.verify];
    return before === undefined || before === after
      ? []
      : [diffDiagnostics("approvals-unverified", locations?.["/approvals"], { before, after })];
  }),
  rules: loweredRules,
  customRules: ofThePlan(changedRules),
  plugins: changedPlugins,
  overrides: ignored("with `rules`"),
  ignore: newlyIgnored,
  exclude: ignored("a tool that is left out is gone, and one that no longer is, is new"),
  unlocked: ignored("an option of the command"),
  today: ignored("both versions are read on one day"),
  stubTemplates: ignored("they shape handlers that do not exist yet"),
  configDigests: findUnknownSettings,
  handlerDigests: ignored("approvals cover them: `compareLedgers`"),
  commandFiles: ignored("approvals cover them: `compareLedgers`"),
  missingPeers: ignored("a fact about the machine"),
  locations: ignored("places in a text"),
};

const WEAKER_FLOWS: { readonly [before in FlowSetting]: readonly Exclude<FlowSetting, "ask">[] } = {
  ask: ["note", "off"],
  note: ["off"],
  off: [],
};

const TOOLSET_MEMBERS: Members<ToolsetPlan, ToolsetPlan> = {
  name: ignored("a toolset of another name is another toolset: `compareLists`"),
  include: ignored("`compareLists` compares what it selects"),
  exclude: ignored("`compareLists` compares what it selects"),
  partial: (before, { name, partial }) =>
    partial === true && before.partial !== true
      ? [diffDiagnostics("toolset-partial", undefined, { toolset: name })]
      : [],
  policy: ignored("`comparePolicies`"),
  flow: ignored("`findLoweredFlows` compares what the tools get"),
};

/**
 * Finds toolsets whose tools get a weaker setting of information flow than before. A host that picks tools by their
 * names gets the setting of the toolset that has exactly these, also of a new one.
 */
function findLoweredFlows(before: Version, after: Version, earlierOf: EarlierOf): readonly Diagnostic[] {
  const [old = [], now = []] = [before, after].map(({ tools, plan }) => listToolsetMembers(tools, plan.toolsets));
  const [earlierFlows = [], flows = []] = [old, now].map((sets) =>
    sets.map(({ flow, tools }) => [flow, tools.map(({ name }) => name)] as const),
  );
  const pairs = after.tools.flatMap((tool) => {
    const earlier = earlierOf(tool);
    return earlier === undefined ? [] : [{ tool, earlier }];
  });
  const sets = new Map([...old, ...now].map(({ name, tools }) => [name, new Set(tools)]));
  return [...sets].flatMap(([toolset, tools]) => {
    const kept = pairs.filter(({ tool, earlier }) => tools.has(tool) || tools.has(earlier));
    if (kept.length === 0) return [];
    const names = kept.map(({ tool }) => tool.name);
    const earlierNames = kept.map(({ earlier }) => earlier.name);
    const [was, is] = [decideFlow(earlierNames, earlierFlows), decideFlow(names, flows)];
    const { locations } = after.plan;
    const location = locations?.[`/toolsets/${toolset}`] ?? locations?.["/flow"];
    return WEAKER_FLOWS[was]
      .filter((setting) => setting === is)
      .map((variant) => diffDiagnostics("flow-lowered", location, { variant, toolset, before: was }));
  });
}

const DIALECT_MEMBERS: Members<DialectPlan, DialectPlan> = {
  id: ignored("`compareLists` reports a dialect that is gone"),
  strict: ignored("`comparePrompts` reports strict mode that is lost, tool by tool"),
  onUncarried: (before, { id, onUncarried }) =>
    onUncarried === "exclude" && before.onUncarried !== "exclude"
      ? [diffDiagnostics("uncarried-excluded", undefined, { dialect: id })]
      : [],
  foreign: ignored("`compareLists` compares the entries, and `changedPlugins` the code"),
  examples: ignored("`comparePrompts` compares the entries"),
  limits: ignored("the lists that they bound are compared"),
  extra: ({ extra: was = {} }, { id, extra = {} }) =>
    noteChange(`extra of ${id}`, undefined, JSON.stringify(was), JSON.stringify(extra)),
};

function changedDialects(before: CompilePlan, after: CompilePlan): readonly Diagnostic[] {
  return after.dialects.flatMap((dialect) => {
    const old = before.dialects.find(({ id }) => id === dialect.id);
    const location = after.locations?.["/dialects"];
    return old === undefined ? [] : compareMembers(DIALECT_MEMBERS, old, dialect, location);
  });
}

function changedToolsets(before: CompilePlan, after: CompilePlan): readonly Diagnostic[] {
  return after.toolsets.flatMap((toolset) => {
    const old = before.toolsets.find(({ name }) => name === toolset.name);
    const location = after.locations?.[`/toolsets/${toolset.name}`] ?? after.locations?.["/flow"];
    return old === undefined ? [] : compareMembers(TOOLSET_MEMBERS, old, toolset, location);
  });
}

/** Finds another file whose `createContext` fills values into calls; its type is the type checker's business. */
function movedContext({ plan: { context: was } }: Version, { plan, tools }: Version): readonly Diagnostic[] {
  const { context: is, locations } = plan;
  if (is === undefined || was?.file === is.file) return [];
  const location = locations?.["/context"];
  if (was !== undefined) {
    return [diffDiagnostics("context-moved", location, { variant: "moved", before: was.file, after: is.file })];
  }
  const isUsed = tools.some(({ spec }) => spec.bind !== undefined || spec.needs?.context !== undefined);
  return isUsed ? [diffDiagnostics("context-moved", location, { variant: "new", after: is.file })] : [];
}

function movedTestContext(
  { testContext: was }: CompilePlan,
  { testContext: is, locations }: CompilePlan,
): readonly Diagnostic[] {
  const print = (each: typeof was): string => (each === undefined ? "not set" : `./${each.file}#${each.name}`);
  return noteChange("context.test", locations?.["/context/test"], print(was), print(is));
}

function noteChange(
  setting: string,
  location: Location | undefined,
  before: string,
  after: string,
): readonly Diagnostic[] {
  return before === after ? [] : [diffDiagnostics("listing-changed", location, { setting, before, after })];
}

function compareMembers<Whole extends object>(
  members: Members<Whole, Whole>,
  before: Whole,
  after: Whole,
  location: Location | undefined,
): readonly Diagnostic[] {
  const comparers: readonly CompareMember<Whole>[] = Object.values(members);
  return comparers
    .flatMap((compare) => compare(before, after))
    .map((found) => (location === undefined ? found : { ...found, location }));
}

function raisedBudgets(before: CompilePlan, after: CompilePlan): readonly Diagnostic[] {
  const names = ["toolTokens", "toolsetTokens", "alwaysLoadedTokens"] as const;
  return names.flatMap((name) => {
    const [was, is] = [before.budgets[name] ?? Infinity, after.budgets[name] ?? Infinity];
    const now = is === Infinity ? "unlimited" : String(is);
    return is <= was ? [] : noteChange(`budgets.${name}`, after.locations?.["/budgets"], String(was), now);
  });
}

function changedRules({ customRules: before = {} }: CompilePlan, after: CompilePlan): readonly Diagnostic[] {
  const checkOf = (rule: CustomRule): JsonObject => ({ ...rule, severity: null, message: null, why: null });
  return Object.entries(after.customRules ?? {}).flatMap(([rule, declared]) => {
    const old = own(before, rule);
    return old === undefined || isSameJson(checkOf(old), checkOf(declared))
      ? []
      : [diffDiagnostics("rule-changed", after.locations?.[`/customRules/${escapeToken(rule)}`], { rule })];
  });
}

function changedPlugins(before: Version, { plan: { plugins = [] } }: Version): readonly Diagnostic[] {
  return plugins.flatMap(({ name, digest, location }) => {
    const old = before.plan.plugins?.find((each) => each.name === name);
    if (old === undefined) return [diffDiagnostics("plugin-changed", location, { variant: "new", name })];
    const isSame = old.digest === digest && isAsRecorded(before, name, digest);
    return isSame ? [] : [diffDiagnostics("plugin-changed", location, { variant: "changed", name })];
  });
}

/** Finds files of the base's configuration that git does not hold and that had other contents when it was built. */
function findUnknownSettings(before: Version): readonly Diagnostic[] {
  return Object.entries(before.plan.configDigests ?? {}).flatMap(([path, digest]) =>
    !FROM_PACKAGES.test(path) || isAsRecorded(before, path, digest)
      ? []
      : [diffDiagnostics("settings-unknown", createLocation(path), { path })],
  );
}

/** Matches configurations that packages hold, and programs, which may import packages. */
const FROM_PACKAGES = /(?:^|\/)node_modules\/|\.[cm]?[jt]s$/u;

function isAsRecorded({ recorded }: Version, input: string, digest: string): boolean {
  return (recorded?.get(input) ?? digest) === digest;
}

function defaultSeverities({ rules, plan }: Version): RuleSeverities {
  return Object.fromEntries([...rules, ...listProjectRules(plan)].map(({ id, severity }) => [id, severity]));
}

function loweredRules(before: Version, after: Version): readonly Diagnostic[] {
  const [{ plan: old }, { plan }] = [before, after];
  const defaults = defaultSeverities(before);
  // A rule that is gone is off.
  const gone = Object.fromEntries(Object.keys(defaults).map((rule) => [rule, "off" as const]));
  const found = [
    ...lowered({ ...defaults, ...old.rules }, { ...gone, ...defaultSeverities(after), ...plan.rules }, "/rules", ""),
    ...plan.overrides.flatMap(({ path, rules: severities }, index) => {
      const earlier = old.overrides.filter((each) => each.path === path).map((each) => each.rules);
      const was: RuleSeverities = Object.assign({}, defaults, old.rules, ...earlier);
      return lowered(was, severities, `/overrides/${index}/rules`, ` in "${path}"`);
    }),
  ];
  const known = new Set(found.map(({ rule }) => rule));
  return [...found.map(({ finding }) => finding), ...loweredInFiles(before, after, known)];

  function lowered(
    was: RuleSeverities,
    is: RuleSeverities,
    pointer: string,
    where: string,
  ): readonly { readonly rule: string; readonly finding: Diagnostic }[] {
    return Object.entries(is).flatMap(([rule, level]) => {
      const earlier = was[rule];
      if (earlier === undefined || !isLower(level, earlier)) return [];
      const location = plan.locations?.[appendToPointer(pointer, rule)];
      const finding = diffDiagnostics("rule-lowered", location, { rule, before: earlier, after: level, where });
      return [{ rule, finding }];
    });
  }
}

/** The path of a file before and now. */
type Move = readonly [from: string, to: string];

function readUri({ locate }: FlatTool): string {
  return locate("/name").uri;
}

/** Turns ignored findings into rules that are off. */
function ignoringAsOff({ plan, ...version }: Version): Version {
  const ignored = plan.ignore.map(({ rule, path }) => ({ path, rules: { [rule]: "off" as const } }));
  return { ...version, plan: { ...plan, overrides: [...plan.overrides, ...ignored] } };
}

/** Finds files for which changed overrides, or another path, lower a rule. */
function loweredInFiles(
  before: Version,
  after: Version,
  known: ReadonlySet<string>,
  files: readonly Move[] = [...before.tools, ...after.tools].map((tool) => [readUri(tool), readUri(tool)]),
): readonly Diagnostic[] {
  const [was, is] = [createSeverities(before.plan), createSeverities(after.plan)];
  return [...before.rules, ...listProjectRules(before.plan)].flatMap((rule) => {
    const [old, now] = [was.of(rule), is.of(rule)];
    const levelIn = (found: typeof old, uri: string): RuleLevel => (found === "off" ? found : found(uri));
    const found = files.find(([from, to]) => isLower(levelIn(now, to), levelIn(old, from)));
    if (found === undefined || known.has(rule.id)) return [];
    const [from, to] = found;
    const parameters = { rule: rule.id, before: levelIn(old, from), after: levelIn(now, to), where: ` in "${to}"` };
    return [diffDiagnostics("rule-lowered", createLocation(to), parameters)];
  });
}

function newlyIgnored(before: Version, after: Version): readonly Diagnostic[] {
  const old = new Set(before.plan.ignore.map(({ rule, path }) => `${rule} ${path}`));
  const entries = after.plan.ignore.flatMap(({ rule, path }, index) =>
    old.has(`${rule} ${path}`)
      ? []
      : [diffDiagnostics("finding-ignored", after.plan.locations?.[`/ignore/${index}`], { rule, path })],
  );
  const left = [...before.suppressions];
  const comments = after.suppressions.flatMap(({ rule, location, places }) => {
    const at = left.findIndex(
      (each) =>
        each.rule === rule &&
        each.location.uri === location.uri &&
        [...places].every((place) => each.places.has(place)),
    );
    if (at !== -1) left.splice(at, 1);
    return at === -1 ? [diffDiagnostics("finding-ignored", location, { rule, path: location.uri })] : [];
  });
  return [...entries, ...comments];
}

/** Finds what the base does not have and an entry of the base silences: nobody has accepted these findings. */
function silencedAnew(before: Version, { plan, silenceable }: Version): readonly Diagnostic[] {
  const known = groupBy(before.silenceable, identify);
  const added = [...groupBy(silenceable, identify)].flatMap(([key, found]) => found.slice(known.get(key)?.length ?? 0));
  return plan.ignore
    .filter(({ rule, path }) => before.plan.ignore.some((each) => each.rule === rule && each.path === path))
    .flatMap(({ rule, path }) => {
      const paths = ignore().add(path);
      return added
        .filter(({ code, location }) => code === rule && paths.ignores(location?.uri ?? "-"))
        .map(({ location, message, tool }) => ({
          ...diffDiagnostics("finding-silenced", location, { rule, path, finding: message }),
          ...dropUndefined({ tool }),
        }));
    });
}

/** Identifies a finding wherever it stands: lines move, and so do items of lists. */
function identify({ code, tool, message, location }: Diagnostic): string {
  return JSON.stringify([code, tool ?? location?.uri, message]);
}

/** Finds lower levels of the findings about safety; the others guard nothing. */
function loweredLevels(before: DiffLevels, after: DiffLevels, location: Location | undefined): readonly Diagnostic[] {
  return (["loosens", "mayLoosen"] as const).flatMap((level) => {
    const [was, is] = [before[level] ?? "error", after[level] ?? "error"];
    return isLower(is, was) ? [diffDiagnostics("level-lowered", location, { level, before: was, after: is })] : [];
  });
}

function changedFolder(setting: string, folderIn: (plan: CompilePlan) => string): CompareMember<CompilePlan> {
  return (before, after) => {
    const [was, is] = [folderIn(before), folderIn(after)];
    const location = after.locations?.[`/${setting}`];
    return was === is ? [] : [diffDiagnostics("folder-changed", location, { setting, before: was, after: is })];
  };
}

function isLower(level: RuleLevel, than: RuleLevel): boolean {
  return ORDER.indexOf(level) < ORDER.indexOf(than);
}
