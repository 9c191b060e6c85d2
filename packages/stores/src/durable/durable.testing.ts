import {
  buildTool,
  createDispatcher,
  type Dispatcher,
  type DispatcherOptions,
  type ExecutionOptions,
  type Tool,
  type ToolCall,
  type ToolDefinition,
} from "@hasp/runtime";
import type { CallStore, StoredTurns } from "@hasp/runtime/call-store";
import { informationFlow } from "@hasp/runtime/flow";
import { liveTools } from "@hasp/runtime/internal";
import { storedResults } from "@hasp/runtime/results";
import { toolSearch } from "@hasp/runtime/search";
import { durableCalls } from "./durable-calls.js";
import type { DurableOptions } from "./durable-options.js";

export const anyObject = { type: "object", additionalProperties: true } as const;

type Parts = Partial<Omit<ToolDefinition<Record<string, unknown>, unknown, unknown>, "name" | "execute">>;
type Execute = (input: Record<string, unknown>, options: ExecutionOptions<unknown>) => unknown;

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

export function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Settings of a dispatcher and of its durable calls in one. */
export interface HostOptions extends DispatcherOptions, Partial<Omit<DurableOptions, "store">> {
  readonly callStore?: CallStore | undefined;
}

/** A dispatcher with the functions of its durable calls. */
export type Host = Dispatcher & Omit<StoredTurns, "store">;

/** Creates a dispatcher that keeps calls in its `callStore`, with all extensions of the runtime. */
export function createHost({
  callStore: store,
  principal,
  mayAnswer,
  allowUnseenInput,
  questionTtlSeconds,
  externalTtlSeconds,
  leaseSeconds,
  digestKey,
  tools,
  extensions = [],
  ...options
}: HostOptions): Host {
  const registry = {
    tools: tools as readonly Tool<never>[],
    extensions: [informationFlow, toolSearch, storedResults(), liveTools([])],
  };
  if (store === undefined) return createDispatcher({ ...options, tools: registry, extensions }) as Host;
  const durable = durableCalls({
    store,
    principal,
    mayAnswer,
    allowUnseenInput,
    questionTtlSeconds,
    externalTtlSeconds,
    leaseSeconds,
    digestKey,
  });
  const dispatcher = createDispatcher({ ...options, tools: registry, extensions: [durable, ...extensions] });
  const { run, resume, answer, complete } = dispatcher.use(durable);
  return Object.freeze(
    Object.defineProperties({ run, resume, answer, complete }, Object.getOwnPropertyDescriptors(dispatcher)),
  ) as Host;
}
