import { DBOS } from "@dbos-inc/dbos-sdk";
import { canonicalText } from "@hasp/schema/vocabulary";
import type { JsonValue } from "@hasp/schema";
import type { Question } from "../calls/call-store.js";
import { memoryCallStore } from "../calls/memory-call-store.js";
import { TurnConflict, UnknownTurn } from "../calls/turn-errors.js";
import { createDispatcher } from "../dispatch/dispatcher.js";
import { checkTurnId } from "../dispatch/durable/turn-record.js";
import type { AnswerOutcome, DispatcherOptions, StoredAnswer } from "../dispatch/state/dispatcher-types.js";
import type { ToolCall, ToolResult } from "../tool/definition.js";
import { CallSteps, type Progress, type WorkflowRun } from "./call-steps.js";

/** The options of a dispatcher whose calls DBOS stores. */
export type DbosDispatcherOptions<Context> = Omit<DispatcherOptions<Context>, "callStore">;

/** Settings of {@link dbosTurns}. */
export interface DbosTurnsOptions<Context> {
  /** Name of the workflow, the same in every process. Default `hasp turn`. */
  readonly name?: string | undefined;
  /** A queue that `DBOS.registerQueue` knows: any process that listens to it takes turns. Default: whoever starts a turn runs it. */
  readonly queue?: string | undefined;
  /** Makes the context of a turn in the process that runs it, again after a crash. */
  readonly createContext?: ((turnId: string) => Context | Promise<Context>) | undefined;
}

/** Turns that DBOS keeps. Every function works in any process that has launched DBOS. */
export interface DbosTurns {
  /** Starts a turn, unless there is one of this id with the same calls. Rejects with `TurnConflict` if it has others. */
  start(calls: readonly ToolCall[], options: { readonly turnId: string }): Promise<void>;
  /** The results, once all calls are settled. Rejects with `UnknownTurn`. */
  results(turnId: string): Promise<readonly ToolResult[]>;
  /** The open questions of the current batch. */
  questions(turnId: string): Promise<readonly Question[]>;
  /** Answers a question. The first answer that is permitted counts. */
  answer(question: Pick<Question, "id" | "turnId">, answer: StoredAnswer): Promise<AnswerOutcome>;
}

const QUESTIONS = "questions";

/**
 * Runs turns as workflows of DBOS on Postgres: a call is a step with its idempotency key, and a question is a durable receive. A
 * call that may run only once has another step before it: where a process ends in between, no other runs it again, and its
 * effect is `unknown`. Call this before `DBOS.launch`, with the same tools in every process. The options are those of a
 * dispatcher; DBOS takes the place of its `callStore`.
 */
export function dbosTurns<Context = unknown>(
  options: DbosDispatcherOptions<Context>,
  { name = "hasp turn", queue, createContext }: DbosTurnsOptions<Context> = {},
): DbosTurns {
  const steps = new CallSteps<Context>(options);
  const { mayAnswer, principal, hookTimeoutMs } = options;

  async function turn(turnId: string, calls: readonly ToolCall[]): Promise<readonly ToolResult[]> {
    const context = (await createContext?.(turnId)) as Context;
    const run: WorkflowRun<Context> = { turnId, id: crypto.randomUUID(), context };
    const results: ToolResult[] = [];
    for (const batch of await batchesOf(steps, run, calls)) {
      results.push(...(await runBatch(steps, run, batch)));
    }
    return results;
  }
  const runTurn = DBOS.registerWorkflow(turn, { name });
  const sendAnswer = DBOS.registerWorkflow(
    async (turnId: string, questionId: string, answer: StoredAnswer, mark: string) => {
      await DBOS.send(workflowOf(turnId), answer, questionId);
      return mark;
    },
    { name: `${name}: answer` },
  );

  return {
    async start(calls, { turnId }) {
      checkTurnId(turnId);
      const workflowID = workflowOf(turnId);
      const started = await DBOS.startWorkflow(runTurn, {
        workflowID,
        ...(queue !== undefined && { queueName: queue }),
      })(turnId, calls);
      const [, kept] = (await started.getStatus())?.input ?? [];
      if (canonicalText(kept as JsonValue) !== canonicalText(calls as unknown as JsonValue)) {
        throw new TurnConflict(turnId, "calls");
      }
    },
    async results(turnId) {
      if ((await DBOS.getWorkflowStatus(workflowOf(turnId))) === null) throw new UnknownTurn(turnId);
      return DBOS.retrieveWorkflow<readonly ToolResult[]>(workflowOf(turnId)).getResult();
    },
    async questions(turnId) {
      return (await DBOS.getEvent<readonly Question[]>(workflowOf(turnId), QUESTIONS, { timeoutSeconds: 0 })) ?? [];
    },
    async answer({ id, turnId }, answer) {
      const question = (await this.questions(turnId)).find((each) => each.id === id);
      const workflowID = `hasp answer ${id}`;
      if (question === undefined) {
        const isDecided = (await DBOS.getWorkflowStatus(workflowID)) !== null;
        return { accepted: false, reason: isDecided ? "already-decided" : "unknown-question" };
      }
      const permitted = await rehearsed({ mayAnswer, principal, hookTimeoutMs }, question, answer);
      if (!permitted.accepted) return permitted;
      // Of all answers, one starts this workflow; the others read which.
      const mark = crypto.randomUUID();
      const sent = await DBOS.startWorkflow(sendAnswer, { workflowID })(turnId, id, answer, mark);
      return (await sent.getResult()) === mark ? { accepted: true } : { accepted: false, reason: "already-decided" };
    },
  };
}

