import { type DeclaredHandler, type MarkedResult, NotExecuted, type Redactor, toolResult } from "@hasp/runtime";
import { SecretPatterns } from "../../../runtime/src/secrets/redactor.js";
import { stat } from "node:fs/promises";
import { delimiter, isAbsolute } from "node:path";
import { beforeRunning, listBeforeRunning } from "../../../runtime/src/results/before-running.js";
import { cut } from "../../../runtime/src/results/text.js";
import { declaredHandler } from "../../../runtime/src/secrets/declared-handler.js";
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
  /** Those of `env` whose values are no secrets, so that results may show them. Default: none. */
  readonly publicEnv?: readonly string[] | undefined;
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
 * is unknown unless the class of the call is `READ_ONLY`. In what it prints, the values of `env` are replaced, those of
 * `publicEnv` aside.
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
    // The platform's own words quote a part of the text.
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

/** The named variables that are set. */
function variables(names: readonly string[]): readonly (readonly [name: string, value: string])[] {
  return [...new Set(names)].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
}

/** `PATH` and the named variables. A folder of `PATH` that is not absolute would be one of the command's own folder. */
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

/** On Windows, these are run by a shell, which reads its own meaning into arguments. */
function refuseScript(program: string): void {
  if (process.platform === "win32" && /\.(?:bat|cmd)$/iu.test(program.trimEnd())) {
    throw new NotExecuted(`${program} is run by a shell, whose quoting is not safe; name a program. Nothing was run`);
  }
}
