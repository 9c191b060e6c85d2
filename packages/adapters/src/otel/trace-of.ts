import { createTraceState, isSpanContextValid, type SpanContext } from "@opentelemetry/api";
import type { CallTrace } from "@hasp/runtime";

const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?<traceId>[0-9a-f]{32})-(?<spanId>[0-9a-f]{16})-(?<flags>[0-9a-f]{2})$/u;

/** The span that a trace comes from, whichever propagators the host has; `undefined` for one that is not a trace. */
export function traceOf({ traceparent = "", tracestate }: CallTrace): SpanContext | undefined {
  const { traceId = "", spanId = "", flags = "" } = TRACEPARENT.exec(traceparent)?.groups ?? {};
  const span: SpanContext = {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16),
    isRemote: true,
    ...(tracestate !== undefined && { traceState: createTraceState(tracestate) }),
  };
  return isSpanContextValid(span) ? span : undefined;
}
