import { resolve } from "node:path";
import { Argument } from "commander";
import { exportDiagnostics } from "../../bundles/diagnostics.js";
import type { Diagnostic } from "../../../../compiler/src/diagnostics/diagnostic.js";
import { pluralize } from "../../../../compiler/src/text/words.js";
import { visibleText } from "../../../../compiler/src/text/visible-text.js";
import type { ExportedFile } from "../export/exported-file.js";
import { EXPORT_KINDS, type ExportKind } from "../export/kinds.js";
import { type ExportOptions, isProjectToExport, readProjectToExport } from "../export/project-to-export.js";
import { collect } from "../project/open-runtime.js";
import type { CommandModule, CommandResult, Invocation } from "../shell/command.js";
import { cliDiagnostics } from "../shell/diagnostics.js";

export const exportServer: CommandModule = {
  configure(command) {
    command
      .addArgument(
        new Argument("<kind>", "server.json of the MCP registry, or a bundle with everything it runs").choices(
          Object.keys(EXPORT_KINDS),
        ),
      )
      .option("--out <file>", "write to this file (default: server.json, or <name>-<version>.mcpb)")
      .option("--toolset <name>", "export the tools of this toolset only")
      .option("--registry <file>", "for a bundle: the compiled registry (default: that of the configuration)")
      .option("--context <file#export>", "for a bundle: what handlers receive besides their input")
      .option("--allow <tool>", "for a bundle: as for serve; repeatable", collect)
      .option("--permit <tool>", "for a bundle: as for serve; repeatable", collect)
      .option("--bundle <url>", "for server-json: the URL at which you will publish the bundle")
      .option("--remote <url>", "for server-json: the URL at which the server runs");
  },
  run: async (invocation) => runExport(invocation as Invocation<ExportOptions>),
};

async function runExport(invocation: Invocation<ExportOptions>): Promise<CommandResult> {
  const kind = EXPORT_KINDS[invocation.words[0] as ExportKind];
  const exported = await readProjectToExport(invocation, kind.needs);
  if (!isProjectToExport(exported)) return exported;
  const { project, tools, environment } = exported;
  const failed = (diagnostics: readonly Diagnostic[]): CommandResult => ({
    diagnostics,
    root: project.root,
    couldNotCheck: true,
  });
  const file = await kind.make(exported, invocation);
  if ("diagnostics" in file) return failed(file.diagnostics);
  const out = invocation.options.out ?? file.name;
  const problem = await write(resolve(invocation.folder, out), out, file);
  if (problem !== undefined) return failed([problem]);
  const asksFor = environment.length === 0 ? "" : `; clients ask for ${environment.map(({ name }) => name).join(", ")}`;
  return {
    diagnostics: [],
    root: project.root,
    summary: { tools: tools.length, variables: environment.length },
    text: `${invocation.terminal.paint("good", "✓")} ${pluralize(tools.length, "tool")} in ${visibleText(out)}${asksFor}.\n`,
  };
}

async function write(
  path: string,
  shown: string,
  { content, isEarlier }: ExportedFile,
): Promise<Diagnostic | undefined> {
  const { writeReport } = await import("../../../../project/src/output/write-report.js");
  const outcome = await writeReport(path, content, isEarlier);
  if (outcome.state === "written") return undefined;
  return outcome.state === "occupied"
    ? exportDiagnostics("over-file", undefined, { path: shown })
    : cliDiagnostics("cannot-write", undefined, { path: shown, reason: outcome.reason });
}
