import {
  aBoolean,
  aFunction,
  aList,
  aText,
  anAmount,
  anObject,
  anything,
  checkShape,
  oneOf,
  type Kind,
  type Shape,
} from "../tool/shape.js";
import type { DispatcherOptions } from "./state/dispatcher-types.js";

// The marks let a bundler drop what a program does not use.
const OPTIONS: { readonly [option in keyof Required<DispatcherOptions>]: Kind } = {
  tools: anything,
  mcp: aList,
  permissions: anObject,
  hooks: anObject,
  features: aFunction,
  interactive: aBoolean,
  maxConcurrency: anything,
  gate: anObject,
  resultStore: anObject,
  turnResultBudgetChars: anAmount,
  refreshTools: aFunction,
  onProgress: aFunction,
  onEvent: aFunction,
  dialect: aText,
  deferral: /* @__PURE__ */ oneOf("search", "provider"),
  env: anObject,
  retryDelayMs: aFunction,
  hookTimeoutMs: anAmount,
  callTracker: anObject,
};
const PERMISSIONS: Shape = { deny: aList, rules: aList, check: aFunction, ask: aFunction };
const PATTERN: Shape = { server: aText, tool: aText };
const RULE: Shape = {
  server: aText,
  tool: aText,
  when: aFunction,
  decision: /* @__PURE__ */ oneOf("allow", "deny", "ask"),
  reason: aText,
};

const functions: Kind = {
  expected: "a function, or a list of them",
  fits: (value) => [value].flat().every(aFunction.fits),
};
const HOOKS: Shape = { transform: functions, guard: functions, post: functions };

/** Throws a `TypeError` for an option that is misspelt or of the wrong kind: an ignored guard guards nothing. */
export function checkOptions(options: DispatcherOptions<never>): void {
  if (!anObject.fits(options)) throw new TypeError("createDispatcher takes options: { tools }.");
  checkShape(options, OPTIONS, "", refuse);
  const { permissions = {}, hooks = {} } = options;
  checkShape(hooks, HOOKS, "hooks.", refuse);
  checkShape(permissions, PERMISSIONS, "permissions.", refuse);
  permissions.deny?.forEach((pattern, index) => {
    if (!aText.fits(pattern)) checkEntry(pattern, PATTERN, ["server", "tool"], `permissions.deny[${index}]`);
  });
  permissions.rules?.forEach((rule, index) => {
    checkEntry(rule, RULE, ["tool", "decision"], `permissions.rules[${index}]`);
  });
}

function checkEntry(entry: unknown, shape: Shape, required: readonly string[], path: string): void {
  const given: object = anObject.fits(entry) ? (entry as object) : {};
  for (const key of required) if (!Object.hasOwn(given, key)) refuse(`\`${path}\``, `needs ${required.join(" and ")}`);
  checkShape(given, shape, `${path}.`, refuse);
}

function refuse(path: string, what: string): never {
  throw new TypeError(`createDispatcher: ${path} ${what}.`);
}
