export type Environment = Readonly<Record<string, string | undefined>>;

/** True if an environment variable such as `CI` is set, and not to a word for "no". */
export function isSet(value: string | undefined): boolean {
  return value !== undefined && !["", "0", "false", "no"].includes(value.toLowerCase());
}
