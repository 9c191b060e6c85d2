import { once } from "@hasp/base/json";
import type { JsonValue } from "@hasp/schema";
import { type Label, LABELS } from "../../calls/labels.js";
import type { ConversationLabels } from "../../calls/call-store.js";
import { memoryLabels } from "../../calls/kept-labels.js";
import { defineExtension } from "../../dispatch/state/define-extension.js";
import type {
  CallFacts,
  CallPart,
  DispatcherExtension,
  ExtensionHost,
  TurnFacts,
  TurnPart,
  Vote,
} from "../../dispatch/state/extension.js";
import type { Refusal } from "../../results/call-errors.js";
import type { Outcome } from "../../results/outcome.js";
import type { Classification, ToolResult, AnyTool } from "../../tool/definition.js";
import { FLOW_TOPIC } from "../../tool/flow-setting.js";
import {
  BOTH_LABELS,
  type Conversation,
  type LabelFlags,
  type LabellingCall,
  type LabellingTurn,
  readStoredLabels,
} from "./conversation.js";
import { Conversations, type Flows } from "./conversations.js";
import { createFlowConcern, findDestination } from "./flow-concern.js";

/** The functions of information flow for the host. */
export interface FlowApi {
  /** Lists the labels that results brought into a conversation: untrusted first, and the oldest call first. */
  labels(conversation?: string): Promise<ConversationLabels>;
  /** Ends a conversation: its labels go, and the answers remembered about them. Audit records stay. */
  forget(conversation?: string): Promise<void>;
}

/**
 * Labels what results bring into conversations, and under the setting `ask` puts a call to a person that may carry
 * private data outside because an outsider asked for it. In the store of the extension that keeps calls, labels survive
 * the process.
 */
export const informationFlow: DispatcherExtension<FlowApi, FlowTurn> = /* @__PURE__ */ defineExtension<
  FlowApi,
  FlowTurn
>({
  name: "flow",
  attach(host) {
    const { flow } = host;
    const flows = once((): Flows => ({
      conversations: new Conversations(host.first("labelStore"), host),
      mayAsk: flow === "ask",
      resultReader: host.first("resultStore")?.readTool,
    }));
    const reportSharing = createSharingReport(host);
    const api: FlowApi = {
      labels: async (conversation) => flows().conversations.labels(host.conversationId(conversation)),
      async forget(conversation) {
        const id = host.conversationId(conversation);
        await flows().conversations.forget(id);
        host.forgetAnswers(id);
      },
    };
    if (flow === "off") return { api, owns: ["flow"] };
    return {
      api,
      owns: ["flow"],
      listed({ unreadServers }, { isShown }) {
        if (isShown) flows().conversations.noteShown(unreadServers);
      },
      turn(facts, outer) {
        if (outer === undefined) reportSharing(facts);
        return new FlowTurn(flows(), facts, outer);
      },
      recall: (id, calls) => flows().conversations.recall(id, calls),
    };
  },
});

/** Creates an extension that keeps the labels of conversations for all dispatchers that have it, as long as the process. */
export function sharedLabels(): DispatcherExtension {
  const labelStore = { setUp: async () => undefined, ...memoryLabels() };
  return defineExtension({ name: "labels", attach: () => ({ api: undefined, conversation: "", labelStore }) });
}

/** Creates a function that reports, once, that people share a conversation: the results of one make calls of others ask. */
function createSharingReport({ flow, report }: ExtensionHost): (turn: TurnFacts) => void {
  let first: string | undefined;
  let isReported = false;
  return ({ place: { principal, namesConversation } }) => {
    if (flow !== "ask" || isReported || namesConversation === true || principal === undefined) return;
    first ??= principal;
    if (principal === first) return;
    isReported = true;
    const message =
      "Turns of several principals have no `conversation`, so that what one has read makes calls of another ask. Pass `conversation` with each turn.";
    report("", "shared-conversation", message);
  };
}

/** The labels that one turn brings into its conversation. */
class FlowTurn implements TurnPart, LabellingTurn {
  readonly flows: Flows;
  readonly conversation: Conversation;
  readonly turnId: string | undefined;
  readonly outermost: FlowTurn;
  labelled: LabellingCall[] = [];
  /** The calls of this batch that a call store keeps. */
  storedCalls: FlowCall[] = [];
  isInBatch = false;
  readonly #facts: TurnFacts;

  constructor(flows: Flows, facts: TurnFacts, outer: FlowTurn | undefined) {
    this.flows = flows;
    this.#facts = facts;
    this.turnId = facts.turnId;
    this.conversation = outer?.conversation ?? flows.conversations.get(facts.conversation);
    this.outermost = outer?.outermost ?? this;
    this.conversation.turns += 1;
  }

  /** Loads what the conversation holds, and adds what the lists up to this turn bring in. */
  ready(): Promise<void> | undefined {
    if (this.outermost !== this) return undefined;
    const { mayLeadOutside, unreadServers } = this.#facts.tools;
    const { conversation, flows } = this;
    const note = (): Promise<void> | undefined => flows.conversations.noteServers(conversation, unreadServers);
    // Without a question, nobody needs the labels before a call.
    const loading = flows.mayAsk && mayLeadOutside ? flows.conversations.load(conversation) : undefined;
    return loading === undefined ? note() : loading.then(note);
  }

