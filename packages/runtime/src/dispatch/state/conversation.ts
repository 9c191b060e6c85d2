import type { JsonValue } from "@hasp/schema";
import type { Label, LabelEntry, LabelledCall } from "../../calls/call-store.js";
import type { FlowDetails, ToolResult } from "../../tool/definition.js";
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
  /** The outermost turn of a call whose batch has not ended. */
  readonly turn: TurnState;
  readonly isNested: boolean;
}

export const LABELS: readonly Label[] = /* @__PURE__ */ Object.freeze<Label[]>(["untrusted", "private"]);

/** The most calls that are kept for each label: one more tells a person nothing. */
const MOST_CALLS = 100;

/**
 * The labels that the results of one conversation brought in. A call brings its labels from the start of its handler: at
 * once for other turns and nested calls, and from the end of its batch for its own turn.
 */
export class Conversation {
  readonly id: string;
  /** Grows when a label may have come or gone. */
  version = 0;
  /** True while nobody knows which labels there are: both count. */
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

  /** Adds the labels of a call that starts, or the labels that its result adds. */
  start(source: LabelSource): void {
    this.#running.add(source);
    this.version += 1;
  }

  /** Removes a call whose result has neither label. */
  drop(source: LabelSource): void {
    this.#running.delete(source);
  }

  /** Lets the labels of a call count in its own turn too. Returns the labels to store. */
  keep(source: LabelSource): readonly LabelEntry[] {
    if (!this.#running.delete(source)) return [];
    if (LABELS.every((label) => !source[label] || this.#calls[label].length >= MOST_CALLS)) return [];
    const call = shown(source);
    return LABELS.filter((label) => source[label] && this.#add(label, call)).map((label) => ({ label, ...call }));
  }

  /** Takes over the labels of the call store: instead of the present ones, or beside them. */
  takeOver(entries: readonly LabelEntry[], isComplete: boolean): void {
    if (isComplete) this.#calls = { untrusted: [], private: [] };
    for (const { label, ...call } of entries) this.#add(label, Object.freeze(call));
    this.version += 1;
  }

  lacks(label: Label): boolean {
    return !this.isUnknown && this.#calls[label].length === 0;
  }

  /** Forgets the labels of all calls that no longer run. */
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
    const [untrusted, secret] = LABELS.map((label) => this.#bringing(label, turn, callId));
    if (!this.isUnknown && (untrusted?.length === 0 || secret?.length === 0)) return undefined;
    const to = destination();
    return Object.freeze({
      ...(to !== undefined && { destination: to }),
      untrusted: Object.freeze((untrusted ?? []).map(named)),
      private: Object.freeze((secret ?? []).map(named)),
    });
  }

  /** Lists the calls whose label counts for a call. Its own, which a process that ended may have stored, does not. */
  #bringing(label: Label, turn: TurnState, callId: string): readonly LabelledCall[] {
    const ended = this.#calls[label].filter((call) => call.turnId === undefined || !isSame(call, turn.turnId, callId));
    if (this.#running.size === 0) return ended;
    return [...ended, ...[...this.#running].filter((source) => source[label] && countsFor(turn, source))];
  }

  #add(label: Label, call: LabelledCall): boolean {
    const calls = this.#calls[label];
    if (calls.length >= MOST_CALLS || calls.some((other) => isEqual(other, call))) return false;
    calls.push(call);
    this.added += 1;
    this.version += 1;
    return true;
  }
}

/** True for calls of other turns, and between the nested calls of one turn: the others of its batch do not count. */
function countsFor(turn: TurnState, source: LabelSource): boolean {
  return source.turn !== turn.outermost || (source.isNested && turn !== turn.outermost);
}

/** Returns the labels of a result as a store has it: both if they are malformed. */
export function storedLabels(result: ToolResult | undefined): readonly Label[] {
  const found: unknown = result?.labels ?? [];
  return Array.isArray(found) && found.every((name) => LABELS.includes(name)) ? found : LABELS;
}

function isEqual(one: LabelledCall, other: LabelledCall): boolean {
  return one.toolName === other.toolName && isSame(one, other.turnId, other.callId);
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
