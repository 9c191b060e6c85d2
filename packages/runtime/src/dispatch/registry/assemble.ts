import type { JsonObject } from "@hasp/schema";
import { deepFreeze } from "@hasp/base/json";
import { callError } from "../../results/call-errors.js";
import { answerNow } from "../../tool/callback.js";
import { MCP_PREFIX, READ_RESULT, RUN_PROGRAM, SEARCH_TOOLS, TOOL_SEARCH } from "../../tool/tool-names.js";
import type { AnyTool } from "../../tool/tool.js";
import type { ExcludedTool, McpServer } from "../state/dispatcher-types.js";
import type { Programs } from "../state/program-types.js";
import type { ToolEntry, ToolSnapshot } from "../state/engine.js";
import type { PermissionState } from "../permissions/permission-state.js";
import type { Attachments } from "../state/attachments.js";
import type { Attachment } from "../state/extension.js";

export interface ToolSources {
  readonly tools: readonly AnyTool[];
  readonly mcp: readonly McpServer[];
}

interface AssemblyOptions {
  readonly isOn: (tool: AnyTool) => boolean;
  readonly interactive: boolean;
  readonly permissions: PermissionState;
  readonly deferral: "search" | "provider";
  readonly isDeferred: (tool: AnyTool) => boolean;
  readonly loaded: ReadonlySet<string>;
  readonly load: (names: readonly string[]) => void;
  readonly extensions: Attachments;
  /** Aliases of the initial registry; a tool that arrives later brings none. */
  readonly aliases: ReadonlyMap<string, string>;
  readonly reader: AnyTool | undefined;
  readonly isReaderOffered: boolean;
  readonly programs: Attachment["programs"];
}

/** Assembles the tools to offer. Earlier tools keep their order. Returns `previous` if nothing changed. */
export function assemble(sources: ToolSources, options: AssemblyOptions, previous?: ToolSnapshot): ToolSnapshot {
  const excluded: ExcludedTool[] = [];
  const offered = new Map<string, ToolEntry>();
  for (const tool of unique(sources.tools, options)) {
    const owner = options.aliases.get(tool.name);
    if (owner !== undefined) excluded.push(takesAlias(tool, owner));
    else if (options.isOn(tool)) offered.set(tool.name, { tool });
  }
  const { reader, isReaderOffered } = options;
  // A program may read what it has just stored.
  if (reader !== undefined && (isReaderOffered || options.programs !== undefined)) {
    offered.set(reader.name, { tool: reader });
  }
  if (sources.mcp.length > 0) {
    const live = options.extensions.toolsOf("live", "`mcp` needs the extension `liveTools` of `@hasp/mcp/live`.");
    for (const entry of live(sources.mcp, (found) => excluded.push(found))) {
      if (!offered.has(entry.tool.name)) offered.set(entry.tool.name, entry);
    }
  }
  const known = new Map(previous?.entries.map((entry) => [entry.tool, entry]));
  let entries = [...offered.values()].map((entry) => withAvailability(known.get(entry.tool) ?? entry, options));
  const { programs } = options;
  if (programs !== undefined) {
    entries = entries.map((entry) => withCoverage(entry, programs));
    const covered = entries.flatMap((entry) => (entry.isCovered && entry.unavailable === undefined ? entry.tool : []));
    for (const tool of programs.offer(covered)) {
      const made = known.get(tool) ?? {
        tool,
        isOfPrograms: true as const,
        ...(tool.name === RUN_PROGRAM && { holds: "nothing" as const, previewProgram: programs.preview }),
      };
      entries.push(withAvailability(made, options));
    }
  }
  const deferred = entries.filter((entry) => isSearchable(entry, options));
  if (options.deferral === "search" && deferred.length > 0) {
    const before = previous?.entries.find(({ tool }) => tool.name === TOOL_SEARCH);
    const search = options.extensions.toolsOf(
      "search",
      `"${deferred[0]?.tool.name}" is deferred, and nothing finds it: add the extension \`toolSearch\` of \`@hasp/runtime/search\`, or set \`deferral: "provider"\`.`,
    )(deferred, options.load);
    const isSameSearch = before?.tool.description === search.tool.description && isSameList(previous, deferred);
    entries.push(withAvailability(isSameSearch && before !== undefined ? before : search, options));
  }
  entries = inOrder(entries, previous);
  if (previous !== undefined && isSame(previous.entries, entries)) {
    previous.exclude(excluded);
    return previous;
  }
  return createSnapshot(entries, options.aliases, excluded, options.deferral);
}

