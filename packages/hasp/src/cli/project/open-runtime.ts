import type { AnyTool, FlowSetting, PermissionPolicy, Programs } from "@hasp/runtime";
import type { Command } from "commander";
import { relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { CallStoreSetting } from "@hasp/compiler";
import { DEFAULT_FLOW } from "@hasp/compiler/model";
import { type Diagnostic, printThrown, printVisibleText } from "@hasp/base/diagnostics";
import { groupBy } from "@hasp/base/json";
import { offerImporter, type LoadedContext, type LoadedRegistry, type RegistryFault } from "@hasp/project/modules";
import { serveDiagnostics } from "../../mcp-server/diagnostics.js";
import type { OfferConditions, OfferedTools } from "../../mcp-server/served-tools.js";
import type { Invocation, CommandResult } from "../shell/command.js";
import { type CurrentProject, ensureCurrentProject, isCurrent } from "./ensure-up-to-date.js";
import { type CacheOption, declareCacheOption } from "./run-cache.js";
import { isSet } from "../shell/terminal.js";

export interface RunningOptions extends CacheOption {
  readonly registry?: string;
  readonly context?: string;
  readonly feature?: readonly string[];
  readonly unlocked?: boolean;
}

export interface RunningProject {
  readonly root: string;
  readonly tools: readonly AnyTool[];
  readonly toolsets: ReadonlyMap<string, readonly string[]>;
  readonly policies: ReadonlyMap<string, PermissionPolicy>;
  /** The setting of information flow of each toolset. */
  readonly flows: ReadonlyMap<string, FlowSetting>;
  /** Finds the setting of some of its tools. */
  findFlow(names: readonly string[]): FlowSetting;
  readonly context: unknown;
  /** The configured call store. Absent for a stand-alone registry, and without handlers, since no call then runs. */
  readonly callStore: CallStoreSetting | undefined;
  readonly diagnostics: readonly Diagnostic[];
  close(): Promise<readonly Diagnostic[]>;
}

export function declareRunningOptions(command: Command): void {
  command
    .option(
      "--registry <file>",
      "use this generated registry as it is, instead of compiling the project and using its own",
    )
    .option("--context <file#export>", "what handlers receive besides their input, or the function that creates it")
    .option("--feature <name>", "turn this feature gate on; repeatable", collect)
    .option("--unlocked", "continue without approvals, with a warning");
  declareCacheOption(command);
}

/** Loads the optional package that runs programs. */
export async function loadPrograms(): Promise<Programs | { readonly finding: Diagnostic }> {
  try {
    const { createPrograms } = await import("@hasp/programs");
    return createPrograms();
  } catch (error) {
    return { finding: serveDiagnostics("no-programs", undefined, { reason: printThrown(error) }) };
  }
}

/** Picks the tools that may be offered, and tells the terminal why others are not. */
export async function pickOffered(
  { terminal }: Pick<Invocation<object>, "terminal">,
  tools: readonly AnyTool[],
  choice: OfferConditions,
): Promise<OfferedTools> {
  const { selectOfferedTools } = await import("../../mcp-server/served-tools.js");
  const picked = selectOfferedTools(tools, choice);
  for (const [reason, of] of groupBy(picked.withheld, (each) => each.reason)) {
    const names = of.map(({ name }) => printVisibleText(name)).join(", ");
    const why = of.length === 1 ? reason.replace("<tool>", names) : reason;
    terminal.error(`Not served: ${names}: ${printVisibleText(why)}.\n`);
  }
  return picked;
}

export function collect(word: string, before: readonly string[] = []): readonly string[] {
  return [...before, word];
}

interface LoadedTools extends Pick<
  RunningProject,
  "root" | "tools" | "policies" | "findFlow" | "callStore" | "diagnostics"
> {
  readonly toolsets: CurrentProject["toolsets"];
  readonly isUnlocked: boolean;
  readonly contextModule: string | undefined;
}

/**
 * Binds the project's tools to their handlers and creates their context. Compiles the project first, so that only
 * approved code of the current specs runs; imports a named registry as it is. If only the tool `name` is wanted,
 * compiles and imports it alone where this proves that it may run. With `withoutHandlers`, creates no context, and
 * imports only handlers that judge calls.
 */
export async function openRunningProject(
  invocation: Invocation<RunningOptions>,
  name?: string,
  withoutHandlers: boolean = false,
): Promise<RunningProject | CommandResult> {
  const { registry } = invocation.options;
  offerImporter();
  const loaded =
    (name === undefined || registry !== undefined ? undefined : await loadTool(invocation, name, withoutHandlers)) ??
    (await loadProject(invocation, withoutHandlers));
  if (!("tools" in loaded)) return loaded;
  const { root, tools, toolsets, policies, isUnlocked } = loaded;
  // Lint is for `check`; people who run a tool need to know about loosened defaults.
  const loosening = loaded.diagnostics.filter(
    ({ code, tool }) => code.startsWith("ledger/") && (name === undefined || tool === name),
  );
  const refuse = (...diagnostics: Diagnostic[]): CommandResult => ({ diagnostics, root, state: "unchecked" });
  if (isUnlocked && isSet(invocation.terminal.environment["CI"])) {
    return refuse(serveDiagnostics("unlocked-in-ci", undefined, undefined));
  }
  const wanted = withoutHandlers ? undefined : wantedContext(invocation, loaded);
  const made = wanted === undefined ? NO_CONTEXT : await contextOf(wanted);
  if ("finding" in made) return refuse(made.finding);
  return {
    root,
    tools,
    toolsets: new Map(toolsets.map((toolset) => [toolset.name, toolset.tools])),
    policies,
    flows: new Map(toolsets.map(({ name, flow }) => [name, flow])),
    findFlow: loaded.findFlow,
    callStore: withoutHandlers ? undefined : loaded.callStore,
    context: made.context,
    diagnostics: [...loosening, ...(isUnlocked ? [serveDiagnostics("unlocked", undefined, undefined)] : [])],
    close: async () => {
      const reason = await made.close();
      return reason === undefined ? [] : [serveDiagnostics("context-not-closed", undefined, { reason })];
    },
  };
}

/** Loads one tool alone; `undefined` if that needs the whole project. */
async function loadTool(
  invocation: Invocation<RunningOptions>,
  name: string,
  withoutHandlers: boolean,
): Promise<LoadedTools | CommandResult | undefined> {
  const { findCurrentTool } = await import("./current-tool.js");
  const current = await findCurrentTool(invocation, name);
  if (current === undefined) return undefined;
  const { root } = invocation;
  const { tool, handler, contextModule, isUnlocked, diagnostics } = current;
  const [{ asksHandler, bindModel, createHandlerFinding }, { importModule }] = await Promise.all([
    import("../../mcp-server/bind-tools.js"),
    import("@hasp/project/modules"),
  ]);
  try {
    const url = pathToFileURL(resolve(root, handler));
    const load = async (): Promise<object> => (await importModule(url.href)) as object;
    const isLoadedOnFirstCall = withoutHandlers ? !asksHandler(tool) : tool.isLoadedOnFirstCall;
    const bound = await bindModel({ ...tool, isLoadedOnFirstCall }, { url, load });
    return {
      root,
      tools: [bound],
      toolsets: [],
      policies: new Map(),
      // One call has no earlier ones, from which it could carry anything.
      findFlow: () => DEFAULT_FLOW,
      callStore: undefined,
      isUnlocked,
      contextModule,
      diagnostics,
    };
  } catch (error) {
    return { diagnostics: [createHandlerFinding(handler, error)], root, state: "unchecked" };
  }
}

async function loadProject(
  invocation: Invocation<RunningOptions>,
  withoutHandlers: boolean,
): Promise<LoadedTools | CommandResult> {
  const { options, folder } = invocation;
  const named = options.registry === undefined ? undefined : resolve(folder, options.registry);
  const project = named === undefined ? await ensureCurrentProject(invocation, withoutHandlers) : undefined;
  if (project !== undefined && !isCurrent(project)) return project;
  const root = project?.root ?? folder;
  const file = named ?? resolve(root, project?.registry ?? "");
  const { loadPolicy, findPoliciesBeside, loadToolsetsBeside } = await import("@hasp/project/modules");
  const registry =
    (project === undefined ? undefined : await bindProject(project, withoutHandlers)) ??
    (await importRegistry(file, root));
  if ("finding" in registry) return { diagnostics: [registry.finding], root, state: "unchecked" };
  const policies = new Map<string, PermissionPolicy>();
  for (const [toolset, path] of project?.policies ?? findPoliciesBeside(file)) {
    const loaded = await loadPolicy(resolve(root, path));
    if ("reason" in loaded) {
      const finding = serveDiagnostics("policy-fails", undefined, { path, reason: loaded.reason });
      return { diagnostics: [finding], root, state: "unchecked" };
    }
    policies.set(toolset, loaded.policy);
  }
  let toolsets: LoadedTools["toolsets"];
  try {
    toolsets =
      project?.toolsets ??
      (await loadToolsetsBeside(file, registry.tools)).map((each) => ({
        ...each,
        flow: registry.findFlow(each.tools),
      }));
  } catch (error) {
    const fault = { fault: "fails", reason: printThrown(error) } as const;
    return { diagnostics: [registryFinding(relative(root, file), fault)], root, state: "unchecked" };
  }
  return {
    root,
    tools: registry.tools,
    toolsets,
    policies,
    findFlow: registry.findFlow,
    callStore: project?.callStore,
    isUnlocked: registry.unlocked,
    contextModule: project?.contextModule,
    diagnostics: project?.diagnostics ?? [],
  };
}

type RegistryOrFinding = LoadedRegistry | { readonly finding: Diagnostic };

/** Binds the tools without generated code; `undefined` if they need it. */
async function bindProject(
  { served, root, isUnlocked, toolsets }: CurrentProject,
  withoutHandlers: boolean,
): Promise<RegistryOrFinding | undefined> {
  if (served === undefined) return undefined;
  const [{ bindTools }, { decideFlow }] = await Promise.all([
    import("../../mcp-server/bind-tools.js"),
    import("@hasp/runtime"),
  ]);
  const bound = await bindTools(served, root, withoutHandlers);
  if (bound === undefined || "finding" in bound) return bound;
  const flows = toolsets.map(({ flow, tools }) => [flow, tools] as const);
  return { ...bound, unlocked: isUnlocked, findFlow: (names) => decideFlow(names, flows) };
}

async function importRegistry(file: string, root: string): Promise<RegistryOrFinding> {
  const { loadRegistry } = await import("@hasp/project/modules");
  const registry = await loadRegistry(file);
  return "fault" in registry ? { finding: registryFinding(relative(root, file), registry) } : registry;
}

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
const CREATE_CONTEXT = "createContext";

/** Finds the context's module: `--context`, or the one that the configuration names for its type. */
function wantedContext(
  { options, folder }: Invocation<RunningOptions>,
  { root, contextModule }: LoadedTools,
): WantedContext | undefined {
  if (options.context !== undefined) {
    const [file = "", name = CREATE_CONTEXT] = options.context.split("#");
    return { base: folder, file, name };
  }
  return contextModule === undefined ? undefined : { base: root, file: contextModule, name: CREATE_CONTEXT };
}

async function contextOf({
  base,
  file,
  name,
}: WantedContext): Promise<LoadedContext | { readonly finding: Diagnostic }> {
  const { loadContext } = await import("@hasp/project/modules");
  const made = await loadContext(resolve(base, file), name);
  if (!("fault" in made)) return made;
  const finding =
    made.fault === "missing"
      ? serveDiagnostics("no-context", undefined, { file, name })
      : serveDiagnostics("context-fails", undefined, { file, name, reason: made.reason });
  return { finding };
}
