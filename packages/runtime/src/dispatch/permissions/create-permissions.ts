import { anObject } from "../../tool/shape.js";
import type { LivePermissions, PermissionMode, Permissions } from "./permission-types.js";
import { aMode, checkAllow, checkDenyDetails, checkPattern, checkPermissions } from "./check-permissions.js";
import { VERSION } from "../../tool/version.js";
import { PermissionState } from "./permission-state.js";

const STATE: unique symbol = Symbol.for("hasp.permissions");

/** Creates permissions that can change while calls run. Malformed settings throw a `TypeError`. */
export function createPermissions<Context = unknown, Name extends string = string>(
  settings: Permissions<Context, Name> = {},
): LivePermissions<Name> {
  if (!anObject.fits(settings)) refuse("`settings`", "must be an object");
  checkPermissions(settings as Permissions<never>, "", refuse);
  const state = new PermissionState(settings as Permissions);
  const live: LivePermissions<Name> & { readonly [STATE]: PermissionState } = {
    deny(pattern, details = {}) {
      checkPattern(pattern, "pattern", refuse);
      checkDenyDetails(details, refuse);
      return state.deny(pattern, details);
    },
    allow(calls, details) {
      checkAllow(calls, details, refuse);
      return state.allow(calls, details);
    },
    revoke: (id) => state.revoke(id),
    get mode() {
      return state.mode;
    },
    set mode(mode: PermissionMode) {
      if (!aMode.fits(mode)) refuse("`mode`", `must be ${aMode.expected}`);
      state.mode = mode;
    },
    list: () => state.list(),
    [STATE]: state,
  };
  return Object.freeze(live);
}

export function findPermissionState(permissions: unknown): PermissionState | undefined {
  const state = (permissions as { readonly [STATE]?: PermissionState } | undefined)?.[STATE];
  if (state === undefined || state.madeBy === VERSION) return state;
  throw new TypeError(
    "createDispatcher: `permissions` were created by another version of @hasp/runtime, which this one cannot read. Install one version.",
  );
}

function refuse(path: string, what: string): never {
  throw new TypeError(`createPermissions: ${path} ${what}.`);
}
