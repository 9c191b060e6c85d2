import { createInterface } from "node:readline/promises";
import type { Paint } from "../report/paint.js";
import { colourPaint, plainPaint, wantsColour } from "../report/paint.js";

/** The world as a command sees it: where it prints, what it may ask, and the environment. */
export interface Terminal {
  /** Findings and products. */
  out(text: string): void;
  /** Progress, and what must not mix with a product. */
  error(text: string): void;
  readonly paint: Paint;
  readonly columns: number;
  /** Whether a person sits there who can be asked. */
  readonly isInteractive: boolean;
  ask(question: string): Promise<string>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The folder in which hasp was started. */
  readonly folder: string;
}

/** The real terminal of this process. */
export function processTerminal(): Terminal {
  // A reader that has seen enough (`hasp check | head`) closes the pipe; that is no failure of ours.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
  return {
    out: (text) => void process.stdout.write(text),
    error: (text) => void process.stderr.write(text),
    paint: wantsColour(process.env, process.stdout.isTTY) ? colourPaint : plainPaint,
    columns: Math.min(process.stdout.columns ?? 100, 140),
    isInteractive: process.stdin.isTTY && process.stderr.isTTY && !isSet(process.env["CI"]),
    ask: async (question) => {
      const lines = createInterface({ input: process.stdin, output: process.stderr });
      try {
        return await lines.question(question);
      } finally {
        lines.close();
      }
    },
    environment: process.env,
    folder: process.cwd(),
  };
}

/** Whether an environment variable such as `CI` is switched on: set, and not to a word that says no. */
export function isSet(value: string | undefined): boolean {
  return value !== undefined && !["", "0", "false", "no"].includes(value.toLowerCase());
}
