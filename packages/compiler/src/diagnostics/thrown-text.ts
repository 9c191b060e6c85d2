/** Returns the message of a thrown error, or the thrown value as text. */
export function thrownText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
