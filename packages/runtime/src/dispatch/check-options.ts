import {
  aBoolean,
  aCount,
  aFunction,
  aText,
  anAmount,
  anObject,
  checkShape,
  hasMethods,
  listOf,
  oneOf,
  type OptionKind,
  type Refuse,
  type Shape,
} from "../tool/shape.js";
import { checkPermissions } from "./permissions/check-permissions.js";
import { findPermissionState } from "./permissions/create-permissions.js";
import type { Gate } from "./scheduling/gate.js";
import type { CallTracker, DispatcherOptions } from "./state/dispatcher-types.js";
import type { Permissions } from "./permissions/permission-types.js";

const aToolList: OptionKind = {
  expected: "a list of built tools, or a registry",
  fits: (value) => Array.isArray(value) || Array.isArray(Object(value).tools),
};

const anExtension: OptionKind = {
  expected: "",
  fits: (value) => aText.fits(Object(value).name) && anObject.fits(Object(value).connector),
};

/** The kind of every option. The type requires a row for each. */
export const DISPATCHER_OPTIONS: { readonly [option in keyof Required<DispatcherOptions>]: OptionKind } = {
  tools: aToolList,
  permissions: anObject,
  flow: /* @__PURE__ */ oneOf("off", "note", "ask"),
  hooks: anObject,
  features: aFunction,
  maxConcurrency: aCount,
  extensions: /* @__PURE__ */ listOf("extensions, made by `defineExtension` of `@hasp/runtime/extension`", anExtension),
  gate: /* @__PURE__ */ hasMethods<Gate>("enter", "abandon", "releaseAbandoned", "abandonedCall"),
  turnResultBudgetChars: anAmount,
  refreshTools: aFunction,
  onProgress: aFunction,
  onEvent: aFunction,
  dialect: aText,
  external: aFunction,
  names: /* @__PURE__ */ oneOf("exact", "lenient"),
  coerce: aBoolean,
  // Some platforms keep values other than strings in the environment.
  env: anObject,
  retryDelayMs: aFunction,
  hookTimeoutMs: anAmount,
  callTracker: /* @__PURE__ */ hasMethods<CallTracker>("run", "current"),
};

const functions: OptionKind = {
  expected: "a function, or a list of them",
  fits: (value) => [value].flat().every(aFunction.fits),
};
const HOOKS: Shape = { transform: functions, guard: functions, post: functions };

/** The extensions that have taken over options of dispatchers, as they are made. */
const TAKEN_OVER = {
  "`durableCalls({ store })` of `@hasp/stores`": [
    "callStore",
    "principal",
    "mayAnswer",
    "allowUnseenInput",
    "questionTtlSeconds",
    "leaseSeconds",
  ],
  "`createPrograms()` of `@hasp/programs`": ["programs"],
  "`liveTools(servers)` of `@hasp/mcp/live`": ["mcp"],
  "`providerSearch` or `toolSearchOver(tokens)` of `@hasp/runtime/search`": ["deferral"],
};

/** The options that permissions have taken over, with what takes their place. */
const IN_PERMISSIONS = {
  interactive: "`permissions.ask` or `permissions.mode`",
  maxOpenQuestions: "`permissions.maxOpenQuestions`",
};

/** Refuses options that an extension or the permissions have taken over. `durable` is the option that takes the one for durable calls. */
export function refuseOldOptions(options: object, refuseOption: Refuse, durable = "extensions"): void {
  for (const [extension, taken] of Object.entries(TAKEN_OVER)) {
    const option = taken.find((each) => Object.hasOwn(options, each));
    if (option === undefined) continue;
    const place = taken.includes("callStore") ? durable : "extensions";
    refuseOption(`\`${option}\``, `is no option of a dispatcher: ${extension} takes its place, in \`${place}\``);
  }
  for (const [option, instead] of Object.entries(IN_PERMISSIONS)) {
    if (!Object.hasOwn(options, option)) continue;
    refuseOption(`\`${option}\``, `is no option of a dispatcher: ${instead} takes its place`);
  }
}

export function checkOptions(options: DispatcherOptions<never>): void {
  if (!anObject.fits(options)) throw new TypeError("createDispatcher takes options: { tools }.");
  refuseOldOptions(options, refuse);
  checkShape(options, DISPATCHER_OPTIONS, "", refuse);
  const { permissions = {}, hooks = {} } = options;
  checkShape(hooks, HOOKS, "hooks.", refuse);
  // Live permissions were checked when they were created.
  if (findPermissionState(permissions) === undefined) {
    checkPermissions(permissions as Permissions<never>, "permissions.", refuse);
  }
}

function refuse(path: string, what: string): never {
  throw new TypeError(`createDispatcher: ${path} ${what}.`);
}
