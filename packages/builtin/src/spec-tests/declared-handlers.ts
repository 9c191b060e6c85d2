import type { AnyTool, DispatcherExtension, ToolResult } from "@hasp/runtime";
import type { JsonObject, JsonValue } from "@hasp/schema";
import { bindLazyTool, bindTool } from "@hasp/runtime/codegen/v1";
import { printThrown, excerpt } from "@hasp/base/diagnostics";
import { runCall, createSpec, createRunnableTool } from "@hasp/compiler/run";
import { declarationOf, type SpecTest } from "@hasp/compiler/model";
import { collectNeeds, type ModuleScope } from "@hasp/compiler/handlers";
import { createHandlerKinds, type HandlerKinds } from "@hasp/compiler/plugin";
import type { FlatTool, CompilePlan } from "@hasp/compiler";
import { isObject, isSameJson, toObject } from "@hasp/base/json";

export interface GeneratedHandler {
  readonly path: string;
  /** Runs the modules of the build with other functions in place of the runtime's. */
  load(runtime: () => ModuleScope): (path: string) => ModuleScope;
  readonly plan: Pick<CompilePlan, "connections">;
  readonly kinds: HandlerKinds;
}

interface HandlerOutcome {
  readonly result: ToolResult;
  readonly requests: readonly JsonObject[];
}

/** Calls a generated handler through the dispatcher, with every permission and a stated answer. */
async function runDeclaredHandler(
  tool: FlatTool,
  { path, load, plan, kinds }: GeneratedHandler,
  test: SpecTest,
): Promise<HandlerOutcome> {
  const declared = declarationOf(tool.spec);
  if (declared === undefined) throw new Error(`${tool.name} declares no handler.`);
  const requests: JsonObject[] = [];
  const { entry, replace } = kinds.partsOf(declared.key).answer;
  const functions: ModuleScope = await import(entry);
  const record = (request: object): unknown => requests.push(toObject(copyAsJson(request)));
  const scope = replace(functions, test.respond ?? {}, record);
  const { execute } = load(() => scope)(path);
  return { result: await runHandler(tool, { path, execute, plan, kinds }, test), requests };
}

/** Calls a tool with this handler through the dispatcher, with every permission. */
export async function runHandler(
  tool: FlatTool,
  { path, execute, plan, kinds }: Pick<GeneratedHandler, "path" | "plan" | "kinds"> & { readonly execute: unknown },
  { input, context }: Pick<SpecTest, "input" | "context">,
): Promise<ToolResult> {
  const { spec, ...runnable } = createRunnableTool(tool, path, plan, kinds);
  const visibility = { ...spec.metadata.visibility, load: "normal" as const };
  // No secret is read. The answer replaces context members that only the connection needs.
  const needs = { context: collectNeeds(tool.spec, kinds)?.context ?? [] };
  const bound = bindTool(
    createSpec({ ...runnable, spec: { ...spec, needs, metadata: { ...spec.metadata, visibility } } }),
    { execute } as never,
  );
  return callAllowed(tool, bound, input, { context: context ?? {} });
}

async function runFromTape(
  tool: FlatTool,
  { input, context }: SpecTest,
  tape: DispatcherExtension,
  kinds: HandlerKinds,
): Promise<HandlerOutcome> {
  const { spec, ...runnable } = createRunnableTool(tool, "", {}, kinds);
  const visibility = { ...spec.metadata.visibility, load: "normal" as const };
  // The test has asked the handler's own conditions; on a tape, no function of it is needed.
  const judged = { ...runnable, rules: [], flags: [], checks: [] };
  const bound = bindLazyTool(
    createSpec({ ...judged, spec: { ...spec, metadata: { ...spec.metadata, visibility }, describe: undefined } }),
    async () => ({}) as never,
    () => Promise.reject(new Error("a tape starts no handler")),
  );
  return { result: await callAllowed(tool, bound, input, { context, tape }), requests: [] };
}

async function callAllowed(
  { name, spec: { visibility } }: FlatTool,
  bound: AnyTool,
  input: JsonValue,
  options: { readonly context: JsonObject | undefined; readonly tape?: DispatcherExtension },
): Promise<ToolResult> {
  const { result } = await runCall({
    tools: [bound],
    call: { id: "test", name, input: input as object },
    ...options,
    features: visibility?.featureGate === undefined ? [] : [visibility.featureGate],
    isAllowed: true,
    external: (given, options) => bound.execute(given.input as never, options as never),
    ask: async () => "allow",
    isDryRun: false,
  });
  if (result === undefined) throw new Error(`The call of ${name} has no result.`);
  return result;
}

/** Collects the outputs that tests expect, and those of handlers that receive the answers that tests state. */
export async function collectAnswers(
  tools: readonly FlatTool[],
  emitted: ReadonlyMap<string, { readonly handler?: GeneratedHandler }>,
): Promise<{ readonly [tool: string]: readonly { readonly input: JsonValue; readonly output: JsonValue }[] }> {
  const answers: { [tool: string]: { input: JsonValue; output: JsonValue }[] } = {};
  for (const tool of tools) {
    const handler = emitted.get(tool.name)?.handler;
    const found: { input: JsonValue; output: JsonValue }[] = [];
    for (const test of tool.spec.tests ?? []) {
      const { input, respond, expect } = test;
      if (expect.output !== undefined) found.push({ input, output: expect.output });
      else if (respond !== undefined && handler !== undefined) {
        const { result } = await runDeclaredHandler(tool, handler, test);
        if (!result.isError) found.push({ input, output: outputOf(result) });
      }
    }
    if (found.length > 0) answers[tool.name] = found;
  }
  return answers;
}

