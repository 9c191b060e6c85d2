import { dropUndefined } from "@hasp/base/json";
import type { CallPatch, CallRecord, CallStatus, Question } from "@hasp/runtime/call-store";
import { callError, failure, hasHardened, type Outcome } from "@hasp/runtime/internal";
import {
  refusal,
  Refusal,
  createInternalFailure,
  refused,
  type KeptCall,
  type KeptStep,
  showCall,
} from "@hasp/runtime/internal/durable";
import type { CallPreview, Effect, ToolResult } from "@hasp/runtime";
import type { CallFacts } from "@hasp/runtime/extension";
import { RUN_PROGRAM } from "@hasp/runtime/contract";
import { advanceCall } from "../calls/transition.js";
import {
  CallBinding,
  createQuestion,
  findJudgedDigest,
  findTopics,
  isExpired,
  decideRepeatability,
  isSame,
} from "./bound-call.js";
import { createExternalId, isOver, type ExternalCall } from "./complete-call.js";
import { isHeldByOther, waitForOwner, type HeldCall } from "./lease.js";
import { StoredCalls, type StoredTurn } from "./stored-turn.js";

const ASKED_NOW = "a person would have to be asked about it now.";
const PERMITTED = "the permissions allow it";
const AWAITED = "it waits for somebody who executes it";

/** A call in one run of its turn. All transitions that outlive the process are made here. */
export class DurableCall implements KeptCall {
  readonly earlier: KeptCall["earlier"];
  outcome: Outcome | undefined;
  /** The questions for which this run leaves the call open. */
  questions: readonly Question[] = [];
  isAnswered = false;
  /** True if this run leaves the call to another one, which executes it now. */
  isElsewhere = false;
  readonly program: StoredCalls;
  readonly #turn: StoredTurn;
  #bound: CallBinding | undefined;
  #record: CallRecord;
  #held: HeldCall | undefined;
  /** A refusal whose message already says what happened. */
  #decision: Refusal | undefined;
  /** True if this run has handed on the input with which the call was allowed. */
  #isEdited = false;
  /** True if this run leaves the call to somebody else. */
  #isAwaited = false;
  /** True if a dead run started the call and it is not a reader. */
  #mayHaveRun = false;

  /** The vote of a guard that has run already. */
  readonly #guardAllows: KeptStep["guardAllows"];

