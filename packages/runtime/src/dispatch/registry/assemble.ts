import type { JsonObject } from "@hasp/schema";
import { deepFreeze } from "../../json/deep-freeze.js";
import { callError } from "../../results/call-errors.js";
import { answerNow } from "../../tool/callback.js";
import { MCP_PREFIX, TOOL_SEARCH } from "../../tool/tool-names.js";
import type { AnyTool } from "../../tool/tool.js";
import type { ExcludedTool, McpServer } from "../state/dispatcher-types.js";
import type { ToolEntry, ToolSnapshot } from "../state/tool-snapshot.js";
import { listTools } from "./list-tools.js";
import { mcpEntries, type McpEntryCache } from "./mcp-entry.js";
import type { PermissionState } from "../permissions/permission-state.js";
import { toolSearch } from "./tool-search.js";

/** The tools and servers of a dispatcher. */
export interface ToolSources {
  readonly tools: readonly AnyTool[];
  readonly mcp: readonly McpServer[];
}

/** The settings that decide which tools are offered. */
export interface AssemblyOptions {
  readonly features: ((name: string) => boolean) | undefined;
  readonly interactive: boolean;
  readonly permissions: PermissionState;
  readonly deferral: "search" | "provider";
  /** Names of deferred tools that were loaded. */
  readonly loaded: ReadonlySet<string>;
  readonly load: (names: readonly string[]) => void;
  readonly mcpCache: McpEntryCache;
}

/** Base tools → enabled and gates → MCP tools → dedupe → deny → sort by name. Returns `previous` if nothing changed. */
export function assemble(sources: ToolSources, options: AssemblyOptions, previous?: ToolSnapshot): ToolSnapshot {
  const excluded: ExcludedTool[] = [];
  const base = unique(sources.tools);
  const aliases = aliasesOf(base);
  const offered = new Map<string, ToolEntry>();
  for (const tool of base) if (isOn(tool, options)) offered.set(tool.name, { tool });
  for (const entry of mcpEntries(sources.mcp, options.mcpCache, (found) => excluded.push(found))) {
    if (!offered.has(entry.tool.name)) offered.set(entry.tool.name, entry);
  }
  let entries = [...offered.values()].map((entry) => withAvailability(entry, options));
  if (options.deferral === "search" && entries.some(isSearchable)) {
    entries.push(withAvailability(toolSearch(entries.filter(isSearchable), options.load), options));
  }
  entries = entries.toSorted((a, b) => (a.tool.name < b.tool.name ? -1 : 1));
  if (previous !== undefined && isSame(previous.entries, entries)) return previous;
  return createSnapshot(entries, aliases, excluded, options.deferral);
}

function createSnapshot(
  entries: readonly ToolEntry[],
  aliases: ReadonlyMap<string, string>,
  excluded: ExcludedTool[],
  deferral: "search" | "provider",
): ToolSnapshot {
  const byName = new Map(entries.map((entry) => [entry.tool.name, entry]));
  const byWireName = new Map(
    entries.flatMap((entry) =>
      Object.entries(entry.tool.dialects).flatMap(([dialect, { name }]) =>
        name === undefined ? [] : [[wireKey(dialect, name), entry] as const],
      ),
    ),
  );
  const lists = new Map<string, readonly JsonObject[]>();

  return {
    entries,
    excluded,
    find(name, dialect) {
      return (
        (dialect === undefined ? undefined : byWireName.get(wireKey(dialect, name))) ??
        byName.get(name) ??
        byName.get(aliases.get(name) ?? "")
      );
    },
    definitions(dialect) {
      let list = lists.get(dialect);
      if (list === undefined) {
        const listed = entries.flatMap(({ tool, unavailable }) => (unavailable === undefined ? [tool] : []));
        list = deepFreeze(
          listTools(listed, dialect, {
            keepDeferred: deferral === "provider",
            report: (found) => excluded.push(found),
          }),
        );
        lists.set(dialect, list);
      }
      return list;
    },
  };
}

/** Wire names contain no line break, so two keys never coincide. */
function wireKey(dialect: string, name: string): string {
  return `${name}\n${dialect}`;
}

/** The base tools, each once. Two different tools of one name are a mistake of the program, not of a call. */
function unique(tools: readonly AnyTool[]): readonly AnyTool[] {
  const byName = new Map<string, AnyTool>();
  for (const tool of tools) {
    const other = byName.get(tool.name);
    if (other !== undefined && other !== tool) {
      throw new TypeError(`Two tools are called "${tool.name}"; rename one of them.`);
    }
    if (tool.name.startsWith(MCP_PREFIX) || tool.name === TOOL_SEARCH) {
      throw new TypeError(`The name "${tool.name}" is reserved; rename the tool.`);
    }
    byName.set(tool.name, tool);
  }
  return [...byName.values()];
}

/** Alias → tool. A tool's own name beats an alias; two claims on one alias are a mistake of the program. */
function aliasesOf(tools: readonly AnyTool[]): ReadonlyMap<string, string> {
  const aliases = new Map<string, string>();
  // A tool's own name beats an alias, also while that tool is not offered: a call meant for it must not run another.
  const names = new Set(tools.map((tool) => tool.name));
  for (const tool of tools) {
    for (const alias of tool.aliases) {
      if (names.has(alias)) continue;
      const other = aliases.get(alias);
      if (other !== undefined) {
        throw new TypeError(
          `The tools "${other}" and "${tool.name}" both claim the alias "${alias}"; leave it to one of them.`,
        );
      }
      aliases.set(alias, tool.name);
    }
  }
  return aliases;
}

/** Whether a tool is enabled and its gate open. A throw and any answer but `true` shut it out. */
function isOn(tool: AnyTool, { features }: AssemblyOptions): boolean {
  return (tool.isEnabled === undefined || isTrue(tool.isEnabled)) && isGateOpen(tool, features);
}

/** Whether a tool has no feature gate, or an open one. */
export function isGateOpen({ featureGate }: AnyTool, features: AssemblyOptions["features"]): boolean {
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
  const unavailable = whyUnavailable(entry, options);
  return unavailable === undefined ? entry : { ...entry, unavailable };
}

function whyUnavailable(entry: ToolEntry, options: AssemblyOptions): ToolEntry["unavailable"] {
  const { name: tool, metadata } = entry.tool;
  const denial = options.permissions.denialOf(entry);
  if (denial !== undefined) return callError("permission/denied", { reason: denial });
  if (metadata.behavior.requiresUserInteraction && !options.interactive) {
    return callError("permission/needs-interaction", { tool });
  }
  if (options.deferral === "search" && metadata.visibility.shouldDefer && !options.loaded.has(tool)) {
    return callError("lookup/not-loaded", { tool, search: TOOL_SEARCH });
  }
  return undefined;
}

function isSearchable({ tool, unavailable }: ToolEntry): boolean {
  return tool.metadata.visibility.shouldDefer && (unavailable === undefined || unavailable.code === "not-loaded");
}

function isSame(before: readonly ToolEntry[], now: readonly ToolEntry[]): boolean {
  return (
    before.length === now.length &&
    before.every((entry, index) => {
      const other = now[index];
      const sameTool =
        entry.tool === other?.tool || (entry.tool.name === TOOL_SEARCH && other?.tool.name === TOOL_SEARCH);
      return sameTool && entry.unavailable?.code === other?.unavailable?.code;
    })
  );
}
