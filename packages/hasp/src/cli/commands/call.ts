import type { AnyTool, AskAnswer, DispatcherExtension, DispatcherOptions, PermissionRequest } from "@hasp/runtime";
import type { JsonValue } from "@hasp/base/json";
import {
  type Diagnostic,
  findSuggestions,
  printThrown,
  printVisibleLines,
  printVisibleText,
} from "@hasp/base/diagnostics";
import { callData, callText } from "@hasp/report";
import { RUN_PROGRAM } from "@hasp/runtime/contract";
import { serveDiagnostics, findMissingVariables, loadPrograms, pickOffered, type RunningProject } from "@hasp/serve";
import { parseOutput, readOutput } from "../calls/read-output.js";
import { type CommandModule, type Invocation, type CommandResult, refuse } from "../shell/command.js";
import { readJsonWord } from "../shell/options.js";
import { declareRunningOptions, isRunning, openRunning, type RunningOptions } from "../project/running.js";
import { isYes, type Terminal } from "../shell/terminal.js";

interface CallCommandOptions extends RunningOptions {
  readonly allow?: boolean;
  readonly dryRun?: boolean;
  readonly record?: string;
  readonly replay?: string;
  readonly toolset?: string;
  readonly respond?: string;
}

export const call: CommandModule = {
  configure(command) {
    command
      .argument("<tool>", "the name of a tool, or an alias")
      .argument(
        "[input]",
        "its input: a JSON object, or a file that holds it; - reads it from standard input; for run_program, the file of a program",
        "{}",
      )
      .option("--allow", "run a call that needs permission without asking")
      .option("--toolset <name>", "judge the call by the policy of this toolset")
      .option("--respond <JSON or file>", "the output, for a tool that somebody else executes")
      .option("--dry-run", "evaluate the call, run nothing")
      .option("--record <file>", "add the call and its outcome to this tape")
      .option("--replay <file>", "answer from this tape, without the handler");
    declareRunningOptions(command);
  },
  run: (invocation) => withOutputAside(() => runOneCall(invocation as Invocation<CallCommandOptions>)),
};

async function runOneCall(invocation: Invocation<CallCommandOptions>): Promise<CommandResult> {
  const { words, options } = invocation;
  const [name = "", given = "{}"] = words;
  const isProgram = name === RUN_PROGRAM;
  const programs = isProgram ? await loadPrograms() : undefined;
  if (programs !== undefined && "finding" in programs) return refuse(programs.finding);
  const input = await readInput(given, invocation.folder, isProgram);
  if (typeof input !== "string") return refuse(input);
  const isAlone = options.toolset === undefined && !isProgram;
  const project = await openRunning(invocation, {
    tool: isAlone ? name : undefined,
    withoutHandlers: options.replay !== undefined,
  });
  if (!isRunning(project)) return project;
  let closing: readonly Diagnostic[] = [];
  let outcome: CommandResult;
  try {
    outcome = await callIn(project, invocation, { name, input, programs });
  } finally {
    closing = await project.close();
  }
  const { root, diagnostics } = project;
  return { ...outcome, root, diagnostics: [...diagnostics, ...outcome.diagnostics, ...closing] };
}

interface WantedCall {
  readonly name: string;
  /** A JSON object. As text, so that the dispatcher refuses numbers with too many digits. */
  readonly input: string;
  /** Present for a call of `run_program`. */
  readonly programs: DispatcherExtension | undefined;
}

async function callIn(
  project: RunningProject,
  invocation: Invocation<CallCommandOptions>,
  { name, input, programs }: WantedCall,
): Promise<CommandResult> {
  const { options, terminal } = invocation;
  const { tools } = project;
  const { toolset } = options;
  const members = toolset === undefined ? undefined : project.toolsets.get(toolset);
  if (toolset !== undefined && members === undefined) {
    const known = [...project.toolsets.keys()].join(", ") || "none";
    return refuse(serveDiagnostics("unknown-toolset", undefined, { name: toolset, known }));
  }
  const names = tools.flatMap((tool) => (members?.includes(tool.name) === false ? [] : [tool.name, ...tool.aliases]));
  if (programs === undefined && !names.includes(name)) {
    return refuse(serveDiagnostics("unknown-tool", undefined, { name, nearest: findSuggestions(name, names) }));
  }
  const called = tools.find((tool) => tool.name === name || tool.aliases.includes(name));
  const gate = called?.featureGate;
  if (gate !== undefined && options.feature?.includes(gate) !== true) {
    return refuse(serveDiagnostics("gate-shut", undefined, { name, gate }));
  }
  if (called !== undefined && options.dryRun !== true && options.replay === undefined) {
    const variables = findMissingVariables(called, terminal.environment);
    if (variables.length > 0) return refuse(serveDiagnostics("variables-unset", undefined, { name, variables }));
  }
  const external = await chooseExternal(invocation, called, name);
  if (external !== undefined && typeof external !== "function") return refuse(external);
  const offered =
    programs &&
    (await pickOffered(
      tools,
      {
        only: members && new Set(members),
        allowed: new Set(tools.map((tool) => tool.name)),
        environment: options.replay === undefined ? terminal.environment : undefined,
        executesExternal: external !== undefined || options.replay !== undefined,
      },
      (line) => terminal.error(`${line}\n`),
    ));
  const isTaped = (options.record ?? options.replay) !== undefined;
  const tape = isTaped ? await (await import("@hasp/serve/tapes")).openTape(options, invocation.folder) : undefined;
  if (tape !== undefined && "finding" in tape) return refuse(tape.finding);
  // From here on, the terminal belongs to the handler.
  terminal.progress.end();
  const { runCall } = await import("@hasp/compiler/run");
  const record = await runCall({
    tools: offered?.offered ?? tools,
    programs,
    call: { id: "call", name, input },
    context: project.context,
    features: options.feature ?? [],
    policy: toolset === undefined ? undefined : project.policies.get(toolset),
    flow:
      (toolset === undefined ? undefined : project.flows.get(toolset)) ??
      project.findFlow(tools.map((tool) => tool.name)),
    isAllowed: options.allow === true,
    external,
    ask: terminal.isInteractive ? (request) => askAtTerminal(request, terminal) : undefined,
    isDryRun: options.dryRun === true,
    tape,
  });
  const isRefused = record.result?.isError ?? !["allow", "ask"].includes(record.preview.decision);
  return {
    diagnostics: tapeFindings(record.tapeProblem),
    product: callText(record, terminal.paint),
    data: { call: callData(record) },
    state: isRefused ? "failed" : undefined,
  };
}

