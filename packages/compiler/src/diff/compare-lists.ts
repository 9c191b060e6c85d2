import { type DialectName, isStrict } from "@hasp/schema";
import { isOwnDialect } from "../model/dialect.js";
import { type Diagnostic, type Location, pluralize } from "@hasp/base/diagnostics";
import { isStructured, escapeToken, readOwnMember } from "@hasp/base/json";
import type { LoweredList, LoweredTool } from "../model/lowered.js";
import type { FlatTool } from "../model/tool.js";
import { listToolsetMembers, printSome } from "../model/toolset-members.js";
import { listGrants } from "../policies/grants.js";
import { listTokens } from "../text/prompt-tokens.js";
import { diffDiagnostics } from "./diagnostics.js";
import type { EarlierOf, Version } from "./version.js";

export interface EntryChange {
  readonly dialect: DialectName;
  /** Top-level keys with other values, or the keys inside a wrapper object. */
  readonly keys: readonly string[];
  readonly wasStrict: boolean;
  readonly isStrict: boolean;
}

/** Compares a tool's entry in every dialect that lists it in both versions. */
export function listEntryChanges(
  before: Version,
  after: Version,
  earlier: FlatTool,
  tool: FlatTool,
): readonly EntryChange[] {
  const now = entriesOf(after, tool);
  return [...entriesOf(before, earlier)].flatMap(([dialect, old]) => {
    const entry = now.get(dialect);
    if (entry === undefined) return [];
    return {
      dialect,
      keys: differingKeys(old.definition, entry.definition),
      wasStrict: old.strict,
      isStrict: entry.strict,
    };
  });
}

/** Returns a tool's entries by dialect. A tool is lowered once per dialect, whatever its toolsets. */
function entriesOf({ toolsets }: Version, tool: FlatTool): ReadonlyMap<DialectName, LoweredTool> {
  const entries = new Map<DialectName, LoweredTool>();
  for (const { dialect, tools } of toolsets.flatMap(({ lists }) => lists)) {
    const entry = tools.find((each) => each.tool === tool);
    if (entry !== undefined) entries.set(dialect, entry);
  }
  return entries;
}

function differingKeys(before: object, after: object): readonly string[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return keys.flatMap((key) => {
    const [old, now] = [before, after].map((entry): unknown => readOwnMember(entry, key));
    if (JSON.stringify(old) === JSON.stringify(now)) return [];
    // OpenAI's chat format wraps the whole tool in "function".
    const isWrapper = key === "function" && isStructured(old) && isStructured(now);
    return isWrapper ? differingKeys(old, now) : [key];
  });
}

export function compareLists(before: Version, after: Version, earlierOf: EarlierOf): readonly Diagnostic[] {
  const dialects = new Set(after.plan.dialects.map(({ id }) => id));
  const gone = before.plan.dialects.filter(({ id }) => !dialects.has(id));
  return [
    ...gone.map(({ id }) => diffDiagnostics("dialect-gone", undefined, { dialect: id })),
    ...leftToolsets(before, after, earlierOf),
    ...joinedToolsets(before, after, earlierOf),
    ...leftLists(before, after, earlierOf),
  ];
}

function leftToolsets(before: Version, after: Version, earlierOf: EarlierOf): readonly Diagnostic[] {
  const toolsets = new Map(membersIn(after).map((toolset) => [toolset.name, toolset.tools]));
  return membersIn(before).flatMap(({ name, tools }) => {
    const members = toolsets.get(name);
    if (members === undefined) return [diffDiagnostics("toolset-gone", undefined, { toolset: name })];
    const left = tools.flatMap((tool) => {
      const now = after.tools.find((each) => earlierOf(each) === tool);
      return now === undefined || members.includes(now) ? [] : [now];
    });
    const setting = changedSelection(before, after, name);
    if (setting !== undefined && left.length > 1) {
      const parameters = { variant: "many", toolset: name, ...countAndNames(left) } as const;
      return [diffDiagnostics("left-toolset", setting, parameters)];
    }
    return left.map((tool) =>
      diffDiagnostics(
        "left-toolset",
        setting ?? tool.locate("/name"),
        { variant: "one", toolset: name },
        { tool: tool.name },
      ),
    );
  });
}

function joinedToolsets(before: Version, after: Version, earlierOf: EarlierOf): readonly Diagnostic[] {
  const toolsets = new Map(membersIn(before).map(({ name, tools }) => [name, tools]));
  return membersIn(after).flatMap(({ name, tools }) => {
    const members = toolsets.get(name);
    if (members === undefined) return addedToolset(before, after, name, earlierOf);
    const joined = tools.filter((tool) => {
      const earlier = earlierOf(tool);
      return earlier !== undefined && !members.includes(earlier);
    });
    const setting = changedSelection(before, after, name);
    if (setting !== undefined && joined.length > 1) {
      const counts = {
        destructive: joined.filter(({ worstCase }) => worstCase.isDestructive).length,
        unasked: joined.filter(({ worstCase }) => !worstCase.requiresPermission).length,
      };
      const parameters = { variant: "many", toolset: name, ...counts, ...countAndNames(joined) } as const;
      return [diffDiagnostics("joined-toolset", setting, parameters)];
    }
    return joined.map((tool) => {
      const { isDestructive, requiresPermission } = tool.worstCase;
      const flags = { destructive: String(isDestructive), permission: String(requiresPermission) };
      return diffDiagnostics(
        "joined-toolset",
        setting ?? tool.locate("/name"),
        { variant: "one", toolset: name, ...flags },
        { tool: tool.name },
      );
    });
  });
}

