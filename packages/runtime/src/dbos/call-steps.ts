import { DBOS } from "@dbos-inc/dbos-sdk";
import type { Question, TurnRecord } from "../calls/call-store.js";
import { createDispatcher } from "../dispatch/dispatcher.js";
import type { Dispatcher, DispatcherOptions, RunOutcome, StoredAnswer } from "../dispatch/state/dispatcher-types.js";
import type { ToolCall, ToolResult } from "../tool/definition.js";
import { AboutToRun, leftBehind, StepStore } from "./step-store.js";

/** How far a call has come: what a step of DBOS answers, and so what every process reads that runs the workflow again. */
export type Progress =
  | { readonly kind: "settled"; readonly result: ToolResult }
  | { readonly kind: "asked"; readonly question: Question; readonly turn: TurnRecord }
  /** It runs in the next step, and only in the run of the workflow that says so here. */
  | { readonly kind: "about-to-run"; readonly run: string; readonly turn: TurnRecord };

/** One run of a workflow, in one process. */
export interface WorkflowRun<Context> {
  readonly turnId: string;
  /** Names this run: another process that runs the workflow again has another one. */
  readonly id: string;
  readonly context: Context;
}

/** The calls of a turn as steps of a workflow. */
export class CallSteps<Context> {
  readonly #store: StepStore = new StepStore();
  readonly #dispatcher: Dispatcher<Context>;

  constructor(options: DispatcherOptions<Context>) {
    const { onEvent } = options;
    this.#dispatcher = createDispatcher<Context>({
      ...options,
      callStore: this.#store,
      onEvent: onEvent && ((event) => (this.#store.isEndOfStep(event) ? undefined : onEvent(event))),
    });
  }

  /** Whether a call only reads, so that it may run beside others. */
  async reads(call: ToolCall, { context }: WorkflowRun<Context>): Promise<boolean> {
    const preview = await this.#dispatcher.preview(call, { context });
    return preview.decision !== "invalid" && preview.classification.class === "READ_ONLY";
  }

  /** The first step of a call: it settles, asks, or is about to run. */
  begin(run: WorkflowRun<Context>, call: ToolCall, index: number): Promise<Progress> {
    const turnId = `${run.turnId}/${index}`;
    const start = (): Promise<RunOutcome> => this.#run([call], { turnId, context: run.context });
    return this.#step(run, turnId, call, undefined, start);
  }

  /** The refusal of a call whose id an earlier call of the turn has. */
  async refuseDuplicate(call: ToolCall, { context }: WorkflowRun<Context>): Promise<ToolResult> {
    // A truncated call is answered and never run.
    const dispatch = this.#dispatcher.dispatch as (
      calls: readonly ToolCall[],
      options: object,
    ) => Promise<readonly ToolResult[]>;
    const [, refusal] = await dispatch([{ ...call, truncated: true }, call], { context });
    return refusal as ToolResult;
  }

  /** Takes a call from its first step to its result: waits for an answer, and runs what is about to. */
  async finish(run: WorkflowRun<Context>, call: ToolCall, first: Progress): Promise<ToolResult> {
    let progress = first;
    while (progress.kind !== "settled") {
      const { turn } = progress;
      const { turnId } = turn;
      const resume = (): Promise<RunOutcome> => this.#resume(turnId, { context: run.context });
      if (progress.kind === "asked") {
        const { id, expiresAt } = progress.question;
        const answer = await DBOS.recv<StoredAnswer>(id, { deadlineEpochMS: Date.parse(expiresAt) });
        progress = await this.#step(run, turnId, call, { turn, mayRun: false }, async () => {
          if (answer !== null) await this.#dispatcher.answer(id, answer);
          return resume();
        });
      } else {
        // A run that has ended may have started it.
        const isOurs = progress.run === run.id;
        const seed = isOurs ? turn : leftBehind(turn);
        progress = await this.#step(run, turnId, call, { turn: seed, mayRun: true }, resume);
      }
    }
    return progress.result;
  }

  #step(
    run: WorkflowRun<Context>,
    turnId: string,
    call: ToolCall,
    seed: { readonly turn: TurnRecord; readonly mayRun: boolean } | undefined,
    body: () => Promise<RunOutcome>,
  ): Promise<Progress> {
    const step = async (): Promise<Progress> => {
      try {
        const outcome = await this.#store.during(turnId, seed ?? { turn: undefined, mayRun: false }, async () => {
          const done = await body();
          return { done, turn: await this.#store.read(turnId) };
        });
        return progressOf(run, outcome.done, outcome.turn as TurnRecord);
      } catch (error) {
        if (!(error instanceof AboutToRun)) throw error;
        return { kind: "about-to-run", run: run.id, turn: error.turn };
      }
    };
    return DBOS.runStep(step, { name: `call ${String(call.id)} ${String(call.name)}`.slice(0, 200) });
  }

  get #run(): (calls: readonly ToolCall[], options: object) => Promise<RunOutcome> {
    return this.#dispatcher.run as never;
  }

  get #resume(): (turnId: string, options: object) => Promise<RunOutcome> {
    return this.#dispatcher.resume as never;
  }
}

function progressOf<Context>({ turnId }: WorkflowRun<Context>, outcome: RunOutcome, turn: TurnRecord): Progress {
  const [result] = outcome.results;
  if (result !== undefined) return { kind: "settled", result };
  const [question] = outcome.status === "waiting" ? outcome.questions : [];
  if (question === undefined) throw new Error("a call neither settled nor asked");
  return { kind: "asked", question: { ...question, turnId }, turn };
}
