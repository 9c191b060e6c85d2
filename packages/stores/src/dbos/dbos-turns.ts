import { DBOS } from "@dbos-inc/dbos-sdk";
import { canonicalText, type JsonValue, dropUndefined } from "@hasp/base/json";
import type { DispatcherOptions, ToolCall, ToolResult } from "@hasp/runtime";
import {
  type AnswerOutcome,
  type CallStore,
  type Question,
  type StoredAnswer,
  type StoredTurns,
  TurnConflict,
  UnknownTurn,
} from "@hasp/runtime/call-store";
import { assertFilledIn, checkAnswer, findReasonToDecline } from "../durable/answer-question.js";
import { checkTurnId } from "../durable/turn-record.js";
import type { DurableOptions } from "../durable/durable-options.js";
import { type CompletionOutcome, declined, isOver, readCompletion } from "../durable/complete-call.js";
import { CallSteps, type AboutToRun, type TurnExternal, type WorkflowRun } from "./call-steps.js";
import { EXTERNALS, QUESTIONS, runTurn, type StartElsewhere } from "./turn-workflow.js";

export interface DbosTurnsOptions<Context> extends Omit<DurableOptions, "store"> {
  /** Name of the workflow, the same in every process. Default `hasp turn`. */
  readonly name?: string | undefined;
  /** A queue that `DBOS.registerQueue` knows, for the turns. Default: the process that starts a turn runs it. */
  readonly queue?: string | undefined;
  /**
   * Another queue, for the handlers. The limit `maxConcurrency` and the gate of a dispatcher hold within a process.
   * Default: calls run where their turn does.
   */
  readonly callQueue?: string | undefined;
  /**
   * Keeps the labels of conversations, such as `postgresCallStore`. Default: both labels count in each, so that calls
   * which may reach the outside are asked about.
   */
  readonly labelStore?: CallStore | undefined;
  /** Creates the context of a turn in the process that runs it or one of its calls, again after a crash. */
  readonly createContext?: ((turnId: string) => Context | Promise<Context>) | undefined;
}

/** Turns that DBOS keeps. Every function works in any process that has launched DBOS. */
export interface DbosTurns {
  /** Starts a turn, unless it exists. Rejects with `TurnConflict` if it has other calls or another conversation. */
  start(
    calls: readonly ToolCall[],
    options: { readonly turnId: string; readonly conversation?: string | undefined },
  ): Promise<void>;
  results(turnId: string): Promise<readonly ToolResult[]>;
  /** Lists the open questions of a turn's current batch; without an id, those of all unfinished turns. */
  questions(turnId?: string): Promise<readonly Question[]>;
  /** Answers a question. The first answer that is permitted counts. */
  answer(question: Pick<Question, "id" | "turnId">, answer: StoredAnswer): Promise<AnswerOutcome>;
  /** Lists the calls of a turn's current batch that somebody has to execute; without an id, as `questions` does. */
  externals(turnId?: string): Promise<readonly TurnExternal[]>;
  /** Completes one of them. The first completion counts. */
  complete(
    external: Pick<TurnExternal, "id" | "turnId">,
    completion: Parameters<StoredTurns["complete"]>[1],
  ): Promise<CompletionOutcome>;
}

const DEFAULT_HOOK_TIMEOUT_MS = 60_000;

/**
 * Runs turns as workflows of DBOS on Postgres: a call is a step with its idempotency key, and a question is a durable
 * receive. A call that may run only once and whose process ended has the effect `unknown`. Call this before
 * `DBOS.launch`, with the same tools in every process. Throws a `TypeError` if both queues are the same: turns would
 * wait in it for their own calls.
 */
