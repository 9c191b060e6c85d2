import { killTree } from "../isolation/process-tree.js";
import { LONGEST_TIMER, messageOf } from "@hasp/runtime/internal";
import { NotExecuted } from "@hasp/runtime";
import { startProgram } from "./start-program.js";

interface CommandOptions {
  readonly cwd: string | undefined;
  readonly env: { readonly [name: string]: string };
  readonly signal: AbortSignal;
  readonly timeoutSeconds: number | undefined;
  readonly maxOutputBytes: number;
}

export interface CommandEnd {
  readonly stdout: string;
  readonly stderr: string;
  /** `null` for a program that a signal ended. */
  readonly exitCode: number | null;
  readonly exitSignal?: string | null | undefined;
}

/** Keeps more of standard error than a result shows, so that no excerpt begins inside a secret. */
const STDERR_BYTES = 64 * 1024;

/** The time for output that arrives after the program's end; a process that it left behind may hold the pipe open. */
const DRAIN_MS = 100;

/**
 * Runs a program in a process group of its own, without a shell. Rejects with {@link NotExecuted} if it could not be
 * started, and with an `Error` if it was stopped or printed too much.
 */
export function runCommand(
  [program, ...args]: readonly [string, ...string[]],
  { cwd, env, signal, timeoutSeconds, maxOutputBytes }: CommandOptions,
): Promise<CommandEnd> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) throw new NotExecuted(`${program} was not run: ${messageOf(signal.reason)}`);
    const child = spawnProgram(program, args, { cwd, env });
    const printed: Buffer[] = [];
    let size = 0;
    let errors = Buffer.alloc(0);
    let isOver = false;
    const finish = (settle: () => void): void => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
      if (child.pid !== undefined) killTree(child.pid);
      child.stdout.destroy();
      child.stderr.destroy();
      settle();
    };
    const fail = (what: string): void => finish(() => reject(new Error(`${program} ${what}`)));
    const stop = (): void => fail(`was stopped: ${messageOf(signal.reason)}`);
    const timer =
      timeoutSeconds === undefined
        ? undefined
        : setTimeout(
            fail,
            Math.min(timeoutSeconds * 1000, LONGEST_TIMER),
            `did not end within ${timeoutSeconds} s and was stopped`,
          );
    signal.addEventListener("abort", stop, { once: true });
    child.on("error", (error) => finish(() => reject(notStarted(program, error))));
    child.stdout.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxOutputBytes) printed.push(chunk);
      else fail(`printed more than ${maxOutputBytes} bytes and was stopped`);
    });
    child.stderr.on("data", (chunk: Buffer) => {
      errors = Buffer.concat([errors, chunk]).subarray(-STDERR_BYTES);
    });
    const end = (exitCode: number | null, exitSignal: string | null): void =>
      finish(() =>
        resolve({ stdout: Buffer.concat(printed).toString(), stderr: errors.toString(), exitCode, exitSignal }),
      );
    child.on("close", end);
    child.on("exit", (code, ended) => setTimeout(end, DRAIN_MS, code, ended));
  });
}

function spawnProgram(
  program: string,
  args: readonly string[],
  { cwd, env }: Pick<CommandOptions, "cwd" | "env">,
): ReturnType<typeof startProgram> {
  try {
    return startProgram(program, args, { cwd, env });
  } catch (error) {
    throw notStarted(program, error);
  }
}

function notStarted(program: string, error: unknown): NotExecuted {
  const { code } = error as { readonly code?: unknown };
  const reasons: { readonly [code: string]: string } = {
    ENOENT: `the program ${program} is not installed, or not in a folder of PATH`,
    EACCES: `the program ${program} may not be executed`,
    E2BIG: `the arguments of ${program} are too long`,
  };
  const reason =
    (typeof code === "string" ? reasons[code] : undefined) ?? `${program} could not be run (${messageOf(error)})`;
  return Object.assign(new NotExecuted(`${reason}; nothing was run`), { retryable: code === "EAGAIN" });
}
