import { keepLastMark } from "@hasp/schema/internal/keywords";
import type { JsonObject } from "@hasp/schema";
import { deepFreeze } from "@hasp/base/json";
import { callError } from "../../results/call-errors.js";
import { answerNow } from "../../tool/callback.js";
import { MCP_PREFIX, READ_RESULT, TOOL_SEARCH } from "../../tool/tool-names.js";
import type { AnyTool } from "../../tool/definition.js";
import type { ExcludedTool } from "../state/dispatcher-types.js";
import type { OfferedTool, ToolEntry, ToolSnapshot } from "../state/engine.js";
import type { PermissionState } from "../permissions/permission-state.js";
import { readOffered } from "../state/extension-answers.js";
import type { Attached } from "../state/no-extensions.js";
import type { ToolPlace } from "../state/extension.js";

interface AssemblyOptions {
  readonly isOn: (tool: AnyTool) => boolean;
  /** True for a tool whose calls nobody can execute. */
  readonly lacksExecutor: (tool: AnyTool) => boolean;
  readonly permissions: PermissionState;
  readonly extensions: Attached;
  /** Aliases of the initial registry; a tool that arrives later brings none. */
  readonly aliases: ReadonlyMap<string, string>;
}

/** Assembles the tools to offer. Earlier tools keep their order. Returns `previous` if nothing changed. */
export function assemble(
  tools: readonly AnyTool[],
  options: AssemblyOptions,
  previous?: ToolSnapshot,
  mayRepeat = true,
): ToolSnapshot {
  const { extensions, aliases } = options;
  const excluded: ExcludedTool[] = [];
  const known = new Map(previous?.entries.map((entry) => [entry.tool, entry]));
  const offered = new Map<string, ToolEntry>();
  const offer = (each: OfferedTool, isOwn: boolean): void => {
    const { name } = each.tool;
    const other = offered.get(name);
    if (isOwn && other !== undefined && other.tool !== each.tool) throw new TypeError(explainTwice(name));
    const before = known.get(each.tool);
    const entry = createEntry(before ?? each, isOwn, options);
    offered.set(name, before !== undefined && isSameEntry(before, entry) ? before : entry);
  };
  const reader = extensions.resultStore?.readTool;
  for (const tool of unique(tools, reader)) {
    const owner = aliases.get(tool.name);
    if (owner !== undefined) excluded.push(takesAlias(tool, owner));
    else if (options.isOn(tool)) offer({ tool }, tool === reader);
  }
  const report = (found: ExcludedTool): unknown => excluded.push(found);
  for (const each of extensions.ofTools("add", (door) => door.add?.(report), readOffered).flat()) {
    const isOwn = each.server === undefined;
    if (isOwn || !offered.has(each.tool.name)) offer(each, isOwn);
  }
  const others = [...offered.values()];
  const about = extensions.ofTools("addAbout", (door) => door.addAbout?.(others), readAbout);
  if (mayRepeat && about.includes("again")) return assemble(tools, options, previous, false);
  for (const each of about.flatMap((added) => (added === "again" ? [] : added))) offer(each, true);
  const entries = inOrder([...offered.values()], previous);
  if (!extensions.marksDeferred) refuseLost(entries);
  excluded.push(...entries.flatMap(findWithoutExecutor));
  if (previous !== undefined && isSameList(previous.entries, entries)) {
    previous.exclude(excluded);
    return previous;
  }
  return createSnapshot(entries, aliases, excluded, extensions.marksDeferred);
}

function readAbout(answer: unknown): readonly OfferedTool[] | "again" {
  return answer === "again" ? answer : readOffered(answer);
}

/** Throws for a deferred tool that nothing finds. */
function refuseLost(entries: readonly ToolEntry[]): void {
  for (const { tool, place, unavailable, isBeyondMode, isOwn } of entries) {
    const isDeferred = tool.metadata.visibility.load === "deferred" && place === undefined && isOwn !== true;
    if (!isDeferred || unavailable !== undefined || isBeyondMode === true) continue;
    throw new TypeError(
      `"${tool.name}" is deferred, and nothing finds it: add the extension \`toolSearch\` of \`@hasp/runtime/search\`, or \`providerSearch\` if the provider does.`,
    );
  }
}

