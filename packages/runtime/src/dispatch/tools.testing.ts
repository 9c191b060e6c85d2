import type { ExecutionOptions, ToolCall, ToolDefinition, Tool } from "../tool/definition.js";
import { buildTool } from "../tool/tool.js";
import { createDispatcher } from "./kernel.js";
import { informationFlow } from "../extensions/flow/information-flow.js";
import { liveTools } from "../extensions/live/mcp-entry.js";
import { storedResults } from "../extensions/results/stored-results.js";
import { toolSearch } from "../extensions/search/tool-search.js";
import type { Dispatcher, DispatcherOptions, McpServer } from "./state/dispatcher-types.js";

export type Options = ExecutionOptions<unknown>;

export const anyObject = { type: "object", additionalProperties: true } as const;

type Parts = Partial<Omit<ToolDefinition<Record<string, unknown>, unknown, unknown>, "name" | "execute">>;
type Execute = (input: Record<string, unknown>, options: Options) => unknown;

/** Creates a tool that reads, runs unasked and takes any object. */
export function reader(name: string, execute: Execute = () => "ok", parts: Parts = {}): Tool<Record<string, unknown>> {
  return buildTool<Record<string, unknown>>({
    name,
    description: `Reads ${name}.`,
    input: anyObject,
    ...parts,
    concurrency: { class: "READ_ONLY", ...parts.concurrency },
    behavior: { requiresPermission: false, isOpenWorld: false, ...parts.behavior },
    execute,
  });
}

/** Creates a tool that writes, runs unasked and takes any object. */
export function writer(name: string, execute: Execute = () => "ok", parts: Parts = {}): Tool<Record<string, unknown>> {
  return buildTool<Record<string, unknown>>({
    name,
    description: `Writes ${name}.`,
    input: anyObject,
    ...parts,
    behavior: { requiresPermission: false, isDestructive: false, isOpenWorld: false, ...parts.behavior },
    execute,
  });
}

/** Creates calls with the ids `1`, `2`, … from names, or names with inputs. */
export function callsOf(...names: (string | readonly [string, unknown])[]): ToolCall[] {
  return names.map((call, index) =>
    typeof call === "string"
      ? { id: String(index + 1), name: call, input: {} }
      : { id: String(index + 1), name: call[0], input: call[1] },
  );
}

export function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

export function deferred<Value = void>(): {
  readonly promise: Promise<Value>;
  resolve(value: Value): void;
  reject(error: unknown): void;
} {
  let resolve: (value: Value) => void = () => undefined;
  let reject: (error: unknown) => void = () => undefined;
  const promise = new Promise<Value>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve: (value) => resolve(value), reject: (error) => reject(error) };
}

export function never(): Promise<never> {
  return new Promise(() => undefined);
}

/** The options of a dispatcher with all extensions of the runtime: those of `liveTools` are `mcp` and `refreshServers`. */
export type EquippedOptions<Context = unknown, Name extends string = string> = DispatcherOptions<Context, Name> & {
  readonly mcp?: readonly McpServer[];
  readonly refreshServers?: () => readonly McpServer[] | Promise<readonly McpServer[]>;
};

/** Creates a dispatcher whose tools come with all extensions of the runtime, as those of a registry may. */
export function createEquippedDispatcher<Context = unknown, Name extends string = string>(
  given: EquippedOptions<Context, Name>,
): Dispatcher<Context> {
  if (Object(given) !== given) return createDispatcher(given);
  const { mcp = [], refreshServers, ...options } = given;
  const { tools } = options;
  const live = liveTools(mcp, { refresh: refreshServers });
  const extensions = [informationFlow, toolSearch, storedResults(), live];
  if (!Array.isArray(tools) && !("tools" in Object(tools))) {
    return createDispatcher(options as DispatcherOptions<Context, Name>);
  }
  const registry = Array.isArray(tools) ? { tools } : (tools as object);
  return createDispatcher<Context, Name>({ ...options, tools: { extensions, ...registry } as unknown as typeof tools });
}