  beginBatch(): void {
    this.isInBatch = true;
  }

  call(call: CallFacts): FlowCall {
    return new FlowCall(this, call);
  }

  endBatch(): Promise<void> | undefined {
    const stored = this.storedCalls;
    if (stored.length > 0) this.storedCalls = [];
    return this.flows.conversations.endBatch(this, stored);
  }

  end(): void {
    this.conversation.turns -= 1;
  }
}

const NO_LABELS: readonly Label[] = /* @__PURE__ */ Object.freeze([]);

/** The labels that one call brings into its conversation, and what it may carry out. */
class FlowCall implements CallPart, LabellingCall {
  readonly facts: CallFacts;
  own: LabelFlags | undefined;
  readonly #turn: FlowTurn;
  /** The labels of what the calls of this program returned: its result has them too. */
  #inner: readonly Label[] = NO_LABELS;

  constructor(turn: FlowTurn, facts: CallFacts) {
    this.#turn = turn;
    this.facts = facts;
  }

  get version(): number {
    return this.#mayAsk ? this.#turn.conversation.version : 0;
  }

  /** Votes to ask if its conversation has both labels and the call leads outside. */
  vote(): Vote | undefined {
    if (!this.#mayAsk) return undefined;
    const { callId, input, entry } = this.facts;
    const flow = this.#turn.conversation.flowInto(this.#turn, callId, () => findDestination(input, entry?.tool));
    return flow && { decision: "ask", concern: createFlowConcern(flow, entry) };
  }

  get #mayAsk(): boolean {
    return this.#turn.flows.mayAsk && this.facts.classification.isOpenWorld;
  }

  scope(topic: string): JsonValue | undefined {
    return topic === FLOW_TOPIC ? findDestination(this.facts.input, this.facts.entry?.tool) : undefined;
  }

  /** Adds the labels of its classification, or of the stored text that it reads. */
  start(): void {
    if (this.own !== undefined) return;
    const { entry, input, classification } = this.facts;
    const { conversations, resultReader } = this.#turn.flows;
    if (resultReader !== undefined && resultReader === entry?.tool) {
      return this.#label(conversations.labelsAt(Object(input).reference));
    }
    this.#label(toLabels(classification));
  }

  /** Applies what a handler said about its result. Drops a label only if the spec claims its absence. */
  returned({ stated }: Outcome): void {
    const tool = this.facts.entry?.tool;
    if (stated === undefined || tool === undefined) return;
    const labels = { untrusted: this.#has("untrusted", stated, tool), private: this.#has("private", stated, tool) };
    if (this.own !== undefined) this.own = labels;
    if (!this.#turn.outermost.labelled.includes(this)) this.#label(labels);
    else if (labels.untrusted || labels.private) this.#turn.conversation.version += 1;
  }

  /** Adds the labels of a call that was refused in words that a function of its tool chose. */
  refused({ quotesTool }: Refusal): void {
    const { entry, input, classification } = this.facts;
    if (!quotesTool || this.own !== undefined || entry === undefined) return;
    // Before its classification, a call counts as the strictest of its tool.
    this.#label(toLabels(input === undefined ? entry.tool.metadata.behavior : classification));
  }

  received(results: readonly (ToolResult | undefined)[]): void {
    this.#inner = LABELS.filter(
      (label) => this.#inner.includes(label) || results.some((result) => result?.labels?.includes(label)),
    );
  }

  /** Adds both labels for a call that a lost process may have run, and the labels of another process's result. */
  ended(): void {
    const { isStored, stage, outcome, result } = this.facts;
    if (!isStored) return;
    this.#turn.storedCalls.push(this);
    if (this.own !== undefined) return;
    const mayHaveRun = stage !== "executed" && outcome?.error?.effect === "unknown";
    if (mayHaveRun) return this.#label(BOTH_LABELS);
    const found = readStoredLabels(result);
    this.#label({ untrusted: found.includes("untrusted"), private: found.includes("private") });
  }

  stored(reference: string): void {
    this.#turn.flows.conversations.noteReference(reference, this.own);
  }

  labels(): readonly Label[] | undefined {
    const { own } = this;
    if (own?.untrusted === true && own.private) return LABELS;
    if (own === undefined && this.#inner.length === 0) return undefined;
    const labels = LABELS.filter((label) => own?.[label] === true || this.#inner.includes(label));
    return labels.length > 0 ? Object.freeze(labels) : undefined;
  }

  #has(name: Label, stated: NonNullable<Outcome["stated"]>, { droppable }: AnyTool): boolean {
    const before = this.own?.[name] === true;
    if (stated[name] === undefined) return before;
    return stated[name] || (before && !droppable[name]);
  }

  #label(labels: LabelFlags): void {
    if (!labels.untrusted && !labels.private) return;
    this.own = labels;
    this.#turn.conversation.start(this.#turn, this);
  }
}

function toLabels({
  returnsUntrusted: untrusted,
  returnsPrivate: isPrivate,
}: Pick<Classification, "returnsUntrusted" | "returnsPrivate">): LabelFlags {
  return untrusted && isPrivate ? BOTH_LABELS : { untrusted, private: isPrivate };
}