type External = NonNullable<DispatcherOptions["external"]>;

/** Chooses who executes the calls of a tool that has no handler: the person, or `--respond`. */
async function chooseExternal(
  { options, terminal, folder }: Invocation<CallCommandOptions>,
  called: AnyTool | undefined,
  name: string,
): Promise<External | Diagnostic | undefined> {
  const { respond, dryRun, replay } = options;
  if (respond !== undefined) {
    if (called?.external !== true) return serveDiagnostics("output-of-own-handler", undefined, { name });
    const given = await readOutput(respond, folder);
    return "output" in given ? () => given.output : given;
  }
  if (terminal.isInteractive) return (call) => askOutput(call, terminal);
  const isNeeded = called?.external === true && dryRun !== true && replay === undefined;
  return isNeeded ? serveDiagnostics("no-output", undefined, { name }) : undefined;
}

/** Asks the person for the output of a call: JSON, or a text as it is. */
async function askOutput({ toolName, input }: Parameters<External>[0], terminal: Terminal): Promise<JsonValue> {
  const { NotExecuted } = await import("@hasp/runtime");
  const questions = terminal.questions();
  const shown = printVisibleLines(JSON.stringify(input));
  const answer = await questions.ask(
    `You execute ${printVisibleText(toolName)} with ${shown}. Its output, as JSON or text: `,
  );
  questions.end();
  if (answer.trim() === "") throw new NotExecuted("nobody gave an output");
  const found = parseOutput(answer);
  return "output" in found ? found.output : answer;
}

function tapeFindings(reason: string | undefined): readonly Diagnostic[] {
  return reason === undefined ? [] : [serveDiagnostics("tape-incomplete", undefined, { reason })];
}

/** Reads the input that the command line gives: a JSON object as text. */
async function readInput(given: string, folder: string, isProgram: boolean): Promise<string | Diagnostic> {
  const read = given === "-" ? { text: await readAll(), isFile: false } : await readJsonWord(given, folder);
  if (!("text" in read)) return read;
  if (isProgram && read.isFile) return JSON.stringify({ code: read.text });
  const reason = problemOf(read.text);
  return reason === undefined ? read.text : serveDiagnostics("not-json", undefined, { reason });
}

function problemOf(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (Array.isArray(value)) return "it is a list";
    if (value === null) return "it is null";
    return typeof value === "object" ? undefined : `it is a ${typeof value}`;
  } catch (error) {
    return printThrown(error);
  }
}

async function readAll(): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of process.stdin) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}

async function askAtTerminal(request: PermissionRequest, terminal: Terminal): Promise<AskAnswer> {
  const { presentQuestion } = await import("@hasp/runtime");
  const { toolName, input, effect, reason, notes, mayAllow } = presentQuestion(request);
  if (!mayAllow) return { decision: "deny", reason: [...notes, "`--allow` runs it."].join(" ") };
  const questions = terminal.questions();
  const said = [effect, ...(reason === undefined ? [] : [reason]), ...notes].join(" ");
  const answer = await questions.ask(
    `Run ${printVisibleText(toolName)} with ${printVisibleLines(input ?? "")}? ${said} [y/N] `,
  );
  questions.end();
  return isYes(answer) ? "allow" : "deny";
}

/**
 * Sends standard output to standard error while `body` runs. This does not cover programs that inherit
 * the output.
 */
async function withOutputAside<Value>(body: () => Promise<Value>): Promise<Value> {
  const { stdout, stderr } = process;
  const write = stdout.write;
  stdout.write = stderr.write.bind(stderr) as typeof stdout.write;
  try {
    return await body();
  } finally {
    stdout.write = write;
  }
}
