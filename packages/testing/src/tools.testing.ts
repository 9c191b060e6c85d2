import { buildTool, type ExecutionOptions, type Tool, type ToolCall, type ToolDefinition } from "@hasp/runtime";

const anyObject = { type: "object", additionalProperties: true } as const;

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
