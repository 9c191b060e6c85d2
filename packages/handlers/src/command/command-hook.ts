import { spawn } from "node:child_process";
import { LONGEST_TIMER } from "../../../runtime/src/dispatch/scheduling/with-timeout.js";
import type { GuardHook } from "@hasp/runtime";
import { messageOf } from "../../../runtime/src/results/text.js";
import { killTree } from "../isolation/process-tree.js";

/** Settings of {@link commandHook}. */
export interface CommandHookOptions {
  /** The program, found as the system finds it. No shell is involved. */
  readonly command: string;
  readonly args?: readonly string[];
  /** The environment variables that it sees beside `PATH`. Default: none. */
  readonly env?: readonly string[];
  /** The wall time after which it and all it started are killed. Default 10. */
  readonly timeoutSeconds?: number;
}

/** The most bytes that a command may print. */
const MOST_BYTES = 64 * 1024;

/**
 * A guard hook that is a command. It reads one line of JSON, `{ callId, toolName, input }`, and prints what a guard
 * answers as JSON, such as `{ "decision": "deny", "reason": "…" }`; nothing lets the call pass. If it fails, hangs,
 * prints too much or anything else, the call is not run. All that it started ends with it.
 */
export function commandHook({ command, args = [], env = [], timeoutSeconds = 10 }: CommandHookOptions): GuardHook {
  if (!(timeoutSeconds > 0)) throw new TypeError("commandHook: `timeoutSeconds` must be a number above 0.");
  const seen = Object.fromEntries(
    ["PATH", ...env].flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
  return ({ callId, toolName, input }) =>
    new Promise((resolve, reject) => {
      const child = spawn(command, args, { detached: true, env: seen, stdio: ["pipe", "pipe", "ignore"] });
      const printed: Buffer[] = [];
      let size = 0;
      let isOver = false;
      const finish = (settle: () => void): void => {
        if (isOver) return;
        isOver = true;
        clearTimeout(timer);
        if (child.pid !== undefined) killTree(child.pid);
        // A process that escaped may hold the other ends, and would keep this one waiting.
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
        // What it printed may still be under way; a process that it left behind must not hold it up.
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
