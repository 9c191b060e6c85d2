import { FAIL_CLOSED_DEFAULTS, type AnyTool } from "@hasp/runtime";

/** Returns the longest time limit of the tools, including the default. */
export function longestTimeMs(tools: readonly AnyTool[]): number {
  const seconds = tools.map(({ metadata: { limits } }) =>
    limits.timeoutSeconds === "unlimited" ? FAIL_CLOSED_DEFAULTS.limits.timeoutSeconds : limits.timeoutSeconds,
  );
  return Math.min(Math.max(...seconds.map(Number)) * 1000, 2 ** 31 - 1);
}
