import { readOwnMember } from "@hasp/base/json";
import type { CallTrace } from "@hasp/runtime";

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
    /** The part of a request of 2026-07-28 that describes its client. */
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

export interface ServerRequest {
  readonly id: string | number;
  readonly signal: AbortSignal | undefined;
  readonly trace: CallTrace | undefined;
  /** Present if the client asked for progress. */
  readonly progressToken: string | number | undefined;
  readonly notify: (notification: ServerNotification) => Promise<void>;
  readonly isModern: boolean;
  readonly envelope: Readonly<Record<string, unknown>> | undefined;
  readonly inputResponses: Readonly<Record<string, unknown>> | undefined;
  readonly requestState: string | undefined;
  readonly isOverHttp: boolean;
  readonly header: (name: string) => string | null;
  readonly principal: string | undefined;
}

interface ServerNotification {
  readonly method: string;
  readonly params: Record<string, unknown>;
}

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

function principalOf(extra: object | undefined): string | undefined {
  const subject: unknown = extra === undefined ? undefined : Reflect.get(extra, "principal");
  return typeof subject === "string" ? subject : undefined;
}

/** The valid form of each part: handlers pass the parts on in headers, and a client can send anything. */
const FORMS: { readonly [part in keyof Required<CallTrace>]: RegExp } = {
  traceparent: /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/u,
  tracestate: /^[\u0020-\u007e]{1,512}$/u,
  baggage: /^[\u0020-\u007e]{1,8192}$/u,
};

/** Reads the trace in the `_meta` of a request; parts that do not conform to the standards are left out. */
function traceIn(meta: object | undefined): CallTrace | undefined {
  if (meta === undefined) return undefined;
  const parts = Object.entries(FORMS).flatMap(([part, form]) => {
    const value = readOwnMember(meta, part);
    return typeof value === "string" && form.test(value) ? [[part, value]] : [];
  });
  return parts.length === 0 ? undefined : (Object.fromEntries(parts) as CallTrace);
}
