import { stat } from "node:fs/promises";
import { delimiter, isAbsolute } from "node:path";
import { redactor } from "../http/redact.js";
import { beforeRunning, listBeforeRunning } from "../results/before-running.js";
import { cut, messageOf } from "../results/text.js";
import { NotExecuted, toolResult, type MarkedResult } from "../results/tool-result.js";
import type { ExecutionOptions } from "../tool/definition.js";
import { wholeArguments } from "./argument.js";
import { runCommand, type CommandEnd } from "./run-command.js";

/** What a tool runs. */
export interface CommandDeclaration<Input, Context> {
  /** The program and its arguments; each value is in `argument(…)`. No shell is involved. */
  readonly argv: (input: Input, context: Context) => readonly string[];
  /** The folder in which it runs, which must exist. Default: that of this process. */
  readonly cwd?: ((input: Input, context: Context) => string | undefined) | undefined;
  /** The environment variables that it sees beside `PATH`. Default: none. */
  readonly env?: readonly string[] | undefined;
  /** What its standard output is: one text, one JSON value, or a list of lines. Default `text`. */
  readonly stdout?: "text" | "json" | "lines" | undefined;
  /** The most megabytes that it may print. Default 10. */
  readonly maxOutputMb?: number | undefined;
  /** The wall time after which it is stopped, if the tool's own limit does not end it before. Default: none. */
  readonly timeoutSeconds?: number | undefined;
}

/** What runs a command in place of a process, as in tests. */
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

/** The most characters of standard error that a result shows. */
const EXCERPT_CHARS = 2000;

/**
 * The handler of a tool that is a command. The program runs without a shell, in a process group of its own, which ends
 * with it, with the call and with its time. It sees `PATH` (only its absolute folders) and the variables that are named.
 *
 * Every value is part of one argument. One that begins with `-` and is at the beginning of its argument before a
 * `--` is refused, since the program could take it for an option. A program that cannot be started changes nothing;
 * one that ends with another code than 0 is an error with the end of what it printed to standard error, and its effect
 * is unknown unless the class of the call is `READ_ONLY`. Of what it prints, the values of variables whose names say that
 * they are secret (`…TOKEN`, `…SECRET`, `…PASSWORD`, `…_KEY`) are replaced.
 */
export function commandHandler<Input, Context>(
  declaration: CommandDeclaration<Input, Context>,
  { run }: CommandSeam = {},
): (input: Input, options: ExecutionOptions<Context>) => Promise<MarkedResult> {
  const { argv, cwd, env = [], stdout = "text", maxOutputMb = 10, timeoutSeconds } = declaration;
  if (!(maxOutputMb > 0)) throw new TypeError("commandHandler: `maxOutputMb` must be a number above 0.");
  if (timeoutSeconds !== undefined && !(timeoutSeconds > 0)) {
    throw new TypeError("commandHandler: `timeoutSeconds` must be a number above 0.");
  }
  return async (input, { context, signal }) => {
    const whole = wholeArguments(listBeforeRunning("the arguments of the command", () => argv(input, context)));
    const [program] = whole;
    refuseScript(program);
    const folder = cwd && beforeRunning("the folder of the command", () => cwd(input, context));
    const options = { cwd: folder, env: environment(env), signal };
    if (run !== undefined) return resultOf(program, await run(whole, options), stdout);
    if (cwd !== undefined) await checkFolder(folder);
    const limits = { timeoutSeconds, maxOutputBytes: maxOutputMb * 2 ** 20 };
    const end = await runCommand(whole, { ...options, ...limits });
    const redact = redactor(secretsIn(options.env));
    return resultOf(program, { ...end, stdout: redact(end.stdout), stderr: redact(end.stderr) }, stdout);
  };
}

function resultOf(program: string, end: CommandEnd, form: "text" | "json" | "lines"): MarkedResult {
  const { exitCode, exitSignal } = end;
  if (exitCode !== 0) {
    const how = exitCode === null ? `was killed by ${exitSignal ?? "a signal"}` : `exited with code ${exitCode}`;
    return failed(`${program} ${how}.`, end.stderr.trim() === "" ? end.stdout : end.stderr);
  }
  if (form === "text") return toolResult({ output: end.stdout });
  if (form === "lines") return toolResult({ output: linesOf(end.stdout) });
  try {
    return toolResult({ output: JSON.parse(end.stdout) });
  } catch (error) {
    return failed(`${program} did not print valid JSON: ${messageOf(error)}`, end.stdout);
  }
}

function linesOf(text: string): readonly string[] {
  return text === "" ? [] : text.replace(/\r?\n$/u, "").split(/\r?\n/u);
}

function failed(what: string, printed: string): MarkedResult {
  const text = printed.trim();
  const excerpt =
    text.length <= EXCERPT_CHARS ? text : `…${text.slice(-EXCERPT_CHARS).replace(/^[\uDC00-\uDFFF]/, "")}`;
  return toolResult({ isError: true, content: excerpt === "" ? what : `${what}\n${excerpt}` });
}

/** The values of variables whose names say that they are secret; what a program prints must not show them. */
function secretsIn(env: { readonly [name: string]: string }): readonly string[] {
  return Object.entries(env).flatMap(([name, value]) =>
    /TOKEN|SECRET|PASSW|CREDENTIAL|(?:^|_)(?:KEY|AUTH|PAT|PWD)$|APIKEY/iu.test(name) && value.length >= 8
      ? [value]
      : [],
  );
}

/** `PATH` and the named variables. A folder of `PATH` that is not absolute would be one of the command's own folder. */
function environment(names: readonly string[]): { readonly [name: string]: string } {
  const always = process.platform === "win32" ? ["PATH", "SystemRoot"] : ["PATH"];
  const seen = [...new Set([...always, ...names])].flatMap((name): [string, string][] => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  });
  return { ...Object.fromEntries(seen), PATH: absoluteFolders(process.env["PATH"] ?? "") };
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

/** On Windows, these are run by a shell, which reads its own meaning into arguments. */
function refuseScript(program: string): void {
  if (process.platform === "win32" && /\.(?:bat|cmd)$/iu.test(program.trimEnd())) {
    throw new NotExecuted(`${program} is run by a shell, whose quoting is not safe; name a program. Nothing was run`);
  }
}