/**
 * Narrows the tools to those that a model was shown. Leaves out what came later, keeps the old form of what has changed
 * for the model, and refuses calls of what has gone. The dispatcher's own tools and loaded ones stay as they are now.
 */
export function narrowToShown(
  now: ToolSnapshot,
  shown: ToolSnapshot,
  { aliases, extensions, off }: Pick<AssemblyOptions, "aliases" | "extensions"> & { readonly off: ReadonlySet<string> },
): ToolSnapshot {
  const current = new Map(now.entries.map((entry) => [entry.tool.name, entry]));
  const seen = new Set(shown.entries.map(({ tool }) => tool.name));
  const entries = shown.entries.map((entry) => {
    const { name } = entry.tool;
    const other = current.get(name);
    if (other === undefined || off.has(name)) {
      return { ...entry, unavailable: callError("lookup/tool-gone", { tool: name }) };
    }
    if (other.isOwn === true || looksSame(other.tool, entry.tool)) return other;
    return other.unavailable?.code === entry.unavailable?.code ? entry : { ...entry, unavailable: other.unavailable };
  });
  const later = now.entries.filter(
    ({ tool, isOwn, place }) => !seen.has(tool.name) && (isOwn === true || place === "loaded"),
  );
  return createSnapshot([...entries, ...later], aliases, now.excluded, extensions.marksDeferred);
}

/** True if two tools look the same to a model. */
function looksSame(one: AnyTool, other: AnyTool): boolean {
  const textOf = ({ description, input }: AnyTool): string => JSON.stringify([description, input]);
  return one === other || textOf(one) === textOf(other);
}

/** True if lists show a tool, unless the mode hides it. Tools that programs call are declared elsewhere. */
export function isListed({ tool, unavailable, place }: ToolEntry): boolean {
  return unavailable === undefined && (place !== "unlisted" || tool.metadata.visibility.load === "always");
}

/** True if some call of a tool may run now. */
export function isAvailable({ unavailable, isBeyondMode }: ToolEntry): boolean {
  return unavailable === undefined && isBeyondMode !== true;
}

/** Sorts earlier tools first in their order, then new ones by name, then unlisted ones. */
function inOrder(entries: readonly ToolEntry[], previous: ToolSnapshot | undefined): ToolEntry[] {
  const listed = (previous?.entries ?? []).filter(isListed);
  const places = new Map(listed.map(({ tool }, index) => [tool.name, index]));
  const placeOf = (entry: ToolEntry): number =>
    isListed(entry) ? (places.get(entry.tool.name) ?? places.size) : Infinity;
  return entries.toSorted((a, b) => {
    const [first, second] = [placeOf(a), placeOf(b)];
    return first === second ? (a.tool.name < b.tool.name ? -1 : 1) : first - second;
  });
}

function createSnapshot(
  entries: readonly ToolEntry[],
  aliases: ReadonlyMap<string, string>,
  excluded: readonly ExcludedTool[],
  marksDeferred: boolean,
): ToolSnapshot {
  let assembled = excluded;
  const unlisted: ExcludedTool[] = [];
  const byName = new Map(entries.map((entry) => [entry.tool.name, entry]));
  const byWireName = new Map(
    entries.flatMap((entry) =>
      Object.entries(entry.tool.dialects).flatMap(([dialect, { name }]) =>
        name === undefined ? [] : [[wireKey(dialect, name), entry] as const],
      ),
    ),
  );
  const lists = new Map<string, readonly JsonObject[]>();
  const owners = new WeakMap<JsonObject, AnyTool>();
  const hidesSome = entries.some(({ isBeyondMode }) => isBeyondMode === true);

  return {
    entries,
    get excluded() {
      return [...assembled, ...unlisted];
    },
    exclude(found) {
      assembled = found;
    },
    mayLeadOutside: entries.some(({ tool }) => tool.mayLeadOutside),
    unreadServers: [...new Set(entries.flatMap(findUnreadServer))],
    hasLazyTools: entries.some(({ tool }) => tool.load !== undefined),
    find(name, dialect) {
      return (
        (dialect === undefined ? undefined : byWireName.get(wireKey(dialect, name))) ??
        byName.get(name) ??
        byName.get(aliases.get(name) ?? "")
      );
    },
    definitions(dialect, isFixed = false) {
      const showsHidden = isFixed && hidesSome;
      const key = showsHidden ? wireKey(dialect, "hidden") : dialect;
      let list = lists.get(key);
      if (list === undefined) {
        const shown = entries.filter((entry) => isListed(entry) && (showsHidden || isAvailable(entry)));
        const listed = shown.map(({ tool }) => tool);
        list = deepFreeze(
          listTools(listed, dialect, {
            keepDeferred: marksDeferred,
            report: (found) => unlisted.push(found),
            onEntry: (entry, tool) => owners.set(entry, tool),
          }),
        );
        lists.set(key, list);
      }
      return list;
    },
    findListed: (entry) => owners.get(entry),
  };
}

