import { setOwn } from "./copy-json.js";
import type { MutableRecord } from "./json-value.js";

/** An object without the members that are `undefined`. */
type Stated<Members> = {
  readonly [Key in keyof Members as undefined extends Members[Key] ? never : Key]: Members[Key];
} & {
  readonly [Key in keyof Members as undefined extends Members[Key] ? Key : never]?: Exclude<Members[Key], undefined>;
};

/** Copies an object without the members that are `undefined`. */
export function dropUndefined<Members extends object>(members: Members): Stated<Members> {
  const stated: MutableRecord = {};
  // Twice as fast as a spread for each member, which counts where schemas are lowered.
  for (const [key, value] of Object.entries(members)) if (value !== undefined) setOwn(stated, key, value);
  return stated as Stated<Members>;
}
