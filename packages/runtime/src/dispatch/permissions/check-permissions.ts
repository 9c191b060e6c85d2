import { findNearestName } from "@hasp/schema/internal/keywords";
import {
  aBoolean,
  aCount,
  aFunction,
  aList,
  anObject,
  anything,
  aText,
  checkShape,
  type OptionKind,
  oneOf,
  type Refuse,
  type Shape,
} from "../../tool/shape.js";
import { BUILT_IN_TOOLS, MCP_PREFIX } from "../../tool/tool-names.js";
import type { AllowedCalls, Permissions, ToolPattern } from "./permission-types.js";
import { hasWildcard } from "./tool-pattern.js";
import type { AnyTool } from "../../tool/definition.js";

export const aMode: OptionKind = /* @__PURE__ */ oneOf("plan", "ask", "accept-writes", "unattended");
const PERMISSIONS: { readonly [setting in keyof Required<Permissions>]: OptionKind } = {
  deny: aList,
  rules: aList,
  mode: aMode,
  check: aFunction,
  ask: aFunction,
  maxOpenQuestions: aCount,
  previewPrograms: aBoolean,
};
const PATTERN: Shape = { server: aText, tool: aText };
// No spreads: a bundler keeps an object with one even if nobody uses it.
const RULE: Shape = {
  server: aText,
  tool: aText,
  when: aFunction,
  decision: /* @__PURE__ */ oneOf("allow", "deny", "ask"),
  reason: aText,
  flow: /* @__PURE__ */ oneOf("allow"),
};
const aDate: OptionKind = {
  expected: '"session" or a valid Date',
  fits: (value) => value === "session" || (value instanceof Date && !Number.isNaN(value.getTime())),
};
const DETAILS: Shape = { reason: aText, by: aText };
const isTrue: OptionKind = { expected: "true", fits: (value) => value === true };
const ALLOWED: Shape = { server: aText, tool: aText, when: aFunction, input: anything, flow: isTrue };
const ALLOW_DETAILS: Shape = { reason: aText, by: aText, until: aDate };

export function checkPermissions(permissions: Permissions<never>, prefix: string, refuse: Refuse): void {
  checkShape(permissions, PERMISSIONS, prefix, refuse);
  permissions.deny?.forEach((pattern, index) => checkPattern(pattern, `${prefix}deny[${index}]`, refuse));
  permissions.rules?.forEach((rule, index) => {
    checkEntry(rule, RULE, ["tool", "decision"], `${prefix}rules[${index}]`, refuse);
    if (rule.decision === "allow" && rule.server === undefined && rule.tool.startsWith(MCP_PREFIX)) {
      const what = "allows no tool: a rule for an MCP tool names its server, as { server, tool, decision }";
      refuse(`\`${prefix}rules[${index}].tool\``, what);
    }
    if (rule.flow === undefined) return;
    const path = `\`${prefix}rules[${index}].flow\``;
    if (rule.decision === "deny") refuse(path, "has no effect beside `decision: deny`; remove it");
    checkWaiver(rule, path, refuse);
  });
}

/** Refuses to waive the guard of flows for tools that are not named one by one. */
function checkWaiver(
  calls: { readonly tool: string; readonly server?: string | undefined },
  path: string,
  refuse: Refuse,
): void {
  if (hasWildcard(calls)) refuse(path, "needs the name of one tool, without `*`");
  if (calls.server === undefined && calls.tool.startsWith(MCP_PREFIX)) {
    refuse(path, "needs the `server` of an MCP tool beside its name");
  }
}

export function checkPattern(pattern: unknown, path: string, refuse: Refuse): void {
  if (!aText.fits(pattern)) checkEntry(pattern, PATTERN, ["server", "tool"], path, refuse);
}

export function checkDenyDetails(details: unknown, refuse: Refuse): void {
  checkEntry(details, DETAILS, [], "details", refuse);
}

export function checkAllow(calls: unknown, details: unknown, refuse: Refuse): void {
  checkEntry(calls, ALLOWED, ["tool"], "calls", refuse);
  const allowed = calls as AllowedCalls;
  if (allowed.flow !== undefined) checkWaiver(allowed, "`calls.flow`", refuse);
  checkEntry(details, ALLOW_DETAILS, ["until", "reason", "by"], "details", refuse);
}

function checkEntry(entry: unknown, shape: Shape, required: readonly string[], path: string, refuse: Refuse): void {
  const given: object = anObject.fits(entry) ? (entry as object) : {};
  for (const key of required) {
    const isStated = Object.hasOwn(given, key) && (given as Record<string, unknown>)[key] !== undefined;
    if (!isStated) refuse(`\`${path}\``, `needs ${required.join(" and ")}`);
  }
  checkShape(given, shape, `${path}.`, refuse);
}

/** Throws a `TypeError` for a denied name or a rule that matches no tool. `leftOut` are names the bundler removed. */
export function checkNames(
  { deny = [], rules = [] }: Pick<Permissions<never>, "deny" | "rules">,
  tools: readonly AnyTool[],
  leftOut: readonly string[],
): void {
  const names = new Set([...tools.map(({ name }) => name), ...leftOut, ...BUILT_IN_TOOLS]);
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

function remedyFor(name: string, names: readonly string[]): string {
  const meant = findNearestName(name, names);
  if (meant !== undefined) return `Did you mean "${meant}"?`;
  const shown = names.length > 12 ? "" : `: ${names.toSorted().join(", ")}`;
  return `Correct or remove it; it must be one of \`tools\`${shown}.`;
}
