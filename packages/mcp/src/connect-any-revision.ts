/** How the MCP SDK finds out which revision of the protocol a server speaks. */
export type RevisionMode = "legacy" | "auto";

/**
 * Connects to a server, whichever revision it speaks. To find out the revision of a program, the SDK must start it
 * twice, so a program is tried with the older revisions first, and `connect` is called again only if it refuses them.
 * Rejects with what the last attempt rejects with.
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

/** Whether the server itself answered with this error: only JSON-RPC errors have numbers. */
function isAnswer(error: unknown): boolean {
  return typeof (error as { readonly code?: unknown } | null | undefined)?.code === "number";
}
