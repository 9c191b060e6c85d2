import { printVisibleText, pluralize } from "@hasp/base/diagnostics";
import type { CommandJob, Invocation, CommandResult } from "../shell/command.js";
import { cliDiagnostics } from "../shell/diagnostics.js";
import { type ReadPlan, withPlan } from "../project/with-plan.js";

interface CleanOptions {
  readonly dryRun?: boolean;
}

/** The job of `hasp build --clean`. */
export const clean: CommandJob = { showsNotes: true, run: (invocation) => withPlan(invocation, cleanProject) };

async function cleanProject(
  { plan: { outDir, handlersDir } }: ReadPlan,
  { root, options, terminal }: Invocation<CleanOptions>,
): Promise<CommandResult> {
  const isDryRun = options.dryRun === true;
  const { cleanFiles } = await import("@hasp/project/output");
  const { openCache } = await import("@hasp/project/cache");
  const { value: report, diagnostics: problems } = await cleanFiles({ root, outDir, isDryRun });
  const remembered = openCache(root, terminal.environment)?.clear({ isDryRun }) ?? 0;
  const { deleted, kept } = report;
  const lines = [
    ...(isDryRun ? deleted.map((path) => `delete  ${printVisibleText(path)}`) : []),
    `${pluralize(deleted.length, "generated file")} and ${pluralize(remembered, "cache file")} ${isDryRun ? "would be " : ""}deleted.`,
    ...(kept.length === 0
      ? []
      : [`${pluralize(kept.length, "file")} kept, because somebody edited ${kept.length === 1 ? "it" : "them"}.`]),
    `Handlers in ${printVisibleText(handlersDir)} are yours; none was touched.`,
  ];
  return {
    diagnostics: [...kept.map((path) => cliDiagnostics("edited-kept", undefined, { path })), ...problems],
    summary: { deleted: [...deleted], kept: [...kept], remembered },
    text: problems.length > 0 ? "" : `${lines.join("\n")}\n`,
    state: problems.length > 0 ? "unchecked" : undefined,
  };
}
