import type { CallPatch, CallRecord, CallStatus, Question } from "../../calls/call-store.js";
import { advanceCall } from "../../calls/transition.js";
import { callError, refusal, Refusal } from "../../results/call-errors.js";
import { failure, refused, type Outcome } from "../../results/outcome.js";
import type { Effect, ToolResult } from "../../tool/definition.js";
import { askPerson } from "../pipeline/ask.js";
import { type CallState, Departed, type StoredCall, type Case } from "../state/call-state.js";
import type { ToolEntry } from "../state/engine.js";
import { RUN_PROGRAM } from "../../tool/tool-names.js";
import { CallBinding, createQuestion, findTopics, isExpired, decideRepeatability } from "./bound-call.js";
import { StoredCalls } from "./stored-calls.js";
import { waitForOwner, type HeldCall } from "./lease.js";
import type { StoredTurn } from "./stored-turn.js";

/** A call in one run of its turn. All transitions that outlive the process are made here. */
export class DurableCall implements StoredCall {
  readonly isDuplicate: boolean;
  readonly earlier: StoredCall["earlier"];
  outcome: Outcome | undefined;
  /** The questions for which this run leaves the call open. */
  questions: readonly Question[] = [];
  isAnswered = false;
  readonly program: StoredCalls;
  readonly #turn: StoredTurn;
  readonly #binding: CallBinding;
  #record: CallRecord;
  #held: HeldCall | undefined;
  /** A refusal whose message already says what happened. */
  #decision: Refusal | undefined;
  /** True if a dead run started the call and it is not a reader. */
  #mayHaveRun = false;

  constructor(turn: StoredTurn, record: CallRecord, isDuplicate: boolean) {
    this.#turn = turn;
    this.#binding = new CallBinding(turn, record.callId);
    this.#record = record;
    this.isDuplicate = isDuplicate;
    this.program = new StoredCalls(turn, record.callId);
    if (record.state !== "proposed" && record.state !== "settled") {
      const { toolName, input = null, inputDigest, toolDigest, notes = [] } = record;
      this.earlier = { toolName, input, inputDigest, toolDigest, notes };
    }
  }

  get isStoredInOrder(): boolean {
    return this.#turn.settings.store.keepsOrder === true;
  }

  get question(): Question | undefined {
    return this.questions[0] ?? this.program.questions[0];
  }

  get record(): CallRecord {
    return this.#record;
  }

