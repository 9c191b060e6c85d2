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
import { checkPermissions } from "./permissions/check-permissions.js";
import { stateOf } from "./permissions/create-permissions.js";
import type { DispatcherOptions } from "./state/dispatcher-types.js";
import type { Permissions } from "./permissions/permission-types.js";

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
  if (stateOf(permissions) === undefined) checkPermissions(permissions as Permissions<never>, "permissions.", refuse);
}

function refuse(path: string, what: string): never {
  throw new TypeError(`createDispatcher: ${path} ${what}.`);
}
