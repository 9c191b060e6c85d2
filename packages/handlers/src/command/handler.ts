import { NotExecuted, type MarkedResult, toolResult } from "@hasp/runtime";
import {
  type DeclaredHandler,
  type Redactor,
  SecretPatterns,
  computeBeforeRunning,
  declaredHandler,
  listBeforeRunning,
  cut,
} from "@hasp/runtime/internal";
import { readCommandLine } from "@hasp/base/declared";
import { parseExactJson, sumBy } from "@hasp/base/json";
import { stat } from "node:fs/promises";
import { delimiter, isAbsolute } from "node:path";
import { runCommand, type CommandEnd } from "./run-command.js";

/** Marks the beginning of a value within an argument. No declaration and no value can hold this character. */
const MARK = "\0";

/** Linux refuses longer arguments. */
const MOST_BYTES_OF_ONE = 128 * 1024 - 1;

const MOST_BYTES = process.platform === "win32" ? 30_000 : 1024 * 1024;

/**
 * Marks a value for use in an argument, alone or within a template. Throws `NotExecuted` for a list or an object, a
 * NUL character and half a surrogate pair.
 */
export function argument(value: unknown): string {
  if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean") {
    throw new NotExecuted(
      value === undefined || value === null
        ? "a value of the command is missing; nothing was run"
        : "a value of the command is a list or an object, which is not one argument; nothing was run",
    );
  }
  const text = String(value);
  if (text.includes("\0")) {
    throw new NotExecuted("a value of the command contains a NUL character; nothing was run");
  }
  if (/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/.test(text)) {
    throw new NotExecuted("a value of the command is not valid Unicode; nothing was run");
  }
  return MARK + text;
}

/**
 * Returns the arguments as the program gets them. Throws `NotExecuted` for a value that could be taken for an option,
 * and for arguments that no system accepts.
 */
export function wholeArguments(argv: readonly string[]): readonly [string, ...string[]] {
  if (argv.some((each) => typeof each !== "string")) {
    throw new NotExecuted("every argument of a command must be a string; nothing was run");
  }
  const { start, separator } = readCommandLine(argv);
  const [program, ...rest] = argv;
  if (program === undefined || program === "" || [program, argv[start]].some((each) => each?.includes(MARK))) {
    throw new NotExecuted("the program of a command must be written in its declaration, never come from a value");
  }
  const printed = rest.map((each, index) => {
    const text = each.replaceAll(MARK, "");
    const isOption = each.startsWith(MARK) && text.startsWith("-") && index + 1 < separator;
    if (isOption) {
      throw new NotExecuted(
        `the value ${JSON.stringify(text.slice(0, 80))} begins with "-", so ${argv[start] ?? program} could take it for an option; nothing was run`,
      );
    }
    return text;
  });
  const sizes = printed.map((each) => Buffer.byteLength(each) + 1);
  const total = sumBy(sizes, (size) => size);
  if (total > MOST_BYTES || sizes.some((size) => size > MOST_BYTES_OF_ONE)) {
    throw new NotExecuted(`the arguments of ${program} are too long (${total} bytes); nothing was run`);
  }
  return [program, ...printed];
}

