import { setOwn } from "./copy-json.js";
import type { MutableRecord } from "./json-value.js";

/** An object without the members that are `undefined`. */
type Stated<Members> = {
  readonly [Key in keyof Members as Key extends MaybeAbsent<Members> ? never : Key]: Exclude<Members[Key], undefined>;
} & {
  readonly [Key in MaybeAbsent<Members>]?: Exclude<Members[Key], undefined>;
};

/** The named members that may be `undefined`; those of an index signature may be absent anyway. */
type MaybeAbsent<Members> = keyof {
  [Key in keyof Members as string extends Key ? never : undefined extends Members[Key] ? Key : never]: 0;
} &
  keyof Members;

/** Copies an object without the members that are `undefined`. */
export function dropUndefined<Members extends object>(members: Members): Stated<Members> {
  const stated: MutableRecord = {};
  // Twice as fast as a spread for each member, which counts where schemas are lowered.
  for (const [key, value] of Object.entries(members)) if (value !== undefined) setOwn(stated, key, value);
  return stated as Stated<Members>;
}
