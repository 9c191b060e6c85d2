import { resolve } from "node:path";
import type { Tape } from "@hasp/runtime";
import { isLoopback } from "@hasp/project";
import { choosePolicy } from "@hasp/compiler/model";
import { type Diagnostic, findSuggestions, pluralize, printVisibleText } from "@hasp/base/diagnostics";
import {
  serveDiagnostics,
  findTelemetryVariable,
  startTelemetry,
  type Telemetry,
  type ListenAddress,
  type Serving,
  loadPrograms,
  type RunningProject,
} from "@hasp/serve";
import { type CommandModule, type CommandResult, type ExitCode, type Invocation, refuse } from "../shell/command.js";
import { parseSeconds, parseWholeNumberFrom1 } from "../shell/options.js";
import { declareStoreOption, openServingStore, type StoreOption } from "../project/store-option.js";
import { createSession } from "../project/project.js";
import {
  collect,
  declareRunningOptions,
  isRunning,
  openRunning,
  pickOffered,
  type RunningOptions,
} from "../project/running.js";

interface ServeOptions extends RunningOptions, StoreOption {
  readonly toolset?: string;
  readonly allow?: readonly string[];
  readonly permit?: readonly string[];
  readonly http?: string;
  readonly auth?: string;
  readonly simulate?: boolean;
  readonly programs?: boolean;
  readonly rate?: number;
  readonly drain?: number;
  readonly log?: boolean;
}

export const serve: CommandModule = {
  configure(command) {
    command
      .argument("[tools...]", "serve these tools only")
      .option("--toolset <name>", "serve the tools of this toolset only")
      .option(
        "--allow <tool>",
        "offer this tool although it is UNSAFE, may be destructive or needs a person; repeatable",
        collect,
      )
      .option("--permit <tool>", "offer this tool and run it without asking; repeatable", collect)
      .option("--http <address>", "serve over HTTP at /mcp on [host:]port instead of standard input and output")
      .option("--auth <file>", "for --http: whose tokens to accept, and the toolset that each scope offers");
    command
      .option("--simulate", "answer from tests, examples and output schemas, without handlers and secrets")
      .option("--programs", "offer run_program, whose programs call the tools, in their place (needs @hasp/programs)")
      .option(
        "--rate <count>",
        "for --http: messages that each principal may send in a minute (default with --auth: 600)",
        parseWholeNumberFrom1,
      )
      .option("--drain <seconds>", "how long running calls may go on after a signal to stop", parseSeconds)
      .option("--log", "print a line of JSON about each call to standard error, without inputs and results");
    declareStoreOption(command);
    declareRunningOptions(command);
  },
  run: async (invocation) => runServe(invocation as Invocation<ServeOptions>),
};

async function runServe(invocation: Invocation<ServeOptions>): Promise<CommandResult | ExitCode> {
  const { options } = invocation;
  if (options.http !== undefined) {
    const address = readListenAddress(options.http);
    if (address === undefined) return refuse(serveDiagnostics("not-an-address", undefined, { address: options.http }));
    if (options.auth === undefined && !isLoopback(address.host)) {
      return refuse(serveDiagnostics("open-to-all", undefined, { host: address.host }));
    }
    return serveProject(invocation, (project, serving) => overHttp(invocation, address, project, serving));
  }
  const option = (["auth", "rate"] as const).find((each) => options[each] !== undefined);
  if (option !== undefined) return refuse(serveDiagnostics("only-with-http", undefined, { option }));
  const { withCleanOutput } = await import("@hasp/serve");
  const output = await withCleanOutput(invocation.terminal.environment);
  // The other process has printed everything; standard output belongs to the protocol.
  if ("exitCode" in output) return output.exitCode === 0 ? 0 : 2;
  return serveProject(invocation, async (_project, serving) => {
    const { serveTools } = await import("@hasp/serve");
    say(invocation, serving, "on standard input and output");
    await serveTools({ ...serving, input: process.stdin, output });
    return undefined;
  });
}

type Shared = Omit<Serving, "input" | "output">;

async function overHttp(
  invocation: Invocation<ServeOptions>,
  address: ListenAddress,
  { toolsets, policies, flows }: RunningProject,
  serving: Shared,
): Promise<readonly Diagnostic[] | undefined> {
  const { options, folder } = invocation;
  const { readAuth, serveHttp } = await import("@hasp/serve");
  const auth =
    options.auth === undefined
      ? undefined
      : await readAuth(resolve(folder, options.auth), options.auth, [...toolsets.keys()]);
  if (auth !== undefined && !("issuer" in auth)) return auth;
  try {
    const onListening = (url: string): void => say(invocation, serving, `at ${url}`);
    await serveHttp({ ...serving, address, auth, toolsets, policies, flows, rate: options.rate, onListening });
    return undefined;
  } catch (error) {
    if (!(error instanceof Error) || !("syscall" in error)) throw error;
    return [serveDiagnostics("cannot-listen", undefined, { address: options.http ?? "", reason: error.message })];
  }
}

function say({ terminal }: Invocation<ServeOptions>, { tools }: Shared, where: string): void {
  terminal.error(`Serving ${pluralize(tools.length, "tool")} ${where}.\n`);
}

type ServeThem = (project: RunningProject, serving: Shared) => Promise<readonly Diagnostic[] | undefined>;

