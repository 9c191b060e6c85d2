import { attempt, type Location } from "@hasp/base/diagnostics";
import { matchesPattern } from "@hasp/runtime/contract";
import type { JsonValue } from "@hasp/schema";
import type { FlatTool } from "../model/tool.js";
import type { PolicyModel, PolicyRule, PolicyRuleSpec, PolicySpec } from "../model/policy.js";

/** A part of a policy that lets calls run unasked: an allow rule or the mode. */
export interface Grant {
  readonly policy: PolicyModel;
  readonly claim: string;
  readonly location: Location;
  /** `undefined` for a mode. */
  readonly rule?: PolicyRule;
  readonly tools: readonly FlatTool[];
  /** Present for a waiver (`flow: allow`): the tools whose results its calls may send outside unasked. */
  readonly sources?: FlowSources;
}

interface FlowSources {
  readonly untrusted: readonly string[];
  readonly private: readonly string[];
  /** One path that it opens; absent if its tool is on none. */
  readonly path?: string;
}

/** Lists the tools of which some call may run. */
export function listOfferedTools({ tools, spec }: PolicyModel): readonly FlatTool[] {
  return tools.filter((tool) => !isDenied(spec, tool) && (spec.mode !== "plan" || mayBe(tool, "READ_ONLY")));
}

export function listGrants(policy: PolicyModel): readonly Grant[] {
  const { document, rules, spec } = policy;
  const tools = listOfferedTools(policy);
  const allowing = rules
    .filter(({ decision }) => decision === "allow")
    .map((rule): Grant => ({
      policy,
      claim: `rules: ${printRule(rule)}`,
      location: document.locate(`/rules/${rule.index}`),
      rule,
      // A wildcard allows nothing destructive.
      tools: tools.filter((tool) => isAbout(rule, tool) && (!hasWildcard(rule.tool) || !isAlwaysDestructive(tool))),
    }));
  if (spec.mode !== "accept-writes") return allowing;
  const accepted = tools.filter(
    (tool) => !isAlwaysDestructive(tool) && (mayBe(tool, "WRITE_EXCLUSIVE") || mayBe(tool, "READ_ONLY")),
  );
  return [...allowing, { policy, claim: "mode: accept-writes", location: document.locate("/mode"), tools: accepted }];
}

export function findGrants(tool: FlatTool, policies: readonly PolicyModel[]): readonly Grant[] {
  return policies.flatMap(listGrants).filter(({ tools }) => tools.includes(tool));
}

/** True if a grant may allow a call; a condition on the context may hold. */
export function mayAllow(
  { rule }: Grant,
  input: JsonValue,
  answer: { readonly class?: unknown; readonly isDestructive?: unknown },
): boolean {
  if (rule === undefined) return answer.isDestructive === false && answer.class !== "UNSAFE";
  if (hasWildcard(rule.tool) && answer.isDestructive !== false) return false;
  const { predicate } = rule;
  if (predicate === undefined || predicate.reads.some((pointer) => pointer.startsWith("/context"))) return true;
  return attempt(() => predicate.evaluate({ input, context: {} })) ?? false;
}

/** Prints a rule on one line without its reason. */
export function printRule({ tool, server, when, decision }: PolicyRuleSpec): string {
  const parts = [
    ...(server === undefined ? [] : [`server: ${server}`]),
    `tool: ${tool}`,
    ...(when === undefined ? [] : [`when: ${JSON.stringify(when.trim())}`]),
    `decision: ${decision}`,
  ];
  return `{ ${parts.join(", ")} }`;
}

export function mayBe({ metadata, rules }: FlatTool, name: FlatTool["metadata"]["concurrency"]["class"]): boolean {
  return metadata.concurrency.class === name || rules.some((row) => row.class === name);
}

export function isAlwaysDestructive({ metadata, rules, flags }: FlatTool): boolean {
  return metadata.behavior.isDestructive && rules.length === 0 && !flags.some(({ flag }) => flag === "isDestructive");
}

export function hasWildcard(pattern: string): boolean {
  return pattern.includes("*");
}

/** True if a denial or rule names a tool, by its name or an alias, as in the runtime. */
export function isNamed(pattern: string, { name, spec: { aliases = [] } }: FlatTool): boolean {
  return [name, ...aliases].some((each) => matchesPattern(pattern, each));
}

/** True if a rule names a tool. An allow names it by its own name only. */
export function isAbout({ tool: pattern, server, decision }: PolicyRuleSpec, tool: FlatTool): boolean {
  // Tools of live servers are unknown here.
  if (server !== undefined) return false;
  return decision === "allow" ? matchesPattern(pattern, tool.name) : isNamed(pattern, tool);
}

export function isDenied({ deny = [] }: PolicySpec, tool: FlatTool): boolean {
  return deny.some((pattern) => isNamed(pattern, tool));
}

export function findMatchingTools(tools: readonly FlatTool[], pattern: string): readonly FlatTool[] {
  return tools.filter((tool) => isNamed(pattern, tool));
}

/** True if `wide` matches every tool that `narrow` matches. */
export function covers(wide: string, narrow: string, tools: readonly FlatTool[]): boolean {
  if (wide === narrow || wide === "*") return true;
  if (!tools.some(({ name }) => matchesPattern(narrow, name))) return false;
  // A wildcard may also match unknown tools of servers.
  if (hasWildcard(narrow)) return false;
  return findMatchingTools(tools, narrow).every(({ name }) => matchesPattern(wide, name));
}
