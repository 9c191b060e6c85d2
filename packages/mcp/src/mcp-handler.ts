import { type DeclaredHandler, type MarkedResult, NotExecuted } from "@hasp/runtime";
import { declaredHandler, computeBeforeRunning } from "../../runtime/src/secrets/declared-handler.js";
import { SecretPatterns } from "../../runtime/src/secrets/redactor.js";
import { LONGEST_TIMER } from "../../runtime/src/dispatch/scheduling/with-timeout.js";
import { fromCallToolResult } from "../../runtime/src/results/from-call-tool-result.js";
import { callFailure, looksGone } from "./call-failure.js";
import { listAllTools, callMcpTool, type McpClient } from "./mcp-client.js";
import type { McpHandlerConnection } from "./mcp-connection.js";

export interface McpDeclaration<Input, Context> {
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
    if (typeof sent !== "object" || sent === null) throw new NotExecuted(`the input of ${tool} must be an object`);
    const { client, secrets: held, discard, release } = await connection.borrow({ context, signal });
    secrets.addAll(held);
    try {
      const answer = await callMcpTool(
        client,
        { name: tool, arguments: sent as Record<string, unknown> },
        // The dispatcher has its own time limit.
        { signal, timeout: LONGEST_TIMER, onprogress: (update) => progress({ ...update }) },
      );
      if (looksGone(answer, tool)) await refuseGone(client, connection.name, tool);
      return fromAnswer(answer, connection.name);
    } catch (error) {
      if (error instanceof NotExecuted || signal.aborted) throw error;
      if (looksGone(error, tool)) await refuseGone(client, connection.name, tool);
      throw callFailure(error, { connection: connection.name, secrets, discard });
    } finally {
      release();
    }
  });
}

function fromAnswer(answer: unknown, connection: string): MarkedResult {
  const { content } = (typeof answer === "object" && answer !== null ? answer : {}) as { readonly content?: unknown };
  if (Array.isArray(content)) return fromCallToolResult(answer) as MarkedResult;
  throw new TypeError(`${connection} answered with something that is not the result of a tool`);
}

/** Throws if the server no longer lists the tool. */
async function refuseGone(client: McpClient, connection: string, tool: string): Promise<void> {
  const limits = { timeoutMs: 5000, maxTools: 10_000 };
  const offered = await listAllTools(client, connection, limits).catch(() => undefined);
  if (offered === undefined || offered.some(({ name }) => name === tool)) return;
  throw new NotExecuted(
    `the MCP server ${connection} no longer has the tool ${tool}; nothing was run. Import its tools again with \`hasp import mcp\``,
  );
}
