import { dirname, relative, resolve } from "node:path";
import { type Diagnostic, sortDiagnostics, isError, printVisibleText, pluralize } from "@hasp/base/diagnostics";
import type { SpecTestResult } from "@hasp/builtin/tests";
import { parseSeconds } from "../shell/options.js";
import type { CommandModule, Invocation, CommandResult } from "../shell/command.js";
import { cliDiagnostics } from "../shell/diagnostics.js";
import { loadHandlerFunctions, STATED_ANSWERS } from "@hasp/serve/tests";
import { listProjectClaims } from "@hasp/project/session";
import { compileProject, isCompiled } from "../project/project.js";

/** Runs the specs' tests and examples through the compiled and the emitted validators, predicates and decoders. */
export const test: CommandModule = {
  showsNotes: true,
  configure(command) {
    command
      .argument("[tools...]", "test these tools only")
      .option(
        "--timeout <seconds>",
        "time limit for one handler function, in seconds",
        parseSeconds,
        SECONDS_TO_ANSWER,
      );
  },
  // `hasp ci` runs the tests without a timeout of their own.
  run: (invocation) => runTest(invocation as Invocation<TestOptions>),
};

interface TestOptions {
  readonly timeout?: number;
  /** True in `hasp ci`, where a run that tests nothing fails. */
  readonly mustTest?: true;
}

const SECONDS_TO_ANSWER = 10;

async function runTest(invocation: Invocation<TestOptions>): Promise<CommandResult> {
  const { timeout = SECONDS_TO_ANSWER, mustTest = false } = invocation.options;
  // Tests check behaviour, not provider support. Only a test that expects `allow` needs approvals.
  const project = await compileProject(invocation, { adapt: (plan) => ({ ...plan, unlocked: true }) });
  if (!isCompiled(project)) return project;
  const { texts, root, result } = project;
  const common = { sources: texts, root };
  const errors = project.diagnostics.filter((each) => isError(each) && !each.code.startsWith("lower/"));
  if (errors.length > 0) return { ...common, diagnostics: errors };
  const { words, terminal } = invocation;
  const known = new Set([...result.tools, ...result.policies].map(({ name }) => name));
  const unknown = words.filter((word) => !known.has(word));
  if (unknown.length > 0) {
    return {
      ...common,
      diagnostics: unknown.map((name) => cliDiagnostics("unknown-tool", undefined, { name, nearest: [] })),
      state: "unchecked",
    };
  }

  const tools = result.tools.filter(({ name }) => words.length === 0 || words.includes(name));
  const [{ loadEmittedTools, runPolicyTests, runSpecTests }, { runModules }] = await Promise.all([
    import("@hasp/builtin/tests"),
    import("@hasp/project/emitted"),
  ]);
  const input = { tools: result.tools, toolsets: result.toolsets, plan: project.plan };
  const { value: emitted, diagnostics: unemitted } = await loadEmittedTools(
    input,
    { plugins: project.plugins, runModules, answers: STATED_ANSWERS },
    (tool) => tools.includes(tool) && ((tool.spec.tests ?? []).length > 0 || (tool.spec.examples ?? []).length > 0),
  );
  if (unemitted.length > 0) return { ...common, diagnostics: unemitted, state: "unchecked" };
  const handlers = await loadHandlerFunctions(tools, project, timeout);
  const policies = result.policies.filter(({ name }) => words.length === 0 || words.includes(name));
  const results = [
    ...(await runSpecTests(tools, {
      custom: (tool, name) => handlers.functionOf(tool, name),
      emitted,
      openTape: async ({ document }, file) => {
        const { replayTape } = await import("@hasp/testing");
        return replayTape(relative(process.cwd(), resolve(root, dirname(document.uri), file)));
      },
    })),
    ...(await runPolicyTests(policies, await listProjectClaims(project))),
  ];
  const closing = await handlers.close();
  const counts = {
    passed: results.filter(({ status }) => status === "passed").length,
    failed: results.filter(({ status }) => status === "failed").length,
    skipped: results.filter(({ status }) => status === "skipped").length,
  };
  const untested = tools.filter(({ spec }) => (spec.tests ?? []).length === 0).map(({ name }) => name);
  const verdict = [
    terminal.paint(
      counts.failed === 0 ? "good" : "error",
      results.length === 0 ? "There are no tests" : `${counts.passed} of ${pluralize(results.length, "test")} passed`,
    ),
    ...(counts.failed === 0 ? [] : [`${counts.failed} failed`]),
    ...(counts.skipped === 0 ? [] : [`${counts.skipped} skipped`]),
  ].join(", ");
  return {
    ...common,
    diagnostics: sortDiagnostics([
      ...handlers.diagnostics,
      ...closing,
      ...results.flatMap(findingsOf),
      ...(mustTest && results.length === 0 ? [cliDiagnostics("no-tests", undefined, undefined)] : []),
    ]),
    summary: { tools: tools.length, ...counts, untested },
    cases: results.map(({ tool, title, kind, status, problems }) => ({
      suite: tool,
      name: `${kind} ${title}`,
      status,
      message: problems.map(({ message }) => message).join(" "),
    })),
    state: handlers.diagnostics.length > 0 ? "unchecked" : undefined,
    text: `${[verdict, ...(untested.length === 0 ? [] : [`Without a test: ${firstOf(untested)}`])].join("\n")}\n`,
  };
}

/** The most names printed; the summary of `--format json` has all of them. */
const MOST_NAMES = 20;

function firstOf(names: readonly string[]): string {
  const more = names.length - MOST_NAMES;
  const shown = names.slice(0, MOST_NAMES).map(printVisibleText).join(", ");
  return more <= 0 ? shown : `${shown} … and ${more} more (all are in --format json)`;
}

function findingsOf({ tool, title, status, problems }: SpecTestResult): readonly Diagnostic[] {
  return problems.map(({ message, location }) =>
    cliDiagnostics(status === "failed" ? "test-failed" : "test-skipped", location, { message, title }, { tool }),
  );
}
