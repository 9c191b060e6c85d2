import type { Attributes, Meter } from "@opentelemetry/api";
import type { DispatchEvent } from "@hasp/runtime";

type Settled = Extract<DispatchEvent, { readonly type: "settled" }>;

/** Bounds of the histogram, in seconds: from a lookup in memory to a job of minutes. */
const BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];
/** A name that no tool has: a model may invent any number of them. */
const UNKNOWN = "_OTHER";

/** Counts settled calls, and measures those that ran. The instruments are created with the first. */
export function callMetrics(meter: () => Meter): (event: Settled) => void {
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
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": isUnknown ? UNKNOWN : toolName,
      ...(error !== undefined && { "error.type": error.code }),
    };
    const outcome = !result.isError ? "ok" : attempts === 0 ? "refused" : "failed";
    instruments.calls.add(1, { ...attributes, "hasp.outcome": outcome });
    if (attempts > 0) instruments.duration.record(result.durationMs / 1000, attributes);
  };
}
