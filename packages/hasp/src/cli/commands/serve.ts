import { isLoopback } from "@hasp/project";
import { pluralize, printVisibleText } from "@hasp/base/diagnostics";
import { type ListenAddress, serveDiagnostics, serveProject, type ServingPlace } from "@hasp/serve";
import { type CommandModule, type CommandResult, type ExitCode, type Invocation, refuse } from "../shell/command.js";
import { parseSeconds, parseWholeNumberFrom1 } from "../shell/options.js";
import { declareStoreOption, type StoreOption } from "../project/store-option.js";
import { createSession, refuseFound } from "../project/project.js";
import { collect, createRunRequest, declareRunningOptions, type RunningOptions } from "../project/running.js";

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
  run: runServe,
};

async function runServe(invocation: Invocation<ServeOptions>): Promise<CommandResult | ExitCode> {
  const { options, terminal } = invocation;
  if (options.http !== undefined) {
    const address = readListenAddress(options.http);
    if (address === undefined) return refuse(serveDiagnostics("not-an-address", undefined, { address: options.http }));
    if (options.auth === undefined && !isLoopback(address.host)) {
      return refuse(serveDiagnostics("open-to-all", undefined, { host: address.host }));
    }
    return serveAt(invocation, { address, shown: options.http, auth: options.auth, rate: options.rate });
  }
  const option = (["auth", "rate"] as const).find((each) => options[each] !== undefined);
  if (option !== undefined) return refuse(serveDiagnostics("only-with-http", undefined, { option }));
  const { withCleanOutput } = await import("@hasp/serve");
  const output = await withCleanOutput(terminal.environment);
  // The other process has printed everything; standard output belongs to the protocol.
  if ("exitCode" in output) return output.exitCode === 0 ? 0 : 2;
  return serveAt(invocation, { input: process.stdin, output });
}

async function serveAt(invocation: Invocation<ServeOptions>, place: ServingPlace): Promise<CommandResult | ExitCode> {
  const { options, words, terminal } = invocation;
  const { value, ...found } = await serveProject(createSession(invocation), {
    ...createRunRequest(invocation),
    place,
    names: words,
    toolset: options.toolset,
    allowed: options.allow ?? [],
    permitted: options.permit ?? [],
    features: options.feature ?? [],
    store: options.store,
    isSimulated: options.simulate === true,
    offersPrograms: options.programs === true,
    report: (message) => terminal.error(`${printVisibleText(message)}\n`),
    log: options.log === true ? (line) => terminal.error(`${line}\n`) : undefined,
    drainMs: options.drain === undefined ? undefined : options.drain * 1000,
    onServing: (tools, where) => terminal.error(`Serving ${pluralize(tools, "tool")} ${where}.\n`),
  });
  return value === undefined ? refuseFound(found, invocation) : 0;
}

/** Parses `[host:]port`; `undefined` for anything else. The default host is this machine, unreachable for others. */
export function readListenAddress(text: string): ListenAddress | undefined {
  const { host, name, port } =
    /^(?:\[(?<host>[0-9a-f:.]+)\]:|(?<name>[a-z0-9.-]+):)?(?<port>\d{1,5})$/iu.exec(text)?.groups ?? {};
  if (port === undefined || Number(port) > 65_535) return undefined;
  return { host: host ?? name ?? "127.0.0.1", port: Number(port) };
}
