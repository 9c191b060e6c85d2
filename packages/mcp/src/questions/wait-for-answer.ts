import type { CallStore, Dispatcher, Question } from "@hasp/runtime";
import { messageOf } from "../../../runtime/src/results/text.js";
import { elicit, type ElicitingServer } from "./ask-through-elicitation.js";
import type { FormAnswer } from "./permission-form.js";
import type { ServerRequest } from "./server-request.js";

/** The interval of looks into the store for an answer from elsewhere. */
const LOOK_MS = 500;

/** The recipients of a question. */
interface Waiting {
  readonly request: ServerRequest;
  /** `undefined` if nobody there can be asked. */
  readonly server: ElicitingServer | undefined;
  /** A task outlives its request, and the connection: its question stays open for anybody who answers. */
  readonly isTask: boolean;
}

/**
 * Waits until a stored question is answered or expired: by the person at the client if it can ask, or by anybody else
 * who uses the store. A stopped request answers its question with a no.
 */
export async function waitForAnswer(
  dispatcher: Pick<Dispatcher, "answer">,
  store: CallStore,
  question: Question,
  { request: { signal, principal }, server, isTask }: Waiting,
): Promise<void> {
  const over = new AbortController();
  const answer = async ({ decision, reason }: FormAnswer): Promise<void> => {
    await dispatcher.answer(question.id, { decision, reason, by: principal });
  };
  const ways = [untilDecided(store, question, over.signal), untilStopped(signal, over.signal).then(answer)];
  if (server !== undefined) {
    const asked = elicit(server, question, over.signal);
    ways.push((isTask ? asked.catch(nobody) : asked.catch(unasked)).then(answer));
  }
  try {
    await Promise.race(ways);
  } finally {
    over.abort();
    // The losers end as well.
    for (const way of ways) way.catch(() => undefined);
  }
}

/** Never resolves: the question is answered elsewhere. */
function nobody(): Promise<never> {
  return new Promise(() => undefined);
}

function unasked(error: unknown): FormAnswer {
  return { decision: "deny", reason: `The user could not be asked: ${messageOf(error)}` };
}

/** Polls the store until the question is no longer open. */
async function untilDecided(store: CallStore, question: Question, over: AbortSignal): Promise<void> {
  while (!over.aborted && Date.parse(question.expiresAt) > Date.now()) {
    const call = (await store.read(question.turnId))?.calls.find(({ callId }) => callId === question.callId);
    if (call?.state !== "asked") return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, LOOK_MS);
      // The question is still there in another process.
      (timer as { readonly unref?: () => void }).unref?.();
    });
  }
}

/** Answers for a stopped request. */
function untilStopped(signal: AbortSignal | undefined, over: AbortSignal): Promise<FormAnswer> {
  const refusal: FormAnswer = { decision: "deny", reason: "The client has cancelled the call." };
  return new Promise((resolve) => {
    const stop = (): void => resolve(refusal);
    if (signal?.aborted === true) stop();
    signal?.addEventListener("abort", stop, { once: true });
    over.addEventListener("abort", () => signal?.removeEventListener("abort", stop), { once: true });
  });
}
