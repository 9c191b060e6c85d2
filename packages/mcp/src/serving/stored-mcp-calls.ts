import type { Dispatcher, ToolCall, ToolResult } from "@hasp/runtime";
import {
  type CallStore,
  type Question,
  type ResumeArguments,
  type RunArguments,
  type RunOutcome,
  type StoredTurns,
  TurnConflict,
  type TurnRecord,
} from "@hasp/runtime/call-store";
import { answerOrRefuse, withTimeout, messageOf } from "@hasp/runtime/internal";
import { RUN_PROGRAM } from "@hasp/runtime/contract";
import { sha256 } from "@hasp/base/json";
import {
  readBroughtAnswer,
  canAsk,
  requireInput,
  answerOfForm,
  explainNeed,
  type FormAnswer,
  elicit,
  type ElicitingServer,
} from "../questions/ask-client.js";
import type { McpQuestions } from "../questions/mcp-questions.js";
import type { ServerRequest } from "../questions/server-request.js";
import { InvalidState } from "../questions/signed-states.js";
import type { AnsweredCall, CallOrigin, McpCall, McpCalls } from "./mcp-calls.js";

const LONGEST_READ_MS = 60_000;
const LONGEST_LINK_MS = 2000;
const NOT_EXECUTED = "somebody else executes the calls of this tool, and this server cannot wait for them";
/** The most questions of a principal that clients which cannot ask leave open. */
const MOST_QUESTIONS = 100;

interface BegunCall {
  readonly turnId: string;
  readonly outcome: RunOutcome;
}

/**
 * Creates the link with which a person answers a question, such as by `createAnswerLink`. The model reads it too,
 * so its page must require a sign-in; the pages of `createAnswerHandler` do.
 */
export type AnswerLink = (question: Question & { readonly isShownToModel: true }) => string | Promise<string>;

/**
 * Runs each call as its own turn in the call store, so that its question outlives the process. The state of a client
 * of 2026-07-28 is a random text whose digest is the turn's id: nobody can guess it, or read it in the store.
 */
