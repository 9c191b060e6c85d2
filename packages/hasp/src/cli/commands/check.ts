import { hasErrors } from "../../diagnostics/severity.js";
import { buildCounts } from "../project/build-result.js";
import { excludedLines, relaxationLine, tokenLines } from "../../views/build-summary.js";
import { pluralize } from "../../reporters/words.js";
import type { CommandModule, Invocation, CommandResult } from "../shell/command.js";
import { cliDiagnostics } from "../shell/diagnostics.js";
import { compileProject, isCompiled, locateProject, refusedUnlocked } from "../project/project.js";
import { type CacheOption, declareCacheOption, openRunCache, type RunRecord } from "../project/run-cache.js";

interface CheckOptions extends CacheOption {
  readonly unlocked?: boolean;
  readonly fix?: boolean;
  readonly dryRun?: boolean;
}

/** `hasp check`: reports everything that a build would find and writes nothing; `--fix` applies the fixes. */
export const check: CommandModule = {
  configure(command) {
    command
      .option("--unlocked", "report missing approvals as warnings")
      .option("--fix", "fix findings that have exactly one remedy and report the rest; keeps comments and layout")
      .option("--dry-run", "with --fix: write nothing, show the changes");
    declareCacheOption(command);
  },
  run: async (invocation) => runCheck(invocation as Invocation<CheckOptions>),
};

async function runCheck(invocation: Invocation<CheckOptions>): Promise<CommandResult> {
  const unlocked = invocation.options.unlocked === true;
  const refusal = refusedUnlocked(invocation, unlocked);
  if (refusal !== undefined) return refusal;
  const { fix, dryRun: isDryRun = false } = invocation.options;
  if (fix === true) {
    const { fixProject } = await import("../project/fix.js");
    return fixProject(invocation, { unlocked, isDryRun });
  }
  if (isDryRun) return { diagnostics: [cliDiagnostics("dry-run-alone", undefined, undefined)], couldNotCheck: true };
  const cache = openRunCache(invocation, "check");
  const last = await cache.lastRun();
  if (last !== undefined) return outcomeOf(last, last.texts, invocation);
  const project = await compileProject(invocation, { unlocked, host: cache.host, cache: cache.tools });
  if (!isCompiled(project)) return project;
  cache.save(project);
  return outcomeOf({ diagnostics: project.diagnostics, facts: project.facts }, project.texts, invocation);
}

function outcomeOf(
  { diagnostics, facts }: Pick<RunRecord, "diagnostics" | "facts">,
  sources: ReadonlyMap<string, string>,
  invocation: Invocation,
): CommandResult {
  const { paint, columns } = invocation.terminal;
  const verdict = `${paint("good", "✓")} ${pluralize(facts.tools, "tool")} checked. ${relaxationLine(facts)}`;
  return {
    diagnostics,
    sources,
    root: locateProject(invocation).root,
    summary: buildCounts(facts),
    text: hasErrors(diagnostics)
      ? ""
      : `${[verdict, ...excludedLines(facts), ...tokenLines(facts, columns)].join("\n")}\n`,
  };
}