/**
 * Narrows the tools to those that a model was shown. Leaves out what came later, keeps the old form of what has changed
 * for the model, and refuses calls of what has gone. The dispatcher's own tools and loaded ones stay as they are now.
 */
export function narrowToShown(
  now: ToolSnapshot,
  shown: ToolSnapshot,
  options: Pick<AssemblyOptions, "aliases" | "deferral" | "loaded"> & { readonly off: ReadonlySet<string> },
): ToolSnapshot {
  const current = new Map(now.entries.map((entry) => [entry.tool.name, entry]));
  const seen = new Set(shown.entries.map(({ tool }) => tool.name));
  const entries = shown.entries.map((entry) => {
    const { name } = entry.tool;
    const other = current.get(name);
    if (other === undefined || options.off.has(name)) {
      return { ...entry, unavailable: callError("lookup/tool-gone", { tool: name }) };
    }
    return isOwn(other) || looksSame(other.tool, entry.tool) ? other : withUnavailable(entry, other.unavailable);
  });
  const later = now.entries.filter(
    (entry) => !seen.has(entry.tool.name) && (isOwn(entry) || options.loaded.has(entry.tool.name)),
  );
  return createSnapshot([...entries, ...later], options.aliases, now.excluded, options.deferral);
}

/** True for the tools that the dispatcher itself adds. Without programs, a host may use the names of theirs. */
function isOwn({ tool: { name }, isOfPrograms }: ToolEntry): boolean {
  return isOfPrograms === true || name === READ_RESULT || name === TOOL_SEARCH;
}

/** True if two tools look the same to a model. */
function looksSame(one: AnyTool, other: AnyTool): boolean {
  const textOf = ({ description, input }: AnyTool): string => JSON.stringify([description, input]);
  return one === other || textOf(one) === textOf(other);
}

function withCoverage(entry: ToolEntry, { covers }: Pick<Programs, "covers">): ToolEntry {
  if (entry.isCovered === true || entry.tool.name === READ_RESULT || !covers(entry.tool.name)) return entry;
  return { ...entry, isCovered: true };
}

/** True if lists show a tool, unless the mode hides it. Tools that programs call are declared elsewhere. */
export function isListed({ tool, unavailable, isCovered }: ToolEntry): boolean {
  return unavailable === undefined && (isCovered !== true || tool.metadata.visibility.alwaysLoad);
}

/** True if some call of a tool may run now. */
export function isAvailable({ unavailable, isBeyondMode }: ToolEntry): boolean {
  return unavailable === undefined && isBeyondMode !== true;
}