export function createStoredMcpCalls<Context>(
  turns: StoredTurns<Context>,
  questions: McpQuestions | undefined,
  answerLink: AnswerLink | undefined,
  previewCall: Dispatcher["preview"],
): McpCalls {
  const { store } = turns;

  async function read(turnId: string, principal: string | undefined): Promise<TurnRecord | undefined> {
    const reading = store.setUp().then(() => store.read(turnId));
    const turn = await withTimeout(reading, { milliseconds: LONGEST_READ_MS });
    return turn?.principal === principal ? turn : undefined;
  }

  /** Runs a call until it is settled, or a question is open. */
  async function begin(turnId: string, asked: McpCall): Promise<RunOutcome> {
    const call: ToolCall = { ...asked.call, id: turnId };
    const close = questions?.leave(turnId);
    try {
      const options = [{ ...asked.options, turnId }] as unknown as RunArguments<Context>;
      return await endExternals(await turns.run([call], ...options), turnId, asked.options);
    } finally {
      close?.();
    }
  }

  async function resume(turnId: string, options: McpCall["options"]): Promise<RunOutcome> {
    return endExternals(await resumeOnce(turnId, options), turnId, options);
  }

  const resumeOnce = (turnId: string, options: McpCall["options"]): Promise<RunOutcome> =>
    turns.resume(turnId, ...([options] as unknown as ResumeArguments<Context>));

  /** Lets calls fail that only wait for somebody to execute them: nobody learns their ids from this server. */
  async function endExternals(first: RunOutcome, turnId: string, options: McpCall["options"]): Promise<RunOutcome> {
    let outcome = first;
    while (outcome.status === "waiting" && outcome.questions.length === 0) {
      const { principal } = options;
      for (const { id } of outcome.externals ?? []) await turns.complete(id, { error: NOT_EXECUTED }, { principal });
      outcome = await resumeOnce(turnId, options);
    }
    return outcome;
  }

  /** Continues a call whose client waits for its result, after each answer. */
  async function finish(
    first: RunOutcome,
    turnId: string,
    options: McpCall["options"],
    { request, server }: CallOrigin,
  ): Promise<ToolResult> {
    const whom = questions !== undefined && !request.isModern && canAsk(request, server) ? server : undefined;
    let outcome = first;
    while (outcome.status === "waiting") {
      await waitForAnswer(turns, outcome.questions[0] as Question, { request, server: whom });
      outcome = await resume(turnId, options);
    }
    return outcome.results[0] as ToolResult;
  }

  /** Continues a call of 2026-07-28 with the answer that its client brought, or asks it. */
  async function proceed(
    first: RunOutcome,
    state: string,
    options: McpCall["options"],
    origin: CallOrigin,
  ): Promise<AnsweredCall> {
    const { request, server, task } = origin;
    let outcome = first;
    const [question] = outcome.status === "waiting" ? outcome.questions : [];
    const brought = readBroughtAnswer(request);
    if (question !== undefined && brought !== undefined) {
      await answerOrRefuse(turns, question.id, { ...answerOfForm(brought, question), by: request.principal });
      outcome = await resume(turnOf(state), options);
    }
    if (outcome.status === "settled") return { result: outcome.results[0] as ToolResult };
    if (task !== undefined && !canAsk(request, server)) {
      return { result: await finish(outcome, turnOf(state), options, origin) };
    }
    const open = outcome.questions[0] as Question;
    const refuse = async (): Promise<unknown> =>
      answerOrRefuse(turns, open.id, { ...CANCELLED, by: request.principal });
    return { question: { id: open.id, result: requireInput(open, state), refuse } };
  }

  /** Brings the labels of a result into the conversation that receives it, which need not be that of its call. */
  async function handOver(answered: AnsweredCall, turnId: string, { conversation }: McpCall["options"]): Promise<void> {
    if (!("result" in answered) || conversation === undefined) return;
    const { callId, toolName, labels = [] } = answered.result;
    const entries = labels.map((label) => ({ label, callId, toolName, turnId }));
    if (entries.length > 0) await store.addLabels?.(conversation, entries);
  }

  /** Continues a call that a client of 2026-07-28 repeats with its state; `undefined` if it is another call. */
  async function repeated(state: string, asked: McpCall, origin: CallOrigin): Promise<AnsweredCall | undefined> {
    const turnId = turnOf(state);
    if ((await read(turnId, origin.request.principal)) === undefined) throw new InvalidState();
    try {
      // The stored call goes on in its own conversation: the client may have connected again.
      const options = { ...asked.options, conversation: undefined };
      const answered = await proceed(await begin(turnId, { ...asked, options }), state, options, origin);
      await handOver(answered, turnId, asked.options);
      return answered;
    } catch (error) {
      if (error instanceof TurnConflict) return undefined;
      throw error;
    }
  }

  /** Refuses a call whose client cannot ask, and keeps its question for the same call later. */
  async function askElsewhere(asked: McpCall, principal: string | undefined): Promise<AnsweredCall> {
    const subject = await findSubject(asked);
    await store.setUp();
    const own = `mcp again ${sha256(JSON.stringify(principal ?? null))} `;
    const prefix = `${own}${sha256(JSON.stringify([asked.call.name, subject ?? null]))} `;
    const begun = subject === undefined ? undefined : await beginAgain(prefix, asked);
    if (begun === undefined && subject !== undefined && (await countOpen(own)) >= MOST_QUESTIONS) {
      return refuseMore(asked);
    }
    const { turnId, outcome } = begun ?? (await beginAs(`${prefix}${crypto.randomUUID()}`, asked));
    if (outcome.status === "settled") {
      const answered = { result: outcome.results[0] as ToolResult };
      if (begun !== undefined) await handOver(answered, turnId, asked.options);
      return answered;
    }
    const question = outcome.questions[0] as Question;
    const { id, expiresAt } = question;
    const where = (await linkTo(question)) ?? `hasp calls answer ${id}`;
    const text = `Not run: ${explainNeed(question)}, and this client cannot ask its user. The user can answer until ${expiresAt}: ${where}\nThen repeat the same call.`;
    return { question: { id, result: { content: [{ type: "text", text }], isError: true } } };
  }

  /**
   * Returns the part of a call by which its question is found again, without declared secrets: the turn's id holds its
   * digest, which everybody sees. `undefined` if nobody would be asked.
   */
  async function findSubject({ call, options }: McpCall): Promise<unknown> {
    const preview = await previewCall({ ...call, id: "preview" }, options);
    if (preview.decision === "invalid") return undefined;
    // Somebody may be asked about a call of a program.
    if (preview.question === undefined) return preview.toolName === RUN_PROGRAM ? call.input : undefined;
    return preview.question.hidden === undefined ? call.input : preview.question.input;
  }

  /** Continues the same call, if it waits for an answer or has one. */
  async function beginAgain(prefix: string, asked: McpCall): Promise<BegunCall | undefined> {
    const known = await store.questions({ turnPrefix: prefix });
    const again = { ...asked, options: { ...asked.options, conversation: undefined } };
    // Settled calls keep no input.
    for (const { turnId, input } of known) {
      if (input === null || !turnId.startsWith(prefix)) continue;
      try {
        return await beginAs(turnId, again);
      } catch (error) {
        // It differs in a secret.
        if (!(error instanceof TurnConflict)) throw error;
      }
    }
    return undefined;
  }

  async function beginAs(turnId: string, asked: McpCall): Promise<BegunCall> {
    return { turnId, outcome: await begin(turnId, asked) };
  }

  async function countOpen(turnPrefix: string): Promise<number> {
    const open = await store.questions({ turnPrefix, isOpen: true });
    return open.filter((each) => each.turnId.startsWith(turnPrefix) && Date.parse(each.expiresAt) > Date.now()).length;
  }

  /** Creates the link; `undefined` if the host has none, or fails. */
  async function linkTo(question: Question): Promise<string | undefined> {
    try {
      const link: unknown = await withTimeout((async () => answerLink?.({ ...question, isShownToModel: true }))(), {
        milliseconds: LONGEST_LINK_MS,
      });
      return typeof link === "string" ? link : undefined;
    } catch {
      return undefined;
    }
  }

  return {
    async run(asked, origin) {
      const { request, server, task } = origin;
      const { requestState, principal } = request;
      if (questions !== undefined && request.isModern && requestState !== undefined) {
        task?.name(requestState);
        const answered = await repeated(requestState, asked, origin);
        if (answered !== undefined) return answered;
      }
      if (questions !== undefined && task === undefined && !canAsk(request, server)) {
        return askElsewhere(asked, principal);
      }
      if (questions !== undefined && request.isModern) {
        const state = `${crypto.randomUUID()}${crypto.randomUUID()}`;
        task?.name(state);
        // An answer that came with another call does not count for this one.
        const unanswered = { ...origin, request: { ...request, inputResponses: undefined } };
        return proceed(await begin(turnOf(state), asked), state, asked.options, unanswered);
      }
      const turnId = turnOf(crypto.randomUUID());
      return { result: await finish(await begin(turnId, asked), turnId, asked.options, origin) };
    },
    async findTask(taskId, principal) {
      const turn = await read(turnOf(taskId), principal);
      if (turn === undefined) return undefined;
      const { turnId, openedAt } = turn;
      return {
        createdAt: openedAt,
        async run({ conversation, ...options }, origin) {
          const answered = await proceed(await resume(turnId, options), taskId, options, origin);
          await handOver(answered, turnId, { ...options, conversation });
          return answered;
        },
      };
    },
  };
}