  /** Takes over a call that a dead run left reserved. Unless it is repeatable, its effect is unknown. */
  async takeOver(): Promise<void> {
    while (this.#record.state === "reserved" && this.#held === undefined) {
      this.#record = await waitForOwner(this.#turn, this.#record);
      if (this.#record.state !== "reserved") return;
      const { repeatable, idempotencyKey } = this.#record;
      this.#mayHaveRun = repeatable !== "reads";
      if (repeatable === "reads" || repeatable === "with-key") {
        const { owner } = this.#turn;
        const audit = {
          owner,
          reason: "the run before it ended",
          ...(idempotencyKey !== undefined && { idempotencyKey }),
        };
        if (await this.#advance("reserved", { lease: this.#turn.lease(), audit })) this.#hold();
        else await this.#reload();
        this.program.isRepeated = true;
      } else {
        this.outcome = failure(callError("execute/process-lost", { tool: this.#record.toolName }), "unknown");
        return;
      }
    }
  }

  toolDigest(entry: ToolEntry): string {
    return this.#turn.toolDigest(entry);
  }

  recall(call: CallState): void {
    const { state, decidedBy, reason } = this.#record;
    if (state === "allowed" || state === "reserved") {
      const by = decidedBy === undefined ? "it was allowed before" : `${decidedBy} allowed it`;
      call.votes = { ...call.votes, person: { reason: reason ?? by, topics: findTopics(this.#record.question) } };
    } else if (state === "denied") {
      throw this.#decided(
        refusal("permission/denied", { reason: reason ?? `The user refused this call of ${call.toolName}.` }),
      );
    } else if (state === "expired") {
      throw this.#decided(refusal("permission/question-expired", { tool: call.toolName }));
    }
  }

  async ask(about: Case): Promise<void> {
    const { call, engine } = about;
    for (;;) {
      const { state, question } = this.#record;
      if (state === "asked") {
        if (!isExpired(question)) throw this.#waits(question);
        if (!(await this.#advance("expired", {}))) await this.#reload();
      } else if (state !== "proposed") {
        this.#departIfSettled(call);
        return this.recall(call);
      } else if (await this.#open(about)) {
        break;
      } else {
        await this.#reload();
      }
    }
    if (!engine.interactive) throw this.#waits(this.#record.question);
    try {
      await askPerson(about);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (error.error.code === "answered-later") throw this.#waits(this.#record.question);
      await this.#decide(about, "denied", error.error.message);
      throw this.#decided(error);
    }
    await this.#decide(about, "allowed", call.votes.person?.reason ?? "the permissions allow it", this.#changes(about));
  }

  /** Returns the input that the answer has put in place of the one asked about; nothing if it is the same. */
  #changes({ call, entry }: Case): CallPatch {
    const { input, inputDigest, notes } = this.#binding.bind(call, entry);
    const { inputDigest: asked } = this.#record;
    if (inputDigest === asked) return {};
    return { input, inputDigest, notes, audit: { inputDigest, ...(asked !== undefined && { changedFrom: asked }) } };
  }

  async reserve({ call, entry }: Case): Promise<void> {
    while (this.#held === undefined) {
      // The permissions may now allow a call that still waits for an answer.
      if (this.#record.state === "asked") await this.#decideIfOpen("allowed", "the permissions allow it");
      const { state } = this.#record;
      if (state === "proposed" || state === "allowed") {
        this.#assertBound(call, entry);
        if (await this.#reserve(call, entry)) this.#hold();
        else await this.#reload();
      } else {
        await this.takeOver();
        this.#departIfSettled(call);
        if (this.outcome !== undefined) {
          call.outcome = this.outcome;
          throw new Departed();
        }
        this.#assertBound(call, entry);
        this.recall(call);
      }
    }
    call.idempotencyKey = this.#binding.keyOf(call);
  }

  /** Lets any process take over a program that waits. */
  async release(): Promise<void> {
    if (this.#held === undefined) return;
    await this.#turn.leases.letGo(this.#held);
    this.#record = this.#held.record;
    await this.#advance("reserved", { lease: null });
  }

  async settle(call: CallState): Promise<void> {
    if (this.#held !== undefined) {
      const renewing = this.#turn.leases.letGo(this.#held);
      if (renewing !== undefined) await renewing;
      this.#record = this.#held.record;
    }
    const { result } = call;
    if (result === undefined) return;
    // A program whose store has failed can run again.
    if (this.#turn.failure !== undefined && (call.stage !== "executed" || call.entry?.isProgram === true)) return;
    try {
      if (!(await this.#settleWith(call, result))) await this.#settleAfterAnother(call, result);
      this.isAnswered = true;
    } catch {}
  }

  /** Removes what only another run of a program would need. */
  async forgetCalls(): Promise<void> {
    if (this.#record.state === "settled" && this.#record.toolName === RUN_PROGRAM) await this.program.forget();
  }

  explain(given: Refusal): Outcome {
    const refusal = given === this.#decision ? given : this.#inHindsight(given);
    return this.#mayHaveRun ? failure(refusal.error, "unknown") : refused(refusal);
  }

  /** Explains the refusal of a call that was permitted earlier by what has changed. */
  #inHindsight(given: Refusal): Refusal {
    if (this.earlier === undefined) return given;
    const { phase, code, message } = given.error;
    const tool = this.#record.toolName;
    if (phase === "lookup") return refusal("permission/tool-changed", { tool });
    if (phase === "permission" && (code === "denied" || code === "plan-mode")) {
      return refusal("permission/policy-changed", { tool, reason: message });
    }
    return given;
  }

  #open(about: Case): Promise<boolean> {
    const bound = this.#binding.bind(about.call, about.entry);
    const question = createQuestion(this.#turn, this.#record.callId, about, bound);
    const { id: questionId, inputDigest, toolDigest, reason, principal } = question;
    return this.#advance("asked", {
      ...bound,
      question,
      audit: {
        inputDigest,
        toolDigest,
        questionId,
        ...(reason !== undefined && { reason }),
        ...(principal !== undefined && { principal }),
      },
    });
  }

  /** Throws if an earlier run asked about another tool, input or hooks. */
  #assertBound(call: CallState, entry: ToolEntry): void {
    const { state, toolDigest, inputDigest } = this.#record;
    if (state === "proposed") return;
    const bound = this.#binding.bind(call, entry);
    if (toolDigest === bound.toolDigest && inputDigest === bound.inputDigest) return;
    throw this.#decided(refusal("permission/tool-changed", { tool: call.toolName }));
  }

  #reserve(call: CallState, entry: ToolEntry): Promise<boolean> {
    const { toolName, input, inputDigest, toolDigest, notes } = this.#binding.bind(call, entry);
    const idempotencyKey = this.#binding.keyOf(call);
    return this.#advance("reserved", {
      toolName,
      input,
      inputDigest,
      toolDigest,
      notes,
      repeatable: decideRepeatability(call.classification),
      idempotencyKey,
      lease: this.#turn.lease(),
      audit: { owner: this.#turn.owner, idempotencyKey, inputDigest },
    });
  }

  /** Stores the answer of `ask`. An earlier answer counts instead. */
  async #decide({ call }: Case, to: "allowed" | "denied", reason: string, changes: CallPatch = {}): Promise<void> {
    if (await this.#decideIfOpen(to, reason, changes)) return;
    this.#departIfSettled(call);
    call.votes = withoutPerson(call.votes);
    this.recall(call);
  }

  async #decideIfOpen(to: "allowed" | "denied", reason: string, changes: CallPatch = {}): Promise<boolean> {
    const audit = { by: "ask", reason, ...changes.audit };
    while (this.#record.state === "asked") {
      if (await this.#advance(to, { decidedBy: "ask", reason, ...changes, audit })) return true;
      await this.#reload();
    }
    return false;
  }

  #settleWith(call: CallState, { details: _details, ...result }: ToolResult): Promise<boolean> {
    const { question } = this.#record;
    const effect: Effect | undefined = result.error?.effect;
    const order = this.#turn.nextOrder?.();
    return this.#advance("settled", {
      toolName: call.toolName,
      input: null,
      notes: null,
      lease: null,
      ...(question !== undefined && { question: Object.freeze({ ...question, input: null }) }),
      result: Object.freeze(result),
      ...(order !== undefined && { order }),
      audit: {
        owner: this.#turn.owner,
        effect: effect ?? (call.classification.isReadOnly ? "none" : "landed"),
        ...(result.error !== undefined && { code: result.error.code }),
        ...(result.labels !== undefined && { labels: result.labels }),
      },
    });
  }

  async #settleAfterAnother(call: CallState, result: ToolResult): Promise<void> {
    do {
      await this.#reload();
      if (this.#record.state === "reserved") this.#record = await waitForOwner(this.#turn, this.#record);
      if (this.#record.state === "settled") {
        call.result = this.#record.result;
        return;
      }
    } while (!(await this.#settleWith(call, result)));
  }

  #hold(): void {
    this.#held = this.#turn.leases.hold(this.#record);
  }

  #waits(question: Question | undefined): Departed {
    this.questions = question === undefined ? [] : [question];
    return new Departed();
  }

  #decided(decision: Refusal): Refusal {
    this.#decision = decision;
    return decision;
  }

  #departIfSettled(call: CallState): void {
    if (this.#record.state !== "settled") return;
    call.result = this.#record.result;
    this.isAnswered = true;
    throw new Departed();
  }

  async #advance(to: CallStatus, patch: CallPatch): Promise<boolean> {
    const before = this.#record;
    if (!(await this.#turn.advance(before, to, patch))) return false;
    this.#record = advanceCall(before, to, patch);
    return true;
  }

  async #reload(): Promise<void> {
    this.#record = await this.#turn.read(this.#record.callId);
  }
}

function withoutPerson({ person: _person, ...votes }: CallState["votes"]): CallState["votes"] {
  return votes;
}
