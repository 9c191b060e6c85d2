/** The operating system's word for what went wrong, such as `ENOENT`; `undefined` where it said none. */
export function errorCode(error: unknown): string | undefined {
  return typeof error === "object" && error !== null && "code" in error && typeof error.code === "string"
    ? error.code
    : undefined;
}
