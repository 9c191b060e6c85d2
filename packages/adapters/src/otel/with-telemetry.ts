import { type Attributes, context, type Meter, metrics, trace, type Tracer } from "@opentelemetry/api";
import type { CallTracker, DispatcherOptions, DispatchEvent } from "@hasp/runtime";
import { guard, VERSION } from "@hasp/runtime/contract";
import { CallSpans, type Settled } from "./call-spans.js";

export interface TelemetryOptions {
  /** Default: the tracer `@hasp/runtime` of the global provider. */
  readonly tracer?: Tracer | undefined;
  readonly meter?: Meter | undefined;
  /** Attributes of all spans and metrics, such as the toolset. */
  readonly attributes?: Attributes | undefined;
  /** Puts inputs into spans, without what the schema declares secret. Default false. */
  readonly recordArguments?: boolean | undefined;
  /**
   * Puts the output of each call into its span (its text if the tool declares no output), and the reason for its
   * permission. Default false.
   */
  readonly recordResults?: boolean | undefined;
}

/**
 * Adds OpenTelemetry to the options of a dispatcher: `createDispatcher(withTelemetry({ tools }))`. Each call is a span
 * `execute_tool {name}` below the active one, or below the turn's own `trace`. The metrics are `hasp.tool.duration` (a
 * histogram in seconds) and `hasp.tool.calls` (by outcome). Error texts are recorded only with the results.
 */
export function withTelemetry<Context = unknown, Name extends string = string>(
  options: DispatcherOptions<Context, Name>,
  { tracer, meter, attributes = {}, recordArguments = false, recordResults = false }: TelemetryOptions = {},
): DispatcherOptions<Context, Name> {
  const spans = new CallSpans({
    tracer: () => tracer ?? trace.getTracer(SCOPE, VERSION),
    attributes,
    recordArguments,
    recordResults,
  });
  const count = callMetrics(() => meter ?? metrics.getMeter(SCOPE, VERSION), attributes);
  const onTelemetry = guard((event: DispatchEvent) => {
    if (event.type === "started") spans.start(event);
    if (event.type !== "settled") return;
    spans.end(event);
    count(event);
  });
  const onEvent = guard(options.onEvent);
  return {
    ...options,
    callTracker: tracked(options.callTracker, spans),
    onEvent(event) {
      onTelemetry?.(event);
      onEvent?.(event);
    },
  };
}

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

const SCOPE = "@hasp/runtime";

/** Bounds of the histogram, in seconds: from a lookup in memory to a job of minutes. */
const BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];
/** Replaces unknown tool names, since a model may invent any number of them. */
const UNKNOWN = "_OTHER";

function callMetrics(meter: () => Meter, common: Attributes): (event: Settled) => void {
  let instruments: ReturnType<typeof create> | undefined;
  const create = () => {
    const from = meter();
    return {
      duration: from.createHistogram("hasp.tool.duration", {
        description: "Time that calls of tools took to execute, retries included.",
        unit: "s",
        advice: { explicitBucketBoundaries: BOUNDS },
      }),
      calls: from.createCounter("hasp.tool.calls", { description: "Settled calls of tools.", unit: "{call}" }),
    };
  };
  return ({ toolName, result, attempts }) => {
    instruments ??= create();
    const { error } = result;
    const isUnknown = error?.phase === "lookup";
    const attributes: Attributes = {
      ...common,
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": isUnknown ? UNKNOWN : toolName,
      ...(error && { "error.type": error.code }),
    };
    const outcome = !result.isError ? "ok" : attempts === 0 ? "refused" : "failed";
    instruments.calls.add(1, { ...attributes, "hasp.outcome": outcome });
    if (attempts > 0) instruments.duration.record(result.durationMs / 1000, attributes);
  };
}
