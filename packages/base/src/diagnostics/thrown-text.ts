export function printThrown(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Returns a result, or `undefined` if computing it throws. */
export function attempt<Result>(run: () => Result): Result | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}
