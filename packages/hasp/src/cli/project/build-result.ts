import { dropUndefined } from "@hasp/base/json";
import { type Diagnostic, hasErrors, printVisibleLines, printVisibleText, pluralize } from "@hasp/base/diagnostics";
import type { FileDrift, WriteReport } from "@hasp/project/output";
import type { OutputFile, CompilePlan } from "@hasp/compiler";
import type { JsonObject } from "@hasp/schema";
import { type BuildFacts, buildSummary } from "@hasp/report";
import type { Invocation, CommandResult } from "../shell/command.js";
import type { ReportedProject } from "./project.js";

export type BuildRun = Pick<ReportedProject, "root" | "diagnostics" | "facts" | "texts" | "canWrite"> &
  Pick<CompilePlan, "outDir" | "handlersDir"> & { readonly outputs: readonly Pick<OutputFile, "path" | "owner">[] };

export function createBuildRun({ plan, result, ...project }: ReportedProject): BuildRun {
  return { ...project, outDir: plan.outDir, handlersDir: plan.handlersDir, outputs: result.files };
}

function describeRun({ texts, root, facts }: BuildRun, summary: JsonObject): Omit<CommandResult, "diagnostics"> {
  return { sources: texts, rules: facts.rules, root, summary: { ...buildCounts(facts), ...summary } };
}

export function refuseBuild(run: BuildRun): CommandResult {
  return {
    diagnostics: run.diagnostics,
    ...describeRun(run, { files: null }),
    text: "Nothing was written.\n",
  };
}

export function reportWritten(
  run: BuildRun,
  report: WriteReport,
  diagnostics: readonly Diagnostic[],
  { options, terminal, startedAt = 0 }: Invocation<{ readonly dryRun?: boolean }>,
): CommandResult {
  const couldNotWrite = hasErrors(diagnostics);
  const counts = {
    written: report.created.length + report.updated.length,
    unchanged: report.unchanged.length,
    deleted: report.deleted.length,
    kept: report.kept.length,
  };
  const files = couldNotWrite ? undefined : counts;
  const summary = buildSummary(run.facts, files, run.outDir, performance.now() - startedAt, terminal);
  const plan = [
    ...report.created.map((path) => `make    ${path}`),
    ...report.updated.map((path) => `change  ${path}`),
    ...report.deleted.map((path) => `delete  ${path}`),
  ];
  const dryRun =
    plan.length === 0
      ? "A build would change nothing."
      : `A build would\n${plan.map((line) => `  ${printVisibleText(line)}`).join("\n")}`;
  return {
    diagnostics: [...run.diagnostics, ...diagnostics],
    ...describeRun(run, { files: { ...report } }),
    text: couldNotWrite ? "" : options.dryRun === true ? `${dryRun}\n` : summary,
    state: couldNotWrite ? "unchecked" : undefined,
  };
}

export function createCheckResult(
  run: BuildRun,
  drifts: readonly FileDrift[],
  diagnostics: readonly Diagnostic[],
): CommandResult {
  const diffs = shortened(
    drifts.filter(({ diff }) => diff !== "").map(({ diff }) => printVisibleLines(diff).trimEnd()),
  );
  const own = run.outputs.filter(({ owner }) => owner === "hasp").length;
  const verdict =
    drifts.length === 0
      ? `${pluralize(own, "file")} of hasp's and ${pluralize(run.outputs.length - own, "file")} of yours match the specs.`
      : drifts.some(({ kind }) => kind === "handler-missing")
        ? "Restore the missing handlers first; then `hasp build` updates the rest."
        : "Run `hasp build` to update them.";
  return {
    diagnostics: [...run.diagnostics, ...diagnostics],
    ...describeRun(run, { drift: drifts.map(({ path, kind }) => ({ path, kind })) }),
    text: `${[...diffs, verdict].join("\n\n")}\n`,
  };
}

const mostDiffLines = 200;

/** Returns as many whole differences as fit, at least one, and the number of the rest. */
function shortened(diffs: readonly string[]): string[] {
  let lines = 0;
  const shown = diffs.filter((diff, index) => {
    lines += diff.split("\n").length;
    return index === 0 || lines <= mostDiffLines;
  });
  const more = diffs.length - shown.length;
  return more === 0 ? shown : [...shown, `… and ${pluralize(more, "more file")} that differ${more === 1 ? "s" : ""}.`];
}

export function buildCounts({ tools, relaxations, toolsets, excluded, tokens }: BuildFacts): JsonObject {
  return {
    tools,
    ...(excluded.length === 0 ? {} : { excluded: excluded.map((entry) => ({ ...entry })) }),
    relaxations: relaxations.claims,
    toolsets,
    ...dropUndefined({ tokens }),
  };
}