  constructor(turn: StoredTurn, record: CallRecord, isDuplicate: boolean, preview?: CallPreview) {
    this.#turn = turn;
    this.#record = record;
    if (isDuplicate) this.outcome = refused(refusal("lookup/duplicate-call-id", { id: record.received.id }));
    this.program = new StoredCalls(turn, record.callId);
    if (record.state !== "proposed" && record.state !== "settled") {
      const { toolName, input = null, notes = [] } = record;
      this.earlier = { toolName, input, notes, assertSame: () => this.#assertBound() };
    } else if (preview?.decision === "allow" && preview.hooks !== undefined && isSame(record.input, preview.input)) {
      const { toolName, input, hooks } = preview;
      this.earlier = { toolName, input, notes: hooks.notes, assertSame: () => this.#assertTool(toolName) };
      this.#guardAllows = hooks.votes.guardAllows;
    }
  }

  /** Takes the call as the dispatcher sees it. */
  keep(facts: CallFacts): this {
    this.#bound = new CallBinding(this.#turn, this.#record.callId, facts);
    return this;
  }

  get #call(): CallFacts {
    return this.#binding.call;
  }

  get #binding(): CallBinding {
    if (this.#bound === undefined) throw new Error("it was not pushed");
    return this.#bound;
  }

  /** True if it waits for somebody: itself, or a call of its program. */
  get isOpen(): boolean {
    return this.questions.length > 0 || this.program.isSuspended || this.#isAwaited || this.isElsewhere;
  }

  /** The calls that wait for somebody who executes them: itself, or calls of its program. */
  get externals(): readonly ExternalCall[] {
    const { turnId, callId, toolName, input = null, awaited, awaitedUntil: expiresAt } = this.#record;
    if (!this.#isAwaited) return this.program.waiting.flatMap(({ externals = [] }) => externals);
    const id = createExternalId(turnId, callId, awaited);
    return [Object.freeze(dropUndefined({ id, callId, toolName, input, expiresAt }))];
  }

  get record(): CallRecord {
    return this.#record;
  }

  /**
   * Takes over a call that a dead run left reserved. Unless it is repeatable, its effect is unknown. In a batch, a call that
   * another run executes is left to it.
   */
  async takeOver(isInBatch = false): Promise<void> {
    while (this.#record.state === "reserved" && this.#held === undefined) {
      if (this.#record.awaited !== undefined) {
        // Somebody else may have executed it, whether it was completed or not.
        this.#mayHaveRun = this.#record.repeatable !== "reads";
        return;
      }
      if (isInBatch && this.#leaveToOther()) return;
      this.#record = await waitForOwner(this.#turn, this.#record);
      if (this.#record.state !== "reserved") return;
      const { repeatable, idempotencyKey } = this.#record;
      this.#mayHaveRun = repeatable !== "reads";
      if (repeatable === "reads" || repeatable === "with-key") {
        const { owner } = this.#turn;
        const audit = {
          owner,
          reason: "the run before it ended",
          ...dropUndefined({ idempotencyKey }),
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

  recall(): KeptStep {
    const { state, decidedBy, reason, question, edit, awaited, guard, guardAsks } = this.#record;
    const tool = this.#call.toolName;
    if (state === "reserved" && awaited === undefined && decideRepeatability(this.#call.classification) === "no") {
      // It may have run, and as it counts now, repeating it may do harm.
      return { end: failure(callError("execute/process-lost", { tool }), "unknown") };
    }
    if (this.#isAllowedByPerson) {
      if (!this.#isEdited) this.#assertShown();
      this.#isEdited = edit !== undefined;
      return {
        person: { reason: reason ?? `${decidedBy ?? "a person"} allowed it`, topics: findTopics(question) },
        input: edit,
      };
    }
    if (state === "denied") {
      throw this.#decided(refusal("permission/denied", { reason: reason ?? `The user refused this call of ${tool}.` }));
    }
    if (state === "expired") throw this.#decided(refusal("permission/question-expired", { tool }));
    if (guard === undefined) return { guardAllows: this.#guardAllows, guardAsks };
    return { guardAllows: hasHardened(guard, showCall(this.#call)) ? undefined : guard, guardAsks };
  }

  async ask(askHost: Parameters<KeptCall["ask"]>[0]): Promise<KeptStep> {
    const tool = this.#call.toolName;
    for (;;) {
      const { state, question } = this.#record;
      if (state === "asked") {
        if (!isExpired(question)) return this.#wait(question);
        if (!(await this.#advance("expired", {}))) await this.#reload();
      } else if ((state === "allowed" || state === "reserved") && !this.#isAllowedByPerson) {
        // The permissions allowed it, and now somebody must be asked.
        await this.takeOver(true);
        if (this.isElsewhere) return { end: "open" };
        if (this.outcome !== undefined) return { end: this.outcome };
        if (this.#record.state === "settled") continue;
        throw this.#decided(refusal("permission/policy-changed", { tool, reason: ASKED_NOW }));
      } else if (state !== "proposed") {
        return this.#departIfSettled() ?? this.recall();
      } else if (await this.#open()) {
        break;
      } else {
        await this.#reload();
      }
    }
    if (askHost === undefined) return this.#wait(this.#record.question);
    let person: KeptStep["person"];
    try {
      person = await askHost();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (error.error.code === "answered-later") return this.#wait(this.#record.question);
      if (!(await this.#decideIfOpen("denied", error.error.message))) {
        const departure = this.#departIfSettled();
        if (departure !== undefined) return departure;
        this.recall();
      }
      throw this.#decided(error);
    }
    const answered = person !== undefined;
    const reason = person?.reason ?? PERMITTED;
    if (await this.#decideIfOpen("allowed", reason, { ...this.#changes(), answered })) return { person };
    // An earlier answer counts instead.
    return this.#departIfSettled() ?? this.recall();
  }

  /** Returns the input that the answer has put in place of the one asked about; nothing if it is the same. */
  #changes(): CallPatch {
    const { input, inputDigest, notes } = this.#binding.bind(this.#record);
    const { inputDigest: asked } = this.#record;
    if (inputDigest === asked) return {};
    return { input, inputDigest, notes, audit: { inputDigest, ...dropUndefined({ changedFrom: asked }) } };
  }

  async reserve(isAwaited = false): Promise<KeptStep> {
    let step: KeptStep = {};
    while (this.#held === undefined) {
      if (this.#record.state === "reserved" && this.#record.awaited !== undefined) {
        const { completion } = this.#record;
        this.#assertBound();
        if (completion !== undefined) {
          return { ...this.recall(), completion, idempotencyKey: this.#binding.key(this.#record) };
        }
        if (!isOver(this.#record.awaitedUntil)) {
          this.#isAwaited = true;
          return { end: "open" };
        }
        // A completion that came in time, after the turn was read, counts.
        if (await this.#advance("reserved", {})) return { end: this.#timeOut() };
        await this.#reload();
        continue;
      }
      // The permissions may now allow a call that still waits for an answer.
      if (this.#record.state === "asked") await this.#decideIfOpen("allowed", PERMITTED, { answered: false });
      const { state, edit } = this.#record;
      if (state === "proposed" || state === "allowed") {
        if (edit !== undefined && !this.#isEdited) return this.recall();
        this.#assertBound();
        if (!(await this.#reserve(isAwaited))) await this.#reload();
        else if (!isAwaited) this.#hold();
      } else {
        await this.takeOver(true);
        if (this.isElsewhere) return { end: "open" };
        const departure = this.#departIfSettled();
        if (departure !== undefined) return departure;
        if (this.outcome !== undefined) return { end: this.outcome };
        this.#assertBound();
        step = this.recall();
      }
    }
    return { ...step, idempotencyKey: this.#binding.key(this.#record) };
  }

  /** Ends a call that nobody has completed in its time: somebody may have executed it. */
  #timeOut(): Outcome {
    const seconds = this.#turn.settings.externalTtlSeconds;
    const error = callError("execute/timeout", { tool: this.#record.toolName, seconds });
    return failure(error, this.#record.repeatable === "reads" ? "none" : "unknown");
  }

  /** Lets any process take over a program that waits. */
  async release(): Promise<void> {
    if (this.#held === undefined) return;
    await this.#turn.leases.letGo(this.#held);
    this.#record = this.#held.record;
    await this.#advance("reserved", { lease: null });
  }

  async settle(result: ToolResult): Promise<ToolResult> {
    if (this.#held !== undefined) {
      const renewing = this.#turn.leases.letGo(this.#held);
      if (renewing !== undefined) await renewing;
      this.#record = this.#held.record;
    }
    const { stage, entry } = this.#call;
    // A program whose store has failed can run again.
    if (this.#turn.failure !== undefined && (stage !== "executed" || entry?.holds === "nothing")) return result;
    try {
      const stored = (await this.#settleWith(result)) ? result : await this.#settleAfterAnother(result);
      this.isAnswered = true;
      return stored;
    } catch {
      // The turn rejects with the failure of its store.
      return result;
    }
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
    if (this.earlier === undefined || this.#isEdited) return given;
    const { phase, code, message } = given.error;
    const tool = this.#record.toolName;
    if (phase === "lookup") return refusal("permission/tool-changed", { tool });
    if (phase === "permission" && (code === "denied" || code === "plan-mode")) {
      return refusal("permission/policy-changed", { tool, reason: message });
    }
    return given;
  }

  /** True if a person has allowed it, who need not be named. Records of earlier versions only give the reason. */
  get #isAllowedByPerson(): boolean {
    const { state, question, decidedBy, reason, answered } = this.#record;
    if (question === undefined || (state !== "allowed" && state !== "reserved")) return false;
    return answered ?? !(decidedBy === "ask" && reason === PERMITTED);
  }

  #open(): Promise<boolean> {
    const bound = this.#binding.bind(this.#record);
    const question = createQuestion(this.#turn, this.#record.callId, this.#call, bound);
    const { id: questionId, inputDigest, toolDigest, reason, principal } = question;
    const { guardAsks } = this.#call.votes;
    return this.#advance("asked", {
      ...bound,
      question,
      ...(guardAsks && { guardAsks: dropUndefined(guardAsks) }),
      audit: dropUndefined({ inputDigest, toolDigest, questionId, reason, principal }),
    });
  }

  #assertTool(previewed: string): void {
    const { toolName: tool } = this.#call;
    if (tool !== previewed) throw this.#decided(refusal("permission/tool-changed", { tool }));
  }

  /** Throws if an earlier run asked about another tool, input or hooks. */
  #assertBound(): void {
    const { state, toolDigest } = this.#record;
    if (state === "proposed") return;
    const bound = this.#binding.bind(this.#record);
    const isSame = this.#isEdited || findJudgedDigest(this.#record) === bound.inputDigest;
    if (toolDigest === bound.toolDigest && isSame) return;
    throw this.#decided(refusal("permission/tool-changed", { tool: this.#call.toolName }));
  }

  /** Throws if the call counts as more harmful than its question said. */
  #assertShown(): void {
    const { question } = this.#record;
    // The person who gave another input was not shown that one.
    if (question === undefined || question.inputDigest !== findJudgedDigest(this.#record)) return;
    if (!hasHardened(question, showCall(this.#call, this.#turn.settings.allowUnseenInput))) return;
    throw this.#decided(refusal("permission/tool-changed", { tool: this.#call.toolName }));
  }

  get #guard(): CallRecord["guard"] {
    const { guardAllows } = this.#call.votes;
    if (guardAllows === undefined) return undefined;
    const { class: counts, isDestructive } = showCall(this.#call);
    return { ...guardAllows, class: counts, isDestructive };
  }

  #reserve(isAwaited: boolean): Promise<boolean> {
    const { toolName, input, inputDigest, toolDigest, notes } = this.#binding.bind(this.#record);
    const changedFrom = findJudgedDigest(this.#record);
    const idempotencyKey = this.#binding.key(this.#record);
    return this.#advance("reserved", {
      toolName,
      input,
      inputDigest,
      toolDigest,
      notes,
      repeatable: decideRepeatability(this.#call.classification),
      idempotencyKey,
      ...(isAwaited ? this.#awaited() : { lease: this.#turn.lease() }),
      edit: null,
      guard: this.#guard ?? null,
      audit: dropUndefined({
        owner: this.#turn.owner,
        reason: isAwaited ? AWAITED : undefined,
        idempotencyKey,
        inputDigest,
        changedFrom: changedFrom === inputDigest ? undefined : changedFrom,
      }),
    });
  }

  #awaited(): CallPatch {
    const until = Date.now() + this.#turn.settings.externalTtlSeconds * 1000;
    return { awaited: crypto.randomUUID(), awaitedUntil: new Date(until).toISOString() };
  }

  /** Stores the answer of `ask`. Returns false if another came first. */
  async #decideIfOpen(to: "allowed" | "denied", reason: string, changes: CallPatch = {}): Promise<boolean> {
    const audit = { by: "ask", reason, ...changes.audit };
    while (this.#record.state === "asked") {
      if (await this.#advance(to, { decidedBy: "ask", reason, ...changes, audit })) return true;
      await this.#reload();
    }
    return false;
  }

  #settleWith({ details: _details, ...result }: ToolResult): Promise<boolean> {
    const { toolName, classification } = this.#call;
    const { question } = this.#record;
    const effect: Effect | undefined = result.error?.effect;
    const order = this.#turn.nextOrder?.();
    return this.#advance("settled", {
      toolName,
      input: null,
      edit: null,
      completion: null,
      notes: null,
      lease: null,
      ...(question && { question: Object.freeze({ ...question, input: null }) }),
      result: Object.freeze(result),
      ...dropUndefined({ order }),
      audit: {
        owner: this.#turn.owner,
        effect: effect ?? (classification.isReadOnly ? "none" : "landed"),
        ...(result.error !== undefined && { code: result.error.code }),
        ...dropUndefined({ labels: result.labels }),
      },
    });
  }

  async #settleAfterAnother(result: ToolResult): Promise<ToolResult> {
    do {
      await this.#reload();
      if (this.#record.state === "reserved") this.#record = await waitForOwner(this.#turn, this.#record);
      if (this.#record.state === "settled") return this.#record.result ?? result;
    } while (!(await this.#settleWith(result)));
    return result;
  }

  /**
   * Leaves the call to a run that executes it. To wait here could be to wait for ever: that run may wait for a call of this
   * batch, whose result is stored only when the batch has ended.
   */
  #leaveToOther(): boolean {
    return (this.isElsewhere = isHeldByOther(this.#record, this.#turn));
  }

  #hold(): void {
    this.#held = this.#turn.leases.hold(this.#record);
  }

  #wait(question: Question | undefined): KeptStep {
    this.questions = question === undefined ? [] : [question];
    return { end: "open" };
  }

  #decided(decision: Refusal): Refusal {
    this.#decision = decision;
    return decision;
  }

  #departIfSettled(): KeptStep | undefined {
    const { state, result } = this.#record;
    if (state !== "settled") return undefined;
    this.isAnswered = true;
    return { end: result ?? createInternalFailure("its result is no longer stored", "unknown") };
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