function workflowOf(turnId: string): string {
  return `hasp turn ${turnId}`;
}

interface Member {
  readonly call: ToolCall;
  readonly index: number;
  readonly isDuplicate: boolean;
}

/** Adjacent calls that only read, or one other call. */
async function batchesOf<Context>(
  steps: CallSteps<Context>,
  run: WorkflowRun<Context>,
  calls: readonly ToolCall[],
): Promise<readonly (readonly Member[])[]> {
  const batches: Member[][] = [];
  const ids = new Set<unknown>();
  let isReading = false;
  for (const [index, call] of calls.entries()) {
    const reads = calls.length > 1 && (await steps.reads(call, run));
    const member = { call, index, isDuplicate: call.id !== "" && ids.has(call.id) };
    ids.add(call.id);
    if (reads && isReading) batches.at(-1)?.push(member);
    else batches.push([member]);
    isReading = reads;
  }
  return batches;
}

async function runBatch<Context>(
  steps: CallSteps<Context>,
  run: WorkflowRun<Context>,
  batch: readonly Member[],
): Promise<readonly ToolResult[]> {
  // Begun in call order, so that a process that runs the workflow again finds each step where it was.
  const begun = await Promise.all(
    batch.map(async ({ call, index, isDuplicate }): Promise<Progress> => {
      if (isDuplicate) return { kind: "settled", result: await steps.refuseDuplicate(call, run) };
      return steps.begin(run, call, index);
    }),
  );
  const questions = begun.flatMap((progress) => (progress.kind === "asked" ? [progress.question] : []));
  if (questions.length > 0) await DBOS.setEvent(QUESTIONS, questions);
  const results: ToolResult[] = [];
  for (const [index, progress] of begun.entries()) {
    const member = batch[index] as Member;
    results.push(await steps.finish(run, member.call, progress));
  }
  if (questions.length > 0) await DBOS.setEvent(QUESTIONS, []);
  return results;
}

/** What a dispatcher replies to an answer: whether it is well-formed, in time, and from somebody who may give it. */
async function rehearsed(
  options: Pick<DispatcherOptions, "mayAnswer" | "principal" | "hookTimeoutMs">,
  question: Question,
  answer: StoredAnswer,
): Promise<AnswerOutcome> {
  const callStore = memoryCallStore();
  const { turnId, callId, toolName, askedAt } = question;
  const received = { id: callId, name: toolName };
  const call = { turnId, callId, toolName, state: "asked", version: 0, received, question } as const;
  await callStore.open({ turnId, callsDigest: "", openedAt: askedAt, calls: [call] });
  return createDispatcher({ ...options, tools: [], callStore }).answer(question.id, answer);
}
