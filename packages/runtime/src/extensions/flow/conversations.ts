import type { CallRecord, ConversationLabels, LabelEntry } from "../../calls/call-store.js";
import { isLabelEntry } from "../../calls/kept-labels.js";
import type { ExtensionHost, KeptLabels } from "../../dispatch/state/extension.js";
import { messageOf } from "../../results/text.js";
import type { AnyTool } from "../../tool/definition.js";
import { withTimeout } from "../../dispatch/scheduling/with-timeout.js";
import {
  BOTH_LABELS,
  Conversation,
  type LabelFlags,
  type LabellingCall,
  type LabellingTurn,
  MOST_CALLS,
  readStoredLabels,
} from "./conversation.js";

/** The most references of stored results that are remembered with their labels; any other has both. */
const MOST_REFERENCES = 10_000;

type LabelStore = Required<KeptLabels>;

/** The most conversations that are kept in memory while no turn runs in them. */
const MOST_CONVERSATIONS = 10_000;

/** The most ended conversations that are remembered by their id alone, if no call store keeps labels. */
const MOST_PAST = 1_000_000;

type LabelHost = Pick<ExtensionHost, "flow" | "timeoutMs" | "report">;

/** The conversations of a dispatcher: in memory and, if the call store keeps labels, in the store. */
export class Conversations {
  readonly #known = new Map<string, Conversation>();
  /** The ids of conversations whose calls were dropped from memory: both labels count there. */
  readonly #past = new Set<string>();
  readonly #unsaved = new Map<string, readonly LabelEntry[]>();
  readonly #references = new Map<string, LabelFlags>();
  /** The servers whose texts some list has shown. No list says which conversation reads it, so they count for all. */
  readonly #shownServers = new Set<string>();
  readonly #store: LabelStore | undefined;
  readonly #host: LabelHost;
  #ready: Promise<void> | undefined;

  constructor(store: KeptLabels | undefined, host: LabelHost) {
    this.#store = store?.addLabels && store.labels && store.forget ? (store as LabelStore) : undefined;
    this.#host = host;
  }

