import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { ToolCall } from "@hasp/runtime";
import type { AnswerOutcome, Question, RunOutcome, StoredAnswer } from "@hasp/runtime/call-store";
import type { Answer, Request } from "./messages.js";

/** A host in a process of its own, as the demo sees it: it answers one request at a time. */
export interface HostProcess {
  run(turnId: string, calls: readonly ToolCall[]): Promise<RunOutcome>;
  resume(turnId: string): Promise<RunOutcome>;
  answer(questionId: string, answer: StoredAnswer): Promise<AnswerOutcome>;
  pending(): Promise<readonly Question[]>;
  /** Serves a page that executes the first call that waits in a turn. Returns its address. */
  page(turnId: string): Promise<string>;
  /** Sends it SIGKILL, from which no process recovers, and waits for its end. */
  kill(): Promise<void>;
}

/** Starts a host process that works in a folder and keeps its calls in a store, a folder or a database. */
export function startHost(folder: string, store: string): HostProcess {
  const child = fork(fileURLToPath(new URL("host.js", import.meta.url)), [store], { cwd: folder });
  const ask = (request: Request): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const end = (): void => reject(new Error("the process ended before it answered"));
      child.once("exit", end);
      child.once("message", (answer: Answer) => {
        child.off("exit", end);
        resolve(answer);
      });
      child.send(request);
    });
  const outcomeOf = (answer: Answer): RunOutcome => ("outcome" in answer ? answer.outcome : unexpected());
  return {
    run: async (turnId, calls) => outcomeOf(await ask({ type: "run", turnId, calls })),
    resume: async (turnId) => outcomeOf(await ask({ type: "resume", turnId })),
    async answer(questionId, answer) {
      const said = await ask({ type: "answer", questionId, answer });
      return "accepted" in said ? said.accepted : unexpected();
    },
    async pending() {
      const said = await ask({ type: "pending" });
      return "questions" in said ? said.questions : unexpected();
    },
    async page(turnId) {
      const said = await ask({ type: "page", turnId });
      return "url" in said ? said.url : unexpected();
    },
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exit = once(child, "exit");
      child.kill("SIGKILL");
      await exit;
    },
  };
}

function unexpected(): never {
  throw new Error("the process answered another request");
}
