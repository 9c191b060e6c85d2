declare module "@modelcontextprotocol/client" {
  export class Client {
    constructor(info: { name: string; version: string }, options: { versionNegotiation: { mode: "auto" | "legacy" } });
    connect(transport: object, options: { timeout: number }): Promise<void>;
    close(): Promise<void>;
    listTools(params?: { cursor?: string }, options?: { timeout?: number }): Promise<never>;
    callTool(params: object, options?: never): Promise<unknown>;
    getProtocolEra(): unknown;
  }
  export const StreamableHTTPClientTransport: new (
    url: URL,
    options: { fetch: (url: string | URL, init?: object) => Promise<Response> },
  ) => object;
}
declare module "@modelcontextprotocol/client/stdio" {
  export class StdioClientTransport {
    constructor(options: {
      command: string;
      args: string[];
      cwd?: string;
      env: Record<string, string>;
      stderr: "pipe";
      maxBufferSize: number;
    });
    readonly stderr: { on(event: "data", listener: (chunk: unknown) => void): void } | null;
  }
}

declare module "@modelcontextprotocol/server" {
  interface Server {
    registerCapabilities(capabilities: { tools: { listChanged: true } }): void;
    assertCanSetRequestHandler(method: string): void;
    fallbackRequestHandler?: ((request: never, extra: never) => Promise<unknown>) | undefined;
    sendToolListChanged(): Promise<void>;
  }
  export const Server: new (info: { name: string; version: string }, options: { capabilities: object }) => Server;
  export function createMcpHandler(
    factory: (context: { readonly authInfo?: never }) => Server | Promise<Server>,
    options: { onerror: (error: Error) => void },
  ): {
    fetch(request: Request, options: { authInfo: never; parsedBody?: unknown }): Promise<Response>;
    close(): Promise<void>;
    readonly notify: { toolsChanged(): void };
  };
}
