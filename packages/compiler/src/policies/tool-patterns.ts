import { matchesPattern } from "@hasp/runtime";
import type { FlatTool } from "../model/tool.js";

/** True if a pattern stands for more than one name. */
export function hasWildcard(pattern: string): boolean {
  return pattern.includes("*");
}

/** The tools whose name or alias a pattern matches, as the runtime matches it. */
export function matchingTools(tools: readonly FlatTool[], pattern: string): readonly FlatTool[] {
  return tools.filter(({ name, spec: { aliases = [] } }) =>
    [name, ...aliases].some((each) => matchesPattern(pattern, each)),
  );
}

/** True if everything that `narrow` matches among some tools, `wide` matches too. */
export function covers(wide: string, narrow: string, tools: readonly FlatTool[]): boolean {
  if (wide === narrow || wide === "*") return true;
  if (!tools.some(({ name }) => matchesPattern(narrow, name))) return false;
  // A wildcard may also match tools of servers, which nobody knows here.
  if (hasWildcard(narrow)) return false;
  return matchingTools(tools, narrow).every(({ name }) => matchesPattern(wide, name));
}
