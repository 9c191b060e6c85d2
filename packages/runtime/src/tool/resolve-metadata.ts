import type { ToolDefinition } from "./definition.js";
import { FAIL_CLOSED_DEFAULTS, READ_ONLY_ENTAILS } from "./defaults.js";
import type { ToolMetadata } from "./metadata.js";

/** Flags that may vary from call to call. */
export const VARYING_FLAGS = ["isReadOnly", "isDestructive", "isIdempotent", "requiresPermission"] as const;

/** Every flag of a tool: what it states, else what its class entails, else the fail-closed default. */
export function resolveMetadata(definition: ToolDefinition<never, unknown, never>): ToolMetadata {
  const concurrencyClass = definition.concurrency?.class ?? FAIL_CLOSED_DEFAULTS.concurrency.class;
  return Object.freeze({
    concurrency: Object.freeze({ class: concurrencyClass }),
    behavior: Object.freeze({
      ...FAIL_CLOSED_DEFAULTS.behavior,
      ...(concurrencyClass === "READ_ONLY" && READ_ONLY_ENTAILS),
      ...statedOnly(definition.behavior),
    }),
    visibility: Object.freeze({
      shouldDefer: definition.visibility?.shouldDefer ?? FAIL_CLOSED_DEFAULTS.visibility.shouldDefer,
      alwaysLoad: definition.visibility?.alwaysLoad ?? FAIL_CLOSED_DEFAULTS.visibility.alwaysLoad,
    }),
    limits: Object.freeze({ ...FAIL_CLOSED_DEFAULTS.limits, ...statedOnly(definition.limits) }),
  });
}

/**
 * What is stated as a plain value: `undefined` counts as omitted, and a flag that varies keeps its strict value here.
 */
function statedOnly(group: object | undefined): object {
  return Object.fromEntries(
    Object.entries(group ?? {}).filter(([, value]) => value !== undefined && typeof value !== "object"),
  );
}
