export function printThrown(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Returns the first line of an error without its full stop, for the middle of a sentence. */
export function firstLine(error: unknown): string {
  const [line = ""] = printThrown(error).split("\n");
  return line.replace(/\.$/u, "") || "it throws";
}

/** Returns a result, or `undefined` if computing it throws. */
export function attempt<Result>(run: () => Result): Result | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}
