/** An object without the members that are `undefined`. */
type Stated<Members> = {
  readonly [Key in keyof Members as undefined extends Members[Key] ? never : Key]: Members[Key];
} & {
  readonly [Key in keyof Members as undefined extends Members[Key] ? Key : never]?: Exclude<Members[Key], undefined>;
};

/** Copies an object without the members that are `undefined`. */
export function dropUndefined<Members extends object>(members: Members): Stated<Members> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Stated<Members>;
}
