import type { FlatTool } from "../../../model/tool.js";

/** Options for `isolate` of `@hasp/handlers/isolation`, without the module. */
export type IsolationOptions = {
  readonly env?: readonly string[];
  readonly timeoutSeconds: number | "unlimited";
  readonly memoryMb?: number;
  readonly cpuSeconds?: number;
  readonly outputMb?: number;
};

/** Returns the isolation of a tool's `execute`; `undefined` if it runs in the host's process. */
export function readIsolation({ spec, metadata }: FlatTool): IsolationOptions | undefined {
  const { handler, needs } = spec;
  if (handler?.isolation === undefined) return undefined;
  const { timeoutSeconds } = metadata.limits;
  return { ...(needs?.env === undefined ? {} : { env: needs.env }), timeoutSeconds, ...handler.isolation };
}
