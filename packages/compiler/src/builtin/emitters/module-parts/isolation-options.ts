import type { FlatTool } from "../../../model/tool.js";

/** Options for `isolate` of `@hasp/handlers/isolation`, without the tool's module. */
export type IsolationOptions = {
  readonly env?: readonly string[];
  readonly timeoutSeconds: number | "unlimited";
  readonly memoryMb?: number;
  readonly cpuSeconds?: number;
  readonly outputMb?: number;
};

/** The options with which a tool's `execute` is isolated; `undefined` if it runs in the host's process. */
export function isolationOptions({ spec, metadata }: FlatTool): IsolationOptions | undefined {
  const { handler, needs } = spec;
  if (handler?.isolation === undefined) return undefined;
  const { timeoutSeconds } = metadata.limits;
  return { ...(needs?.env === undefined ? {} : { env: needs.env }), timeoutSeconds, ...handler.isolation };
}
