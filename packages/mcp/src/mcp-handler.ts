import { isStructured } from "@hasp/base/json";
import {
  type DeclaredHandler,
  declaredHandler,
  computeBeforeRunning,
  SecretPatterns,
  LONGEST_TIMER,
  fromCallToolResult,
} from "@hasp/runtime/internal";
import { type MarkedResult, NotExecuted } from "@hasp/runtime";
import { callFailure, refuseGone } from "./call-failure.js";
import { callMcpTool } from "./mcp-client.js";
import type { McpHandlerConnection } from "./mcp-connection.js";

interface McpDeclaration<Input, Context> {
  readonly tool: string;
  /** Returns the arguments to send. Default: the input as it is. */
  readonly input?: ((input: Input, context: Context) => object) | undefined;
}

/**
 * Creates the handler of a tool that is a tool of an MCP server. A call that the server refused, or that did not reach
 * it, changed nothing; if the connection breaks later, the effect is unknown. Answers and progress are passed on
 * without the connection's secrets.
 */
export function mcpHandler<Input, Context>(
  connection: McpHandlerConnection<Context>,
  { tool, input: sentOf }: McpDeclaration<Input, Context>,
): DeclaredHandler<Input, Context> {
  return declaredHandler(new SecretPatterns(), async (input, { context, signal }, { secrets, progress }) => {
    const sent: unknown =
      sentOf === undefined ? input : computeBeforeRunning("the input", () => sentOf(input, context));
    if (!isStructured(sent)) throw new NotExecuted(`the input of ${tool} must be an object`);
    const { client, secrets: held, discard, release } = await connection.borrow({ context, signal });
    secrets.addAll(held);
    const called = { client, server: connection.name, tool };
    try {
      const answer = await callMcpTool(
        client,
        { name: tool, arguments: sent as Record<string, unknown> },
        // The dispatcher has its own time limit.
        { signal, timeout: LONGEST_TIMER, onprogress: (update) => progress({ ...update }) },
      );
      await refuseGone(answer, called, REMEDY);
      return fromAnswer(answer, connection.name);
    } catch (error) {
      if (error instanceof NotExecuted || signal.aborted) throw error;
      await refuseGone(error, called, REMEDY);
      throw callFailure(error, { connection: connection.name, secrets, discard });
    } finally {
      release();
    }
  });
}

/** The remedy for a tool that specs still have. */
const REMEDY = ", so its tools have to be imported again with `hasp import mcp`";

function fromAnswer(answer: unknown, connection: string): MarkedResult {
  const { content } = (isStructured(answer) ? answer : {}) as { readonly content?: unknown };
  if (Array.isArray(content)) return fromCallToolResult(answer) as MarkedResult;
  throw new TypeError(`${connection} answered with something that is not the result of a tool`);
}
