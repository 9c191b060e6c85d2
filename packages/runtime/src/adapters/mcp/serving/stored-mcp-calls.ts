import type { CallStore, Question, TurnRecord } from "../../../calls/call-store.js";
import { TurnConflict } from "../../../calls/turn-errors.js";
import type {
  Dispatcher,
  ResumeArguments,
  RunArguments,
  RunOutcome,
} from "../../../dispatch/state/dispatcher-types.js";
import { sha256 } from "../../../json/sha256.js";
import type { ToolCall, ToolResult } from "../../../tool/definition.js";
import type { ElicitingServer } from "../questions/ask-through-elicitation.js";
import { broughtAnswer, canAsk, inputRequired } from "../questions/input-required.js";
import type { McpQuestions } from "../questions/mcp-questions.js";
import { answerOfForm, asAsked } from "../questions/permission-form.js";
import type { ServerRequest } from "../questions/server-request.js";
import { InvalidState } from "../questions/signed-states.js";
import { waitForAnswer } from "../questions/wait-for-answer.js";
import type { AnsweredCall, McpCall, McpCalls } from "./mcp-calls.js";
import type { TaskRun } from "./mcp-tasks.js";

/**
 * Runs each call as a turn of its own in the dispatcher's call store, so that its question and its result outlive the
 * process. What a client of 2026-07-28 sends back is a random text, of which the turn's id is the digest: it can be neither
 * guessed nor read in the store, needs no key, and the store lets one answer count.
 */
export function storedMcpCalls<Context>(
  dispatcher: Dispatcher<Context>,
  store: CallStore,
  questions: McpQuestions | undefined,
): McpCalls {
  async function read(turnId: string, principal: string | undefined): Promise<TurnRecord | undefined> {
    await store.setUp();
    const turn = await store.read(turnId);
    return turn?.principal === principal ? turn : undefined;
  }

  /** Runs a call until it is settled, or somebody has to be asked. */
  async function begin(turnId: string, asked: McpCall, mayWait: boolean): Promise<RunOutcome> {
    const call: ToolCall = { ...asked.call, id: turnId };
    const close = mayWait ? questions?.leave(turnId) : undefined;
    try {
      return await dispatcher.run([call], ...([{ ...asked.options, turnId }] as unknown as RunArguments<Context>));
    } finally {
      close?.();
    }
  }

  const resume = (turnId: string, { options }: Pick<McpCall, "options">): Promise<RunOutcome> =>
    dispatcher.resume(turnId, ...([options] as unknown as ResumeArguments<Context>));

  /** Goes on with a call whose client waits for its result, as often as somebody answers. */
  async function finish(
    first: RunOutcome,
    turnId: string,
    asked: Pick<McpCall, "options">,
    request: ServerRequest,
    server: ElicitingServer,
    task: TaskRun | undefined,
  ): Promise<ToolResult> {
    let outcome = first;
    while (outcome.status === "waiting") {
      const [question] = outcome.questions;
      const whom = questions !== undefined && canAsk(request, server) ? server : undefined;
      const wait = async (): Promise<void> => {
        const isTask = task !== undefined;
        if (question !== undefined) await waitForAnswer(dispatcher, store, question, { request, server: whom, isTask });
      };
      await (task === undefined ? wait() : task.ask(wait));
      outcome = await resume(turnId, asked);
    }
    return outcome.results[0] as ToolResult;
  }

  /** A call of a client of 2026-07-28, which comes again with what it was given. */
  async function round(asked: McpCall, request: ServerRequest, server: ElicitingServer): Promise<AnsweredCall> {
    const { requestState, principal } = request;
    const mayWait = canAsk(request, server);
    if (requestState !== undefined) {
      const turnId = turnOf(requestState);
      if ((await read(turnId, principal)) === undefined) throw new InvalidState();
      try {
        let outcome = await begin(turnId, asked, mayWait);
        const [question] = outcome.status === "waiting" ? outcome.questions : [];
        const brought = broughtAnswer(request);
        if (question !== undefined && brought !== undefined) {
          await dispatcher.answer(question.id, { ...answerOfForm(brought, question), by: principal });
          outcome = await resume(turnId, asked);
        }
        return answeredCall(outcome, requestState);
      } catch (error) {
        // Another call: its own question.
        if (!(error instanceof TurnConflict)) throw error;
      }
    }
    const state = `${crypto.randomUUID()}${crypto.randomUUID()}`;
    return answeredCall(await begin(turnOf(state), asked, mayWait), state);
  }

  return {
    async run(asked, request, server, task) {
      if (request.isModern && questions !== undefined) return round(asked, request, server);
      const turnId = task === undefined ? turnOf(crypto.randomUUID()) : turnOfTask(task.taskId);
      const mayWait = task !== undefined || canAsk(request, server);
      const outcome = await begin(turnId, asked, mayWait);
      return { result: await finish(outcome, turnId, asked, request, server, task) };
    },
    async findTask(taskId, principal) {
      const turn = await read(turnOfTask(taskId), principal);
      if (turn === undefined) return undefined;
      const { turnId, openedAt } = turn;
      return {
        createdAt: openedAt,
        run: async (options, request, server, task) => ({
          result: await finish(await resume(turnId, { options }), turnId, { options }, request, server, task),
        }),
      };
    },
  };
}

function answeredCall(outcome: RunOutcome, state: string): AnsweredCall {
  if (outcome.status === "settled") return { result: outcome.results[0] as ToolResult };
  return { question: inputRequired(asAsked(outcome.questions[0] as Question), state) };
}

function turnOf(secret: string): string {
  return `mcp ${sha256(secret)}`;
}

function turnOfTask(taskId: string): string {
  return `mcp task ${sha256(taskId)}`;
}
