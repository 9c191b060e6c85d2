import {
  type Attributes,
  context,
  type Context,
  createTraceState,
  isSpanContextValid,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from "@opentelemetry/api";
import type { JsonValue } from "@hasp/base/json";
import { removeSecrets, cut, plainText, SECRET, withoutSecrets } from "@hasp/runtime/internal";
import type { CallTrace, DispatchEvent, TrackedCall } from "@hasp/runtime";

type Started = Extract<DispatchEvent, { readonly type: "started" }>;
export type Settled = Extract<DispatchEvent, { readonly type: "settled" }>;

interface CallSpansOptions {
  readonly tracer: () => Tracer;
  readonly attributes: Attributes;
  readonly recordArguments: boolean;
  readonly recordResults: boolean;
}

/** Longer attributes are cut: exporters hold many spans in memory. */
const MOST_CHARACTERS = 16_384;
/** A model may call a tool by any name. */
const MOST_NAME = 200;

interface OpenSpan {
  readonly span: Span;
  readonly around: Context;
  call?: TrackedCall;
}

export class CallSpans {
  readonly #options: CallSpansOptions;
  readonly #open: Map<string, OpenSpan> = new Map();

  constructor(options: CallSpansOptions) {
    this.#options = options;
  }

  /** Opens the span of a call with its first attempt; a later attempt is an event of the same span. */
  start(event: Started): void {
    const open = this.#open.get(event.idempotencyKey);
    if (open !== undefined) {
      open.span.addEvent("retry", { "hasp.tool.attempt": event.attempt });
      return;
    }
    const parent = parentOf(event);
    const span = this.#begin(event, parent, event.reason);
    this.#open.set(event.idempotencyKey, { span, around: trace.setSpan(parent, span) });
  }

  contextOf(call: TrackedCall): Context | undefined {
    const { idempotencyKey, input, tool } = call;
    const open = this.#open.get(idempotencyKey);
    if (open === undefined) return undefined;
    open.call = call;
    if (this.#options.recordArguments && open.span.isRecording()) {
      open.span.setAttribute("gen_ai.tool.call.arguments", jsonText(removeSecrets(input, tool.input, tool).value));
    }
    return open.around;
  }

  end(event: Settled): void {
    const { idempotencyKey = "", result, attempts } = event;
    const open = this.#open.get(idempotencyKey);
    this.#open.delete(idempotencyKey);
    const span = open?.span ?? this.#begin(event, parentOf(event));
    const { error } = result;
    span.setAttributes({
      "hasp.tool.attempts": attempts,
      ...(error && { "error.type": error.code, "hasp.tool.effect": error.effect }),
    });
    if (this.#options.recordResults && span.isRecording()) {
      const text = resultText(event, open?.call);
      if (text !== undefined) span.setAttribute("gen_ai.tool.call.result", text);
    }
    if (result.isError) {
      const message =
        this.#options.recordResults && error !== undefined ? { message: withoutInput(error.message, open?.call) } : {};
      span.setStatus({ code: SpanStatusCode.ERROR, ...message });
    }
    span.end();
  }

  #begin({ callId, toolName, class: concurrencyClass }: Started | Settled, parent: Context, reason?: string): Span {
    const name = cut(toolName, MOST_NAME);
    const attributes: Attributes = {
      ...this.#options.attributes,
      ...(reason !== undefined && this.#options.recordResults && { "hasp.permission.reason": cut(reason, MOST_NAME) }),
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": name,
      "gen_ai.tool.type": "function",
      ...(callId !== "" && { "gen_ai.tool.call.id": cut(callId, MOST_NAME) }),
      "hasp.tool.class": concurrencyClass,
    };
    return this.#options.tracer().startSpan(`execute_tool ${name}`, { kind: SpanKind.INTERNAL, attributes }, parent);
  }
}

/** Returns the active context, or another trace of the turn. A nested call stays the child of its caller. */
function parentOf({ trace: turnTrace }: Started | Settled): Context {
  const active = context.active();
  const remote = turnTrace && parseTrace(turnTrace);
  if (remote === undefined || trace.getSpanContext(active)?.traceId === remote.traceId) return active;
  return trace.setSpanContext(active, remote);
}

/** Returns the text of a result. A declared output is recorded instead, without what its schema calls secret. */
function resultText({ result }: Settled, call: TrackedCall | undefined): string | undefined {
  const tool = call?.tool;
  if (tool?.output === undefined || result.isError) {
    return cut(withoutInput(plainText(result.content), call), MOST_CHARACTERS);
  }
  return result.output === undefined ? undefined : jsonText(removeSecrets(result.output, tool.output, tool).value);
}

/** Returns a text of a call, or `[secret]` instead of one that quotes a secret part of the input. */
function withoutInput(text: string, call: TrackedCall | undefined): string {
  return call === undefined ? text : (withoutSecrets(text, call.input, call.tool) ?? SECRET);
}

function jsonText(value: JsonValue): string {
  return cut(JSON.stringify(value), MOST_CHARACTERS);
}

const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?<traceId>[0-9a-f]{32})-(?<spanId>[0-9a-f]{16})-(?<flags>[0-9a-f]{2})$/u;

/** Parses a remote span, whichever propagators the host has; `undefined` for a malformed trace. */
function parseTrace({ traceparent = "", tracestate }: CallTrace): SpanContext | undefined {
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
