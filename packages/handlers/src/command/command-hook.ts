import { LONGEST_TIMER, messageOf } from "@hasp/runtime/internal";
import type { GuardHook } from "@hasp/runtime";
import { killTree } from "../isolation/process-tree.js";
import { startFilter } from "./start-program.js";

export interface CommandHookOptions {
  /** The program, found as the system finds it. No shell is involved. */
  readonly command: string;
  readonly args?: readonly string[];
  /** The environment variables that the command sees besides `PATH`. Default: none. */
  readonly env?: readonly string[];
  /** The wall time after which the command and everything it started are killed. Default 10. */
  readonly timeoutSeconds?: number;
}

const MOST_BYTES = 64 * 1024;

/**
 * Creates a guard hook that runs a command. It reads one line of JSON, `{ callId, toolName, input }`, and prints a
 * guard's answer as JSON, such as `{ "decision": "deny", "reason": "…" }`; no output lets the call pass. If it fails
 * or hangs, the call is not run. Everything that it started ends with it.
 */
export function commandHook({ command, args = [], env = [], timeoutSeconds = 10 }: CommandHookOptions): GuardHook {
  if (!(timeoutSeconds > 0)) throw new TypeError("commandHook: `timeoutSeconds` must be a number above 0.");
  const seen = Object.fromEntries(
    ["PATH", ...env].flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
  return ({ callId, toolName, input }) =>
    new Promise((resolve, reject) => {
      const child = startFilter(command, args, { env: seen });
      const printed: Buffer[] = [];
      let size = 0;
      let isOver = false;
      const finish = (settle: () => void): void => {
        if (isOver) return;
        isOver = true;
        clearTimeout(timer);
        if (child.pid !== undefined) killTree(child.pid);
        // An escaped process may hold the other ends, which would keep this process alive.
        for (const stream of [child.stdin, child.stdout]) stream.destroy();
        settle();
      };
      const fail = (reason: string): void => finish(() => reject(new Error(`the command ${command} ${reason}`)));
      const milliseconds = Math.min(timeoutSeconds * 1000, LONGEST_TIMER);
      const timer = setTimeout(() => fail(`was killed after ${timeoutSeconds} s`), milliseconds);
      child.on("error", (error) => fail(`could not be run: ${messageOf(error)}`));
      // A command that does not read its input may still answer.
      child.stdin.on("error", () => undefined);
      child.stdin.end(`${JSON.stringify({ callId, toolName, input })}\n`);
      child.stdout.on("data", (chunk: Buffer) => {
        size += chunk.length;
        if (size > MOST_BYTES) fail(`printed more than ${MOST_BYTES} bytes`);
        else printed.push(chunk);
      });
      child.on("exit", (code, signal) => {
        if (code !== 0) {
          return fail(signal === null ? `exited with code ${String(code)}` : `was killed by ${signal}`);
        }
        // Its output may still be in the pipe; a process that it left behind must not delay the answer.
        const end = (): void => finish(() => answer(Buffer.concat(printed).toString()));
        if (child.stdout.readableEnded) end();
        else {
          child.stdout.once("end", end);
          setTimeout(end, 100);
        }
      });
      const answer = (text: string): void => {
        try {
          resolve(text.trim() === "" ? undefined : (JSON.parse(text) as Awaited<ReturnType<GuardHook>>));
        } catch (error) {
          reject(new Error(`the command ${command} did not print valid JSON: ${messageOf(error)}`));
        }
      };
    });
}
