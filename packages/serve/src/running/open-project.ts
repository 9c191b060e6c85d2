import type { AnyTool, DispatcherExtension, FlowSetting, PermissionPolicy } from "@hasp/runtime";
import { relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { CallStoreSetting } from "@hasp/compiler";
import { DEFAULT_FLOW } from "@hasp/compiler/model";
import { type Diagnostic, printThrown, printVisibleText } from "@hasp/base/diagnostics";
import { groupBy } from "@hasp/base/json";
import { isSet } from "@hasp/project";
import { offerImporter, type LoadedContext, type LoadedRegistry, type RegistryFault } from "@hasp/project/modules";
import { closeContext, serveDiagnostics } from "../diagnostics.js";
import type { OfferConditions, OfferedTools } from "./served-tools.js";
import { type FoundInTexts, type ReadSession, findCurrentTool } from "@hasp/project/session";
import { type CurrentProject, ensureCurrentProject, refuse, type RunMode } from "./current-project.js";

/** The tools that are to run, and how. */
export interface RunRequest extends RunMode {
  /** The folder in which the files below are named. */
  readonly folder: string;
  /** A generated registry to use as it is, instead of the project's own. */
  readonly registry?: string | undefined;
  /** `file#export`: what handlers receive besides their input, or the function that creates it. */
  readonly context?: string | undefined;
  /** True if callers are told apart: a function then creates a context for each call. */
  readonly hasCallers?: boolean | undefined;
  /** The only tool that is wanted. */
  readonly tool?: string | undefined;
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
  readonly contextFor: LoadedContext["forCaller"];
  /** The configured call store. Absent for a stand-alone registry, and without handlers, since no call then runs. */
  readonly callStore: CallStoreSetting | undefined;
  /** The text by which a server tells clients how the tools are used together. */
  readonly instructions: string | undefined;
  readonly diagnostics: readonly Diagnostic[];
  close(): Promise<readonly Diagnostic[]>;
}

/** Loads the optional package that runs programs. */
export async function loadPrograms(): Promise<DispatcherExtension | { readonly finding: Diagnostic }> {
  try {
    const { createPrograms } = await import("@hasp/programs");
    return createPrograms();
  } catch (error) {
    return { finding: serveDiagnostics("no-programs", undefined, { reason: printThrown(error) }) };
  }
}

/** Picks the tools that may be offered, and reports why others are not, a line for each reason. */
export async function pickOffered(
  tools: readonly AnyTool[],
  conditions: OfferConditions,
  report: (line: string) => void,
): Promise<OfferedTools> {
  const { selectOfferedTools } = await import("./served-tools.js");
  const picked = selectOfferedTools(tools, conditions);
  for (const [reason, withheld] of groupBy(picked.withheld, (each) => each.reason)) {
    const names = withheld.map(({ name }) => printVisibleText(name)).join(", ");
    const why = withheld.length === 1 ? reason.replace("<tool>", names) : reason;
    report(`Not served: ${names}: ${printVisibleText(why)}.`);
  }
  return picked;
}

interface LoadedTools extends Pick<
  RunningProject,
  "root" | "tools" | "policies" | "findFlow" | "callStore" | "instructions" | "diagnostics"
> {
  readonly toolsets: CurrentProject["toolsets"];
  readonly isUnlocked: boolean;
  readonly contextModule: string | undefined;
}

type FoundTools = FoundInTexts<LoadedTools | undefined>;

/**
 * Binds the project's tools to their handlers and creates their context. Compiles the project first, so that only
 * approved code of the current specs runs; imports a named registry as it is. If only one tool is wanted, compiles and
 * imports it alone where this proves that it may run. Without handlers, creates no context, and imports only handlers
 * that judge calls. Without a value, nothing may run, and the findings say why.
 */
export async function openRunningProject(
  session: ReadSession,
  request: RunRequest,
): Promise<FoundInTexts<RunningProject | undefined>> {
  const { tool: name, registry, withoutHandlers = false } = request;
  offerImporter();
  const found =
    (name === undefined || registry !== undefined ? undefined : await loadTool(session, request, name)) ??
    (await loadProject(session, request));
  const { value: loaded, texts } = found;
  if (loaded === undefined) return { ...found, value: undefined };
  const { root, tools, toolsets, policies, isUnlocked } = loaded;
  // Lint is for `check`; people who run a tool need to know about loosened defaults.
  const loosening = loaded.diagnostics.filter(
    ({ code, tool }) => code.startsWith("ledger/") && (name === undefined || tool === name),
  );
  if (isUnlocked && isSet(session.environment["CI"])) {
    return refuse([serveDiagnostics("unlocked-in-ci")]);
  }
  const made = await openContext(request, loaded);
  if ("finding" in made) return refuse([made.finding]);
  const diagnostics = [...loosening, ...(isUnlocked ? [serveDiagnostics("unlocked")] : [])];
  const value: RunningProject = {
    root,
    tools,
    toolsets: new Map(toolsets.map((toolset) => [toolset.name, toolset.tools])),
    policies,
    flows: new Map(toolsets.map(({ name: toolset, flow }) => [toolset, flow])),
    findFlow: loaded.findFlow,
    callStore: withoutHandlers ? undefined : loaded.callStore,
    instructions: loaded.instructions,
    context: made.context,
    contextFor: made.forCaller,
    diagnostics,
    close: () => closeContext(made),
  };
  return { value, diagnostics, texts };
}

/** Loads one tool alone; `undefined` if that needs the whole project. */
async function loadTool(session: ReadSession, request: RunRequest, name: string): Promise<FoundTools | undefined> {
  const { withoutHandlers = false } = request;
  const current = await findCurrentTool(session, name, request);
  if (current === undefined) return undefined;
  const { root } = session;
  const { tool, handler, contextModule, isUnlocked, diagnostics } = current;
  const [{ asksHandler, bindModel, createHandlerFinding }, { importModule }] = await Promise.all([
    import("./bind-tools.js"),
    import("@hasp/project/modules"),
  ]);
  try {
    const url = pathToFileURL(resolve(root, handler));
    const load = async (): Promise<object> => (await importModule(url.href)) as object;
    const isLoadedOnFirstCall = withoutHandlers ? !asksHandler(tool) : tool.isLoadedOnFirstCall;
    const bound = await bindModel({ ...tool, isLoadedOnFirstCall }, { url, load });
    const value: LoadedTools = {
      root,
      tools: [bound],
      toolsets: [],
      policies: new Map(),
      // One call has no earlier ones, from which it could carry anything.
      findFlow: () => DEFAULT_FLOW,
      callStore: undefined,
      instructions: undefined,
      isUnlocked,
      contextModule,
      diagnostics,
    };
    return { value, diagnostics, texts: new Map() };
  } catch (error) {
    return refuse([createHandlerFinding(handler, error)]);
  }
}

async function loadProject(session: ReadSession, request: RunRequest): Promise<FoundTools> {
  const { folder, withoutHandlers = false } = request;
  const named = request.registry === undefined ? undefined : resolve(folder, request.registry);
  const found = named === undefined ? await ensureCurrentProject(session, request) : undefined;
  const project = found?.value;
  if (found !== undefined && project === undefined) return { ...found, value: undefined };
  const root = project?.root ?? folder;
  const file = named ?? resolve(root, project?.registry ?? "");
  const { loadPolicy, loadToolsetsBeside } = await import("@hasp/project/modules");
  const registry = (project && (await bindProject(project, withoutHandlers))) ?? (await importRegistry(file, root));
  if ("finding" in registry) return refuse([registry.finding]);
  const policies = new Map<string, PermissionPolicy>();
  for (const [toolset, path] of project?.policies ?? registry.policies) {
    const loaded = await loadPolicy(resolve(root, path));
    if ("reason" in loaded) {
      return refuse([serveDiagnostics("policy-fails", undefined, { path, reason: loaded.reason })]);
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
    return refuse([registryFinding(relative(root, file), fault)]);
  }
  const value: LoadedTools = {
    root,
    tools: registry.tools,
    toolsets,
    policies,
    findFlow: registry.findFlow,
    callStore: project?.callStore,
    instructions: project?.instructions,
    isUnlocked: registry.unlocked,
    contextModule: project?.contextModule,
    diagnostics: project?.diagnostics ?? [],
  };
  return { value, diagnostics: value.diagnostics, texts: found?.texts ?? new Map() };
}

type RegistryOrFinding = LoadedRegistry | { readonly finding: Diagnostic };

/** Binds the tools without generated code; `undefined` if they need it. */
async function bindProject(
  { served, root, isUnlocked, toolsets, policies }: CurrentProject,
  withoutHandlers: boolean,
): Promise<RegistryOrFinding | undefined> {
  if (served === undefined) return undefined;
  const [{ bindTools }, { decideFlow }] = await Promise.all([
    import("./bind-tools.js"),
    import("@hasp/runtime/contract"),
  ]);
  const bound = await bindTools(served, root, withoutHandlers);
  if (bound === undefined || "finding" in bound) return bound;
  const flows = toolsets.map(({ flow, tools }) => [flow, tools] as const);
  return { ...bound, unlocked: isUnlocked, policies, findFlow: (names) => decideFlow(names, flows) };
}

async function importRegistry(file: string, root: string): Promise<RegistryOrFinding> {
  const { loadRegistry } = await import("@hasp/project/modules");
  const registry = await loadRegistry(file);
  return "fault" in registry ? { finding: registryFinding(relative(root, file), registry) } : registry;
}

function registryFinding(path: string, { fault, ...rest }: RegistryFault): Diagnostic {
  if (fault === "missing") return serveDiagnostics("no-registry", undefined, { path });
  const reason = "reason" in rest ? rest.reason : "";
  return fault === "fails"
    ? serveDiagnostics("registry-fails", undefined, { path, reason })
    : serveDiagnostics("no-tools-in-registry", undefined, { path, what: reason });
}

const NO_CONTEXT: LoadedContext = { context: undefined, close: async () => undefined };
const CREATE_CONTEXT = "createContext";

/** Opens the named context, or the one of the module that the configuration names for its type. */
async function openContext(
  { context, folder, withoutHandlers, hasCallers }: RunRequest,
  { root, contextModule }: LoadedTools,
): Promise<LoadedContext | { readonly finding: Diagnostic }> {
  const [file, name = CREATE_CONTEXT] = context?.split("#") ?? [contextModule];
  if (withoutHandlers === true || file === undefined) return NO_CONTEXT;
  const { loadContext } = await import("@hasp/project/modules");
  const made = await loadContext(resolve(context === undefined ? root : folder, file), name, hasCallers);
  if (!("fault" in made)) return made;
  const finding =
    made.fault === "missing"
      ? serveDiagnostics("no-context", undefined, { file, name })
      : serveDiagnostics("context-fails", undefined, { file, name, reason: made.reason });
  return { finding };
}
