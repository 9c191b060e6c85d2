import {
  buildTool,
  createDispatcher,
  type DispatcherOptions,
  type Tool,
  type ToolResult,
  toolResult,
} from "@hasp/runtime";
import { informationFlow } from "@hasp/runtime/flow";
import { storedResults } from "@hasp/runtime/results";
import { toolSearch } from "@hasp/runtime/search";
import type { JsonObject } from "@hasp/schema";
import { createPrograms } from "@hasp/programs";
import type { ProgramSettings } from "./create-programs.js";

type Handler = (input: JsonObject) => unknown;

const anyInput = { type: "object", additionalProperties: true } as const;

export function reader(name: string, execute: Handler): Tool<never, unknown, never> {
  return buildTool({
    name,
    description: `Reads ${name}.`,
    input: anyInput,
    concurrency: { class: "READ_ONLY" },
    behavior: { requiresPermission: false, isOpenWorld: false },
    execute: execute as never,
  }) as never;
}

export function writer(
  name: string,
  execute: Handler,
  behavior: object = { requiresPermission: false, isOpenWorld: false },
): Tool<never, unknown, never> {
  return buildTool({
    name,
    description: `Changes ${name}.`,
    input: anyInput,
    concurrency: { class: "WRITE_EXCLUSIVE" },
    behavior: { isDestructive: false, ...behavior },
    execute: execute as never,
  }) as never;
}

export const echo: Tool<never, unknown, never> = reader("echo", (input) => input);

export const fail: Tool<never, unknown, never> = reader("fail", () =>
  toolResult({ isError: true, content: "It failed." }),
);

export async function runProgram(
  code: string,
  tools: readonly Tool<never, unknown, never>[] = [echo, fail],
  { settings, ...options }: Partial<DispatcherOptions> & { readonly settings?: ProgramSettings } = {},
): Promise<ToolResult> {
  const extensions = [createPrograms(settings)];
  const dispatcher = createDispatcher({
    tools: { tools: tools as never, extensions: [informationFlow, toolSearch, storedResults()] },
    flow: "ask",
    extensions,
    ...options,
  });
  const [result] = await dispatcher.dispatch([{ id: "p", name: "run_program", input: { code } }]);
  return result as ToolResult;
}

/** Returns the result of a program that must succeed. */
export async function resultOf(...given: Parameters<typeof runProgram>): Promise<unknown> {
  const { output, error } = await runProgram(...given);
  if (error !== undefined) throw new Error(`${error.code}: ${error.message}`);
  return (output as { readonly result: unknown }).result;
}