export function dbosTurns<Context = unknown>(
  options: DispatcherOptions<Context>,
  { name = "hasp turn", queue, callQueue, labelStore, createContext, ...durable }: DbosTurnsOptions<Context> = {},
): DbosTurns {
  if (callQueue !== undefined && callQueue === queue) {
    throw new TypeError("dbosTurns: `callQueue` must be another queue than `queue`.");
  }
  if (labelStore !== undefined && !(labelStore.addLabels && labelStore.labels && labelStore.forget)) {
    throw new TypeError("dbosTurns: `labelStore` keeps no labels: it lacks `addLabels`, `labels` or `forget`.");
  }
  const { hookTimeoutMs = DEFAULT_HOOK_TIMEOUT_MS } = options;
  const steps = new CallSteps(options as DispatcherOptions, durable, {
    runsElsewhere: callQueue !== undefined,
    labels: labelStore,
  });

  async function newRun(turnId: string, conversation?: string): Promise<WorkflowRun> {
    return { turnId, id: crypto.randomUUID(), context: await createContext?.(turnId), conversation };
  }

  const callWorkflow = DBOS.registerWorkflow(
    async (turnId: string, stepName: string, progress: AboutToRun): Promise<ToolResult> => {
      const run = await newRun(turnId);
      const mayRepeat = progress.turn.calls.every(({ repeatable }) => repeatable !== "no");
      const starter = mayRepeat ? run.id : await DBOS.runStep(async () => run.id, { name: "begin" });
      return steps.execute(run, stepName, { ...progress, run: starter });
    },
    { name: `${name}: call` },
  );
  const startElsewhere: StartElsewhere = async ({ turnId }, stepName, progress) => {
    const workflowID = `hasp call ${progress.turn.turnId}`;
    const queued = callQueue === undefined ? {} : { queueName: callQueue };
    const handle = await DBOS.startWorkflow(callWorkflow, { workflowID, ...queued })(turnId, stepName, progress);
    return () => handle.getResult();
  };
  const turnWorkflow = DBOS.registerWorkflow(
    async (turnId: string, calls: readonly ToolCall[], conversation?: string): Promise<readonly ToolResult[]> =>
      runTurn(steps, callQueue === undefined ? undefined : startElsewhere, await newRun(turnId, conversation), calls),
    { name },
  );
  const answerWorkflow = DBOS.registerWorkflow(
    async (turnId: string, id: string, answer: unknown, mark: string) => {
      await DBOS.send(workflowOf(turnId), answer, id);
      return mark;
    },
    { name: `${name}: answer` },
  );

  /** Sends an answer to a turn, once. Returns false if another came first. */
  async function sendOnce(workflowID: string, turnId: string, id: string, answer: unknown): Promise<boolean> {
    // One of the answers starts this workflow; the others read which.
    const mark = crypto.randomUUID();
    const sent = await DBOS.startWorkflow(answerWorkflow, { workflowID })(turnId, id, answer, mark);
    return (await sent.getResult()) === mark;
  }

  async function isSent(workflowID: string): Promise<boolean> {
    return (await DBOS.getWorkflowStatus(workflowID)) !== null;
  }

  /** Lists what waits in a turn, or in all unfinished turns. */
  async function listOpen<Open>(event: string, turnId: string | undefined): Promise<readonly Open[]> {
    const ids =
      turnId === undefined
        ? await DBOS.listWorkflows({ workflowName: name, status: "PENDING", loadInput: false, loadOutput: false })
        : [{ workflowID: workflowOf(turnId) }];
    const lists = ids.map(({ workflowID }) => DBOS.getEvent<readonly Open[]>(workflowID, event, { timeoutSeconds: 0 }));
    return (await Promise.all(lists)).flatMap((list) => list ?? []);
  }

  return {
    async start(calls, { turnId, conversation }) {
      checkTurnId(turnId);
      const workflowID = workflowOf(turnId);
      const started = await DBOS.startWorkflow(turnWorkflow, {
        workflowID,
        ...dropUndefined({ queueName: queue }),
      })(turnId, calls, conversation);
      const [, kept, keptConversation] = (await started.getStatus())?.input ?? [];
      if (canonicalText(kept as JsonValue) !== canonicalText(calls as unknown as JsonValue)) {
        throw new TurnConflict(turnId, "calls");
      }
      if (conversation !== undefined && keptConversation !== conversation) {
        throw new TurnConflict(turnId, "conversation");
      }
    },
    async results(turnId) {
      if ((await DBOS.getWorkflowStatus(workflowOf(turnId))) === null) throw new UnknownTurn(turnId);
      return DBOS.retrieveWorkflow<readonly ToolResult[]>(workflowOf(turnId)).getResult();
    },
    questions: (turnId) => listOpen(QUESTIONS, turnId),
    async answer({ id, turnId }, given) {
      const answer = checkAnswer(id, given);
      const question = (await listOpen<Question>(QUESTIONS, turnId)).find((each) => each.id === id);
      const workflowID = `hasp-answer ${id}`;
      if (question === undefined) {
        return { accepted: false, reason: (await isSent(workflowID)) ? "already-decided" : "unknown-question" };
      }
      assertFilledIn(question, answer.input);
      const reason = await findReasonToDecline(
        { ...durable, timeoutMs: hookTimeoutMs },
        question,
        { state: "asked" },
        answer,
      );
      if (reason !== undefined) return { accepted: false, reason };
      if (await sendOnce(workflowID, turnId, id, answer)) return { accepted: true };
      return { accepted: false, reason: "already-decided" };
    },
    externals: (turnId) => listOpen(EXTERNALS, turnId),
    async complete({ id, turnId }, given) {
      const completion = readCompletion(given);
      const external = (await listOpen<TurnExternal>(EXTERNALS, turnId)).find((each) => each.id === id);
      const workflowID = `hasp-completion ${id}`;
      if (external === undefined) return declined((await isSent(workflowID)) ? "too-late" : "unknown-call");
      if (isOver(external.expiresAt)) return declined("expired");
      return (await sendOnce(workflowID, turnId, id, completion)) ? { accepted: true } : declined("too-late");
    },
  };
}

function workflowOf(turnId: string): string {
  return `hasp turn ${turnId}`;
}
