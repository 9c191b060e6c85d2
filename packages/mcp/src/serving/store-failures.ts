import { messageOf } from "../../../runtime/src/results/text.js";
import { InvalidState } from "../questions/signed-states.js";
import type { McpCalls } from "./mcp-calls.js";
import { INTERNAL_ERROR, RequestError } from "./request-error.js";

/**
 * Hides a store's error messages from clients, since they may name hosts of the server. Earlier steps of a call are
 * stored: the client may repeat it with the same state, or ask for its task again.
 */
export function withStoreFailures(calls: McpCalls, report: ((error: Error) => void) | undefined): McpCalls {
  async function guarded<Value>(pending: Promise<Value>): Promise<Value> {
    try {
      return await pending;
    } catch (error) {
      if (error instanceof InvalidState) throw error;
      report?.(error instanceof Error ? error : new Error(messageOf(error)));
      throw new RequestError(INTERNAL_ERROR, "The server's call store cannot be used at the moment.");
    }
  }
  return {
    run: (asked, origin) => guarded(calls.run(asked, origin)),
    async findTask(taskId, principal) {
      const found = await guarded((async () => calls.findTask?.(taskId, principal))());
      return found && { ...found, run: (options, origin) => guarded(found.run(options, origin)) };
    },
  };
}
