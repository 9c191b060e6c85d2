import { createInterface } from "node:readline";
import { isatty } from "node:tty";
import type { Paint } from "../../../../report/src/reporters/paint.js";
import { createProgressLine, noProgress, type ProgressLine } from "./progress.js";
import { colourPaint, plainPaint, wantsColour } from "../../../../report/src/reporters/paint.js";

/** The world as a command sees it: where it prints, what it may ask, and the environment. */
export interface Terminal {
  /** Findings and products. */
  out(text: string): void;
  /** Progress, and what must not mix with a product. */
  error(text: string): void;
  /** Clears the line on the screen; does nothing if the output is not a screen. */
  clear(): void;
  /** Shows what runs and how far it has got; does nothing if the output is not a screen, or in CI. */
  readonly progress: ProgressLine;
  readonly paint: Paint;
  readonly columns: number;
  /** Whether a person can be asked. */
  readonly isInteractive: boolean;
  questions(): Questions;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The folder in which hasp was started. */
  readonly folder: string;
  /** Makes a folder the working directory of the process: the user's code finds its files from there. */
  enter(folder: string): void;
}

/** A conversation with that person. */
export interface Questions {
  /** The answer, without its line break; empty once there is nobody any longer. */
  ask(question: string): Promise<string>;
  end(): void;
}

/** The real terminal of this process. */
export function processTerminal(): Terminal {
  process.stdout.on("error", ({ code, message }: NodeJS.ErrnoException) => {
    // A reader that has seen enough (`hasp check | head`) closes the pipe; that is not a failure of ours.
    if (code === "EPIPE") return;
    process.stderr.write(`The findings could not be printed: the system says ${code ?? message}.\n`);
    // Half a report is none, whatever was found.
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
      // Screen and what was scrolled out of it, then to the first column of the first line.
      if (process.stdout.isTTY) process.stdout.write("\u001B[2J\u001B[3J\u001B[H");
    },
    paint: wantsColour(process.env, process.stdout.isTTY) ? colourPaint : plainPaint,
    columns: columnsOf(process.stdout.columns),
    // Asked of the system: to make a stream of what nobody reads takes longer than many a command.
    isInteractive: isatty(0) && isatty(2) && !isSet(process.env["CI"]),
    questions: () => {
      // Without readline's own terminal handling: the keys mean what they mean in every shell, Ctrl-C above all.
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

/**
 * The folder in which hasp was started. Where it has been removed since, its old name, so that it can be said which
 * one is gone.
 */
function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    return process.env["PWD"] ?? "/";
  }
}

/** Columns to fill; a terminal that does not know its width says 0. */
function columnsOf(width: number | undefined): number {
  return width === undefined || width === 0 ? 100 : Math.min(Math.max(width, 40), 140);
}

/** Whether an environment variable such as `CI` is switched on: set, and not to a word that says no. */
export function isSet(value: string | undefined): boolean {
  return value !== undefined && !["", "0", "false", "no"].includes(value.toLowerCase());
}
