/** The second parameter of a handler in the official packages: flat in version 1, under `mcpReq` in version 2. */
export interface McpRequestExtra {
  readonly requestId?: string | number;
  readonly signal?: AbortSignal;
  readonly _meta?: { readonly progressToken?: string | number | undefined } | undefined;
  readonly sendNotification?: (notification: never) => Promise<void>;
  readonly mcpReq?: {
    readonly id: string | number;
    readonly signal: AbortSignal;
    readonly _meta?: { readonly progressToken?: string | number | undefined } | undefined;
    readonly notify: (notification: never) => Promise<void>;
  };
}

/** A request as both versions describe it. */
export interface ServerRequest {
  readonly id: string | number;
  readonly signal: AbortSignal | undefined;
  /** Present if the client asked for progress. */
  readonly progressToken: string | number | undefined;
  readonly notify: (notification: ServerNotification) => Promise<void>;
}

/** A notification that belongs to a request. */
export interface ServerNotification {
  readonly method: string;
  readonly params: Record<string, unknown>;
}

/** Reads the second parameter of a handler of either version. */
export function readRequest({ requestId, signal, _meta, sendNotification, mcpReq }: McpRequestExtra): ServerRequest {
  const send = mcpReq?.notify ?? sendNotification;
  return {
    id: mcpReq?.id ?? requestId ?? 0,
    signal: mcpReq?.signal ?? signal,
    progressToken: (mcpReq?._meta ?? _meta)?.progressToken,
    notify: async (notification) => send?.(notification as never),
  };
}
