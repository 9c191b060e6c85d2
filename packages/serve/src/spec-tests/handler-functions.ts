import { dirname, posix, relative, resolve } from "node:path";
import type { Diagnostic, Found } from "@hasp/base/diagnostics";
import { own } from "@hasp/base/json";
import type { FlatTool } from "@hasp/compiler";
import type { HandlerFunction, SpecTestResult } from "@hasp/builtin/tests";
import { listPredicates } from "@hasp/compiler/conditions";
import { locateHandlerFiles } from "@hasp/compiler/layout";
import { createProjectReader } from "@hasp/project";
import type { HandlerProcess, ModuleExports } from "@hasp/project/modules";
import { type CompiledProject, listProjectClaims } from "@hasp/project/session";
import { closeContext, serveDiagnostics } from "../diagnostics.js";
import { handlerDiagnostics } from "./diagnostics.js";

/** The outcome of tests. */
export interface TestRun {
  readonly results: readonly SpecTestResult[];
  /** False if handlers that tests need could not be loaded. */
  readonly isComplete: boolean;
}

interface TestsToRun extends Pick<CompiledProject["result"], "tools" | "policies"> {
  /** The limit of each call of a handler's function. */
  readonly seconds: number;
}

/**
 * Runs the tests of some tools and policies of a project, and the examples of the tools. No value if their modules
 * cannot be emitted: the diagnostics say why.
 */
export async function runTests(
  project: CompiledProject,
  { tools, policies, seconds }: TestsToRun,
): Promise<Found<TestRun | undefined>> {
  const [{ loadEmittedTools, runPolicyTests, runSpecTests }, { runModules }] = await Promise.all([
    import("@hasp/builtin/tests"),
    import("@hasp/project/emitted"),
  ]);
  const { plan, plugins, result, root } = project;
  const { value: emitted, diagnostics } = await loadEmittedTools(
    { tools: result.tools, toolsets: result.toolsets, plan },
    { plugins, runModules },
    (tool) => tools.includes(tool) && ((tool.spec.tests ?? []).length > 0 || (tool.spec.examples ?? []).length > 0),
  );
  if (diagnostics.length > 0) return { value: undefined, diagnostics };
  const handlers = await loadHandlerFunctions(tools, project, seconds);
  const results = [
    ...(await runSpecTests(tools, {
      custom: (tool, name) => handlers.functionOf(tool, name),
      emitted,
      openTape: async ({ document }, file) => {
        // A failing test prints parts of its tape, in CI too, so a tape is read only inside the project.
        const path = createProjectReader(root).followLinks(posix.join(dirname(document.uri), file));
        if (path === undefined) throw new Error(`There is no file "${file}" in the project.`);
        const { replayTape } = await import("@hasp/testing");
        return replayTape(relative(process.cwd(), resolve(root, path)));
      },
    })),
    ...(await runPolicyTests(policies, await listProjectClaims(project))),
  ];
  const closing = await handlers.close();
  return {
    value: { results, isComplete: handlers.diagnostics.length === 0 },
    diagnostics: [...handlers.diagnostics, ...closing],
  };
}

/** Functions of the user's handlers that decide about inputs, in a separate process. */
interface LoadedHandlerFunctions {
  functionOf(tool: string, name: string): HandlerFunction | undefined;
  readonly diagnostics: readonly Diagnostic[];
  close(): Promise<readonly Diagnostic[]>;
}

function functionsOf(tool: FlatTool): ReadonlySet<string> {
  return new Set(listPredicates(tool).flatMap((predicate) => (predicate.kind === "custom" ? [predicate.name] : [])));
}

/**
 * Loads the handlers of tools whose tests or examples need a custom function, with the configured test context. Starts
 * no process if there are none. `seconds` limits each call.
 */
async function loadHandlerFunctions(
  tools: readonly FlatTool[],
  project: CompiledProject,
  seconds: number,
): Promise<LoadedHandlerFunctions> {
  const asking = tools
    .filter(({ spec }) => (spec.tests ?? []).length > 0 || (spec.examples ?? []).length > 0)
    .map((tool) => ({ tool: tool.name, names: functionsOf(tool) }))
    .filter(({ names }) => names.size > 0);
  if (asking.length === 0) return { functionOf: () => undefined, diagnostics: [], close: async () => [] };

  const { HandlerProcess } = await import("@hasp/project/modules");
  const process = new HandlerProcess(seconds);
  const { result, plan, root } = project;
  const files = locateHandlerFiles(
    result.tools.map(({ name }) => name),
    plan,
  );
  const functions = new Map<string, HandlerFunction>();
  const diagnostics: Diagnostic[] = [];
  for (const { tool, names } of asking) {
    const path = files.get(tool) ?? "";
    const file = resolve(root, path);
    const loaded = await process.load(file);
    if ("reason" in loaded) {
      diagnostics.push(handlerDiagnostics("cannot-load", undefined, { path, reason: loaded.reason }, { tool }));
    } else {
      diagnostics.push(...missingFunctions(tool, path, names, loaded));
      const there = [...names].filter((name) => own(loaded.exports, name) === "function");
      for (const name of there) functions.set(`${tool} ${name}`, askedOnce(process, { file, name }));
    }
  }
  diagnostics.push(...(functions.size === 0 ? [] : await makeContext(process, project)));
  return {
    functionOf: (tool, name) => functions.get(`${tool} ${name}`),
    diagnostics,
    close: () => closeContext(process),
  };
}

function missingFunctions(
  tool: string,
  path: string,
  names: ReadonlySet<string>,
  { exports }: Exclude<ModuleExports, { reason: string }>,
): readonly Diagnostic[] {
  return [...names].flatMap((name) => {
    const type = own(exports, name);
    if (type === "function") return [];
    const what =
      type === undefined
        ? "it does not export that name"
        : `what it exports is ${type === "null" ? type : `of type ${type}`}`;
    return [handlerDiagnostics("no-function", undefined, { path, name, what }, { tool })];
  });
}

/** Stops asking a function after it failed to answer: a hang costs one timeout, not one per test. */
function askedOnce(
  process: HandlerProcess,
  reference: { readonly file: string; readonly name: string },
): HandlerFunction {
  let lapse: string | undefined;
  return async (question) => {
    if (lapse !== undefined) {
      return { kind: "lapsed", reason: `was not called, because in an earlier test it ${lapse}` };
    }
    const answer = await process.ask(reference, question);
    if (answer.kind === "lapsed") lapse = answer.reason;
    return answer;
  };
}

async function makeContext(
  process: HandlerProcess,
  { plan: { testContext }, root }: CompiledProject,
): Promise<readonly Diagnostic[]> {
  if (testContext === undefined) return [];
  const { file, name } = testContext;
  const reason = await process.makeContext({ file: resolve(root, file), name });
  return reason === undefined ? [] : [serveDiagnostics("context-fails", undefined, { file, name, reason })];
}
