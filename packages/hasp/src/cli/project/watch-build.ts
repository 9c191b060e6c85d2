import { writeFiles } from "@hasp/project/output";
import { type CommandResult, type ExitCode, type Invocation, refuse } from "../shell/command.js";
import { type FinishRound, watchProject } from "@hasp/project/session";
import { createBuildRun, refuseBuild, reportWritten } from "./build-result.js";
import { type CacheOption, openCommandCache } from "./cache-option.js";
import { addFacts, createSession, refuseFound } from "./project.js";

/** Builds, and rebuilds on each change until the user ends it. */
export async function watchBuild(
  invocation: Invocation<CacheOption & { readonly dryRun?: boolean }>,
): Promise<CommandResult | ExitCode> {
  const { terminal, options } = invocation;
  const finish: FinishRound = async ({ value, ...found }, startedAt) => {
    let outcome = refuseFound(found, invocation);
    let hasChanged = false;
    if (value !== undefined) {
      const run = createBuildRun(await addFacts(value, true));
      outcome = refuseBuild(run);
      if (run.canWrite) {
        const { value: report, diagnostics } = await writeFiles(value.result.files, {
          root: run.root,
          outDir: run.outDir,
          handlersDir: run.handlersDir,
          excluded: value.result.excluded.map(({ tool }) => tool),
        });
        outcome = reportWritten(run, report, diagnostics, { ...invocation, startedAt });
        hasChanged = report.created.length + report.updated.length + report.deleted.length > 0;
      }
    }
    return {
      hasChanged,
      identity: identifyFindings(outcome),
      end: async (isNews) => {
        if (!isNews) return terminal.progress.end();
        terminal.clear();
        await invocation.show(outcome);
        if (options.format === "pretty") terminal.error("Watching for changes; press Ctrl-C to stop.\n");
      },
    };
  };
  const finding = await watchProject(createSession(invocation), openCommandCache(invocation, "build"), finish);
  return finding === undefined ? 0 : { ...refuse(finding), root: invocation.root };
}

/** Identifies what a build says, without the files that it wrote. */
function identifyFindings({ diagnostics, summary }: CommandResult): string {
  const { files: _files, ...counts } = summary ?? {};
  return JSON.stringify([diagnostics, counts]);
}
