import { resolve } from "node:path";
import type { Diagnostic } from "../../diagnostics/diagnostic.js";
import { handlerFiles } from "../../emitters/base/layout.js";
import type { JudgeProcess } from "../../host/modules/judges/judge-process.js";
import type { ModuleExports } from "../../host/modules/judges/messages.js";
import { own } from "../../model/own.js";
import type { FlatTool } from "../../model/tool.js";
import { serveDiagnostics } from "../../mcp-server/diagnostics.js";
import type { HandlerFunction } from "../../spec-tests/index.js";
import { cliDiagnostics } from "../shell/diagnostics.js";
import type { CompiledProject } from "./project.js";

/** The user's own code that judges inputs, in a process of its own. */
export interface Judges {
  functionOf(tool: string, name: string): HandlerFunction | undefined;
  /** Why something could not be loaded. */
  readonly diagnostics: readonly Diagnostic[];
  /** Ends the process; gives what was found on the way. */
  close(): Promise<readonly Diagnostic[]>;
}

/** The functions by which handlers judge inputs: conditions and checks. */
function functionsOf({ rules, flags, checks }: FlatTool): ReadonlySet<string> {
  const judges = [
    ...rules.map(({ when }) => when),
    ...flags.map(({ predicate }) => predicate),
    ...checks.map(({ that }) => that),
  ];
  return new Set(judges.flatMap((judge) => (judge.kind === "custom" ? [judge.name] : [])));
}

/**
 * Loads the handlers of those tools whose specs leave something to a function and that have a test or an example, and
 * with them the context that the configuration names for tests. No other code of the user's is run. Where there is no
 * such tool, no process is started. `seconds` is how long one function may take.
 */
export async function loadJudges(
  tools: readonly FlatTool[],
  project: CompiledProject,
  seconds: number,
): Promise<Judges> {
  const asking = tools
    .filter(({ spec }) => (spec.tests ?? []).length > 0 || (spec.examples ?? []).length > 0)
    .map((tool) => ({ tool: tool.name, names: functionsOf(tool) }))
    .filter(({ names }) => names.size > 0);
  if (asking.length === 0) return { functionOf: () => undefined, diagnostics: [], close: async () => [] };

  const { JudgeProcess } = await import("../../host/modules/judges/judge-process.js");
  const judges = new JudgeProcess(seconds);
  const { result, plan, root } = project;
  const files = handlerFiles(
    result.tools.map(({ name }) => name),
    plan,
  );
  const functions = new Map<string, HandlerFunction>();
  const diagnostics: Diagnostic[] = [];
  for (const { tool, names } of asking) {
    const path = files.get(tool) ?? "";
    const file = resolve(root, path);
    const loaded = await judges.load(file);
    if ("reason" in loaded) {
      diagnostics.push(cliDiagnostics("cannot-load", undefined, { path, reason: loaded.reason }, { tool }));
    } else {
      diagnostics.push(...missingFunctions(tool, path, names, loaded));
      const there = [...names].filter((name) => own(loaded.exports, name) === "function");
      for (const name of there) functions.set(`${tool} ${name}`, askedOnce(judges, { file, name }));
    }
  }
  diagnostics.push(...(functions.size === 0 ? [] : await makeContext(judges, project)));
  return {
    functionOf: (tool, name) => functions.get(`${tool} ${name}`),
    diagnostics,
    close: async () => {
      const reason = await judges.close();
      return reason === undefined ? [] : [serveDiagnostics("context-not-closed", undefined, { reason })];
    },
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
        ? "it exports nothing of that name"
        : `what it exports is ${type === "null" ? type : `of type ${type}`}`;
    return [cliDiagnostics("no-function", undefined, { path, name, what }, { tool })];
  });
}

/** A function that hangs costs its time once, not once a test. */
function askedOnce(judges: JudgeProcess, place: { readonly file: string; readonly name: string }): HandlerFunction {
  let lapse: string | undefined;
  return async (question) => {
    if (lapse !== undefined) return { kind: "lapsed", reason: `was not asked, since for an earlier test it ${lapse}` };
    const answer = await judges.ask(place, question);
    if (answer.kind === "lapsed") lapse = answer.reason;
    return answer;
  };
}

/** The context that the configuration names, for checks whose test brings none. */
async function makeContext(
  judges: JudgeProcess,
  { plan: { testContext }, root }: CompiledProject,
): Promise<readonly Diagnostic[]> {
  if (testContext === undefined) return [];
  const { file, name } = testContext;
  const reason = await judges.makeContext({ file: resolve(root, file), name });
  return reason === undefined ? [] : [serveDiagnostics("context-fails", undefined, { file, name, reason })];
}
