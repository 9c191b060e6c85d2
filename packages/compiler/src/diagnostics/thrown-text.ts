/** What was thrown, in words: its message, or the value itself where somebody threw what is not an error. */
export function thrownText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
