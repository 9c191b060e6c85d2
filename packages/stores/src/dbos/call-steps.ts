import { DBOS } from "@dbos-inc/dbos-sdk";
import {
  createDispatcher,
  type Dispatcher,
  type DispatcherOptions,
  type ToolCall,
  type ToolResult,
} from "@hasp/runtime";
import type { CallStore, Question, RunOutcome, StoredAnswer, StoredTurns, TurnRecord } from "@hasp/runtime/call-store";
import { durableCalls } from "../durable/durable-calls.js";
import type { ExternalCall, StoredExternal } from "../durable/complete-call.js";
import type { DurableOptions } from "../durable/durable-options.js";
import type { CallCompletion } from "@hasp/runtime/internal/durable";
import { leaveBehind, StepStore, type MayRun } from "./step-store.js";

/** The progress of a call: the answer of a DBOS step, which every process reads that runs the workflow again. */
export type Progress = SettledStep | AskedStep | AwaitedStep | AboutToRun;

interface SettledStep {
  readonly kind: "settled";
  readonly result: ToolResult;
}

interface AskedStep {
  readonly kind: "asked";
  readonly question: Question;
  readonly turn: TurnRecord;
}

/** A permitted call that waits for somebody who executes it. */
interface AwaitedStep {
  readonly kind: "awaited";
  readonly external: TurnExternal;
  readonly turn: TurnRecord;
}

/** A call of a turn that waits for somebody who executes it. */
export type TurnExternal = StoredExternal & Pick<ExternalCall, "input">;

export interface AboutToRun {
  readonly kind: "about-to-run";
  /** The run that permitted it. If the call may run only once, no other run starts it. */
  readonly run: string;
  readonly turn: TurnRecord;
}

export interface WorkflowRun {
  readonly turnId: string;
  /** Names this run: another process that repeats the workflow has another id. */
  readonly id: string;
  readonly context: unknown;
  readonly conversation?: string | undefined;
}

interface StepStart {
  readonly turn: TurnRecord | undefined;
  readonly mayRun: MayRun;
}

/** The calls of a turn as steps of a workflow. Each call is a turn of its own to the dispatcher. */
export class CallSteps {
  readonly #store: StepStore;
  readonly #dispatcher: Dispatcher;
  readonly #turns: StoredTurns;
  readonly #judging: MayRun;

  /** With `runsElsewhere`, no call runs in the step that judges it. */
  constructor(
    options: DispatcherOptions,
    durableOptions: Omit<DurableOptions, "store">,
    { runsElsewhere, labels }: { readonly runsElsewhere: boolean; readonly labels: CallStore | undefined },
  ) {
    this.#store = new StepStore(labels);
    const durable = durableCalls({ ...durableOptions, store: this.#store });
    this.#dispatcher = createDispatcher({ ...options, extensions: [durable, ...(options.extensions ?? [])] });
    this.#turns = this.#dispatcher.use(durable);
    this.#judging = runsElsewhere ? "none" : "repeatable";
  }

  async reads(call: ToolCall, { context }: WorkflowRun): Promise<boolean> {
    const preview = await this.#dispatcher.preview(call, { context });
    return preview.decision !== "invalid" && preview.classification.class === "READ_ONLY";
  }

  /** Answers a call that repeats an earlier id with the dispatcher's refusal. */
  async refuseDuplicate(call: ToolCall, { context }: WorkflowRun): Promise<SettledStep> {
    // A truncated call is answered and never run.
    const [, refusal] = await this.#dispatcher.dispatch([{ ...call, truncated: true }, call], { context });
    return { kind: "settled", result: refusal as ToolResult };
  }

  begin(run: WorkflowRun, call: ToolCall, index: number): Promise<Progress> {
    const turnId = `${run.turnId}/${index}`;
    const { context, conversation } = run;
    return this.#step(run, turnId, nameStep(call), { turn: undefined, mayRun: this.#judging }, () =>
      this.#turns.run([call], { turnId, context, conversation }),
    );
  }

  /** Waits for the answer to a question, or for the output of an external call, and goes on with it. */
  async goOn(run: WorkflowRun, call: ToolCall, step: AskedStep | AwaitedStep): Promise<Progress> {
    const { context } = run;
    const { turnId } = step.turn;
    const { id, expiresAt = "" } = step.kind === "asked" ? step.question : step.external;
    const given = await DBOS.recv<StoredAnswer | CallCompletion>(id, { deadlineEpochMS: Date.parse(expiresAt) });
    const turn = step.kind === "awaited" ? complete(step.turn, given as CallCompletion | null) : step.turn;
    return this.#step(run, turnId, nameStep(call), { turn, mayRun: this.#judging }, async () => {
      if (step.kind === "asked" && given !== null) await this.#turns.answer(id, given as StoredAnswer);
      return this.#turns.resume(turnId, { context });
    });
  }

  /** Runs a permitted call. If another run may have started it, the flags of its tool decide. */
  async execute(run: WorkflowRun, name: string, { run: starter, turn }: AboutToRun): Promise<ToolResult> {
    const start: StepStart = { turn: starter === run.id ? turn : leaveBehind(turn), mayRun: "any" };
    const { context } = run;
    const resume = (): Promise<RunOutcome> => this.#turns.resume(turn.turnId, { context });
    const progress = await this.#step(run, turn.turnId, name, start, resume);
    // Only a change of the permissions since it was judged can keep it from running.
    if (progress.kind !== "settled") throw new Error(`the call ${turn.turnId} was permitted, and is ${progress.kind}`);
    return progress.result;
  }

  #step(
    run: WorkflowRun,
    turnId: string,
    name: string,
    start: StepStart,
    body: () => Promise<RunOutcome>,
  ): Promise<Progress> {
    const step = async (): Promise<Progress> => {
      const { value: outcome, turn, handedOver } = await this.#store.during(turnId, start, body);
      if (handedOver !== undefined) return { kind: "about-to-run", run: run.id, turn: handedOver };
      const [result] = outcome.results;
      if (result !== undefined) return { kind: "settled", result };
      if (outcome.status === "settled" || turn === undefined) throw new Error("a call neither settled nor waits");
      const { turnId: ofTurn } = run;
      const [question] = outcome.questions;
      if (question !== undefined) return { kind: "asked", question: { ...question, turnId: ofTurn }, turn };
      const [external] = outcome.externals ?? [];
      if (external !== undefined) return { kind: "awaited", external: { ...external, turnId: ofTurn }, turn };
      throw new Error("a call waits for nobody");
    };
    return DBOS.runStep(step, { name });
  }
}

function complete(turn: TurnRecord, completion: CallCompletion | null): TurnRecord {
  return completion === null ? turn : { ...turn, calls: turn.calls.map((call) => ({ ...call, completion })) };
}

export function nameStep({ id, name }: ToolCall): string {
  return `call ${String(id)} ${String(name)}`.slice(0, 200);
}
