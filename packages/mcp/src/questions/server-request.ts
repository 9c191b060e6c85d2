import type { CallTrace } from "@hasp/runtime";
import { traceIn } from "./trace-in.js";

/** What of a request's `_meta` is read. */
interface McpRequestMeta {
  readonly progressToken?: string | number | undefined;
  readonly traceparent?: unknown;
  readonly tracestate?: unknown;
  readonly baggage?: unknown;
}

/** The second parameter of a handler in the official packages: flat in version 1, under `mcpReq` in version 2. */
export interface McpRequestExtra {
  readonly requestId?: string | number;
  readonly signal?: AbortSignal;
  readonly _meta?: McpRequestMeta | undefined;
  readonly sendNotification?: (notification: never) => Promise<void>;
  readonly mcpReq?: {
    readonly id: string | number;
    readonly signal: AbortSignal;
    readonly _meta?: McpRequestMeta | undefined;
    readonly notify: (notification: never) => Promise<void>;
    /** What a request of the revision 2026-07-28 says about its client. */
    readonly envelope?: Readonly<Record<string, unknown>> | undefined;
    readonly inputResponses?: Readonly<Record<string, unknown>> | undefined;
    readonly requestState?: () => unknown;
  };
  readonly http?:
    | {
        readonly authInfo?: { readonly clientId?: string; readonly extra?: object | undefined } | undefined;
        readonly req?: { readonly headers: Headers } | undefined;
      }
    | undefined;
  readonly requestInfo?: { readonly headers: Readonly<Record<string, string | string[] | undefined>> } | undefined;
}

/** A request as both versions describe it. */
export interface ServerRequest {
  readonly id: string | number;
  readonly signal: AbortSignal | undefined;
  /** The trace that the client's request belongs to. */
  readonly trace: CallTrace | undefined;
  /** Present if the client asked for progress. */
  readonly progressToken: string | number | undefined;
  readonly notify: (notification: ServerNotification) => Promise<void>;
  /** Whether it is of the revision 2026-07-28, whose clients answer questions with a further request. */
  readonly isModern: boolean;
  readonly envelope: Readonly<Record<string, unknown>> | undefined;
  /** What the client's user answered, by question. */
  readonly inputResponses: Readonly<Record<string, unknown>> | undefined;
  /** What the server gave the client to send back. */
  readonly requestState: string | undefined;
  readonly isOverHttp: boolean;
  /** A header of the HTTP request, by its name in lower case; `null` where there is none. */
  readonly header: (name: string) => string | null;
  /** Who calls, where requests are authenticated. */
  readonly principal: string | undefined;
}

/** A notification that belongs to a request. */
interface ServerNotification {
  readonly method: string;
  readonly params: Record<string, unknown>;
}

/** Reads the second parameter of a handler of either version. */
export function readRequest({
  requestId,
  signal,
  _meta,
  sendNotification,
  mcpReq,
  http,
  requestInfo,
}: McpRequestExtra): ServerRequest {
  const send = mcpReq?.notify ?? sendNotification;
  const state = mcpReq?.requestState?.();
  const meta = mcpReq?._meta ?? _meta;
  return {
    id: mcpReq?.id ?? requestId ?? 0,
    signal: mcpReq?.signal ?? signal,
    trace: traceIn(meta),
    progressToken: meta?.progressToken,
    notify: async (notification) => send?.(notification as never),
    isModern: mcpReq?.envelope !== undefined,
    envelope: mcpReq?.envelope,
    inputResponses: mcpReq?.inputResponses,
    requestState: typeof state === "string" ? state : undefined,
    isOverHttp: http?.req !== undefined || requestInfo !== undefined,
    header: (name) => http?.req?.headers.get(name) ?? requestInfo?.headers[name]?.toString() ?? null,
    principal: principalOf(http?.authInfo?.extra) ?? http?.authInfo?.clientId,
  };
}

/** The subject of a token that was verified. */
function principalOf(extra: object | undefined): string | undefined {
  const subject: unknown = extra === undefined ? undefined : Reflect.get(extra, "principal");
  return typeof subject === "string" ? subject : undefined;
}
