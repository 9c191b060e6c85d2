import {
  type CallStore,
  type Dispatcher,
  type Question,
  type ResumeArguments,
  type RunArguments,
  type RunOutcome,
  type ToolCall,
  type ToolResult,
  TurnConflict,
  type TurnRecord,
} from "@hasp/runtime";
import { withTimeout } from "../../../runtime/src/dispatch/scheduling/with-timeout.js";
import { sha256 } from "../../../runtime/src/json/sha256.js";
import {
  broughtAnswer,
  canAsk,
  inputRequired,
  answerOfForm,
  type FormAnswer,
  elicit,
  type ElicitingServer,
} from "../questions/ask-client.js";
import type { McpQuestions } from "../questions/mcp-questions.js";
import type { ServerRequest } from "../questions/server-request.js";
import { InvalidState } from "../questions/signed-states.js";
import type { AnsweredCall, CallOrigin, McpCall, McpCalls } from "./mcp-calls.js";
import { messageOf } from "../../../runtime/src/results/text.js";

const LONGEST_READ_MS = 60_000;

/**
 * Runs each call as its own turn in the call store, so that its question outlives the process. The state of a client
 * of 2026-07-28 is a random text whose digest is the turn's id: nobody can guess it, or read it in the store.
 */
export function storedMcpCalls<Context>(
  dispatcher: Dispatcher<Context>,
  store: CallStore,
  questions: McpQuestions | undefined,
): McpCalls {
  async function read(turnId: string, principal: string | undefined): Promise<TurnRecord | undefined> {
    const reading = store.setUp().then(() => store.read(turnId));
    const turn = await withTimeout(reading, { milliseconds: LONGEST_READ_MS });
    return turn?.principal === principal ? turn : undefined;
  }

  /** Runs a call until it is settled, or a question is open. */
  async function begin(turnId: string, asked: McpCall, mayWait: boolean): Promise<RunOutcome> {
    const call: ToolCall = { ...asked.call, id: turnId };
    const close = mayWait ? questions?.leave(turnId) : undefined;
    try {
      return await dispatcher.run([call], ...([{ ...asked.options, turnId }] as unknown as RunArguments<Context>));
    } finally {
      close?.();
    }
  }

  const resume = (turnId: string, options: McpCall["options"]): Promise<RunOutcome> =>
    dispatcher.resume(turnId, ...([options] as unknown as ResumeArguments<Context>));

  /** Continues a call whose client waits for its result, after each answer. */
  async function finish(
    first: RunOutcome,
    turnId: string,
    options: McpCall["options"],
    { request, server, task }: CallOrigin,
  ): Promise<ToolResult> {
    const whom = questions !== undefined && canAsk(request, server) ? server : undefined;
    let outcome = first;
    while (outcome.status === "waiting") {
      const question = outcome.questions[0] as Question;
      const waiting = { request, server: whom, isTask: task !== undefined };
      const wait = (): Promise<void> => waitForAnswer(dispatcher, store, question, waiting);
      await (task === undefined ? wait() : task.ask(wait));
      outcome = await resume(turnId, options);
    }
    return outcome.results[0] as ToolResult;
  }

  /** Continues a call that a client of 2026-07-28 repeats with its state; `undefined` if it is another call. */
  async function repeated(state: string, asked: McpCall, request: ServerRequest): Promise<AnsweredCall | undefined> {
    const turnId = turnOf(state);
    const { principal } = request;
    if ((await read(turnId, principal)) === undefined) throw new InvalidState();
    try {
      // The stored call goes on in its own conversation: the client may have connected again.
      const options = { ...asked.options, conversation: undefined };
      let outcome = await begin(turnId, { ...asked, options }, true);
      const [question] = outcome.status === "waiting" ? outcome.questions : [];
      const brought = broughtAnswer(request);
      if (question !== undefined && brought !== undefined) {
        await dispatcher.answer(question.id, { ...answerOfForm(brought, question), by: principal });
        outcome = await resume(turnId, asked.options);
      }
      return answeredCall(outcome, state);
    } catch (error) {
      if (error instanceof TurnConflict) return undefined;
      throw error;
    }
  }

  return {
    async run(asked, origin) {
      const { request, server, task } = origin;
      const mayWait = task !== undefined || canAsk(request, server);
      if (request.isModern && questions !== undefined) {
        const { requestState } = request;
        const answered = requestState === undefined ? undefined : await repeated(requestState, asked, request);
        if (answered !== undefined) return answered;
        const state = `${crypto.randomUUID()}${crypto.randomUUID()}`;
        return answeredCall(await begin(turnOf(state), asked, mayWait), state);
      }
      const turnId = task === undefined ? turnOf(crypto.randomUUID()) : turnOfTask(task.taskId);
      return { result: await finish(await begin(turnId, asked, mayWait), turnId, asked.options, origin) };
    },
    async findTask(taskId, principal) {
      const turn = await read(turnOfTask(taskId), principal);
      if (turn === undefined) return undefined;
      const { turnId, openedAt } = turn;
      return {
        createdAt: openedAt,
        run: async (options, origin) => ({
          result: await finish(await resume(turnId, options), turnId, options, origin),
        }),
      };
    },
  };
}

function answeredCall(outcome: RunOutcome, state: string): AnsweredCall {
  if (outcome.status === "settled") return { result: outcome.results[0] as ToolResult };
  return { question: inputRequired(outcome.questions[0] as Question, state) };
}

function turnOf(secret: string): string {
  return `mcp ${sha256(secret)}`;
}

function turnOfTask(taskId: string): string {
  return `mcp task ${sha256(taskId)}`;
}

/** The interval of polls of the store for an answer from elsewhere. */
const LOOK_MS = 500;

interface WaitingPerson {
  readonly request: ServerRequest;
  /** `undefined` if nobody there can be asked. */
  readonly server: ElicitingServer | undefined;
  /** A task outlives its request, and the connection: its question stays open for anybody who answers. */
  readonly isTask: boolean;
}

/**
 * Waits until a stored question is answered, by the person at the client or anybody else who uses the store, or
 * expired. A stopped request answers no.
 */
async function waitForAnswer(
  dispatcher: Pick<Dispatcher, "answer">,
  store: CallStore,
  question: Question,
  { request: { signal, principal }, server, isTask }: WaitingPerson,
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

function nobody(): Promise<never> {
  return new Promise(() => undefined);
}

function unasked(error: unknown): FormAnswer {
  return { decision: "deny", reason: `The user could not be asked: ${messageOf(error)}` };
}

/** Polls the store until the question is no longer open. */
async function untilDecided(store: CallStore, question: Question, over: AbortSignal): Promise<void> {
  while (!over.aborted && Date.parse(question.expiresAt) > Date.now()) {
    const open = await store.questions({ id: question.id, isOpen: true });
    if (open.length === 0) return;
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
