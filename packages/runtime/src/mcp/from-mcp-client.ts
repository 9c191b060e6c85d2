import type { JsonSchema } from "@hasp/schema";
import type { McpServer, McpTool } from "../contract/dispatcher.js";

/** What is used of an MCP client: the one of the official package fits. */
export interface McpClient {
  listTools(params?: { cursor?: string }): Promise<{
    readonly tools: readonly {
      readonly name: string;
      readonly title?: string | undefined;
      readonly description?: string | undefined;
      readonly inputSchema: unknown;
      readonly outputSchema?: unknown;
      readonly annotations?: object | undefined;
    }[];
    readonly nextCursor?: string | undefined;
  }>;
  callTool(
    params: { name: string; arguments: Record<string, unknown> },
    resultSchema?: undefined,
    options?: {
      signal?: AbortSignal;
      timeout?: number;
      onprogress?: (progress: object) => void;
      resetTimeoutOnProgress?: boolean;
    },
  ): Promise<unknown>;
}

/** How a server's tools enter a dispatcher. */
export interface FromMcpClientOptions {
  /** The id that its tools' names bear. */
  readonly server: string;
  /** Its hints may decide what runs beside what; they never grant permission. */
  readonly trusted?: boolean;
  /** Keeps its tools out of the list until `tool_search` loads them. */
  readonly shouldDefer?: boolean;
}

/** Pages that a server may have; more is a server that never stops. */
const MOST_PAGES = 100;

/** The dispatcher's timer rules; the client's own must not end a call before. */
const LONGEST_MS = 2 ** 31 - 1;

/** All tools of a connected server, ready for `createDispatcher({ mcp: [...] })`. */
export async function fromMcpClient(
  client: McpClient,
  { server, trusted, shouldDefer }: FromMcpClientOptions,
): Promise<McpServer> {
  const tools: McpTool[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page++) {
    const list = await client.listTools(cursor === undefined ? {} : { cursor });
    for (const tool of list.tools) {
      tools.push({
        name: tool.name,
        title: tool.title,
        description: tool.description,
        inputSchema: tool.inputSchema as JsonSchema,
        outputSchema: tool.outputSchema as JsonSchema | undefined,
        annotations: tool.annotations === undefined ? undefined : { ...tool.annotations },
        shouldDefer,
        execute: (input, { signal, progress }) =>
          client.callTool({ name: tool.name, arguments: { ...input } }, undefined, {
            signal,
            timeout: LONGEST_MS,
            onprogress: (update) => progress({ ...update }),
          }),
      });
    }
    cursor = list.nextCursor;
    if (cursor === undefined) return { server, trusted, tools };
  }
  throw new Error(`The MCP server "${server}" lists more than ${MOST_PAGES} pages of tools.`);
}