  get(id: string): Conversation {
    const known = this.#known.get(id);
    if (known !== undefined) return known;
    if (this.#known.size >= MOST_CONVERSATIONS) this.#dropOldest();
    const conversation = new Conversation(id);
    conversation.isUnknown = this.#past.has(id) || this.#past.size >= MOST_PAST;
    this.#known.set(id, conversation);
    return conversation;
  }

  /** Saves labels that failed before and loads those of other processes. Never rejects: on failure, both count. */
  load(conversation: Conversation): Promise<void> | undefined {
    return this.#store === undefined ? undefined : this.#limit(conversation, this.#load(this.#store, conversation));
  }

  /**
   * Ends a batch: its labels count in its own turn from now on, and are stored before a result is handed out. Those of
   * nested calls are stored with the outermost batch, or at once if they outlive it, or if their results are stored.
   * Rejects under `ask` if they cannot be stored: another process would not ask about what these results brought in.
   */
  endBatch(turn: LabellingTurn, stored: readonly LabellingCall[]): Promise<void> | undefined {
    const { conversation, outermost } = turn;
    const { labelled } = outermost;
    if (turn === outermost) outermost.isInBatch = false;
    if (labelled.length === 0) return undefined;
    const ended = outermost.isInBatch ? stored.filter((call) => labelled.includes(call)) : labelled;
    // A handler may make thousands of calls in one batch.
    if (ended.length === 0) return undefined;
    const entries = conversation.keep(turn, ended);
    return this.#add(conversation, entries);
  }

  /** Adds the labels of settled calls whose results are handed out again, unless the conversation has them. */
  async recall(id: string, calls: readonly CallRecord[]): Promise<void> {
    const entries = calls.flatMap(({ callId, toolName, turnId, result }) =>
      readStoredLabels(result).map((label) => ({ label, callId, toolName, turnId })),
    );
    const conversation = this.get(id);
    const missing = (): readonly LabelEntry[] => entries.filter(({ label }) => conversation.lacks(label));
    if (missing().length > 0) await this.load(conversation);
    const added = missing();
    conversation.takeOver(added, false);
    await this.#add(conversation, added);
  }

  /** Notes the servers whose texts a list shows, as many as a conversation names. */
  noteShown(servers: readonly string[]): void {
    for (const server of servers) if (this.#shownServers.size < MOST_CALLS) this.#shownServers.add(server);
  }

  /** Labels a conversation whose model reads texts of these servers, or may have read those shown. Saves what is new. */
  noteServers(conversation: Conversation, servers: readonly string[]): Promise<void> | undefined {
    if (servers.length === 0 && this.#shownServers.size === 0) return undefined;
    return this.#add(conversation, conversation.addServers([...this.#shownServers, ...servers]));
  }

  async labels(id: string): Promise<ConversationLabels> {
    const conversation = this.get(id);
    await this.load(conversation);
    return conversation.list();
  }

  async forget(id: string): Promise<void> {
    if (this.#store !== undefined) await this.#within(this.#store, (store) => store.forget(id));
    this.#unsaved.delete(id);
    this.#past.delete(id);
    this.#known.get(id)?.forget();
  }

  /** Remembers the labels of a stored result. A reference that a store gives twice has the labels of both results. */
  noteReference(reference: string, labels: Partial<LabelFlags> = {}): void {
    const before = this.#references.get(reference);
    this.#references.delete(reference);
    const [oldest] = this.#references.size < MOST_REFERENCES ? [] : this.#references.keys();
    if (oldest !== undefined) this.#references.delete(oldest);
    this.#references.set(reference, {
      untrusted: before?.untrusted === true || labels.untrusted === true,
      private: before?.private === true || labels.private === true,
    });
  }

  labelsAt(reference: unknown): LabelFlags {
    return this.#references.get(String(reference)) ?? BOTH_LABELS;
  }

  /** Drops the oldest conversation in which no turn runs and whose labels are stored, if a store keeps them. */
  #dropOldest(): void {
    for (const [id, conversation] of this.#known) {
      if (conversation.turns > 0 || conversation.saving > 0 || this.#unsaved.has(id)) continue;
      this.#known.delete(id);
      if (this.#store === undefined && conversation.list().length > 0) this.#past.add(id);
      return;
    }
  }

  async #load(store: LabelStore, conversation: Conversation): Promise<void> {
    if (conversation.saving === 0 && this.#unsaved.has(conversation.id)) {
      await this.#save(store, conversation, []).catch(() => undefined);
    }
    const { added, saving } = conversation;
    try {
      const entries: unknown = await this.#within(store, () => store.labels(conversation.id));
      if (!Array.isArray(entries) || !entries.every(isLabelEntry)) throw new TypeError("a stored label is malformed");
      const unsaved = this.#unsaved.get(conversation.id);
      conversation.isUnknown = unsaved !== undefined;
      conversation.takeOver(entries, saving === 0 && unsaved === undefined && conversation.added === added);
    } catch {
      conversation.distrust();
    }
  }

  /** Stores labels. Rejects under `ask` if that fails; otherwise the host reads of it. */
  #add(conversation: Conversation, entries: readonly LabelEntry[]): Promise<void> | undefined {
    if (this.#store === undefined || entries.length === 0) return undefined;
    const saving = this.#save(this.#store, conversation, entries);
    const { flow, report } = this.#host;
    if (flow === "ask") return saving;
    return this.#limit(
      conversation,
      saving.catch((error: unknown) => report("", "labels-not-stored", messageOf(error))),
    );
  }

  /** Limits a wait for the store. Never rejects: while it has not answered, both labels count. */
  #limit(conversation: Conversation, pending: Promise<void>): Promise<void> {
    return withTimeout(pending, { milliseconds: this.#host.timeoutMs }).catch(() => conversation.distrust());
  }

  /** Stores labels and those that failed before. Rejects if that fails: until it succeeds, both labels count. */
  async #save(store: LabelStore, conversation: Conversation, added: readonly LabelEntry[]): Promise<void> {
    const { id } = conversation;
    const entries = [...(this.#unsaved.get(id) ?? []), ...added];
    conversation.saving += 1;
    let failed: readonly LabelEntry[] = [];
    try {
      await this.#within(store, () => store.addLabels(id, entries));
    } catch (error) {
      failed = entries;
      conversation.distrust();
      throw new Error(`the labels of its result could not be stored: ${messageOf(error)}`, { cause: error });
    } finally {
      conversation.saving -= 1;
      // Another request may have failed meanwhile.
      const others = (this.#unsaved.get(id) ?? []).filter((entry) => !entries.includes(entry));
      if (others.length + failed.length > 0) this.#unsaved.set(id, [...others, ...failed]);
      else this.#unsaved.delete(id);
    }
  }

  async #within<Value>(store: LabelStore, request: (store: LabelStore) => Promise<Value>): Promise<Value> {
    const milliseconds = this.#host.timeoutMs;
    this.#ready ??= withTimeout(store.setUp(), { milliseconds });
    try {
      await this.#ready;
    } catch (error) {
      this.#ready = undefined;
      throw error;
    }
    return withTimeout(request(store), { milliseconds });
  }
}

/** The information flow of one dispatcher. */
export interface Flows {
  readonly conversations: Conversations;
  /** False if labels are noted, and nobody is asked. */
  readonly mayAsk: boolean;
  readonly resultReader: AnyTool | undefined;
}
