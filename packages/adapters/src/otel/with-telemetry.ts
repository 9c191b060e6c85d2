import { context, metrics, trace, type Meter, type Tracer } from "@opentelemetry/api";
import type { CallTracker, DispatchEvent, DispatcherOptions } from "@hasp/runtime";
import { safely } from "../../../runtime/src/tool/callback.js";
import { callMetrics } from "./call-metrics.js";
import { CallSpans } from "./call-spans.js";

/** Settings of {@link withTelemetry}. */
export interface TelemetryOptions {
  /** Default: the tracer `@hasp/runtime` of the global provider. */
  readonly tracer?: Tracer | undefined;
  /** Default: the meter `@hasp/runtime` of the global provider. */
  readonly meter?: Meter | undefined;
  /**
   * Puts the input of each call into its span, without members that the schema declares as secret (`writeOnly`, `format:
   * password`, `x-secret`). Default false.
   */
  readonly recordArguments?: boolean | undefined;
  /** Puts the output of each call into its span, or its text where the tool declares no output. Default false. */
  readonly recordResults?: boolean | undefined;
}

/**
 * Adds OpenTelemetry to the options of a dispatcher: `createDispatcher(withTelemetry({ tools }))`. Each call is a span
 * `execute_tool {name}`, a child of the span that is active where the turn was started, and the parent of all that its
 * handler does. A turn with a `trace` of its own, such as a call of an MCP client, continues with that trace. A call that never ran is a span without duration. The metrics are `hasp.tool.duration`, a histogram in
 * seconds, and `hasp.tool.calls`, by outcome. Texts of errors are recorded only with the results.
 */
export function withTelemetry<Context = unknown, Name extends string = string>(
  options: DispatcherOptions<Context, Name>,
  { tracer, meter, recordArguments = false, recordResults = false }: TelemetryOptions = {},
): DispatcherOptions<Context, Name> {
  const spans = new CallSpans({
    tracer: () => tracer ?? trace.getTracer("@hasp/runtime"),
    recordArguments,
    recordResults,
  });
  const count = callMetrics(() => meter ?? metrics.getMeter("@hasp/runtime"));
  const onTelemetry = safely((event: DispatchEvent) => {
    if (event.type === "started") spans.start(event);
    if (event.type !== "settled") return;
    spans.end(event);
    count(event);
  });
  const onEvent = safely(options.onEvent);
  return {
    ...options,
    callTracker: tracked(options.callTracker, spans),
    onEvent(event) {
      onTelemetry?.(event);
      onEvent?.(event);
    },
  };
}

/** Runs each handler inside its span, and inside the tracker that the host has already. */
function tracked(inner: CallTracker | undefined, spans: CallSpans): CallTracker {
  return {
    run: (call, body) => {
      const around = spans.contextOf(call);
      const inside = inner === undefined ? body : () => inner.run(call, body);
      return around === undefined ? inside() : context.with(around, inside);
    },
    current: () => inner?.current(),
  };
}