/** An unmet expectation; `at` is its pointer inside the test. */
export interface UnmetExpectation {
  readonly message: string;
  readonly at: string;
}

function isAboutHandler({ respond, tape, expect }: SpecTest): boolean {
  return [respond, tape, expect.output, expect.error, expect.request].some((part) => part !== undefined);
}

function judgeHandler({ expect, tape }: SpecTest, { result, requests }: HandlerOutcome): readonly UnmetExpectation[] {
  const place = tape === undefined ? "respond" : "tape";
  return [...judgeRequest(expect.request, requests), ...judgeResult(expect, result, place)];
}

function judgeResult(
  { output, error }: SpecTest["expect"],
  result: HandlerOutcome["result"],
  place: "respond" | "tape",
): UnmetExpectation[] {
  const text = textOf(result);
  if (error !== undefined) {
    if (!result.isError) return [{ message: `The call succeeds with ${shown(outputOf(result))}.`, at: "expect/error" }];
    return text.includes(error) ? [] : [{ message: `The error is: ${excerpt(text)}`, at: "expect/error" }];
  }
  if (result.isError) {
    const at = output === undefined ? place : "expect/output";
    return [{ message: `The call fails: ${excerpt(text)}`, at }];
  }
  const actual = outputOf(result);
  if (output === undefined || isSameJson(actual, output)) return [];
  return [{ message: `The output is ${shown(actual)}, not ${shown(output)}.`, at: "expect/output" }];
}

function judgeRequest(expected: JsonObject | undefined, requests: readonly JsonObject[]): UnmetExpectation[] {
  if (expected === undefined) return [];
  const at = "expect/request";
  const [request] = requests;
  if (request === undefined) return [{ message: "Nothing is sent.", at }];
  return Object.entries(expected).flatMap(([part, value]) => {
    const actual = request[part];
    if (part === "headers" && isObject(value) && isObject(actual)) return judgeHeaders(value, actual);
    if (isSameJson(actual ?? null, value)) return [];
    const message = `${part} is ${actual === undefined ? "not sent" : shown(actual)}, not ${shown(value)}.`;
    return [{ message, at: `${at}/${part}` }];
  });
}

/** Compares the expected headers; others are the client's own. */
function judgeHeaders(expected: JsonObject, actual: JsonObject): UnmetExpectation[] {
  return Object.entries(expected).flatMap(([name, value]) => {
    const sent = actual[name.toLowerCase()];
    if (isSameJson(sent ?? null, value)) return [];
    const message = `The header ${name} is ${sent === undefined ? "not sent" : shown(sent)}, not ${shown(value)}.`;
    return [{ message, at: "expect/request/headers" }];
  });
}

function outputOf(result: HandlerOutcome["result"]): JsonValue {
  return result.output === undefined ? textOf(result) : result.output;
}

function textOf({ error, content }: HandlerOutcome["result"]): string {
  const text = content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
  return text === "" ? (error?.message ?? "") : text;
}

function shown(value: JsonValue): string {
  return excerpt(JSON.stringify(value));
}

export async function findHandlerProblems(
  tool: FlatTool,
  test: SpecTest,
  module: GeneratedHandler | undefined,
  openTape?: (tool: FlatTool, file: string) => Promise<DispatcherExtension>,
): Promise<readonly UnmetExpectation[]> {
  if (!isAboutHandler(test)) return [];
  if (test.tape !== undefined) {
    if (test.respond !== undefined) return [{ message: "A test states either `respond` or `tape`.", at: "tape" }];
    if (openTape === undefined) return [];
    let tape: DispatcherExtension;
    try {
      tape = await openTape(tool, test.tape);
    } catch (error) {
      return [{ message: `The tape cannot be used. ${printThrown(error)}`, at: "tape" }];
    }
    return judgeHandler(test, await runFromTape(tool, test, tape, module?.kinds ?? createHandlerKinds([])));
  }
  if (declarationOf(tool.spec) === undefined) return [{ message: OWN_HANDLER, at: atOf(test) }];
  if (test.respond === undefined) return [{ message: NO_ANSWER, at: atOf(test) }];
  return module === undefined ? [] : judgeHandler(test, await runDeclaredHandler(tool, module, test));
}

function atOf({ respond, expect }: SpecTest): string {
  if (respond !== undefined) return "respond";
  return `expect/${["output", "error", "request"].find((part) => Object.hasOwn(expect, part)) ?? ""}`;
}

const OWN_HANDLER =
  "The handler is your own code, which `hasp test` does not run; only a handler that the spec declares can be tested that way. Record a call, and name its `tape`.";
const NO_ANSWER = 'The handler does not run, because the test states no answer for it. Add "respond".';

/** Copies a value through JSON; `undefined` if JSON cannot express it. */
function copyAsJson(value: unknown): JsonValue | undefined {
  const text = JSON.stringify(value) as string | undefined;
  return text === undefined ? undefined : (JSON.parse(text) as JsonValue);
}
