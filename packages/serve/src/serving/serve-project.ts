import { resolve } from "node:path";
import type { Readable, Writable } from "node:stream";
import type { DispatcherExtension } from "@hasp/runtime";
import type { CallStoreSetting } from "@hasp/compiler";
import { choosePolicy } from "@hasp/compiler/model";
import { type Diagnostic, findSuggestions } from "@hasp/base/diagnostics";
import { compileProject, type FoundInTexts, type ReadSession, withoutApprovals } from "@hasp/project/session";
import { callsDiagnostics } from "../calls/diagnostics.js";
import type { OpenCallStore } from "../calls/open-call-store.js";
import { serveDiagnostics } from "../diagnostics.js";
import { refuse } from "../running/current-project.js";
import {
  loadPrograms,
  openRunningProject,
  pickOffered,
  type RunningProject,
  type RunRequest,
} from "../running/open-project.js";
import type { ListenAddress } from "./serve-http.js";
import type { Serving } from "./serve-tools.js";
import { startTelemetry, type Telemetry } from "./telemetry.js";

/** The place at which clients are served. */
export type ServingPlace =
  | { readonly input: Readable; readonly output: Writable }
  | {
      readonly address: ListenAddress;
      /** The address as the command line writes it. */
      readonly shown: string;
      /** The file that says whose tokens to accept. */
      readonly auth: string | undefined;
      readonly rate: number | undefined;
    };

/** The tools to serve, where, and to whom they may be offered. */
export interface ServeRequest
  extends
    Omit<RunRequest, "tool" | "withoutHandlers">,
    Pick<Serving, "permitted" | "features" | "report" | "log" | "drainMs"> {
  readonly place: ServingPlace;
  /** The only tools to serve; all if there is none. */
  readonly names: readonly string[];
  readonly toolset: string | undefined;
  /** Tools to offer although they are dangerous. */
  readonly allowed: readonly string[];
  /** The call store in place of the configured one; `"none"` for an unusable word. */
  readonly store: CallStoreSetting | "none" | undefined;
  readonly isSimulated: boolean;
  readonly offersPrograms: boolean;
  /** Called when tools are served, with their number and the place. */
  readonly onServing: (tools: number, place: string) => void;
}

type ServedProject = FoundInTexts<"served" | undefined>;

/** Serves a project's tools until the client or a signal ends it. Without a value, the findings say why it did not. */
export async function serveProject(session: ReadSession, request: ServeRequest): Promise<ServedProject> {
  const { isSimulated, report, place } = request;
  const hasCallers = "address" in place && place.auth !== undefined;
  const { value: project, ...found } = await openRunningProject(session, {
    ...request,
    withoutHandlers: isSimulated,
    hasCallers,
  });
  if (project?.context !== undefined && hasCallers) report(serveDiagnostics("context-shared").message);
  if (project === undefined) return { value: undefined, ...found };
  try {
    return await serveRunning(session, project, request);
  } finally {
    for (const { message } of await project.close()) report(message);
  }
}

async function serveRunning(
  session: ReadSession,
  project: RunningProject,
  request: ServeRequest,
): Promise<ServedProject> {
  const { place, toolset, isSimulated, permitted, features, report, log, drainMs } = request;
  const { environment } = session;
  const refuseAll = (...found: readonly Diagnostic[]): ServedProject => refuse([...project.diagnostics, ...found]);
  const guarded = [...project.policies.keys()];
  const applied = "address" in place && place.auth !== undefined ? {} : choosePolicy(toolset, guarded);
  if (applied === "unclear") {
    return refuseAll(serveDiagnostics("which-policy", undefined, { toolsets: guarded.join(", ") }));
  }
  const chosen = chooseNames(request, project);
  if ("findings" in chosen) return refuseAll(...chosen.findings);
  const programs = request.offersPrograms ? await loadPrograms() : undefined;
  if (programs !== undefined && "finding" in programs) return refuseAll(programs.finding);
  // A server prints no report, but must tell about loosened defaults.
  for (const { message } of project.diagnostics) report(message);
  const { offered, withheld } = await pickOffered(
    project.tools,
    {
      only: chosen.names,
      allowed: new Set([...request.allowed, ...permitted]),
      environment: isSimulated ? undefined : environment,
      executesExternal: isSimulated,
    },
    report,
  );
  if (offered.length === 0) {
    const reasons = withheld.length === 0 ? "The project has none." : "Each is withheld, for the reasons above.";
    return refuseAll(serveDiagnostics("nothing-served", undefined, { reasons }));
  }
  const calls = await openStore(session, project, request);
  if (calls !== undefined && "finding" in calls) return refuseAll(calls.finding);
  const { readProjectInfo } = await import("@hasp/project/read");
  const info = readProjectInfo(project.root);
  let telemetry: Telemetry | undefined;
  try {
    const started = await startTelemetry(project.root, environment, info.name, applied.toolset ?? toolset);
    if (started !== undefined && "variable" in started) {
      return refuseAll(serveDiagnostics("no-telemetry", undefined, started));
    }
    telemetry = started;
    const found = await serveAt(project, request, {
      tools: offered,
      withheld: project.tools
        .filter((tool) => !offered.includes(tool))
        .flatMap(({ name, aliases }) => [name, ...aliases]),
      policy: applied.toolset === undefined ? undefined : project.policies.get(applied.toolset),
      flow:
        (toolset === undefined ? undefined : project.flows.get(toolset)) ??
        project.findFlow([...(chosen.names ?? project.tools.map(({ name }) => name))]),
      permitted: permitted.filter((name) => offered.some((tool) => tool.name === name)),
      features,
      context: project.context,
      contextFor: project.contextFor,
      durable: calls && (await import("@hasp/stores")).durableCalls({ store: calls.store }),
      extensions: [programs, isSimulated ? await createTape(session, request) : undefined].filter(
        (each) => each !== undefined,
      ),
      info,
      instructions: project.instructions,
      telemetry,
      report,
      log,
      drainMs,
    });
    return found === undefined ? { value: "served", diagnostics: [], texts: new Map() } : refuseAll(...found);
  } finally {
    const unsent = await telemetry?.close();
    if (unsent !== undefined) report(`Telemetry was lost: ${unsent}`);
    await calls?.close();
  }
}

