import { type Diagnostic, sortDiagnostics, isError, printVisibleText, pluralize } from "@hasp/base/diagnostics";
import { parseSeconds } from "../shell/options.js";
import type { CommandModule, Invocation, CommandResult } from "../shell/command.js";
import { cliDiagnostics } from "../shell/diagnostics.js";
import { printSome } from "@hasp/compiler/model";
import { runTests, type TestRun } from "@hasp/serve/tests";
import { reportUnknownTools } from "../project/unknown-tools.js";
import { compileProject, isCompiled } from "../project/project.js";
import { declareAllOption } from "../project/run-all.js";

/** Runs the specs' tests and examples through the compiled and the emitted validators, predicates and decoders. */
export const test: CommandModule = {
  showsNotes: true,
  configure(command) {
    declareAllOption(command)
      .argument("[tools...]", "test these tools only")
      .option(
        "--timeout <seconds>",
        "time limit for one handler function, in seconds",
        parseSeconds,
        SECONDS_TO_ANSWER,
      );
  },
  // `hasp ci` runs the tests without a timeout of their own.
  run: runTest,
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
  const known = [...result.tools, ...result.policies].map(({ name }) => name);
  const unknown = reportUnknownTools(words, known);
  if (unknown.length > 0) return { ...common, diagnostics: unknown, state: "unchecked" };

  const isWanted = ({ name }: { readonly name: string }): boolean => words.length === 0 || words.includes(name);
  const tools = result.tools.filter(isWanted);
  const policies = result.policies.filter(isWanted);
  const { value: run, diagnostics } = await runTests(project, { tools, policies, seconds: timeout });
  if (run === undefined) return { ...common, diagnostics, state: "unchecked" };
  const { results, isComplete } = run;
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
      ...diagnostics,
      ...results.flatMap(findingsOf),
      ...(mustTest && results.length === 0 ? [cliDiagnostics("no-tests")] : []),
    ]),
    summary: { tools: tools.length, ...counts, untested },
    cases: results.map(({ tool, title, kind, status, problems }) => ({
      suite: tool,
      name: `${kind} ${title}`,
      status,
      message: problems.map(({ message }) => message).join(" "),
    })),
    state: isComplete ? undefined : "unchecked",
    text: `${[verdict, ...(untested.length === 0 ? [] : [`Without a test: ${printSome(untested.map(printVisibleText), 20)}`])].join("\n")}\n`,
  };
}

function findingsOf({ tool, title, status, problems }: TestRun["results"][number]): readonly Diagnostic[] {
  return problems.map(({ message, location }) =>
    cliDiagnostics(status === "failed" ? "test-failed" : "test-skipped", location, { message, title }, { tool }),
  );
}
