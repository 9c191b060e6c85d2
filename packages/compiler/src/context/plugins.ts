import { dropUndefined } from "@hasp/base/json";
import { createHandlerKinds } from "../handlers/kinds.js";
import type { ForeignPlugins } from "../plugins/foreign-plugins.js";
import type { BuiltInPlugin, Plugins } from "./context.js";

/** Joins plugins. Throws if two declare the same kind of handlers, or if two emit: their files would collide. */
export function joinPlugins(builtIn: readonly BuiltInPlugin[], foreign?: ForeignPlugins): Plugins {
  const [emit, other] = builtIn.flatMap((plugin) => plugin.emit ?? []);
  if (other !== undefined) throw new Error("Two plugins emit files, but a build has one manifest.");
  return {
    rules: builtIn.flatMap(({ rules = [] }) => rules),
    handlerKinds: createHandlerKinds(
      builtIn.flatMap((plugin) => plugin.handlerKinds ?? []),
      builtIn.find(({ pluginKind }) => pluginKind !== undefined)?.pluginKind,
    ),
    emit,
    lintPolicies: (policies) => builtIn.flatMap((plugin) => plugin.lintPolicies?.(policies) ?? []),
    ...dropUndefined({ foreign }),
  };
}
