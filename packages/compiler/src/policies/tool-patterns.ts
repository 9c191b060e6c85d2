import { matchesPattern } from "@hasp/runtime";
import type { FlatTool } from "../model/tool.js";

export function hasWildcard(pattern: string): boolean {
  return pattern.includes("*");
}

/** Finds tools by name or alias, as the runtime does. */
export function matchingTools(tools: readonly FlatTool[], pattern: string): readonly FlatTool[] {
  return tools.filter(({ name, spec: { aliases = [] } }) =>
    [name, ...aliases].some((each) => matchesPattern(pattern, each)),
  );
}

/** True if `wide` matches every tool that `narrow` matches. */
export function covers(wide: string, narrow: string, tools: readonly FlatTool[]): boolean {
  if (wide === narrow || wide === "*") return true;
  if (!tools.some(({ name }) => matchesPattern(narrow, name))) return false;
  // A wildcard may also match unknown tools of servers.
  if (hasWildcard(narrow)) return false;
  return matchingTools(tools, narrow).every(({ name }) => matchesPattern(wide, name));
}
