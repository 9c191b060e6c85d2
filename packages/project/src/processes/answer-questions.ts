import { parentPort } from "node:worker_threads";
import { type ChildAnswer, type ChildQuestion, NO_DATA } from "./child.js";

/** Answers what the process or thread that started this one asks. Ends with that process. */
export function answerQuestions<Question>(answer: (question: Question) => unknown): void {
  // Code that replaces these later cannot answer for hasp.
  const send = parentPort === null ? process.send?.bind(process) : parentPort.postMessage.bind(parentPort);
  const reply = ({ id, question }: ChildQuestion): Promise<void> =>
    Promise.resolve(answer(question as Question)).then((found) => {
      try {
        send?.({ id, answer: found } satisfies ChildAnswer);
      } catch {
        send?.({ id, reason: NO_DATA } satisfies ChildAnswer);
      }
    });
  if (parentPort !== null) {
    parentPort.on("message", (asked: ChildQuestion) => void reply(asked));
    return;
  }
  process.on("message", (asked: ChildQuestion) => void reply(asked));
  // The parent is gone, so nobody waits for an answer.
  process.once("disconnect", () => process.exit());
}