const MOST_NAMES = 40;

function countAndNames(tools: readonly FlatTool[]): { readonly tools: string; readonly names: string } {
  const names = tools.map(({ name }) => name);
  return { tools: pluralize(tools.length, "tool"), names: printSome(names, MOST_NAMES) };
}

/** Finds the setting that selects other tools than before: the first new selector, else the toolset. */
function changedSelection({ plan: before }: Version, { plan: after }: Version, name: string): Location | undefined {
  const [old, now] = [before, after].map(({ toolsets }) => toolsets.find((each) => each.name === name));
  const locations = after.locations ?? {};
  const pointer = `/toolsets/${escapeToken(name)}`;
  const isSame = ([was, is]: readonly [unknown, unknown]): boolean => JSON.stringify(was) === JSON.stringify(is);
  if (isSame([old?.include, now?.include]) && isSame([old?.exclude, now?.exclude])) return undefined;
  const added = (key: "include" | "exclude"): Location | undefined => {
    const [was, is] = [old?.[key], now?.[key]];
    if (!Array.isArray(is) || !Array.isArray(was)) return undefined;
    const index = is.findIndex((selector) => !was.some((each) => isSame([each, selector])));
    return index === -1 ? undefined : locations[`${pointer}/${key}/${index}`];
  };
  return added("include") ?? added("exclude") ?? locations[pointer];
}

/** Reports a new toolset unless an earlier one offered its tools under the same policy or none. */
function addedToolset(before: Version, after: Version, toolset: string, earlierOf: EarlierOf): readonly Diagnostic[] {
  const policyIn = ({ plan }: Version, name: string): string | undefined =>
    plan.toolsets.find((each) => each.name === name)?.policy;
  const tools = membersIn(after).find(({ name }) => name === toolset)?.tools ?? [];
  const policy = policyIn(after, toolset);
  const granted = after.policies.filter((each) => each.toolset === toolset).flatMap(listGrants);
  const isOffered = membersIn(before).some(({ name, tools: offered }) => {
    const earlier = policyIn(before, name);
    const isNoMilder = earlier === undefined ? granted.length === 0 : earlier === policy;
    return isNoMilder && tools.map(earlierOf).every((tool) => tool === undefined || offered.includes(tool));
  });
  if (isOffered) return [];
  const unasked = tools.filter(
    (tool) => !tool.worstCase.requiresPermission || granted.some((grant) => grant.tools.includes(tool)),
  );
  const parameters = {
    toolset,
    tools: pluralize(tools.length, "tool"),
    destructive: String(tools.filter(({ worstCase }) => worstCase.isDestructive).length),
    unasked: String(unasked.length),
    policy: policy === undefined ? "without a policy" : `under the policy ${policy}`,
  };
  return [diffDiagnostics("toolset-added", after.plan.locations?.[`/toolsets/${toolset}`], parameters)];
}

function membersIn({ tools, plan }: Version): ReturnType<typeof listToolsetMembers<FlatTool>> {
  return listToolsetMembers(tools, plan.toolsets);
}

function leftLists(before: Version, after: Version, earlierOf: EarlierOf): readonly Diagnostic[] {
  const found = new Map<string, Diagnostic>();
  for (const { dialect, excluded } of after.toolsets.flatMap(({ lists }) => lists)) {
    for (const { tool, reason } of excluded) {
      const earlier = earlierOf(tool);
      if (earlier === undefined || !entriesOf(before, earlier).has(dialect)) continue;
      found.set(
        `${dialect} ${tool.name}`,
        diffDiagnostics("left-list", tool.locate("/name"), { dialect, reason }, { tool: tool.name }),
      );
    }
  }
  return [...found.values()];
}

/** The cost of one list per request, before and after. */
export interface ListCost {
  /** The configuration, where the changes of several are told together. */
  readonly project?: string;
  readonly toolset: string;
  readonly dialect: DialectName;
  readonly before: number;
  readonly after: number;
  /** True if the bytes differ, so that a provider's prompt cache starts over. */
  readonly isOther: boolean;
}

/** Compares the tokens of all lists; deferred tools cost nothing until they are found. */
export function compareCosts(before: Version, after: Version): readonly ListCost[] {
  const [old, now] = [listsOf(before), listsOf(after)];
  return [...new Set([...old.keys(), ...now.keys()])].toSorted().map((key) => {
    const { toolset, dialect } = JSON.parse(key) as Pick<ListCost, "toolset" | "dialect">;
    const [was, is] = [old.get(key), now.get(key)];
    const costOf = (list: LoweredList | undefined): number => (list === undefined ? 0 : listTokens(list, after.plan));
    return { toolset, dialect, before: costOf(was), after: costOf(is), isOther: listedText(was) !== listedText(is) };
  });
}

function listsOf({ toolsets }: Version): ReadonlyMap<string, LoweredList> {
  return new Map(
    toolsets.flatMap(({ name, lists }) =>
      lists.map((list) => [JSON.stringify({ toolset: name, dialect: list.dialect }), list]),
    ),
  );
}

function listedText(list: LoweredList | undefined): string {
  const listed = (list?.tools ?? []).filter(({ tool }) => tool.metadata.visibility.load !== "deferred");
  return JSON.stringify(listed.map(({ definition }) => definition));
}

export function findStrictLost(changes: readonly EntryChange[]): readonly DialectName[] {
  return changes.flatMap(({ dialect, wasStrict, isStrict: isNow }) =>
    wasStrict && !isNow && !(isOwnDialect(dialect) && isStrict(dialect)) ? [dialect] : [],
  );
}
