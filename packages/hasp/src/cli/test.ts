import { handlerFiles } from "../emitters/layout.js";
import type { Diagnostic } from "../diagnostics/diagnostic.js";
import { sortDiagnostics } from "../diagnostics/diagnostic-bag.js";
import type { FlatTool } from "../model/tool.js";
import type { SpecTestResult } from "../test-runner/index.js";
import { visibleText } from "../report/visible-text.js";
import { counted } from "../report/words.js";
import type { CommandModule, Invocation, Outcome } from "./command.js";
import { cliDiagnostics } from "./diagnostics.js";
import type { CompiledProject } from "./project.js";
import { compileProject, isCompiled } from "./project.js";

/** `hasp test`: runs the tests and examples of the specs through the validator and the predicates that calls will meet. */
export const test: CommandModule = {
  configure(command) {
    command.argument("[tools...]", "test these tools only");
  },
  run: runTest,
};

async function runTest(invocation: Invocation): Promise<Outcome> {
  // A test asks what a tool does, not whether somebody approved it, nor what a provider makes of it.
  const project = await compileProject(invocation, { adapt: (plan) => ({ ...plan, unlocked: true, dialects: [] }) });
  if (!isCompiled(project)) return project;
  const { texts, root, result } = project;
  const common = { sources: texts, root };
  const errors = project.diagnostics.filter(({ severity }) => severity === "error");
  if (errors.length > 0) return { ...common, diagnostics: errors };
  const { words, terminal } = invocation;
  const unknown = words.filter((word) => !result.tools.some(({ name }) => name === word));
  if (unknown.length > 0) {
    return { ...common, diagnostics: unknown.map((name) => cliDiagnostics("unknown-tool", undefined, { name, hint: "" })), couldNotCheck: true };
  }

  const tools = result.tools.filter(({ name }) => words.length === 0 || words.includes(name));
  const handlers = await loadHandlers(tools, project);
  const { runSpecTests } = await import("../test-runner/index.js");
  const results = await runSpecTests(tools, { custom: (tool, name) => handlers.functionOf(tool, name) });
  const counts = {
    passed: results.filter(({ status }) => status === "passed").length,
    failed: results.filter(({ status }) => status === "failed").length,
    skipped: results.filter(({ status }) => status === "skipped").length,
  };
  const untested = tools.filter(({ spec }) => (spec.tests ?? []).length === 0).map(({ name }) => name);
  const verdict = [
    terminal.paint(counts.failed === 0 ? "good" : "error", `${counts.passed} of ${counted(results.length, "test")} passed`),
    ...(counts.failed === 0 ? [] : [`${counts.failed} failed`]),
    ...(counts.skipped === 0 ? [] : [`${counts.skipped} skipped`]),
  ].join(", ");
  return {
    ...common,
    diagnostics: sortDiagnostics([...handlers.diagnostics, ...results.flatMap(findingsOf)]),
    summary: { tools: tools.length, ...counts, untested },
    cases: results.map(({ tool, title, kind, status, problems }) => ({
      suite: tool,
      name: `${kind} ${title}`,
      status,
      message: problems.map(({ message }) => message).join(" "),
    })),
    couldNotCheck: handlers.diagnostics.length > 0,
    text: `${[verdict, ...(untested.length === 0 ? [] : [`Without a test: ${untested.map(visibleText).join(", ")}`])].join("\n")}\n`,
  };
}

function findingsOf({ tool, title, status, problems }: SpecTestResult): readonly Diagnostic[] {
  return problems.map(({ message, location }) =>
    cliDiagnostics(status === "failed" ? "test-failed" : "test-skipped", location, { message, title }, { tool }),
  );
}

interface Handlers {
  functionOf(tool: string, name: string): ((...parameters: readonly unknown[]) => unknown) | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** The functions that judge an input alone. A check of `validate` also wants a context, which no test has. */
function functionsOfInput({ rules, flags }: FlatTool): ReadonlySet<string> {
  const predicates = [...rules.map(({ when }) => when), ...flags.map(({ predicate }) => predicate)];
  return new Set(predicates.flatMap((predicate) => (predicate.kind === "custom" ? [predicate.name] : [])));
}

/** The handlers of those tools whose specs leave something to a function. No other code of the user's is run. */
async function loadHandlers(tools: readonly FlatTool[], { result, plan, root }: CompiledProject): Promise<Handlers> {
  const files = handlerFiles(result.tools.map(({ name }) => name), plan);
  const modules = new Map<string, Readonly<Record<string, unknown>>>();
  const diagnostics: Diagnostic[] = [];
  const names = new Map(tools.map((tool) => [tool.name, functionsOfInput(tool)]));
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
  return {
    functionOf(tool, name) {
      const found = names.get(tool)?.has(name) === true ? modules.get(tool)?.[name] : undefined;
      return typeof found === "function" ? (...parameters) => Reflect.apply(found, undefined, parameters) as unknown : undefined;
    },
    diagnostics,
  };
}
