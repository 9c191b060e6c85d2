import { dropUndefined } from "@hasp/base/json";
import { CompileCache } from "@hasp/compiler";
import type { JsonObject } from "@hasp/schema";
import { type Diagnostic, sortDiagnostics, pluralize } from "@hasp/base/diagnostics";
import { countSeverities } from "@hasp/report";
import {
  type CommandModule,
  type CommandResult,
  type ExitCode,
  chooseExitCode,
  type Invocation,
  isFailure,
  joinResults,
} from "../shell/command.js";
import { allowOption, markOld, printMeant, runDiff } from "./diff.js";
import { type Allowed, findGoneProjects, permit } from "../project/comparisons.js";
import { declareAllOption } from "../project/run-all.js";
import { parseWord } from "../shell/options.js";
import { declareCacheOption } from "../project/cache-option.js";

interface StepOptions {
  readonly check?: true;
  readonly mustTest?: true;
}

interface CiOptions {
  readonly base?: string;
  readonly allow?: readonly Allowed[];
}

export const ci: CommandModule = {
  configure(command) {
    command
      .option(
        "--base <base>",
        "also compare with this git ref, or with a folder (./…, ../… or an absolute path)",
        parseWord,
      )
      .addOption(allowOption());
    declareCacheOption(declareAllOption(command));
  },
  run: runCi,
  findAmongAll: ({ folder, options: { base, allow } }: Invocation<CiOptions>) =>
    base === undefined ? [] : permit(findGoneProjects(base, folder), allow),
};

interface CommandRun {
  readonly name: string;
  readonly outcome: CommandResult;
  readonly exitCode: ExitCode;
}

async function runCi(invocation: Invocation<CiOptions>): Promise<CommandResult | ExitCode> {
  const { options, terminal } = invocation;
  const [{ check }, { build }, { test }] = await Promise.all([
    import("./check.js"),
    import("./build.js"),
    import("./test.js"),
  ]);
  const checking: StepOptions & CiOptions & Invocation["options"] = { ...options, check: true };
  const testing: StepOptions & CiOptions & Invocation["options"] = { ...options, mustTest: true };
  const planned: readonly (readonly [string, CommandModule, Partial<Invocation>])[] = [
    ["check", check, {}],
    ["build --check", build, { options: checking }],
    ["test", test, { options: testing }],
  ];
  const steps: CommandRun[] = [];
  const cache = new CompileCache();
  for (const [name, command, own] of planned) {
    const outcome = await command.run({ ...invocation, words: [], cache, ...own });
    if (typeof outcome === "number") return outcome;
    steps.push({ name, outcome, exitCode: chooseExitCode(outcome, options) });
  }
  let standing: ReadonlySet<string> = new Set();
  if (options.base !== undefined) {
    const checksBase = steps.some(({ outcome }) => outcome.diagnostics.some((each) => !isFailure(each, options)));
    const words = [options.base];
    const outcome = await runDiff({ ...invocation, words, cache, options: { ...options, checksBase, isCi: true } });
    steps.push({ name: `diff ${options.base}`, outcome, exitCode: chooseExitCode(outcome, options) });
    standing = outcome.standing ?? standing;
  }

  const outcomes = steps.map(({ outcome }) => outcome);
  const common = outcomes.find(({ root }) => root !== undefined);
  const lines = printSteps(steps, invocation);
  const drift = steps.find(({ name }) => name === "build --check")?.outcome;
  return {
    diagnostics: merged(steps).map((each) => (isFailure(each, options) ? each : markOld(each, standing))),
    ...joinResults(outcomes),
    rules: outcomes.find(({ rules }) => rules !== undefined)?.rules ?? [],
    ...dropUndefined({ root: common?.root }),
    summary: Object.fromEntries(
      steps.map(({ name, outcome, exitCode }) => [name.split(" ")[0] ?? name, { ...outcome.summary, exitCode }]),
    ),
    data: Object.assign({}, ...outcomes.map(({ data }) => data ?? {})) as JsonObject,
    text: `${[
      ...(drift !== undefined && drift.diagnostics.some(({ code }) => code.startsWith("drift/"))
        ? [drift.text ?? ""]
        : []),
      ...lines,
      ...(options.base === undefined
        ? [terminal.paint("faint", "– diff: skipped; compare with --base origin/main")]
        : []),
    ].join("\n")}\n${printMeant(steps.find(isComparison)?.outcome.diagnostics ?? [])}`,
  };
}

function isComparison({ name }: CommandRun): boolean {
  return name.startsWith("diff ");
}

function merged(steps: readonly CommandRun[]): readonly Diagnostic[] {
  const [compared, others] = [true, false].map((isDiff) =>
    steps.filter((step) => isComparison(step) === isDiff).flatMap(({ outcome }) => outcome.diagnostics),
  );
  const known = sortDiagnostics(others ?? []);
  const seen = new Set(known.map(identityOf));
  return [...known, ...(compared ?? []).filter((diagnostic) => !seen.has(identityOf(diagnostic)))];
}

function identityOf({ code, message, location }: Diagnostic): string {
  return JSON.stringify([code, message, location?.uri, location?.range.start.offset]);
}

/** Prints a line for each step. A finding counts in the first step that meets it. */
function printSteps(steps: readonly CommandRun[], { options, terminal: { paint } }: Invocation): readonly string[] {
  const seen = new Set<string>();
  return steps.map(({ name, outcome, exitCode }) => {
    const own = outcome.diagnostics.filter((diagnostic) => !seen.has(identityOf(diagnostic)));
    for (const diagnostic of own) seen.add(identityOf(diagnostic));
    const { errors, warnings } = countSeverities(own);
    const isOwn =
      outcome.diagnostics.length === 0 ||
      (own.length > 0 && chooseExitCode({ ...outcome, diagnostics: own }, options) !== 0);
    if (exitCode !== 0 && !isOwn) return paint("faint", `– ${name}: fails for the same reasons`);
    const counts = [
      ...(errors === 0 ? [] : [pluralize(errors, "error")]),
      ...(warnings === 0 ? [] : [pluralize(warnings, "warning")]),
    ];
    const found = exitCode === 2 ? "could not run" : counts.join(", ");
    const sign = exitCode === 0 ? paint("good", "✓") : paint("error", "✗");
    return `${sign} ${name}${found === "" ? "" : `: ${found}`}`;
  });
}
