import { CompileCache } from "../../../../compiler/src/context/compile-cache.js";
import type { JsonObject } from "@hasp/schema";
import { type Diagnostic, sortDiagnostics } from "../../../../compiler/src/diagnostics/diagnostic.js";
import { countSeverities } from "../../../../report/src/reporters/report.js";
import { pluralize } from "../../../../compiler/src/text/words.js";
import {
  type CommandModule,
  type CommandResult,
  type ExitCode,
  chooseExitCode,
  type Invocation,
  joinStates,
} from "../shell/command.js";
import { allowOption, printMeant } from "./diff.js";
import { declareAllOption } from "../project/run-all.js";
import { declareCacheOption } from "../project/run-cache.js";

interface CheckOnly {
  readonly check: true;
}

interface CiOptions {
  readonly base?: string;
}

export const ci: CommandModule = {
  configure(command) {
    command
      .option("--base <base>", "also compare with this git ref, or with a folder (./…, ../… or an absolute path)")
      .addOption(allowOption());
    declareCacheOption(declareAllOption(command));
  },
  run: async (invocation) => runCi(invocation as Invocation<CiOptions>),
};

interface CommandRun {
  readonly name: string;
  readonly outcome: CommandResult;
  readonly exitCode: ExitCode;
}

async function runCi(invocation: Invocation<CiOptions>): Promise<CommandResult | ExitCode> {
  const { options, terminal } = invocation;
  const [{ check }, { build }, { test }, { diff }] = await Promise.all([
    import("./check.js"),
    import("./build.js"),
    import("./test.js"),
    import("./diff.js"),
  ]);
  const checking: CheckOnly & CiOptions & Invocation["options"] = { ...options, check: true };
  const planned: readonly (readonly [string, CommandModule, Partial<Invocation>])[] = [
    ["check", check, {}],
    ["build --check", build, { options: checking }],
    ["test", test, {}],
    ...(options.base === undefined ? [] : [[`diff ${options.base}`, diff, { words: [options.base] }] as const]),
  ];
  const steps: CommandRun[] = [];
  const cache = new CompileCache();
  for (const [name, command, own] of planned) {
    const outcome = await command.run({ ...invocation, words: [], cache, ...own });
    if (typeof outcome === "number") return outcome;
    steps.push({ name, outcome, exitCode: chooseExitCode(outcome, options) });
  }

  const outcomes = steps.map(({ outcome }) => outcome);
  const common = outcomes.find(({ root }) => root !== undefined);
  const lines = steps.map((step) => stepLine(step, terminal.paint));
  const drift = steps.find(({ name }) => name === "build --check")?.outcome;
  return {
    diagnostics: merged(steps),
    sources: new Map(outcomes.flatMap(({ sources }) => [...(sources ?? [])])),
    rules: outcomes.find(({ rules }) => rules !== undefined)?.rules ?? [],
    ...(common?.root === undefined ? {} : { root: common.root }),
    summary: Object.fromEntries(
      steps.map(({ name, outcome, exitCode }) => [name.split(" ")[0] ?? name, { ...outcome.summary, exitCode }]),
    ),
    data: Object.assign({}, ...outcomes.map(({ data }) => data ?? {})) as JsonObject,
    sections: outcomes.flatMap(({ sections }) => sections ?? []),
    cases: outcomes.flatMap(({ cases }) => cases ?? []),
    text: `${[
      ...(drift !== undefined && drift.diagnostics.some(({ code }) => code.startsWith("drift/"))
        ? [drift.text ?? ""]
        : []),
      ...lines,
      ...(options.base === undefined
        ? [terminal.paint("faint", "– diff: skipped; compare with --base origin/main")]
        : []),
    ].join("\n")}\n${printMeant(steps.find(isComparison)?.outcome.diagnostics ?? [])}`,
    state: joinStates(outcomes),
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

function stepLine({ name, outcome, exitCode }: CommandRun, paint: Invocation["terminal"]["paint"]): string {
  const { errors, warnings } = countSeverities(outcome.diagnostics);
  const found =
    warnings === 0 ? pluralize(errors, "error") : `${pluralize(errors, "error")}, ${pluralize(warnings, "warning")}`;
  switch (exitCode) {
    case 0:
      return `${paint("good", "✓")} ${name}${warnings === 0 ? "" : `: ${pluralize(warnings, "warning")}`}`;
    case 1:
      return `${paint("error", "✗")} ${name}: ${found}`;
    case 2:
      return `${paint("error", "✗")} ${name}: could not run`;
  }
}
