import { isStructured } from "@hasp/base/json";
import { withTimeout, messageOf } from "@hasp/runtime/internal";

/** The methods of an MCP client that are used; `Client` of both versions of the official package has them. */
export interface McpClient {
  listTools(
    params?: { cursor?: string },
    options?: { timeout?: number },
  ): Promise<{ readonly tools: readonly ListedTool[]; readonly nextCursor?: string | undefined }>;
  callTool(params: McpCallParams, resultSchema?: undefined, options?: McpCallOptions): Promise<unknown>;
  getServerCapabilities?(): { readonly resources?: object | undefined } | undefined;
  listResources?(params: { cursor?: string }, options?: McpCallOptions): Promise<unknown>;
  readResource?(params: { uri: string }, options?: McpCallOptions): Promise<unknown>;
  /** Present in version 2 only, whose `callTool` takes the options second. */
  getProtocolEra?(): unknown;
  fallbackNotificationHandler?: ((notification: never) => Promise<void>) | undefined;
}

export interface ListedTool {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly inputSchema: unknown;
  readonly outputSchema?: unknown;
  readonly annotations?: object | undefined;
}

interface McpCallParams {
  name: string;
  arguments: Record<string, unknown>;
}

export interface McpCallOptions {
  signal?: AbortSignal;
  timeout?: number;
  onprogress?: (progress: object) => void;
  resetTimeoutOnProgress?: boolean;
}

/** Calls a tool with either version of the official client. */
export function callMcpTool(client: McpClient, params: McpCallParams, options: McpCallOptions): Promise<unknown> {
  if (client.getProtocolEra === undefined) return client.callTool(params, undefined, options);
  const second = client as unknown as { callTool(params: McpCallParams, options: McpCallOptions): Promise<unknown> };
  return second.callTool(params, options);
}

interface ListBounds {
  readonly timeoutMs: number;
  readonly maxTools: number;
}

/** Limits the pages of a list: a server with more never stops. */
const MOST_PAGES = 100;

/** Reads all pages of a list. Rejects with an `Error` for a list that hangs, never ends, or exceeds the limits. */
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
  return isStructured(tool) && "name" in tool && typeof tool.name === "string";
}

/** The way the MCP SDK detects a server's protocol revision. */
export type RevisionMode = "legacy" | "auto";

/**
 * Connects to a server of any revision. The SDK must start a program twice to find out its revision, so `auto` is
 * tried only after an older revision was refused. Rejects with the error of the last attempt.
 */
export async function connectAnyRevision<Connection>(
  isProgram: boolean,
  connect: (mode: RevisionMode) => Promise<Connection>,
): Promise<Connection> {
  if (!isProgram) return await connect("auto");
  try {
    return await connect("legacy");
  } catch (error) {
    // Only the answer of a server has a numeric code.
    if (typeof Object(error).code !== "number") throw error;
    return await connect("auto");
  }
}
