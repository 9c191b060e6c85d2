/** The way in which the MCP SDK finds out a server's protocol revision. */
export type RevisionMode = "legacy" | "auto";

/**
 * Connects to a server of any revision. To find out the revision of a program, the SDK must start it twice, so a
 * program is tried with the older revisions first, and `connect` is called again only if it refuses them. Rejects with
 * the error of the last attempt.
 */
export async function connectAnyRevision<Connection>(
  isProgram: boolean,
  connect: (mode: RevisionMode) => Promise<Connection>,
): Promise<Connection> {
  if (!isProgram) return await connect("auto");
  try {
    return await connect("legacy");
  } catch (error) {
    if (!isAnswer(error)) throw error;
    return await connect("auto");
  }
}

function isAnswer(error: unknown): boolean {
  return typeof (error as { readonly code?: unknown } | null | undefined)?.code === "number";
}
