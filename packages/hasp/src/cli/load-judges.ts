import type { Diagnostic } from "../diagnostics/diagnostic.js";
import { thrownText } from "../diagnostics/thrown-text.js";
import { handlerFiles } from "../emitters/layout.js";
import type { CompilePlan } from "../model/plan.js";
import type { FlatTool } from "../model/tool.js";
import { cliDiagnostics } from "./diagnostics.js";
import type { CompiledProject } from "./project.js";

/** What the user's own code judges inputs with. */
export interface Judges {
  functionOf(tool: string, name: string): ((...parameters: readonly unknown[]) => unknown) | undefined;
  /** What the checks are given as the context of a call. */
  readonly context: object | undefined;
  /** Why something could not be loaded. */
  readonly diagnostics: readonly Diagnostic[];
}

/** The functions by which handlers judge inputs: conditions and checks. */
function functionsOf({ rules, flags, checks }: FlatTool): ReadonlySet<string> {
  const judges = [...rules.map(({ when }) => when), ...flags.map(({ predicate }) => predicate), ...checks.map(({ that }) => that)];
  return new Set(judges.flatMap((judge) => (judge.kind === "custom" ? [judge.name] : [])));
}

/**
 * Loads the handlers of those tools whose specs leave something to a function and that have a test or an example, and with
 * them the context that the configuration names for tests. No other code of the user's is run.
 */
export async function loadJudges(tools: readonly FlatTool[], { result, plan, root }: CompiledProject): Promise<Judges> {
  const files = handlerFiles(result.tools.map(({ name }) => name), plan);
  const modules = new Map<string, Readonly<Record<string, unknown>>>();
  const diagnostics: Diagnostic[] = [];
  const names = new Map(tools.map((tool) => [tool.name, functionsOf(tool)]));
  for (const tool of tools) {
    const wanted = names.get(tool.name) ?? new Set<string>();
    const isTested = (tool.spec.tests ?? []).length > 0 || (tool.spec.examples ?? []).length > 0;
    if (wanted.size === 0 || !isTested) continue;
    const { loadHandler } = await import("../io/load-handlers.js");
    const path = files.get(tool.name) ?? "";
    const loaded = await loadHandler(root, path);
    if ("reason" in loaded) {
      diagnostics.push(cliDiagnostics("cannot-load", undefined, { path, reason: loaded.reason }, { tool: tool.name }));
      continue;
    }
    modules.set(tool.name, loaded.exports);
    for (const name of wanted) {
      const found = Object.hasOwn(loaded.exports, name) ? loaded.exports[name] : undefined;
      const what = found === undefined ? "it exports nothing of that name" : `what it exports is ${found === null ? "null" : `of type ${typeof found}`}`;
      if (typeof found !== "function") diagnostics.push(cliDiagnostics("no-function", undefined, { path, name, what }, { tool: tool.name }));
    }
  }
  const context = modules.size === 0 ? undefined : await testContextOf(plan, root);
  if (context !== undefined && "reason" in context) diagnostics.push(cliDiagnostics("cannot-load", undefined, context));
  return {
    context: context !== undefined && "value" in context ? context.value : undefined,
    functionOf(tool, name) {
      const found = names.get(tool)?.has(name) === true ? modules.get(tool)?.[name] : undefined;
      return typeof found === "function" ? (...parameters) => Reflect.apply(found, undefined, parameters) as unknown : undefined;
    },
    diagnostics,
  };
}

/** The context that the configuration names: an object, or what a function gives. */
async function testContextOf({ testContext }: CompilePlan, root: string): Promise<{ readonly value: object } | { readonly path: string; readonly reason: string } | undefined> {
  if (testContext === undefined) return undefined;
  const { file: path, name } = testContext;
  const { loadHandler } = await import("../io/load-handlers.js");
  const loaded = await loadHandler(root, path);
  if ("reason" in loaded) return { path, reason: loaded.reason };
  const exported = Object.hasOwn(loaded.exports, name) ? loaded.exports[name] : undefined;
  try {
    const value: unknown = typeof exported === "function" ? await Reflect.apply(exported, undefined, []) : exported;
    return typeof value === "object" && value !== null ? { value } : { path, reason: `"${name}" is neither a context nor a function that gives one` };
  } catch (error) {
    return { path, reason: `"${name}" threw: ${thrownText(error)}` };
  }
}