/** Explains why a tool is not listed if nobody can execute its calls. */
function findWithoutExecutor({ tool: { name }, unavailable }: ToolEntry): readonly ExcludedTool[] {
  if (unavailable?.code !== NO_EXECUTOR) return [];
  const message = `${name} is not listed: nobody executes its calls here. Give the dispatcher \`external\`, or \`durableCalls\`, which keeps them for somebody else.`;
  return [{ toolName: name, code: NO_EXECUTOR, message }];
}

const NO_EXECUTOR = "no-one-to-execute";

/** Names the server of a tool whose description a model reads, in the list or in the declarations of programs. */
function findUnreadServer({ unavailable, server }: ToolEntry): readonly string[] {
  return unavailable === undefined && server?.isPinned === false ? [server.name] : [];
}

/** Creates the key of a name on the wire. Names contain no line break, so two keys never coincide. */
function wireKey(dialect: string, name: string): string {
  return `${name}\n${dialect}`;
}

function explainTwice(name: string): string {
  return `Two tools are called "${name}"; rename one of them.`;
}

/** Returns each tool of the host once. Throws if two share a name. */
function unique(tools: readonly AnyTool[], reader: AnyTool | undefined): readonly AnyTool[] {
  const byName = new Map<string, AnyTool>();
  for (const tool of tools) {
    const other = byName.get(tool.name);
    if (other !== undefined && other !== tool) {
      throw new TypeError(explainTwice(tool.name));
    }
    const isReserved = tool.name.startsWith(MCP_PREFIX) || tool.name === TOOL_SEARCH || tool.name === READ_RESULT;
    if (isReserved && tool !== reader) {
      throw new TypeError(`The name "${tool.name}" is reserved; rename the tool.`);
    }
    byName.set(tool.name, tool);
  }
  return [...byName.values()];
}

/** Excludes a later tool that has the name of an alias: calls by that name are meant for the alias's owner. */
function takesAlias({ name }: AnyTool, owner: string): ExcludedTool {
  const message = `${name} is not offered: "${owner}" has claimed its name as an alias. Rename it.`;
  return { toolName: name, code: "alias-taken", message };
}

/** Maps aliases to tools. Throws if two tools claim one, or if one is the name of another tool. */
export function mapAliases(tools: readonly AnyTool[]): ReadonlyMap<string, string> {
  const aliases = new Map<string, string>();
  const names = new Set(tools.map((tool) => tool.name));
  for (const tool of tools) {
    for (const alias of tool.aliases) {
      if (names.has(alias)) {
        throw new TypeError(
          `The tool "${alias}" has the name that "${tool.name}" claims as an alias; rename the tool, or remove the alias.`,
        );
      }
      const other = aliases.get(alias);
      if (other !== undefined && other !== tool.name) {
        throw new TypeError(
          `The tools "${other}" and "${tool.name}" both claim the alias "${alias}"; remove it from one of them.`,
        );
      }
      aliases.set(alias, tool.name);
    }
  }
  return aliases;
}

/** True unless a tool is disabled: by a throw, or any answer but `true`. */
export function isEnabled({ isEnabled: ask }: AnyTool): boolean {
  return ask === undefined || isTrue(ask);
}

/** True for a tool without a feature gate or with an open one. A throw and any answer but `true` close it. */
export function isGateOpen({ featureGate }: AnyTool, features: ((name: string) => boolean) | undefined): boolean {
  return featureGate === undefined || isTrue(() => features?.(featureGate));
}

function isTrue(ask: () => unknown): boolean {
  try {
    return answerNow(ask()) === true;
  } catch {
    return false;
  }
}

