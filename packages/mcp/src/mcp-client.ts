/** The used methods of an MCP client. `Client` of both versions of the official package fits. */
export interface McpClient {
  listTools(
    params?: { cursor?: string },
    options?: { timeout?: number },
  ): Promise<{ readonly tools: readonly ListedTool[]; readonly nextCursor?: string | undefined }>;
  callTool(params: McpCallParams, resultSchema?: undefined, options?: McpCallOptions): Promise<unknown>;
  /** Returns the features of the connected server. */
  getServerCapabilities?(): { readonly resources?: object | undefined } | undefined;
  listResources?(params: { cursor?: string }, options?: McpCallOptions): Promise<unknown>;
  readResource?(params: { uri: string }, options?: McpCallOptions): Promise<unknown>;
  /** Present in version 2 only, whose `callTool` takes the options second. */
  getProtocolEra?(): unknown;
  fallbackNotificationHandler?: ((notification: never) => Promise<void>) | undefined;
}

/** A tool in the result of `tools/list`. */
export interface ListedTool {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly inputSchema: unknown;
  readonly outputSchema?: unknown;
  readonly annotations?: object | undefined;
}

export interface McpCallParams {
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
