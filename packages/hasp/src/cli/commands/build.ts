import { Option } from "commander";
import { type Diagnostic, type Found, hasErrors, printVisibleText } from "@hasp/base/diagnostics";
import { CompileCache } from "@hasp/compiler";
import type { StubUpdate } from "@hasp/project/output";
import { listSettingFiles } from "@hasp/project/read";
import {
  type BuildRun,
  createCheckResult,
  refuseBuild,
  createBuildRun,
  reportWritten,
} from "../project/build-result.js";
import type { CommandModule, CommandResult, ExitCode, Invocation } from "../shell/command.js";
import { type ReportedProject, compileProject, createSession, isCompiled, refuseUnlocked } from "../project/project.js";
import { declareAllOption } from "../project/run-all.js";
import { type CacheOption, declareCacheOption, openCommandCache } from "../project/cache-option.js";
import type { LastRun, RunCache } from "@hasp/project/session";

interface BuildOptions extends CacheOption {
  readonly watch?: boolean;
  readonly check?: boolean;
  readonly dryRun?: boolean;
  readonly unlocked?: boolean;
  readonly update?: boolean;
  readonly keepGoing?: boolean;
}

export const build: CommandModule = {
  configure(command) {
    command
      .option("--check", "write nothing; fail if a file differs from the specs")
      .option("--dry-run", "write and delete nothing; list what would be")
      .option("--unlocked", "continue without approvals, with a warning and a mark in the output");
    command.addOption(
      new Option(
        "--update",
        "add the functions that specs now require to your handlers, and change nothing else",
      ).conflicts(["check", "watch"]),
    );
    command.addOption(
      new Option(
        "--keep-going",
        "skip tools that have errors, write the files of the others, and exit with 1",
      ).conflicts("watch"),
    );
    command.addOption(
      new Option("--watch", "rebuild on every change; missing approvals are warnings").conflicts([
        "check",
        "dryRun",
        "all",
      ]),
    );
    const others = ["check", "watch", "update", "keepGoing", "unlocked"];
    const clean = "build nothing: remove the generated files that nobody edited";
    const pin =
      "build nothing: store the remote schemas of the configuration, or these as they are now, for work offline";
    command.addOption(new Option("--clean", clean).conflicts([...others, "pin"]));
    command.addOption(new Option("--pin [address...]", pin).conflicts([...others, "dryRun"]));
    declareCacheOption(declareAllOption(command));
  },
  run: runBuild,
};

/** The part of a build that its cached run keeps. */
interface KeptOfBuild extends Pick<ReportedProject, "facts"> {
  /** The files that the build was made from, as paths from the root. */
  readonly reads: readonly string[];
}

function keptOf({ facts, sources, plan }: ReportedProject): KeptOfBuild {
  return { facts, reads: [...sources.map(({ uri }) => uri), ...listSettingFiles(plan, plan.plugins)] };
}

async function runBuild(invocation: Invocation<BuildOptions>): Promise<CommandResult | ExitCode> {
  const { unlocked = false, watch = false } = invocation.options;
  const refusal = refuseUnlocked(invocation, unlocked);
  if (refusal !== undefined) return refusal;
  if (watch) {
    const { watchBuild } = await import("../project/watch-build.js");
    return watchBuild(invocation);
  }
  const { outcome, found } = await buildOnce(invocation);
  const { failOn, maxWarnings } = invocation.options;
  // Warnings that may fail the build are printed, and so are approvals that `--unlocked` does without.
  if (unlocked || failOn !== undefined || maxWarnings !== undefined) return outcome;
  // The build writes the lists, so it says what they lack.
  return { ...outcome, repeated: found.filter(({ code }) => !code.startsWith("lower/")) };
}

/** Returns the findings about the specs, which `hasp check` prints, beside the outcome. */
async function buildOnce(
  invocation: Invocation<BuildOptions>,
): Promise<{ readonly outcome: CommandResult; readonly found: readonly Diagnostic[] }> {
  const { check = false, dryRun = false, unlocked = false, update: updatesStubs = false } = invocation.options;
  const { keepGoing = false } = invocation.options;
  // `--check` proves more than a build does, so the two do not share a cached run.
  const cache = openCommandCache<KeptOfBuild>(invocation, check ? "build --check" : "build");
  // The cached run knows hasp's files, but not the user's.
  const last = updatesStubs ? undefined : await cache.lastRun();
  const known = last && (await replayed(last, invocation));
  if (last !== undefined && known !== undefined) return { outcome: known, found: last.diagnostics };

  const project = await compileProject(invocation, {
    unlocked,
    emits: true,
    isReadWhole: check,
    keepGoing,
    host: cache.host,
    // A damaged file of the cache must not decide a check.
    cache: check ? (invocation.cache ?? new CompileCache()) : cache.tools,
  });
  if (!isCompiled(project)) return { outcome: project, found: [] };
  const found = project.diagnostics;
  const run = createBuildRun(project);
  if (!run.canWrite || check) {
    const outcome = run.canWrite ? await checked(project, run, invocation) : refuseBuild(run);
    if (!dryRun && outcome.state !== "unchecked") cache.save(project, keptOf(project), { tools: !check });
    return { outcome, found };
  }
  const { outcome, madeHandlers } = await written(project, run, invocation);
  if (dryRun) return { outcome, found };
  if (madeHandlers && cache.isStored) await saveForNextRun(project, cache, invocation);
  else cache.save(project, keptOf(project));
  return { outcome, found };
}

/**
 * Stores a run that created handlers. Rules look at handlers, so this checks the project again, from the results of
 * this run. The next build then finds nothing changed.
 */