async function serveProject(
  invocation: Invocation<ServeOptions>,
  serveThem: ServeThem,
): Promise<CommandResult | ExitCode> {
  const { options, terminal } = invocation;
  const project = await openRunning(invocation, { withoutHandlers: options.simulate === true });
  if (!isRunning(project)) return project;
  try {
    return await serveRunning(invocation, project, serveThem);
  } finally {
    for (const { message } of await project.close()) terminal.error(`${printVisibleText(message)}\n`);
  }
}

async function serveRunning(
  invocation: Invocation<ServeOptions>,
  project: RunningProject,
  serveThem: ServeThem,
): Promise<CommandResult | ExitCode> {
  const { options, terminal } = invocation;
  const isSimulated = options.simulate === true;
  const { allow = [], permit = [], feature = [] } = options;
  const chosen = chosenNames(invocation, project);
  const applied = options.auth === undefined ? choosePolicy(options.toolset, [...project.policies.keys()]) : {};
  if (applied === "unclear") {
    const names = [...project.policies.keys()].join(", ");
    return refused(project, serveDiagnostics("which-policy", undefined, { toolsets: names }));
  }
  if ("diagnostics" in chosen) return chosen;
  const programs = options.programs === true ? await loadPrograms() : undefined;
  if (programs !== undefined && "finding" in programs) return refused(project, programs.finding);
  // A server prints no report, but must tell about loosened defaults.
  for (const { message } of project.diagnostics) terminal.error(`${printVisibleText(message)}\n`);
  const { offered, withheld } = await pickOffered(invocation, project.tools, {
    only: chosen.names,
    allowed: new Set([...allow, ...permit]),
    environment: isSimulated ? undefined : terminal.environment,
  });
  if (offered.length === 0) {
    const reasons = withheld.length === 0 ? "The project has none." : "Each is withheld, for the reasons above.";
    return refused(project, serveDiagnostics("nothing-served", undefined, { reasons }));
  }
  const calls = await openServingStore(invocation, project);
  if (calls !== undefined && "finding" in calls) return refused(project, calls.finding);
  const { readProjectInfo } = await import("@hasp/project/read");
  const info = readProjectInfo(project.root);
  let telemetry: Telemetry | undefined;
  try {
    const variable = findTelemetryVariable(terminal.environment);
    if (variable !== undefined) {
      const started = await startTelemetry(
        project.root,
        terminal.environment,
        info.name,
        applied.toolset ?? options.toolset,
      );
      if ("missing" in started) {
        return refused(project, serveDiagnostics("no-telemetry", undefined, { variable, name: started.missing }));
      }
      telemetry = started;
    }
    const found = await serveThem(project, {
      tools: offered,
      withheld: project.tools
        .filter((tool) => !offered.includes(tool))
        .flatMap(({ name, aliases }) => [name, ...aliases]),
      policy: applied.toolset === undefined ? undefined : project.policies.get(applied.toolset),
      flow:
        (options.toolset === undefined ? undefined : project.flows.get(options.toolset)) ??
        project.findFlow([...(chosen.names ?? project.tools.map(({ name }) => name))]),
      permitted: permit.filter((name) => offered.some((tool) => tool.name === name)),
      features: feature,
      context: project.context,
      callStore: calls?.store,
      programs,
      ...(isSimulated && { tape: await createTape(invocation) }),
      info,
      telemetry,
      report: (message) => terminal.error(`${printVisibleText(message)}\n`),
      log: options.log === true ? (line) => terminal.error(`${line}\n`) : undefined,
      drainMs: options.drain === undefined ? undefined : options.drain * 1000,
    });
    return found === undefined ? 0 : refused(project, ...found);
  } finally {
    const unsent = await telemetry?.close();
    if (unsent !== undefined) terminal.error(`Telemetry was lost: ${printVisibleText(unsent)}\n`);
    await calls?.close();
  }
}

/** Creates a tape of the answers that tests state. A stand-alone registry has no tests. */
async function createTape(invocation: Invocation<ServeOptions>): Promise<Tape> {
  if (invocation.options.registry !== undefined) return (await import("@hasp/testing")).simulate();
  const { simulateTests } = await import("@hasp/serve/tests");
  return simulateTests(createSession(invocation));
}

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
        serveDiagnostics("unknown-tool", undefined, { name, nearest: findSuggestions(name, known) }),
      ),
    );
  }
  const names = toolset === undefined ? undefined : project.toolsets.get(toolset);
  // A stand-alone registry has policies but no toolsets: its tools are then named one by one.
  const isOfRegistry = toolset !== undefined && project.policies.has(toolset) && words.length > 0;
  if (toolset !== undefined && names === undefined && !isOfRegistry) {
    const sets = [...project.toolsets.keys()].join(", ") || "none";
    return refused(project, serveDiagnostics("unknown-toolset", undefined, { name: toolset, known: sets }));
  }
  if (words.length === 0) return { names: names === undefined ? undefined : new Set(names) };
  return { names: new Set(words.filter((name) => names?.includes(name) !== false)) };
}

function refused({ root, diagnostics }: RunningProject, ...found: readonly Diagnostic[]): CommandResult {
  return { diagnostics: [...diagnostics, ...found], root, state: "unchecked" };
}

/** Parses `[host:]port`; `undefined` for anything else. The default host is this machine, unreachable for others. */
export function readListenAddress(text: string): ListenAddress | undefined {
  const { host, name, port } =
    /^(?:\[(?<host>[0-9a-f:.]+)\]:|(?<name>[a-z0-9.-]+):)?(?<port>\d{1,5})$/iu.exec(text)?.groups ?? {};
  if (port === undefined || Number(port) > 65_535) return undefined;
  return { host: host ?? name ?? "127.0.0.1", port: Number(port) };
}
