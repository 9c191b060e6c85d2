import type { AnyTool } from "@hasp/runtime";
import type { Command } from "commander";
import { relative, resolve } from "node:path";
import type { Diagnostic } from "../../diagnostics/diagnostic.js";
import type { LoadedContext } from "../../host/modules/load-context.js";
import type { RegistryFault } from "../../host/modules/load-registry.js";
import { serveDiagnostics } from "../../mcp-server/diagnostics.js";
import type { Invocation, CommandResult } from "../shell/command.js";
import { type CurrentProject, currentProject, isCurrent } from "./ensure-up-to-date.js";
import { type CacheOption, declareCacheOption } from "./run-cache.js";
import { isSet } from "../shell/terminal.js";

/** The options of the commands that run tools. */
export interface RunningOptions extends CacheOption {
  readonly registry?: string;
  readonly context?: string;
  readonly feature?: readonly string[];
  readonly unlocked?: boolean;
}

/** Tools with their handlers, ready to be called. */
export interface RunningProject {
  readonly root: string;
  readonly tools: readonly AnyTool[];
  /** The names of the tools of each toolset; empty for a registry that stands alone. */
  readonly toolsets: ReadonlyMap<string, readonly string[]>;
  readonly context: unknown;
  /** What was found on the way and stops nothing. */
  readonly diagnostics: readonly Diagnostic[];
  /** Puts the context away; answers with what is to be said of it. */
  close(): Promise<readonly Diagnostic[]>;
}

/** Declares those options. */
export function declareRunningOptions(command: Command): void {
  command
    .option(
      "--registry <file>",
      "take this generated registry as it is, instead of the project's own once that is up to date",
    )
    .option("--context <file#export>", "what handlers are given beside their input, or the function that makes it")
    .option("--feature <name>", "open this feature gate; may be repeated", collect)
    .option("--unlocked", "go on where approvals are missing, with a warning");
  declareCacheOption(command);
}

/** Gathers the words of an option that may be repeated. */
export function collect(word: string, before: readonly string[] = []): readonly string[] {
  return [...before, word];
}

/**
 * Imports the project's registry with its handlers, and makes their context. The project is compiled first: what runs
 * is what the specs say and somebody approved, or nothing does.
 */
export async function openRunningProject(
  invocation: Invocation<RunningOptions>,
): Promise<RunningProject | CommandResult> {
  const { options, folder, terminal } = invocation;
  let project: CurrentProject | undefined;
  let file = options.registry === undefined ? undefined : resolve(folder, options.registry);
  if (file === undefined) {
    const current = await currentProject(invocation);
    if (!isCurrent(current)) return current;
    project = current;
    file = resolve(current.root, current.registry);
  }
  const root = project?.root ?? folder;
  const refuse = (...diagnostics: Diagnostic[]): CommandResult => ({ diagnostics, root, couldNotCheck: true });

  const { loadRegistry } = await import("../../host/modules/load-registry.js");
  const registry = await loadRegistry(file);
  const path = relative(root, file);
  if ("fault" in registry) return refuse(registryFinding(path, registry));
  if (registry.unlocked && isSet(terminal.environment["CI"])) {
    return refuse(serveDiagnostics("unlocked-in-ci", undefined, undefined));
  }

  const wanted = wantedContext(invocation, project);
  const made = wanted === undefined ? NO_CONTEXT : await contextOf(wanted);
  if ("finding" in made) return refuse(made.finding);
  return {
    root,
    tools: registry.tools,
    toolsets: new Map(project?.toolsets.map(({ name, tools }) => [name, tools])),
    context: made.context,
    diagnostics: [
      ...(project?.diagnostics ?? []),
      ...(registry.unlocked ? [serveDiagnostics("unlocked", undefined, undefined)] : []),
    ],
    close: async () => {
      const reason = await made.close();
      return reason === undefined ? [] : [serveDiagnostics("context-not-closed", undefined, { reason })];
    },
  };
}

/** Whether the tools can be run; otherwise the value is the outcome of the command. */
export function isRunning(project: RunningProject | CommandResult): project is RunningProject {
  return "tools" in project;
}

function registryFinding(path: string, { fault, ...rest }: RegistryFault): Diagnostic {
  if (fault === "missing") return serveDiagnostics("no-registry", undefined, { path });
  const reason = "reason" in rest ? rest.reason : "";
  return fault === "fails"
    ? serveDiagnostics("registry-fails", undefined, { path, reason })
    : serveDiagnostics("no-tools-in-registry", undefined, { path, what: reason });
}

interface WantedContext {
  readonly base: string;
  readonly file: string;
  readonly name: string;
}

const NO_CONTEXT: LoadedContext = { context: undefined, close: async () => undefined };
/** What the module of the context's type exports by convention. */
const CREATE_CONTEXT = "createContext";

/** Where a context comes from: `--context`, or the module that the configuration names for its type. */
function wantedContext(
  { options, folder }: Invocation<RunningOptions>,
  project: CurrentProject | undefined,
): WantedContext | undefined {
  if (options.context !== undefined) {
    const [file = "", name = CREATE_CONTEXT] = options.context.split("#");
    return { base: folder, file, name };
  }
  const module = project?.contextModule;
  return project === undefined || module === undefined
    ? undefined
    : { base: project.root, file: module, name: CREATE_CONTEXT };
}

async function contextOf({
  base,
  file,
  name,
}: WantedContext): Promise<LoadedContext | { readonly finding: Diagnostic }> {
  const { loadContext } = await import("../../host/modules/load-context.js");
  const made = await loadContext(resolve(base, file), name);
  if (!("fault" in made)) return made;
  const finding =
    made.fault === "missing"
      ? serveDiagnostics("no-context", undefined, { file, name })
      : serveDiagnostics("context-fails", undefined, { file, name, reason: made.reason });
  return { finding };
}
