import { MCP_PREFIX, READ_RESULT, TOOL_SEARCH } from "../../tool/tool-names.js";
import type { AnyTool } from "../../tool/tool.js";
import type { Permissions, ToolPattern } from "./permission-types.js";

/**
 * Throws a `TypeError` for a denied name or a rule that can never concern a call, because no tool has that name.
 * `leftOut` are names that may be written although the bundler left their tools out. A wildcard is for whatever comes.
 */
export function checkNames(
  { deny = [], rules = [] }: Pick<Permissions<never>, "deny" | "rules">,
  tools: readonly AnyTool[],
  leftOut: readonly string[],
): void {
  const names = new Set([...tools.map(({ name }) => name), ...leftOut, TOOL_SEARCH, READ_RESULT]);
  const nameOf = new Map(tools.flatMap(({ name, aliases }) => aliases.map((alias) => [alias, name] as const)));
  const isKnown = (name: string): boolean => names.has(name) || name.includes("*") || name.startsWith(MCP_PREFIX);
  const check = (pattern: ToolPattern, path: string): void => {
    if (typeof pattern !== "string" || isKnown(pattern) || nameOf.has(pattern)) return;
    refuse(path, `names no tool: "${pattern}". ${remedyFor(pattern, [...names])}`);
  };
  for (const [index, pattern] of deny.entries()) check(pattern, `permissions.deny[${index}]`);
  for (const [index, { tool, server, decision }] of rules.entries()) {
    if (server !== undefined) continue;
    const path = `permissions.rules[${index}].tool`;
    const name = nameOf.get(tool);
    if (decision === "allow" && name !== undefined && !isKnown(tool)) {
      refuse(path, `is an alias, and rules allow only the names of tools: "${name}".`);
    }
    check(tool, path);
  }
}

function refuse(path: string, what: string): never {
  throw new TypeError(`createDispatcher: \`${path}\` ${what}`);
}

/** The names that differ in case and punctuation only, else all of a short list. */
function remedyFor(name: string, names: readonly string[]): string {
  const meant = names.filter((other) => plain(other) === plain(name));
  if (meant.length > 0) return `Did you mean "${meant.join('" or "')}"?`;
  const shown = names.length > 12 ? "" : `: ${names.toSorted().join(", ")}`;
  return `Correct or remove it; it must be one of \`tools\`${shown}.`;
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[-_]/g, "");
}
