import { createInterface } from "node:readline";
import { isatty } from "node:tty";
import type { Paint } from "../../../../report/src/reporters/paint.js";
import { createProgressLine, noProgress, type ProgressLine } from "./progress.js";
import { colourPaint, plainPaint, wantsColour } from "../../../../report/src/reporters/paint.js";

/** A command's access to the user and the environment. */
export interface Terminal {
  /** Prints findings and products. */
  out(text: string): void;
  /** Prints progress, and what must not mix with a product. */
  error(text: string): void;
  /** Clears a screen; does nothing on other outputs. */
  clear(): void;
  /** Shows progress; does nothing in CI, or if the output is not a screen. */
  readonly progress: ProgressLine;
  readonly paint: Paint;
  readonly columns: number;
  readonly isInteractive: boolean;
  questions(): Questions;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The folder in which hasp was started. */
  readonly folder: string;
  /** Changes the working directory: the user's code resolves files from there. */
  enter(folder: string): void;
}

export interface Questions {
  /** The answer without its line break; empty after the input has ended. */
  ask(question: string): Promise<string>;
  end(): void;
}

export function processTerminal(): Terminal {
  process.stdout.on("error", ({ code, message }: NodeJS.ErrnoException) => {
    // A reader such as `head` closes the pipe; that is no failure.
    if (code === "EPIPE") return;
    process.stderr.write(`The findings could not be printed: the system says ${code ?? message}.\n`);
    // An incomplete report is a failure.
    process.exitCode = 2;
  });
  const isWatched = isatty(2) && !isSet(process.env["CI"]) && process.env["TERM"] !== "dumb";
  const progress = isWatched
    ? createProgressLine({
        write: (text) => void process.stderr.write(text),
        now: () => performance.now(),
        columns: columnsOf(process.stderr.columns),
      })
    : noProgress;
  return {
    out: (text) => {
      progress.end();
      process.stdout.write(text);
    },
    error: (text) => {
      progress.end();
      process.stderr.write(text);
    },
    progress,
    clear: () => {
      // Clear the screen and its scrollback, then go to the top left.
      if (process.stdout.isTTY) process.stdout.write("\u001B[2J\u001B[3J\u001B[H");
    },
    paint: wantsColour(process.env, process.stdout.isTTY) ? colourPaint : plainPaint,
    columns: columnsOf(process.stdout.columns),
    // Faster than creating a stream that nobody reads.
    isInteractive: isatty(0) && isatty(2) && !isSet(process.env["CI"]),
    questions: () => {
      // Readline's terminal handling would change the meaning of keys such as Ctrl-C.
      const lines = createInterface({ input: process.stdin, terminal: false });
      const answers = lines[Symbol.asyncIterator]();
      return {
        ask: async (question) => {
          progress.end();
          process.stderr.write(question);
          const { value, done } = await answers.next();
          return done === true ? "" : value;
        },
        end: () => lines.close(),
      };
    },
    environment: process.env,
    folder: currentFolder(),
    enter: (folder) => process.chdir(folder),
  };
}

/** Returns the starting folder; its old name if it has been removed, for the message. */
function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    return process.env["PWD"] ?? "/";
  }
}

/** Reads a width; a terminal of unknown width says 0. */
function columnsOf(width: number | undefined): number {
  return width === undefined || width === 0 ? 100 : Math.min(Math.max(width, 40), 140);
}

/** True if an environment variable such as `CI` is set, and not to a word for "no". */
export function isSet(value: string | undefined): boolean {
  return value !== undefined && !["", "0", "false", "no"].includes(value.toLowerCase());
}