async function saveForNextRun(
  project: ReportedProject,
  cache: RunCache<KeptOfBuild>,
  invocation: Invocation<BuildOptions>,
): Promise<void> {
  const next = openCommandCache<KeptOfBuild>(invocation, "build");
  const { unlocked = false, keepGoing = false } = invocation.options;
  const checkedAgain = await compileProject(invocation, {
    unlocked,
    keepGoing,
    // As in the build, so that nothing is lowered again.
    host: next.host,
    cache: cache.tools,
  });
  cache.saveTools();
  if (!isCompiled(checkedAgain)) return;
  next.save({ ...project, diagnostics: checkedAgain.diagnostics }, keptOf(project), { tools: false });
}

/** Returns the result of the last run if it failed or its files are up to date; otherwise `undefined`. */
async function replayed(
  last: LastRun & KeptOfBuild,
  invocation: Invocation<BuildOptions>,
): Promise<CommandResult | undefined> {
  const run: BuildRun = { ...last, ...last.plan, root: invocation.root };
  if (!run.canWrite) return refuseBuild(run);
  if (last.upToDate === undefined) return undefined;
  if (invocation.options.check !== true) return reportWritten(run, last.upToDate, [], invocation);
  const { findStrangers } = await import("@hasp/project/output");
  return createCheckResult(run, [], [...findStrangers(run.outputs, run), ...(await checkTasks(run, last, invocation))]);
}

async function written(
  project: ReportedProject,
  run: BuildRun,
  invocation: Invocation<BuildOptions>,
): Promise<{ readonly outcome: CommandResult; readonly madeHandlers: boolean }> {
  const { checkTypeScript, writeFiles } = await import("@hasp/project/output");
  const { root, outDir, handlersDir } = run;
  const { dryRun: isDryRun = false, update: updatesStubs = false } = invocation.options;
  // Before the build creates stubs: only handlers that people wrote count.
  const updates = updatesStubs ? await updatesOf(project) : undefined;
  invocation.terminal.progress.report("Writing files", 0, project.result.files.length);
  const { value: report, diagnostics } = await writeFiles(project.result.files, {
    root,
    outDir,
    handlersDir,
    isDryRun,
    excluded: project.result.excluded.map(({ tool }) => tool),
  });
  // A build that changes nothing repeats nothing.
  const compiler = report.created.length + report.updated.length > 0 ? checkTypeScript(root) : [];
  const findings = [...diagnostics, ...(updates?.diagnostics ?? []), ...compiler];
  const outcome = reportWritten(run, report, findings, invocation);
  return {
    outcome:
      updates === undefined || outcome.state === "unchecked"
        ? outcome
        : await withUpdates(outcome, updates.value, root, isDryRun),
    madeHandlers: project.result.files.some(({ path, owner }) => owner === "user" && report.created.includes(path)),
  };
}

async function updatesOf({ result, plan, root }: ReportedProject): Promise<Found<readonly StubUpdate[]>> {
  const { findStubUpdates } = await import("@hasp/project/output");
  return findStubUpdates(result.tools, plan, root);
}

async function withUpdates(
  outcome: CommandResult,
  updates: readonly StubUpdate[],
  root: string,
  isDryRun: boolean,
): Promise<CommandResult> {
  const { writeStubUpdates } = await import("@hasp/project/output");
  const problems = isDryRun ? [] : await writeStubUpdates(updates, root);
  const lines = updates.map(
    ({ path, added }) =>
      `  ${printVisibleText(path)}: ${added.map((name) => `\`${printVisibleText(name)}\``).join(", ")}`,
  );
  const verb = isDryRun ? "Would add" : "Added";
  const told =
    updates.length === 0
      ? "Your handlers have everything that the specs require.\n"
      : `${verb} to your handlers\n${lines.join("\n")}\n`;
  return {
    ...outcome,
    diagnostics: [...outcome.diagnostics, ...problems],
    text: `${outcome.text ?? ""}${told}`,
    ...(hasErrors(problems) ? { state: "unchecked" } : {}),
  };
}

async function checked(project: ReportedProject, run: BuildRun, invocation: Invocation): Promise<CommandResult> {
  const { result, plan, plugins, sources } = project;
  const { terminal } = invocation;
  const [{ checkFiles, driftDiagnostics }, { verifyFiles, VerifierError }] = await Promise.all([
    import("@hasp/project/output"),
    import("@hasp/project/emitted"),
  ]);
  terminal.progress.report("Verifying files", 0, result.files.length);
  let unverified: readonly Diagnostic[];
  try {
    // Verify first: compare the files below only with code that matches the specs.
    unverified = await verifyFiles({ ...result, sources, plan: { ...plan, exclude: result.excluded } }, plugins);
  } catch (error) {
    if (!(error instanceof VerifierError)) throw error;
    const stopped = driftDiagnostics("not-verified", undefined, { lapse: error.message });
    return { ...refuseBuild({ ...run, diagnostics: [...run.diagnostics, stopped] }), text: "", state: "unchecked" };
  }
  terminal.progress.report("Comparing files", 0, result.files.length);
  const { value: drifts, diagnostics } = checkFiles(result.files, run);
  const tasks = await checkTasks(run, keptOf(project), invocation);
  return createCheckResult(run, drifts, [...unverified, ...diagnostics, ...tasks]);
}

/** Checks the cached tasks that build: their settings are no input of the build, so a cached run does not cover them. */
async function checkTasks(
  { root, outDir }: BuildRun,
  { reads }: KeptOfBuild,
  invocation: Invocation,
): Promise<readonly Diagnostic[]> {
  const { checkTaskInputs } = await import("@hasp/project/output");
  return checkTaskInputs({ root, outDir, config: createSession(invocation).config }, reads);
}