function refuseMore({ call }: McpCall): AnsweredCall {
  const text = `Not run: a person must be asked about ${call.name} first, and ${MOST_QUESTIONS} questions of this user wait for answers already. Do not repeat the call before some are answered.`;
  return { question: { id: undefined, result: { content: [{ type: "text", text }], isError: true } } };
}

function turnOf(secret: string): string {
  return `mcp ${sha256(secret)}`;
}

const CANCELLED: FormAnswer = { decision: "deny", reason: "The client has cancelled the call." };

/** The interval of polls of the store for an answer from elsewhere. */
const LOOK_MS = 500;

interface WaitingPerson {
  readonly request: ServerRequest;
  /** `undefined` if the client cannot ask its user. */
  readonly server: ElicitingServer | undefined;
}

/**
 * Waits until a stored question is answered, by the person at the client or anybody else who uses the store, or
 * expired. A stopped request answers no.
 */
async function waitForAnswer(
  turns: Pick<StoredTurns, "answer" | "store">,
  question: Question,
  { request: { signal, principal }, server }: WaitingPerson,
): Promise<void> {
  const over = new AbortController();
  const answer = async (given: FormAnswer): Promise<void> => {
    await answerOrRefuse(turns, question.id, { ...given, by: principal });
  };
  const ways = [untilDecided(turns.store, question, over.signal), untilStopped(signal, over.signal).then(answer)];
  if (server !== undefined) {
    ways.push(elicit(server, question, over.signal).catch(unasked).then(answer));
  }
  try {
    await Promise.race(ways);
  } finally {
    over.abort();
    // The other ways may reject later.
    for (const way of ways) way.catch(() => undefined);
  }
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
      // Polling need not keep this process alive: the question stays in the store.
      (timer as { readonly unref?: () => void }).unref?.();
    });
  }
}

function untilStopped(signal: AbortSignal | undefined, over: AbortSignal): Promise<FormAnswer> {
  return new Promise((resolve) => {
    const stop = (): void => resolve(CANCELLED);
    if (signal?.aborted === true) stop();
    signal?.addEventListener("abort", stop, { once: true });
    over.addEventListener("abort", () => signal?.removeEventListener("abort", stop), { once: true });
  });
}