function isSameList(previous: ToolSnapshot | undefined, deferred: readonly ToolEntry[]): boolean {
  const before = new Set(previous?.entries.map(({ tool }) => tool));
  return deferred.every(({ tool }) => before.has(tool));
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
  deferral: "search" | "provider",
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
            keepDeferred: deferral === "provider",
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

/** Names the server of a tool whose description a model reads, in the list or in the declarations of programs. */
function findUnreadServer({ unavailable, server }: ToolEntry): readonly string[] {
  return unavailable === undefined && server?.isPinned === false ? [server.name] : [];
}

/** Creates the key of a name on the wire. Names contain no line break, so two keys never coincide. */
function wireKey(dialect: string, name: string): string {
  return `${name}\n${dialect}`;
}

/** Returns each base tool once. Throws if two share a name. */
function unique(
  tools: readonly AnyTool[],
  { reader, programs }: Pick<AssemblyOptions, "reader" | "programs">,
): readonly AnyTool[] {
  const byName = new Map<string, AnyTool>();
  for (const tool of tools) {
    const other = byName.get(tool.name);
    if (other !== undefined && other !== tool) {
      throw new TypeError(`Two tools are called "${tool.name}"; rename one of them.`);
    }
    if (
      tool.name.startsWith(MCP_PREFIX) ||
      tool.name === TOOL_SEARCH ||
      (programs !== undefined && (tool.name === RUN_PROGRAM || tool.name === SEARCH_TOOLS)) ||
      (tool.name === READ_RESULT && tool !== reader)
    ) {
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

function withAvailability(entry: ToolEntry, options: AssemblyOptions): ToolEntry {
  const made = withUnavailable(entry, whyUnavailable(entry, options));
  const isBeyondMode = options.permissions.mode === "plan" && !made.tool.mayRead && made.holds !== "nothing";
  if (isBeyondMode === (made.isBeyondMode === true)) return made;
  const { isBeyondMode: _earlier, ...rest } = made;
  return isBeyondMode ? { ...rest, isBeyondMode } : rest;
}

function withUnavailable(entry: ToolEntry, unavailable: ToolEntry["unavailable"]): ToolEntry {
  if (unavailable?.code === entry.unavailable?.code) return entry;
  const { unavailable: _earlier, ...rest } = entry;
  return { ...rest, ...(unavailable !== undefined && { unavailable }) };
}

function whyUnavailable(entry: ToolEntry, options: AssemblyOptions): ToolEntry["unavailable"] {
  const { name: tool, metadata } = entry.tool;
  const denial = options.permissions.denialOf(entry);
  if (denial !== undefined) return callError("permission/denied", { reason: denial });
  if (metadata.behavior.requiresUserInteraction && !options.interactive) {
    return callError("permission/needs-interaction", { tool });
  }
  const isFound = options.loaded.has(tool) || options.programs?.covers(tool) === true;
  if (options.deferral === "search" && options.isDeferred(entry.tool) && !isFound) {
    return callError("lookup/not-loaded", { tool, search: TOOL_SEARCH });
  }
  return undefined;
}

function isSearchable(
  { tool, unavailable, isCovered, isBeyondMode }: ToolEntry,
  { isDeferred }: AssemblyOptions,
): boolean {
  if (!isDeferred(tool) || isCovered === true || isBeyondMode === true) return false;
  return unavailable === undefined || unavailable.code === "not-loaded";
}

function isSame(before: readonly ToolEntry[], now: readonly ToolEntry[]): boolean {
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
  return tools.flatMap((tool) => {
    const definition = tool.definitionFor(dialect);
    if (definition !== undefined) {
      const entry = withDeferral(definition, tool, dialect, options.keepDeferred);
      options.onEntry(entry, tool);
      return [entry];
    }
    options.report({
      toolName: tool.name,
      code: "not-in-dialect",
      message: `${tool.name} has no entry for "${dialect}", which accepts only lowered schemas: compile the tool from a spec, or lower its MCP server with \`lowerMcpServer\`.`,
    });
    return [];
  });
}

/** Marks a tool that the provider's own search loads, unless `tool_search` has loaded it already. */
function withDeferral(entry: JsonObject, { metadata }: AnyTool, dialect: string, keepDeferred: boolean): JsonObject {
  const { defer_loading: _ours, ...rest } = entry;
  if (!keepDeferred) return _ours === undefined ? entry : rest;
  const takesIt = dialect === "anthropic" || dialect === "openai-responses";
  return takesIt && metadata.visibility.shouldDefer ? { ...rest, defer_loading: true } : entry;
}