export interface CommandDeclaration<Input, Context> {
  /** The program and its arguments; each value is in `argument(…)`. No shell is involved. */
  readonly argv: (input: Input, context: Context) => readonly string[];
  /** The program's working folder, which must exist. Default: this process's own. */
  readonly cwd?: ((input: Input, context: Context) => string | undefined) | undefined;
  /** The environment variables that the program sees besides `PATH`. Default: none. */
  readonly env?: readonly string[] | undefined;
  /** The variables of `env` that hold no secrets, so that results may show them. Default: none. */
  readonly publicEnv?: readonly string[] | undefined;
  /** The exit codes that are answers. Default: 0 alone. */
  readonly okExitCodes?: readonly number[] | undefined;
  /** The format of its standard output: one text, one JSON value, or a list of lines. Default `text`. */
  readonly stdout?: "text" | "json" | "lines" | undefined;
  /** Limits the program's output. Default 10. */
  readonly maxOutputMb?: number | undefined;
  /** The wall time after which the program is stopped, unless the tool's own limit ends it first. Default: none. */
  readonly timeoutSeconds?: number | undefined;
}

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
 * Creates the handler of a tool that is a command. It runs without a shell, in a process group that ends with the
 * call, and sees `PATH` and the named variables.
 *
 * A value that begins with `-` at the start of its argument is refused before a `--`, since the program could take it
 * for an option. A program that cannot be started changes nothing; after an exit code that is no answer, the effect is
 * unknown unless the class of the call is `READ_ONLY`. The values of `env` are replaced in its output, except those of
 * `publicEnv`.
 */
export function commandHandler<Input, Context>(
  declaration: CommandDeclaration<Input, Context>,
  { run }: CommandSeam = {},
): DeclaredHandler<Input, Context> {
  const { argv, cwd, env = [], publicEnv = [], okExitCodes = [0], stdout = "text" } = declaration;
  const { maxOutputMb = 10, timeoutSeconds } = declaration;
  if (!(maxOutputMb > 0)) throw new TypeError("commandHandler: `maxOutputMb` must be a number above 0.");
  if (timeoutSeconds !== undefined && !(timeoutSeconds > 0)) {
    throw new TypeError("commandHandler: `timeoutSeconds` must be a number above 0.");
  }
  return declaredHandler(new SecretPatterns(), async (input, { context, signal }, { secrets }) => {
    const whole = wholeArguments(listBeforeRunning("the arguments of the command", () => argv(input, context)));
    const [program] = whole;
    refuseScript(program);
    const folder = cwd && computeBeforeRunning("the folder of the command", () => cwd(input, context));
    const seen = variables(env);
    for (const [name, value] of seen) if (!publicEnv.includes(name)) secrets.add(value);
    const options = { cwd: folder, env: environment(seen), signal };
    if (run === undefined && cwd !== undefined) await checkFolder(folder);
    const limits = { timeoutSeconds, maxOutputBytes: maxOutputMb * 2 ** 20 };
    const end = run === undefined ? await runCommand(whole, { ...options, ...limits }) : await run(whole, options);
    const isOk = end.exitCode !== null && okExitCodes.includes(end.exitCode);
    return resultOf(program, { ...end, isOk }, stdout, secrets);
  });
}

function resultOf(
  program: string,
  end: CommandEnd & { readonly isOk: boolean },
  form: "text" | "json" | "lines",
  secrets: Redactor,
): MarkedResult {
  const { exitCode, exitSignal } = end;
  const failed = (what: string, printed: string): MarkedResult => {
    const text = excerptOf(secrets.text(printed));
    return toolResult({ isError: true, content: text === "" ? what : `${what}\n${text}` });
  };
  if (!end.isOk) {
    const how = exitCode === null ? `was killed by ${exitSignal ?? "a signal"}` : `exited with code ${exitCode}`;
    return failed(`${program} ${how}.`, end.stderr.trim() === "" ? end.stdout : end.stderr);
  }
  if (form === "text") return toolResult({ output: end.stdout });
  // Redact before splitting: a secret may span lines.
  if (form === "lines") return toolResult({ output: linesOf(secrets.text(end.stdout)) });
  try {
    return toolResult({ output: parseExactJson(end.stdout) });
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

/** Returns the command's environment without relative folders of `PATH`, which its own folder would resolve. */
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

/** Refuses batch files: on Windows, a shell runs these and interprets arguments again. */
function refuseScript(program: string): void {
  if (process.platform === "win32" && /\.(?:bat|cmd)$/iu.test(program.trimEnd())) {
    throw new NotExecuted(`${program} is run by a shell, whose quoting is not safe; name a program. Nothing was run`);
  }
}
