import type { JsonValue } from "@hasp/schema";
import type { Label, LabelEntry, LabelledCall } from "../../calls/call-store.js";
import type { FlowDetails } from "../../tool/definition.js";
import type { TurnState } from "./turn-state.js";

/** The labels of a conversation with the calls that brought them in: untrusted first, and the oldest call first. */
export type ConversationLabels = readonly { readonly label: Label; readonly calls: readonly LabelledCall[] }[];

/** The labels that one call brings in. */
export interface LabelFlags {
  untrusted: boolean;
  private: boolean;
}

/** A call whose handler has started, with its labels. */
export interface LabelSource extends LabelFlags, LabelledCall {
  /** The outermost turn of a call whose batch has not ended: its labels do not count there yet. */
  readonly turn: TurnState;
  readonly isNested: boolean;
}

export const LABELS: readonly Label[] = ["untrusted", "private"];

/** The most calls that are kept for each label: one more tells a person nothing. */
const MOST_CALLS = 100;

/** The labels that the results of one conversation brought in. */
export class Conversation {
  readonly id: string;
  /** Grows when a label may have come or gone. */
  version = 0;
  /** True while the call store cannot tell which labels there are: both count. */
  isUnknown = false;
  /** Grows with each label that this process adds. */
  added = 0;
  /** The requests under way that store labels: a list of the call store may lack these. */
  saving = 0;
  /** The turns that run in it. */
  turns = 0;
  readonly #running: Set<LabelSource> = new Set();
  #calls: { readonly [Name in Label]: LabelledCall[] } = { untrusted: [], private: [] };

  constructor(id: string) {
    this.id = id;
  }

  /** Adds the labels of a call that starts, or those that its result added. They count at once for other turns and for nested calls. */
  start(source: LabelSource): void {
    this.#running.add(source);
    this.version += 1;
  }

  /** Removes a call whose result has neither label. */
  drop(source: LabelSource): void {
    this.#running.delete(source);
  }

  /** Lets the labels of a call count in its own turn too. Returns those to be stored. */
  keep(source: LabelSource): readonly LabelEntry[] {
    if (!this.#running.delete(source)) return [];
    const call = shown(source);
    return LABELS.filter((label) => source[label] && this.#add(label, call)).map((label) => ({ label, ...call }));
  }

  /** Takes over the labels of the call store: instead of those here, or beside them. */
  takeOver(entries: readonly LabelEntry[], isComplete: boolean): void {
    if (isComplete) this.#calls = { untrusted: [], private: [] };
    for (const { label, ...call } of entries) this.#add(label, Object.freeze(call));
    this.version += 1;
  }

  /** Forgets the labels of all calls that do not run any more. */
  forget(): void {
    this.takeOver([], true);
    this.isUnknown = false;
  }

  list(): ConversationLabels {
    return Object.freeze(
      LABELS.flatMap((label) => {
        const calls = [...this.#calls[label], ...[...this.#running].filter((source) => source[label]).map(shown)];
        return calls.length === 0 && !this.isUnknown ? [] : [Object.freeze({ label, calls: Object.freeze(calls) })];
      }),
    );
  }

  /** Returns the calls that brought in both labels, or `undefined` unless both count for this call. */
  flowInto(turn: TurnState, callId: string, destination: () => JsonValue | undefined): FlowDetails | undefined {
    const isClean = LABELS.some((label) => this.#calls[label].length === 0);
    if (isClean && this.#running.size === 0 && !this.isUnknown) return undefined;
    const counts = (source: LabelSource): boolean =>
      source.turn !== turn.outermost || (source.isNested && turn !== turn.outermost);
    const isOther = (call: LabelledCall): boolean => call.turnId === undefined || !isSame(call, turn.turnId, callId);
    const [untrusted, secret] = LABELS.map((label) => {
      const earlier = this.#calls[label].filter(isOther);
      if (this.#running.size === 0) return earlier;
      return [...earlier, ...[...this.#running].filter((source) => source[label] && counts(source) && isOther(source))];
    }) as [LabelledCall[], LabelledCall[]];
    if (!this.isUnknown && (untrusted.length === 0 || secret.length === 0)) return undefined;
    const to = destination();
    return Object.freeze({
      ...(to !== undefined && { destination: to }),
      untrusted: Object.freeze(untrusted.map(named)),
      private: Object.freeze(secret.map(named)),
    });
  }

  #add(label: Label, call: LabelledCall): boolean {
    const calls = this.#calls[label];
    if (calls.length >= MOST_CALLS || calls.some((other) => isSame(other, call.turnId, call.callId))) return false;
    calls.push(call);
    this.added += 1;
    this.version += 1;
    return true;
  }
}

function isSame(call: LabelledCall, turnId: string | undefined, callId: string): boolean {
  return call.turnId === turnId && call.callId === callId;
}

function shown({ callId, toolName, turnId }: LabelSource): LabelledCall {
  return Object.freeze({ callId, toolName, ...(turnId !== undefined && { turnId }) });
}

function named({ callId, toolName }: LabelledCall): { readonly callId: string; readonly toolName: string } {
  return Object.freeze({ callId, toolName });
}
