/** What is used of an MCP client: `Client` of the official packages fits, of both versions. */
export interface McpClient {
  listTools(
    params?: { cursor?: string },
    options?: { timeout?: number },
  ): Promise<{ readonly tools: readonly ListedTool[]; readonly nextCursor?: string | undefined }>;
  callTool(params: McpCallParams, resultSchema?: undefined, options?: McpCallOptions): Promise<unknown>;
  /** Only version 2 has it, whose `callTool` takes the options second. */
  getProtocolEra?(): unknown;
  /** Hears of the notifications that nobody else handles. */
  fallbackNotificationHandler?: ((notification: never) => Promise<void>) | undefined;
}

/** A tool as `tools/list` names it. */
export interface ListedTool {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly inputSchema: unknown;
  readonly outputSchema?: unknown;
  readonly annotations?: object | undefined;
}

/** What `tools/call` is given. */
export interface McpCallParams {
  name: string;
  arguments: Record<string, unknown>;
}

/** How a call is made. */
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
