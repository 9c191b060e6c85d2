import { attempt, printVisibleText } from "@hasp/base/diagnostics";
import { createInterface } from "node:readline";
import { isatty } from "node:tty";
import type { OnProgress } from "@hasp/compiler";
import { isSet } from "@hasp/project";
import { cutToWidth, paintInColour, type Paint, paintPlain, wantsColour } from "@hasp/report";

/** A status line about the running work, removed before anything else is printed. */
export interface ProgressLine {
  readonly report: OnProgress;
  /** Reports a wait for something else, such as a server. */
  wait(phase: string): void;
  /** Removes the line. A later report begins a new one. */
  end(): void;
}

interface ProgressOutput {
  write(text: string): void;
  now(): number;
  readonly columns: number;
}

const QUIET_MILLISECONDS = 300;
const FRAME_MILLISECONDS = 80;

export const noProgress: ProgressLine = { report: () => undefined, wait: () => undefined, end: () => undefined };

/** From this many items on, work takes seconds. */
const MANY_ITEMS = 500;

/** Creates the progress line of an output that is not a screen: at most one line, about long work. */
export function createPlainProgress(write: (text: string) => void): ProgressLine {
  let isSaid = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const say = (phase: string): void => {
    if (!isSaid) write(`${printVisibleText(phase)} …\n`);
    isSaid = true;
  };
  return {
    report(phase, _done, total) {
      if (total !== undefined && total >= MANY_ITEMS) say(`${phase} (${total})`);
    },
    wait(phase) {
      timer = setTimeout(() => say(phase), QUIET_MILLISECONDS);
      timer.unref();
    },
    end: () => clearTimeout(timer),
  };
}

/** Creates a progress line, which appears after a delay even if nothing new is reported. */
export function createProgressLine({ write, now, columns }: ProgressOutput): ProgressLine {
  let started: number | undefined;
  let drawn: number | undefined;
  let last = "";
  let line = "";
  let timer: ReturnType<typeof setTimeout> | undefined;
  const draw = (): void => {
    write(`\r${cutToWidth(line, columns - 1)}\u001B[K`);
    drawn = now();
  };
  const report: OnProgress = (phase, done, total) => {
    // A phase may report only that it begins.
    const isNew = phase !== last;
    last = phase;
    line = total === undefined ? `${printVisibleText(phase)} …` : `${printVisibleText(phase)} ${done ?? 0}/${total}`;
    const time = now();
    if (started === undefined) {
      started = time;
      timer = setTimeout(draw, QUIET_MILLISECONDS);
      timer.unref();
    }
    // Work that never yields leaves the timer no chance.
    if (time - started < QUIET_MILLISECONDS) return;
    if (isNew || time - (drawn ?? 0) >= FRAME_MILLISECONDS) draw();
  };
  return {
    report,
    wait: (phase) => report(phase),
    end() {
      clearTimeout(timer);
      if (drawn !== undefined) write("\r\u001B[K");
      started = undefined;
      drawn = undefined;
    },
  };
}

export interface Terminal {
  out(text: string): void;
  /** Prints progress, and anything that must not mix with a product. */
  error(text: string): void;
  clear(): void;
  /** Shows progress; does nothing in CI, or if the output is not a screen. */
  readonly progress: ProgressLine;
  readonly paint: Paint;
  readonly columns: number;
  readonly isInteractive: boolean;
  questions(): Prompter;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Sets the unset ones of these variables for this process and its handlers. */
  define(variables: Readonly<NodeJS.Dict<string>>): void;
  readonly folder: string;
  /** Changes the working directory: the user's code resolves files from there. */
  enter(folder: string): void;
  /** Carry a protocol in place of standard input and output. */
  readonly streams?: { readonly input: NodeJS.ReadableStream; readonly output: NodeJS.WritableStream };
}

export interface Prompter {
  /** Returns the answer without its line break; empty after the input has ended. */
  ask(question: string): Promise<string>;
  end(): void;
}

/** True if an answer agrees. An empty one does not. */
export function isYes(reply: string): boolean {
  return /^y(es)?$/iu.test(reply.trim());
}

export function createProcessTerminal(): Terminal {
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
    : createPlainProgress((text) => void process.stderr.write(text));
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
      if (process.stdout.isTTY) process.stdout.write("\u001B[2J\u001B[3J\u001B[H");
    },
    paint: wantsColour(process.env, process.stdout.isTTY) ? paintInColour : paintPlain,
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
    define: (variables) => {
      for (const [name, value] of Object.entries(variables)) process.env[name] ??= value;
    },
    folder: currentFolder(),
    enter: (folder) => process.chdir(folder),
  };
}

/** Returns the starting folder; its old name if it has been removed, for the message. */
function currentFolder(): string {
  return attempt(() => process.cwd()) ?? process.env["PWD"] ?? "/";
}

/** Limits a width; a terminal of unknown width reports 0. */
function columnsOf(width: number | undefined): number {
  return width === undefined || width === 0 ? 100 : Math.min(Math.max(width, 40), 140);
}
