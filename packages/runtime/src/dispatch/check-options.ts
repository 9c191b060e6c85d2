import {
  aBoolean,
  aFunction,
  aList,
  aText,
  anAmount,
  anObject,
  anything,
  checkShape,
  type Kind,
  type Shape,
} from "../tool/shape.js";
import { checkPermissions } from "./permissions/check-permissions.js";
import { stateOf } from "./permissions/create-permissions.js";
import type { DispatcherOptions } from "./state/dispatcher-types.js";
import type { Permissions } from "./permissions/permission-types.js";

const aCount: Kind = {
  expected: "a whole number above 0",
  fits: (value) => Number.isSafeInteger(value) && (value as number) > 0,
};

const aDuration: Kind = {
  expected: "a number of seconds above 0, at most a year",
  fits: (value) => typeof value === "number" && value > 0 && value <= 366 * 86_400,
};

const aStore: Kind = { expected: "an object, or false", fits: (value) => value === false || anObject.fits(value) };
const aDeferral: Kind = {
  expected: '"search", "provider" or { overTokens }',
  fits: (value) =>
    value === "search" ||
    value === "provider" ||
    (anObject.fits(value) &&
      Object.keys(value as object).join() === "overTokens" &&
      anAmount.fits((value as { readonly overTokens: unknown }).overTokens)),
};

// The marks let a bundler drop what a program does not use.
const OPTIONS: { readonly [option in keyof Required<DispatcherOptions>]: Kind } = {
  tools: anything,
  mcp: aList,
  permissions: anObject,
  hooks: anObject,
  features: aFunction,
  interactive: aBoolean,
  maxOpenQuestions: aCount,
  maxConcurrency: anything,
  gate: anObject,
  resultStore: aStore,
  turnResultBudgetChars: anAmount,
  refreshTools: aFunction,
  onProgress: aFunction,
  onEvent: aFunction,
  dialect: aText,
  deferral: aDeferral,
  env: anObject,
  retryDelayMs: aFunction,
  hookTimeoutMs: anAmount,
  callTracker: anObject,
  callStore: anObject,
  principal: aText,
  mayAnswer: aFunction,
  questionTtlSeconds: aDuration,
  leaseSeconds: aDuration,
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
  // Live permissions were checked when they were made.
  if (stateOf(permissions) === undefined) checkPermissions(permissions as Permissions<never>, "permissions.", refuse);
}

function refuse(path: string, what: string): never {
  throw new TypeError(`createDispatcher: ${path} ${what}.`);
}
