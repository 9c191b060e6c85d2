import type { Drift } from "../io/check-files.js";
import type { OutputFile } from "../model/output.js";
import { buildCounts, buildSummary } from "../report/build-summary.js";
import { visibleLines, visibleText } from "../report/visible-text.js";
import { counted } from "../report/words.js";
import type { CommandModule, Invocation, Outcome } from "./command.js";
import type { CompiledProject } from "./project.js";
import { compileProject, isCompiled } from "./project.js";

interface BuildOptions {
  readonly check?: boolean;
  readonly dryRun?: boolean;
  readonly unlocked?: boolean;
}

/** `hasp build`: compiles the specs and puts the files down, all or none; `--check` compares instead. */
export const build: CommandModule = {
  configure(command) {
    command
      .option("--check", "write nothing; fail if a file is not what the specs say")
      .option("--dry-run", "write nothing; say what would be written")
      .option("--unlocked", "go on where approvals are missing, with a warning and a mark in what is built");
  },
  run: async (invocation) => runBuild(invocation as Invocation<BuildOptions>),
};

async function runBuild(invocation: Invocation<BuildOptions>): Promise<Outcome> {
  const { options } = invocation;
  const project = await compileProject(invocation, { unlocked: options.unlocked === true, emits: true });
  if (!isCompiled(project)) return project;
  const { diagnostics, texts, root, result } = project;
  const common = { diagnostics, sources: texts, root };
  if (diagnostics.some(({ severity }) => severity === "error")) {
    return { ...common, summary: { ...buildCounts(result), files: null }, text: "Nothing was written.\n" };
  }
  const place = { root, outDir: project.plan.outDir };
  return options.check === true ? checked(project, place) : written(project, place, invocation);
}

interface OutputPlace {
  readonly root: string;
  readonly outDir: string;
}

async function written(project: CompiledProject, place: OutputPlace, { options, terminal }: Invocation<BuildOptions>): Promise<Outcome> {
  const { writeFiles } = await import("../io/write-files.js");
  const { result, texts, root } = project;
  const { value: report, diagnostics } = await writeFiles(result.files, { ...place, isDryRun: options.dryRun === true });
  const couldNotWrite = diagnostics.some(({ severity }) => severity === "error");
  const counts = {
    written: report.created.length + report.updated.length,
    unchanged: report.unchanged.length,
    deleted: report.deleted.length,
    kept: report.kept.length,
  };
  const summary = buildSummary(result, couldNotWrite ? undefined : counts, place.outDir, performance.now(), terminal.paint);
  const plan = [
    ...report.created.map((path) => `make    ${path}`),
    ...report.updated.map((path) => `change  ${path}`),
    ...report.deleted.map((path) => `delete  ${path}`),
  ];
  const dryRun = plan.length === 0 ? "A build would change nothing." : `A build would\n${plan.map((line) => `  ${visibleText(line)}`).join("\n")}`;
  return {
    diagnostics: [...project.diagnostics, ...diagnostics],
    sources: texts,
    root,
    summary: { ...buildCounts(result), files: { ...report } },
    text: couldNotWrite ? "" : options.dryRun === true ? `${dryRun}\n` : summary,
    couldNotCheck: couldNotWrite,
  };
}

/** Lines of differences that a person may still read; the list of files above is always whole. */
const mostDiffLines = 200;

async function checked({ result, plan, diagnostics, texts, root }: CompiledProject, place: OutputPlace): Promise<Outcome> {
  const [{ checkFiles }, { readBackAll }] = await Promise.all([
    import("../io/check-files.js"),
    import("../phases/6-emit/read-back-all.js"),
  ]);
  // Every generated file is parsed and held against the model: what is compared below is what the specs say.
  await readBackAll({ tools: result.tools, toolsets: result.toolsets, plan }, result.files);
  const { value: drifts, diagnostics: found } = checkFiles(result.files, place);
  const diffs = shortened(drifts.filter(({ diff }) => diff !== "").map(({ diff }) => visibleLines(diff).trimEnd()));
  const verdict =
    drifts.length === 0
      ? `${counted(ownFiles(result.files), "file")} of hasp's and ${counted(result.files.length - ownFiles(result.files), "file")} of yours are what the specs say.`
      : "Mend it with: hasp build";
  return {
    diagnostics: [...diagnostics, ...found],
    sources: texts,
    root,
    summary: { ...buildCounts(result), drift: drifts.map(({ path, kind }: Drift) => ({ path, kind })) },
    text: `${[...diffs, verdict].join("\n\n")}\n`,
  };
}

/** As many whole differences as fit, at least one, and how many more there are. */
function shortened(diffs: readonly string[]): string[] {
  let lines = 0;
  const shown = diffs.filter((diff, index) => {
    lines += diff.split("\n").length;
    return index === 0 || lines <= mostDiffLines;
  });
  const more = diffs.length - shown.length;
  return more === 0 ? shown : [...shown, `… and ${counted(more, "more file")} that differ${more === 1 ? "s" : ""}.`];
}

function ownFiles(files: readonly OutputFile[]): number {
  return files.filter(({ owner }) => owner === "hasp").length;
}
