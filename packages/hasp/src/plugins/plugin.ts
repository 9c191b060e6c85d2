import type { Emitter } from "../emitters/base/emitter.js";
import type { Rule } from "../rules/rule.js";

/** Everything that a plugin adds. Each name begins with the plugin's: `acme/needs-owner`. */
export interface Plugin {
  readonly name: string;
  readonly rules?: readonly Rule[];
  readonly emitters?: readonly Emitter[];
}

/** Everything that several plugins add, as the phases take it. */
export interface Plugins {
  readonly rules: readonly Rule[];
  readonly emitters: readonly Emitter[];
}

/** No rules and no emitters: for runs that neither check nor emit. */
export const noPlugins: Plugins = { rules: [], emitters: [] };

/** Joins plugins into the lists that the phases take. */
export function joinPlugins(plugins: readonly Plugin[]): Plugins {
  return {
    rules: plugins.flatMap(({ rules = [] }) => rules),
    emitters: plugins.flatMap(({ emitters = [] }) => emitters),
  };
}
