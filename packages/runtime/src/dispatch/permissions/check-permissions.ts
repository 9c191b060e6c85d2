import {
  aFunction,
  aList,
  anObject,
  aText,
  anything,
  checkShape,
  oneOf,
  type Kind,
  type Refuse,
  type Shape,
} from "../../tool/shape.js";
import { MCP_PREFIX } from "../../tool/tool-names.js";
import type { Permissions } from "./permission-types.js";

// The marks let a bundler drop what a program does not use.
/** The modes. */
export const aMode: Kind = /* @__PURE__ */ oneOf("plan", "ask", "accept-writes", "unattended");
const PERMISSIONS: { readonly [setting in keyof Required<Permissions>]: Kind } = {
  deny: aList,
  rules: aList,
  mode: aMode,
  check: aFunction,
  ask: aFunction,
};
const PATTERN: Shape = { server: aText, tool: aText };
const RULE: Shape = {
  ...PATTERN,
  when: aFunction,
  decision: /* @__PURE__ */ oneOf("allow", "deny", "ask"),
  reason: aText,
};
const aDate: Kind = {
  expected: '"session" or a valid Date',
  fits: (value) => value === "session" || (value instanceof Date && !Number.isNaN(value.getTime())),
};
const DETAILS: Shape = { reason: aText, by: aText };
const ALLOWED: Shape = { ...PATTERN, when: aFunction, input: anything };
const ALLOW_DETAILS: Shape = { ...DETAILS, until: aDate };

/** Refuses permissions that are misspelt or of the wrong kind: an ignored rule guards nothing. */
export function checkPermissions(permissions: Permissions<never>, prefix: string, refuse: Refuse): void {
  checkShape(permissions, PERMISSIONS, prefix, refuse);
  permissions.deny?.forEach((pattern, index) => checkPattern(pattern, `${prefix}deny[${index}]`, refuse));
  permissions.rules?.forEach((rule, index) => {
    checkEntry(rule, RULE, ["tool", "decision"], `${prefix}rules[${index}]`, refuse);
    if (rule.decision === "allow" && rule.server === undefined && rule.tool.startsWith(MCP_PREFIX)) {
      const what = "allows no tool: a rule for an MCP tool names its server, as { server, tool, decision }";
      refuse(`\`${prefix}rules[${index}].tool\``, what);
    }
  });
}

/** Refuses a pattern that is neither a name nor `{ server, tool }`. */
export function checkPattern(pattern: unknown, path: string, refuse: Refuse): void {
  if (!aText.fits(pattern)) checkEntry(pattern, PATTERN, ["server", "tool"], path, refuse);
}

/** Refuses the details of a live deny that are misspelt or of the wrong kind. */
export function checkDenyDetails(details: unknown, refuse: Refuse): void {
  checkEntry(details, DETAILS, [], "details", refuse);
}

/** Refuses a live allow that does not say for which calls, until when, why and by whom. */
export function checkAllow(calls: unknown, details: unknown, refuse: Refuse): void {
  checkEntry(calls, ALLOWED, ["tool"], "calls", refuse);
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
