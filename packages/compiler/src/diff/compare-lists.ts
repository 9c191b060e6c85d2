import { type DialectName, isStrict } from "@hasp/schema";
import { isOwnDialect } from "../model/dialect.js";
import type { Diagnostic } from "../diagnostics/diagnostic.js";
import type { LoweredList, LoweredTool } from "../model/lowered.js";
import type { FlatTool } from "../model/tool.js";
import { toolsetMembers } from "../model/toolset-members.js";
import { grantsIn } from "../policies/index.js";
import { pluralize } from "../text/words.js";
import { listTokens } from "../text/prompt-tokens.js";
import { diffDiagnostics } from "./diagnostics.js";
import type { Version } from "./version.js";

export interface EntryChange {
  readonly dialect: DialectName;
  /** Top-level keys with other values, or the keys inside a wrapper object. */
  readonly keys: readonly string[];
  readonly wasStrict: boolean;
  readonly isStrict: boolean;
}

/** Compares a tool's entry in every dialect that lists it in both versions. */
export function entryChanges(
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

/** A tool is lowered once per dialect, whatever its toolsets. */
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
    const [old, now] = [before, after].map((entry): unknown =>
      Object.hasOwn(entry, key) ? Reflect.get(entry, key) : undefined,
    );
    if (JSON.stringify(old) === JSON.stringify(now)) return [];
    // OpenAI's chat format wraps the whole tool in "function".
    const isWrapper =
      key === "function" && typeof old === "object" && old !== null && typeof now === "object" && now !== null;
    return isWrapper ? differingKeys(old, now) : [key];
  });
}

export function compareLists(
  before: Version,
  after: Version,
  earlierOf: (tool: FlatTool) => FlatTool | undefined,
): readonly Diagnostic[] {
  const dialects = new Set(after.plan.dialects.map(({ id }) => id));
  const gone = before.plan.dialects.filter(({ id }) => !dialects.has(id));
  return [
    ...gone.map(({ id }) => diffDiagnostics("dialect-gone", undefined, { dialect: id })),
    ...leftToolsets(before, after, earlierOf),
    ...joinedToolsets(before, after, earlierOf),
    ...leftLists(before, after, earlierOf),
  ];
}

type EarlierOf = (tool: FlatTool) => FlatTool | undefined;

function leftToolsets(before: Version, after: Version, earlierOf: EarlierOf): readonly Diagnostic[] {
  const toolsets = new Map(membersIn(after).map((toolset) => [toolset.name, toolset.tools]));
  return membersIn(before).flatMap(({ name, tools }) => {
    const members = toolsets.get(name);
    if (members === undefined) return [diffDiagnostics("toolset-gone", undefined, { toolset: name })];
    return tools.flatMap((tool) => {
      const now = after.tools.find((each) => earlierOf(each) === tool);
      if (now === undefined || members.includes(now)) return [];
      return [diffDiagnostics("left-toolset", now.locate("/name"), { toolset: name }, { tool: now.name })];
    });
  });
}

function joinedToolsets(before: Version, after: Version, earlierOf: EarlierOf): readonly Diagnostic[] {
  const toolsets = new Map(membersIn(before).map(({ name, tools }) => [name, tools]));
  return membersIn(after).flatMap(({ name, tools }) => {
    const members = toolsets.get(name);
    if (members === undefined) return addedToolset(before, after, name, earlierOf);
    return tools.flatMap((tool) => {
      const earlier = earlierOf(tool);
      if (earlier === undefined || members.includes(earlier)) return [];
      const { isDestructive, requiresPermission } = tool.worstCase;
      const parameters = { toolset: name, destructive: String(isDestructive), permission: String(requiresPermission) };
      return [diffDiagnostics("joined-toolset", tool.locate("/name"), parameters, { tool: tool.name })];
    });
  });
}

/** Reports a new toolset unless an earlier one offered its tools under the same policy or none. */
function addedToolset(before: Version, after: Version, toolset: string, earlierOf: EarlierOf): readonly Diagnostic[] {
  const policyIn = ({ plan }: Version, name: string): string | undefined =>
    plan.toolsets.find((each) => each.name === name)?.policy;
  const tools = membersIn(after).find(({ name }) => name === toolset)?.tools ?? [];
  const policy = policyIn(after, toolset);
  const granted = after.policies.filter((each) => each.toolset === toolset).flatMap(grantsIn);
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

function membersIn({ tools, plan }: Version): ReturnType<typeof toolsetMembers<FlatTool>> {
  return toolsetMembers(tools, plan.toolsets);
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
  const listed = (list?.tools ?? []).filter(({ tool }) => !tool.metadata.visibility.shouldDefer);
  return JSON.stringify(listed.map(({ definition }) => definition));
}

export function strictLost(changes: readonly EntryChange[]): readonly DialectName[] {
  return changes.flatMap(({ dialect, wasStrict, isStrict: isNow }) =>
    wasStrict && !isNow && !(isOwnDialect(dialect) && isStrict(dialect)) ? [dialect] : [],
  );
}
