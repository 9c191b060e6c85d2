import { type DeclaredHandler, type MarkedResult, NotExecuted, type Redactor, toolResult } from "@hasp/runtime";
import { SecretPatterns } from "../../../runtime/src/secrets/redactor.js";
import { stat } from "node:fs/promises";
import { delimiter, isAbsolute } from "node:path";
import { beforeRunning, listBeforeRunning, declaredHandler } from "../../../runtime/src/secrets/declared-handler.js";
import { cut } from "../../../runtime/src/results/text.js";
import { wholeArguments } from "./argument.js";
import { runCommand, type CommandEnd } from "./run-command.js";

/** A command that runs as a tool. */
export interface CommandDeclaration<Input, Context> {
  /** The program and its arguments; each value is in `argument(…)`. No shell is involved. */
  readonly argv: (input: Input, context: Context) => readonly string[];
  /** The folder in which it runs, which must exist. Default: that of this process. */
  readonly cwd?: ((input: Input, context: Context) => string | undefined) | undefined;
  /** The environment variables that it sees besides `PATH`. Default: none. */
  readonly env?: readonly string[] | undefined;
  /** The variables of `env` that hold no secrets, so that results may show them. Default: none. */
  readonly publicEnv?: readonly string[] | undefined;
  /** The format of its standard output: one text, one JSON value, or a list of lines. Default `text`. */
  readonly stdout?: "text" | "json" | "lines" | undefined;
  /** Limits its output. Default 10. */
  readonly maxOutputMb?: number | undefined;
  /** The wall time after which it is stopped, unless the tool's own limit ends it first. Default: none. */
  readonly timeoutSeconds?: number | undefined;
}

/** Runs commands in place of processes, for tests. */
export interface CommandSeam {
  readonly run?:
    | ((
        argv: readonly string[],
        options: {
          readonly cwd: string | undefined;
          readonly env: { readonly [name: string]: string };
          readonly signal: AbortSignal;
        },
      ) => Promise<CommandEnd>)
    | undefined;
}

const EXCERPT_CHARS = 2000;

/**
 * Creates the handler of a tool that is a command. The program runs without a shell, in a process group of its own,
 * which ends with it, with the call and with its time. It sees `PATH` (only its absolute folders) and the named
 * variables.
 *
 * Every value is part of one argument. A value that begins with `-` at the beginning of its argument, before a `--`, is
 * refused, since the program could take it for an option. A program that cannot be started changes nothing; a program
 * with another exit code than 0 is an error with the end of its standard error, and its effect is unknown unless the
 * class of the call is `READ_ONLY`. In its output, the values of `env` are replaced, except those of `publicEnv`.
 */
export function commandHandler<Input, Context>(
  declaration: CommandDeclaration<Input, Context>,
  { run }: CommandSeam = {},
): DeclaredHandler<Input, Context> {
  const { argv, cwd, env = [], publicEnv = [], stdout = "text", maxOutputMb = 10, timeoutSeconds } = declaration;
  if (!(maxOutputMb > 0)) throw new TypeError("commandHandler: `maxOutputMb` must be a number above 0.");
  if (timeoutSeconds !== undefined && !(timeoutSeconds > 0)) {
    throw new TypeError("commandHandler: `timeoutSeconds` must be a number above 0.");
  }
  return declaredHandler(new SecretPatterns(), async (input, { context, signal }, { secrets }) => {
    const whole = wholeArguments(listBeforeRunning("the arguments of the command", () => argv(input, context)));
    const [program] = whole;
    refuseScript(program);
    const folder = cwd && beforeRunning("the folder of the command", () => cwd(input, context));
    const seen = variables(env);
    for (const [name, value] of seen) if (!publicEnv.includes(name)) secrets.add(value);
    const options = { cwd: folder, env: environment(seen), signal };
    if (run === undefined && cwd !== undefined) await checkFolder(folder);
    const limits = { timeoutSeconds, maxOutputBytes: maxOutputMb * 2 ** 20 };
    const end = run === undefined ? await runCommand(whole, { ...options, ...limits }) : await run(whole, options);
    return resultOf(program, end, stdout, secrets);
  });
}

function resultOf(program: string, end: CommandEnd, form: "text" | "json" | "lines", secrets: Redactor): MarkedResult {
  const { exitCode, exitSignal } = end;
  const failed = (what: string, printed: string): MarkedResult => {
    const text = excerptOf(secrets.text(printed));
    return toolResult({ isError: true, content: text === "" ? what : `${what}\n${text}` });
  };
  if (exitCode !== 0) {
    const how = exitCode === null ? `was killed by ${exitSignal ?? "a signal"}` : `exited with code ${exitCode}`;
    return failed(`${program} ${how}.`, end.stderr.trim() === "" ? end.stdout : end.stderr);
  }
  if (form === "text") return toolResult({ output: end.stdout });
  // A secret may have more than one line.
  if (form === "lines") return toolResult({ output: linesOf(secrets.text(end.stdout)) });
  try {
    return toolResult({ output: JSON.parse(end.stdout) });
  } catch {
    // The platform's message quotes a part of the text.
    return failed(`${program} did not print valid JSON.`, end.stdout);
  }
}

function linesOf(text: string): readonly string[] {
  return text === "" ? [] : text.replace(/\r?\n$/u, "").split(/\r?\n/u);
}

function excerptOf(printed: string): string {
  const text = printed.trim();
  return text.length <= EXCERPT_CHARS ? text : `…${text.slice(-EXCERPT_CHARS).replace(/^[\uDC00-\uDFFF]/, "")}`;
}

function variables(names: readonly string[]): readonly (readonly [name: string, value: string])[] {
  return [...new Set(names)].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
}

/** A relative folder of `PATH` would be resolved against the command's own folder. */
function environment(seen: ReturnType<typeof variables>): { readonly [name: string]: string } {
  const always = variables(process.platform === "win32" ? ["SystemRoot"] : []);
  return { ...Object.fromEntries([...always, ...seen]), PATH: absoluteFolders(process.env["PATH"] ?? "") };
}

function absoluteFolders(path: string): string {
  return path
    .split(delimiter)
    .filter((folder) => isAbsolute(folder))
    .join(delimiter);
}

async function checkFolder(folder: unknown): Promise<void> {
  if (typeof folder !== "string" || folder === "") {
    throw new NotExecuted("the context names no folder for the command to run in; nothing was run");
  }
  const found = folder.includes("\0") ? undefined : await stat(folder).catch(() => undefined);
  if (found?.isDirectory() !== true) {
    throw new NotExecuted(
      `the command cannot run in ${JSON.stringify(cut(folder, 200))}: no such folder; nothing was run`,
    );
  }
}

/** On Windows, a shell runs these and interprets arguments again. */
function refuseScript(program: string): void {
  if (process.platform === "win32" && /\.(?:bat|cmd)$/iu.test(program.trimEnd())) {
    throw new NotExecuted(`${program} is run by a shell, whose quoting is not safe; name a program. Nothing was run`);
  }
}
