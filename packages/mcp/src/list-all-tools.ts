import { withTimeout } from "../../runtime/src/dispatch/scheduling/with-timeout.js";
import { messageOf } from "../../runtime/src/results/text.js";
import type { ListedTool, McpClient } from "./mcp-client.js";

interface ListBounds {
  readonly timeoutMs: number;
  readonly maxTools: number;
}

/** A server with more pages never stops. */
const MOST_PAGES = 100;

/**
 * Reads all pages of a server's list. Rejects with an `Error` for a list that hangs, never ends, or exceeds the limits.
 */
export async function listAllTools(
  client: McpClient,
  server: string,
  { timeoutMs, maxTools }: ListBounds,
): Promise<readonly ListedTool[]> {
  const tools: ListedTool[] = [];
  const deadline = performance.now() + timeoutMs;
  let cursor: string | undefined;
  for (let count = 0; count < MOST_PAGES; count++) {
    const left = Math.max(1, deadline - performance.now());
    const params = cursor === undefined ? {} : { cursor };
    // The client has its own timer, but its transport may ignore that.
    const pending = client.listTools(params, { timeout: left });
    const list = await withTimeout(pending, { milliseconds: left }).catch((error: unknown) => {
      throw new Error(`The MCP server "${server}" did not list its tools: ${messageOf(error)}`, { cause: error });
    });
    const page = listIn(list);
    if (page === undefined) {
      throw new Error(`The MCP server "${server}" did not list its tools: its answer is not a list of named tools.`);
    }
    if (tools.length + page.length > maxTools) {
      throw new Error(
        `The MCP server "${server}" lists more than ${maxTools} tools, which no model can choose from. Raise \`maxTools\`, or ask the server for fewer.`,
      );
    }
    tools.push(...page);
    cursor = list.nextCursor;
    if (cursor === undefined) return tools;
  }
  throw new Error(`The MCP server "${server}" lists more than ${MOST_PAGES} pages of tools.`);
}

/** Returns the tools of an answer; `undefined` if a client without checks let anything else through. */
function listIn(answer: { readonly tools?: unknown } | null): readonly ListedTool[] | undefined {
  const tools = answer?.tools;
  return Array.isArray(tools) && tools.every(isNamed) ? tools : undefined;
}

function isNamed(tool: unknown): tool is ListedTool {
  return typeof tool === "object" && tool !== null && "name" in tool && typeof tool.name === "string";
}