/** Serves at the wanted place; returns findings if that is not possible. */
async function serveAt(
  { toolsets, policies, flows }: RunningProject,
  { place, folder, onServing }: ServeRequest,
  serving: Omit<Serving, "input" | "output">,
): Promise<readonly Diagnostic[] | undefined> {
  const { tools } = serving;
  if ("input" in place) {
    const { serveTools } = await import("./serve-tools.js");
    onServing(tools.length, "on standard input and output");
    await serveTools({ ...serving, ...place });
    return undefined;
  }
  const { address, rate } = place;
  const [{ readAuth }, { serveHttp }] = await Promise.all([import("./read-auth.js"), import("./serve-http.js")]);
  const auth =
    place.auth === undefined
      ? undefined
      : await readAuth(resolve(folder, place.auth), place.auth, [...toolsets.keys()]);
  if (auth !== undefined && !("issuer" in auth)) return auth;
  try {
    await serveHttp({
      ...serving,
      address,
      auth,
      toolsets,
      policies,
      flows,
      rate,
      onListening: (url) => onServing(tools.length, `at ${url}`),
    });
    return undefined;
  } catch (error) {
    if (!(error instanceof Error) || !("syscall" in error)) throw error;
    return [serveDiagnostics("cannot-listen", undefined, { address: place.shown, reason: error.message })];
  }
}

/** Opens the call store of a server, and creates it if missing; `undefined` if none is named. */
async function openStore(
  { environment }: ReadSession,
  { root, callStore }: RunningProject,
  { store, folder }: ServeRequest,
): Promise<OpenCallStore | { readonly finding: Diagnostic } | undefined> {
  if (store === "none") return { finding: callsDiagnostics("bad-store") };
  const setting = store ?? callStore;
  if (setting === undefined) return undefined;
  const { openCallStore } = await import("../calls/open-call-store.js");
  return openCallStore({ setting, folder: store === undefined ? root : folder, root, environment, creates: true });
}

/** Creates a tape of the answers that tests state. A stand-alone registry has no tests. */
async function createTape(session: ReadSession, { registry }: ServeRequest): Promise<DispatcherExtension> {
  if (registry !== undefined) return (await import("@hasp/testing")).simulate();
  return simulateTests(session);
}

/** Simulates the answers that the tests of the project's specs state. */
async function simulateTests(session: ReadSession): Promise<DispatcherExtension> {
  const [{ simulate }, { collectAnswers, loadEmittedTools }, { runModules }] = await Promise.all([
    import("@hasp/testing"),
    import("@hasp/builtin/tests"),
    import("@hasp/project/emitted"),
  ]);
  const { value: project } = await compileProject(session, { adapt: withoutApprovals });
  if (project === undefined) return simulate();
  const { tools, toolsets } = project.result;
  const emitted = await loadEmittedTools(
    { tools, toolsets, plan: project.plan },
    { plugins: project.plugins, runModules },
    ({ spec }) => spec.tests !== undefined,
  );
  return simulate({ answers: await collectAnswers(tools, emitted.value) });
}

function chooseNames(
  { names, allowed, permitted, toolset }: ServeRequest,
  project: RunningProject,
): { readonly names: ReadonlySet<string> | undefined } | { readonly findings: readonly Diagnostic[] } {
  const known = project.tools.map(({ name }) => name);
  const unknown = [...new Set([...names, ...allowed, ...permitted])].filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    const findings = unknown.map((name) =>
      serveDiagnostics("unknown-tool", undefined, { name, nearest: findSuggestions(name, known) }),
    );
    return { findings };
  }
  const members = toolset === undefined ? undefined : project.toolsets.get(toolset);
  // A stand-alone registry has policies but no toolsets: its tools are then named one by one.
  const isOfRegistry = toolset !== undefined && project.policies.has(toolset) && names.length > 0;
  if (toolset !== undefined && members === undefined && !isOfRegistry) {
    const about = { name: toolset, known: [...project.toolsets.keys()].join(", ") || "none" };
    return { findings: [serveDiagnostics("unknown-toolset", undefined, about)] };
  }
  const wanted = names.length === 0 ? members : names.filter((name) => members?.includes(name) !== false);
  return { names: wanted && new Set(wanted) };
}
