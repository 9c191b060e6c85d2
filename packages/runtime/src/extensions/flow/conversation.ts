import type { JsonValue } from "@hasp/schema";
import type { ConversationLabels, LabelEntry, LabelledCall } from "../../calls/call-store.js";
import { type Label, LABELS } from "../../calls/labels.js";
import type { FlowDetails, ToolResult } from "../../tool/definition.js";
import { MCP_PREFIX } from "../../tool/tool-names.js";
import type { CallFacts } from "../../dispatch/state/extension.js";

export interface LabelFlags {
  readonly untrusted: boolean;
  readonly private: boolean;
}

/** A call that may bring labels into a conversation. */
export interface LabellingCall {
  readonly facts: CallFacts;
  /** The labels that it brings in, from the start of its handler. */
  readonly own: LabelFlags | undefined;
}

/** A turn of a conversation. */
export interface LabellingTurn {
  readonly conversation: Conversation;
  readonly turnId: string | undefined;
  /** This turn, or the outermost one around the handler that dispatches it. */
  readonly outermost: LabellingTurn;
  /** The calls that bring in labels, with those of their handlers, until the batch ends. */
  labelled: LabellingCall[];
  isInBatch: boolean;
}

export const BOTH_LABELS: LabelFlags = /* @__PURE__ */ Object.freeze({ untrusted: true, private: true });

/** Stands for the id of a call where the tool list itself brings in a label. */
const LIST = "list";

/** The most calls that are kept for each label: one more tells a person nothing. */
export const MOST_CALLS = 100;

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
  turns = 0;
  /** The outermost turns whose labelled calls have not ended their batch. */
  readonly #running: Set<LabellingTurn> = new Set();
  #calls: { readonly [Name in Label]: LabelledCall[] } = { untrusted: [], private: [] };

  constructor(id: string) {
    this.id = id;
  }

  start({ outermost }: LabellingTurn, call: LabellingCall): void {
    if (outermost.labelled.length === 0) this.#running.add(outermost);
    outermost.labelled.push(call);
    this.version += 1;
  }

  /** Lets the labels of calls count in their own turn too. Returns the labels to store. */
  keep({ outermost }: LabellingTurn, ended: readonly LabellingCall[]): readonly LabelEntry[] {
    outermost.labelled = ended === outermost.labelled ? [] : outermost.labelled.filter((call) => !ended.includes(call));
    if (outermost.labelled.length === 0) this.#running.delete(outermost);
    const entries: LabelEntry[] = [];
    for (const call of ended) {
      if (call.own?.untrusted === true) this.#keep("untrusted", outermost, call, entries);
      if (call.own?.private === true) this.#keep("private", outermost, call, entries);
    }
    return entries;
  }

  /** Adds the label of texts that servers wrote into the tool list. Returns the entries to store. */
  addServers(servers: readonly string[]): readonly LabelEntry[] {
    return servers.flatMap((server): readonly LabelEntry[] => {
      const shown = Object.freeze({ callId: LIST, toolName: `${MCP_PREFIX}${server}__*` });
      if (!this.#isNew("untrusted", shown, undefined)) return [];
      this.#add("untrusted", shown);
      return [{ label: "untrusted", ...shown }];
    });
  }

  #keep(label: Label, turn: LabellingTurn, call: LabellingCall, entries: LabelEntry[]): void {
    if (!this.#isNew(label, call.facts, turnIdOf(turn, call))) return;
    const kept = shown(turn, call);
    this.#add(label, kept);
    entries.push({ label, ...kept });
  }

  /** Takes over the labels of the call store: instead of the present ones, or beside them. */
  takeOver(entries: readonly LabelEntry[], isComplete: boolean): void {
    if (isComplete) this.#calls = { untrusted: [], private: [] };
    for (const { label, ...call } of entries) {
      if (this.#isNew(label, call, call.turnId)) this.#add(label, Object.freeze(call));
    }
    this.version += 1;
  }

  /** Counts as holding both labels: what it holds is not known. */
  distrust(): void {
    this.isUnknown = true;
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
        const running = [...this.#running].flatMap((turn) =>
          turn.labelled.flatMap((call) => (call.own?.[label] === true ? shown(turn, call) : [])),
        );
        const calls = [...this.#calls[label], ...running];
        return calls.length === 0 && !this.isUnknown ? [] : [Object.freeze({ label, calls: Object.freeze(calls) })];
      }),
    );
  }

  /** Returns the calls that brought in both labels, or `undefined` unless both count for this call. */
  flowInto(turn: LabellingTurn, callId: string, destination: () => JsonValue | undefined): FlowDetails | undefined {
    const isMissing = (label: Label): boolean => this.#bringing(label, turn, callId).next().done === true;
    if (!this.isUnknown && LABELS.some(isMissing)) return undefined;
    const [untrusted = [], secret = []] = LABELS.map((label) => Array.from(this.#bringing(label, turn, callId), named));
    const to = destination();
    return Object.freeze({
      ...(to !== undefined && { destination: to }),
      untrusted: Object.freeze(untrusted),
      private: Object.freeze(secret),
    });
  }

  /** Finds the calls whose label counts for a call. Its own, which a process that ended may have stored, does not. */
  *#bringing(label: Label, turn: LabellingTurn, callId: string): Generator<LabelledCall> {
    for (const call of this.#calls[label]) {
      if (call.turnId === undefined || !isSame(call, turn.turnId, callId)) yield call;
    }
    for (const other of this.#running) {
      // The others of its batch do not count.
      if (other === turn) continue;
      for (const call of other.labelled) {
        if (call.own?.[label] === true && (other !== turn.outermost || isNested(call))) yield call.facts;
      }
    }
  }

  #isNew(label: Label, { callId, toolName }: LabelledCall, turnId: string | undefined): boolean {
    const calls = this.#calls[label];
    if (calls.length >= MOST_CALLS) return false;
    for (const other of calls) if (isSame(other, turnId, callId) && other.toolName === toolName) return false;
    return true;
  }

  #add(label: Label, call: LabelledCall): void {
    this.#calls[label].push(call);
    this.added += 1;
    this.version += 1;
  }
}

function isNested({ facts }: LabellingCall): boolean {
  return facts.parentCallId !== undefined;
}

/** Ids of nested calls may equal ids of other calls in the turn. */
function turnIdOf({ turnId }: LabellingTurn, call: LabellingCall): string | undefined {
  return isNested(call) ? undefined : turnId;
}

/** Returns the labels of a result as a store has it: both if they are malformed. */
export function readStoredLabels(result: ToolResult | undefined): readonly Label[] {
  const found: unknown = result?.labels ?? [];
  return Array.isArray(found) && found.every((name) => LABELS.includes(name)) ? found : LABELS;
}

function isSame(call: LabelledCall, turnId: string | undefined, callId: string): boolean {
  return call.callId === callId && call.turnId === turnId;
}

function shown(turn: LabellingTurn, call: LabellingCall): LabelledCall {
  const { callId, toolName } = call.facts;
  const turnId = turnIdOf(turn, call);
  return Object.freeze({ callId, toolName, ...(turnId !== undefined && { turnId }) });
}

function named({ callId, toolName }: LabelledCall): { readonly callId: string; readonly toolName: string } {
  return Object.freeze({ callId, toolName });
}
