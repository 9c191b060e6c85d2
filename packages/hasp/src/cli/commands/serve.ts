import type { Diagnostic } from "../../diagnostics/diagnostic.js";
import { suggestionsFor } from "../../diagnostics/closest.js";
import { pluralize } from "../../reporters/words.js";
import { visibleText } from "../../reporters/visible-text.js";
import { serveDiagnostics } from "../../mcp-server/diagnostics.js";
import type { CommandModule, Invocation, CommandResult } from "../shell/command.js";
import {
  collect,
  declareRunningOptions,
  isRunning,
  openRunningProject,
  type RunningOptions,
  type RunningProject,
} from "../project/open-runtime.js";

interface ServeOptions extends RunningOptions {
  readonly toolset?: string;
  readonly allow?: readonly string[];
  readonly permit?: readonly string[];
}

/** `hasp serve`: the project's tools as an MCP server over standard input and output. */
export const serve: CommandModule = {
  configure(command) {
    command
      .argument("[tools...]", "serve these tools only")
      .option("--toolset <name>", "serve the tools of this toolset only")
      .option(
        "--allow <tool>",
        "offer this tool although it is UNSAFE, may destroy or needs a person; repeatable",
        collect,
      )
      .option("--permit <tool>", "offer this tool and run it without asking; repeatable", collect);
    declareRunningOptions(command);
  },
  run: async (invocation) => runServe(invocation as Invocation<ServeOptions>),
};

async function runServe(invocation: Invocation<ServeOptions>): Promise<CommandResult> {
  const { options, terminal } = invocation;
  const { withCleanOutput } = await import("../../mcp-server/clean-output.js");
  const output = await withCleanOutput(terminal.environment);
  // The other process has said whatever there is to be said; here nothing may be printed but the protocol.
  if ("exitCode" in output) return { diagnostics: [], isSaid: true, couldNotCheck: output.exitCode !== 0 };

  const project = await openRunningProject(invocation);
  if (!isRunning(project)) return project;
  const { offeredTools } = await import("../../mcp-server/offered-tools.js");
  const { allow = [], permit = [], feature = [] } = options;
  const chosen = chosenNames(invocation, project);
  if ("diagnostics" in chosen) {
    await project.close();
    return chosen;
  }
  const { offered, withheld } = offeredTools(project.tools, {
    only: chosen.names,
    allowed: new Set([...allow, ...permit]),
    environment: terminal.environment,
  });
  // Nobody reads a report of a server that runs; what loosens something is said all the same.
  for (const { message } of project.diagnostics) terminal.error(`${visibleText(message)}\n`);
  for (const { name, reason } of withheld) {
    terminal.error(`Not served: ${visibleText(name)}: ${visibleText(reason)}.\n`);
  }
  if (offered.length === 0) {
    await project.close();
    const reasons = withheld.length === 0 ? "The project has none." : "Each is withheld, for the reasons above.";
    return refused(project, serveDiagnostics("nothing-served", undefined, { reasons }));
  }
  terminal.error(`Serving ${pluralize(offered.length, "tool")} on standard input and output.\n`);
  const [{ serveTools }, { projectInfo }] = await Promise.all([
    import("../../mcp-server/serve-tools.js"),
    import("../../host/project/project-info.js"),
  ]);
  await serveTools({
    tools: offered,
    permitted: permit.filter((name) => offered.some((tool) => tool.name === name)),
    features: feature,
    context: project.context,
    info: projectInfo(project.root),
    input: process.stdin,
    output,
    report: (message) => terminal.error(`${visibleText(message)}\n`),
  });
  for (const { message } of await project.close()) terminal.error(`${visibleText(message)}\n`);
  return { diagnostics: [], isSaid: true };
}

/** The tools that the command line names, or why it names none that there is. */
function chosenNames(
  { words, options }: Invocation<ServeOptions>,
  project: RunningProject,
): { readonly names: ReadonlySet<string> | undefined } | CommandResult {
  const known = project.tools.map(({ name }) => name);
  const { allow = [], permit = [], toolset } = options;
  const unknown = [...new Set([...words, ...allow, ...permit])].filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    return refused(
      project,
      ...unknown.map((name) =>
        serveDiagnostics("unknown-tool", undefined, { name, nearest: suggestionsFor(name, known) }),
      ),
    );
  }
  const names = toolset === undefined ? undefined : project.toolsets.get(toolset);
  if (toolset !== undefined && names === undefined) {
    const sets = [...project.toolsets.keys()].join(", ") || "none";
    return refused(project, serveDiagnostics("unknown-toolset", undefined, { name: toolset, known: sets }));
  }
  if (words.length === 0) return { names: names === undefined ? undefined : new Set(names) };
  return { names: new Set(words.filter((name) => names?.includes(name) !== false)) };
}

function refused({ root, diagnostics }: RunningProject, ...found: readonly Diagnostic[]): CommandResult {
  return { diagnostics: [...diagnostics, ...found], root, couldNotCheck: true };
}
