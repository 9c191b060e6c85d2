import type { MutableRecord } from "./json-value.js";
import { pickMembers } from "./members.js";

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
  const record = members as MutableRecord;
  return pickMembers(record, (key) => record[key] !== undefined) as Stated<Members>;
}