function createEntry(given: OfferedTool, isOwn: boolean, options: AssemblyOptions): ToolEntry {
  const { permissions, extensions } = options;
  const place = isOwn ? undefined : findPlace(given, extensions);
  const isBeyondMode = permissions.mode === "plan" && !given.tool.mayRead && given.holds !== "nothing";
  return { ...given, isOwn, place, isBeyondMode, unavailable: whyUnavailable(given, place, options) };
}

/** Takes the strictest place. A tool that programs call needs no loading: they find it by its declaration. */
function findPlace(tool: OfferedTool, extensions: Attached): ToolPlace | undefined {
  const found = extensions.ofTools(
    "place",
    (door) => door.place?.(tool),
    (answer) => {
      if (PLACES.includes(answer as ToolPlace)) return answer;
      throw new TypeError(`it must answer ${PLACES.join(", ")} or nothing`);
    },
  );
  return PLACES.find((place) => found.includes(place));
}

const PLACES: readonly ToolPlace[] = ["unlisted", "not-loaded", "loaded"];

function whyUnavailable(
  entry: OfferedTool,
  place: ToolPlace | undefined,
  { permissions, lacksExecutor }: AssemblyOptions,
): ToolEntry["unavailable"] {
  const { name: tool, metadata } = entry.tool;
  const denial = permissions.denialOf(entry);
  if (denial !== undefined) return callError("permission/denied", { reason: denial });
  if (lacksExecutor(entry.tool)) return callError("execute/no-one-to-execute", { tool });
  if (metadata.behavior.requiresUserInteraction && permissions.ask === undefined) {
    return callError("permission/needs-interaction", { tool });
  }
  return place === "not-loaded" ? callError("lookup/not-loaded", { tool, search: TOOL_SEARCH }) : undefined;
}

function isSameEntry(before: ToolEntry, now: ToolEntry): boolean {
  return (
    before.isOwn === now.isOwn &&
    before.place === now.place &&
    before.isBeyondMode === now.isBeyondMode &&
    before.unavailable?.code === now.unavailable?.code
  );
}

/** True if two lists have the same members in the same order. */
export function isSameList(before: readonly object[], now: readonly object[]): boolean {
  return before.length === now.length && before.every((entry, index) => entry === now[index]);
}

/** True if a list for this dialect can have entries. Without tools, any dialect will do. */
export function hasDialect(dialect: string, tools: readonly AnyTool[]): boolean {
  return tools.length === 0 || tools.some((tool) => tool.knowsDialect(dialect));
}

/** Returns the entries of a provider's list. Throws a `RangeError` for an unknown dialect. */
function listTools(
  tools: readonly AnyTool[],
  dialect: string,
  options: {
    readonly keepDeferred: boolean;
    readonly report: (excluded: ExcludedTool) => void;
    readonly onEntry: (entry: JsonObject, tool: AnyTool) => void;
  },
): readonly JsonObject[] {
  if (!hasDialect(dialect, tools)) {
    throw new RangeError(`No dialect is called "${dialect}", and no tool was compiled for it.`);
  }
  const listed = tools.flatMap((tool) => {
    const definition = tool.definitionFor(dialect);
    if (definition !== undefined) {
      return [{ tool, entry: withDeferral(definition, tool, dialect, options.keepDeferred) }];
    }
    options.report({
      toolName: tool.name,
      code: "not-in-dialect",
      message: `${tool.name} has no entry for "${dialect}", which accepts only lowered schemas: compile the tool from a spec, or lower its MCP server with \`lowerMcpServer\`.`,
    });
    return [];
  });
  const list = keepLastMark(listed.map(({ entry }) => entry));
  for (const [index, { tool }] of listed.entries()) options.onEntry(list[index] ?? {}, tool);
  return list;
}

/** Marks a tool that the provider's own search loads, unless `tool_search` has loaded it already. */
function withDeferral(entry: JsonObject, { metadata }: AnyTool, dialect: string, keepDeferred: boolean): JsonObject {
  const { defer_loading: _ours, ...rest } = entry;
  if (!keepDeferred) return _ours === undefined ? entry : rest;
  const takesIt = dialect === "anthropic" || dialect === "openai-responses";
  return takesIt && metadata.visibility.load === "deferred" ? { ...rest, defer_loading: true } : entry;
}
