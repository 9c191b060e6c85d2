import { copyJson } from "@hasp/base/json";
import type { JsonValue } from "@hasp/schema";
import type { CallRecord } from "../../calls/call-store.js";
import { type Label, LABELS } from "../../calls/labels.js";
import { callError } from "../../results/call-errors.js";
import type { Outcome } from "../../results/outcome.js";
import { answerNow, isThenable } from "../../tool/callback.js";
import {
  aBoolean,
  aFunction,
  anObject,
  anything,
  aText,
  checkShape,
  hasMethods,
  listOf,
  oneOf,
  type OptionKind,
} from "../../tool/shape.js";
import { Stopped, type Stoppable, withTimeout } from "../scheduling/with-timeout.js";
import { ExtensionFailure, readObject, readOutcome, readText } from "./extension-answers.js";
import { type CallKeeping, refuseUnattached } from "./no-extensions.js";
import { CALL_DOORS, checkDoors, TOOL_DOORS, TURN_DOORS } from "./check-doors.js";
import type {
  Attachment,
  CallFacts,
  CallPart,
  Concern,
  DispatcherExtension,
  ExtensionHost,
  OwnedDoor,
  ExtensionTurn,
  ExtensionTurnOptions,
  JudgedVote,
  KeptCall,
  KeptResults,
  KeptStep,
  PreparedCall,
  ToolDoor,
  TurnFacts,
  TurnPart,
  Vote,
} from "./extension.js";

/** The settings that all extensions of a dispatcher share. */
interface Common {
  readonly names: readonly string[];
  readonly timeoutMs: number;
  readonly report: ExtensionHost["report"];
  /** The classes whose members have been checked. */
  readonly known: WeakSet<object>;
  /** The indexes of the extensions that own `answer` and `keep`; -1 without one. */
  answerer: number;
  keeper: number;
}

/** The part of an extension in a turn that it has begun, by its index. */
export interface OwnPart {
  readonly [index: number]: TurnPart;
}

/** The host of all extensions. */
export interface CommonHost extends Omit<ExtensionHost, "begin"> {
  readonly begin: (options: ExtensionTurnOptions, own: OwnPart) => ExtensionTurn;
}

type Doors<Part> = keyof Part & string;
type Passed<Door> = Door extends (...given: infer Given) => unknown ? Given : readonly [];

/** Several parts as one: calls each door of all parts in order, and records their failures. */
abstract class Joined<Part extends object> {
  readonly common: Common;
  /** The first failure of a part. */
  failure: ExtensionFailure | undefined;
  parts: readonly (Part | undefined)[] = [];
  /** The call that reports name, if the parts belong to one. */
  protected about: CallFacts | string = "";

  constructor(common: Common) {
    this.common = common;
  }

  /** Records the first failure, and reports each. */
  fail(index: number, door: string, error: unknown): ExtensionFailure {
    const failure = this.explain(index, door, error);
    this.failure ??= failure;
    this.common.report(this.about, failure.code, failure.message);
    return failure;
  }

  protected explain(index: number, door: string, error: unknown): ExtensionFailure {
    return new ExtensionFailure(this.common.names[index] ?? "", door, error);
  }

  /** Calls a door of all parts and ignores their answers. */
  pass<Door extends Doors<Part>>(door: Door, ...given: Passed<Required<Part>[Door]>): void {
    this.tell(door, (part) => {
      const own: unknown = part[door];
      return typeof own === "function" ? Reflect.apply(own, part, given) : undefined;
    });
  }

  /** Calls a door of all parts. Records a failure, and a promise where none is awaited. */
  protected tell(door: Doors<Part>, tell: (part: Part, index: number) => unknown): void {
    const { parts } = this;
    for (let index = 0; index < parts.length; index += 1) {
      const part = parts[index];
      if (part === undefined) continue;
      try {
        const answer = tell(part, index);
        if (answer !== undefined) answerNow(answer);
      } catch (error) {
        this.fail(index, door, error);
      }
    }
  }

  /** Waits for all parts within their time, and until a turn stops. Never rejects. */
  protected wait(door: Doors<Part>, ask: (part: Part) => unknown, turn?: Stoppable): Promise<void> | undefined {
    const pending: Promise<unknown>[] = [];
    this.tell(door, (part, index) => {
      const answer = ask(part);
      if (answer === undefined) return;
      const limits = { milliseconds: this.common.timeoutMs, turn };
      const fail = (error: unknown): unknown => error instanceof Stopped || this.fail(index, door, error);
      pending.push(withTimeout(readPromise(answer), limits).catch(fail));
    });
    return pending.length === 0 ? undefined : Promise.all(pending).then(() => undefined);
  }

  /** Begins the parts of these parts. */
  protected begin<Inner extends object>(
    door: Doors<Part>,
    inner: Joined<Inner>,
    doors: ReadonlySet<string>,
    make: (part: Part, index: number) => unknown,
  ): void {
    inner.parts = this.parts.map((part, index) => {
      try {
        const made = part && answerNow(make(part, index));
        if (made === undefined) return undefined;
        checkDoors(readObject(made), doors, this.common.known);
        return made as Inner;
      } catch (error) {
        inner.fail(index, door, error);
        return undefined;
      }
    });
  }
}

/** The extensions of one dispatcher. */
export class Attachments extends Joined<Attachment> {
  override readonly parts: readonly Attachment[];
  readonly owns: readonly OwnedDoor[];
  readonly isStandIn: boolean;
  readonly resultStore: KeptResults | undefined;
  readonly keeping: CallKeeping | undefined;
  readonly #extensions: readonly DispatcherExtension[];

  /** Attaches extensions. Throws a `TypeError` for two of one name, two owners of a door, and a malformed attachment. */
  constructor(extensions: readonly DispatcherExtension[], host: CommonHost) {
    const names = extensions.map(({ name }) => readText(name));
    checkNames(extensions, names);
    super({ names, timeoutMs: host.timeoutMs, report: host.report, known: new WeakSet(), answerer: -1, keeper: -1 });
    this.#extensions = extensions;
    this.parts = extensions.map((extension, index) =>
      attach(extension, { ...host, begin: (options, part) => host.begin(options, { [index]: part }) }),
    );
    this.owns = this.parts.flatMap(({ owns = [] }) => owns);
    for (const door of this.owns) {
      const owners = names.filter((_, index) => this.parts[index]?.owns?.includes(door));
      if (owners.length > 1) {
        refuse(`the extensions ${owners.join(" and ")} both take over \`${door}\`; leave one of them out.`);
      }
    }
    this.common.answerer = this.#findOwner("answer");
    this.common.keeper = this.#findOwner("keep");
    this.resultStore = this.first("resultStore");
    this.keeping = this.parts[this.common.keeper]?.keeping as CallKeeping | undefined;
    if (this.owns.includes("keep") && this.keeping === undefined) {
      refuse(`the extension \`${names[this.common.keeper]}\` takes over \`keep\` without \`keeping\`.`);
    }
    this.isStandIn = this.parts.some(({ isStandIn }) => isStandIn === true);
  }

  /** Asks a synchronous tool door of all extensions in order, and reads each answer. Throws the failure of one. */
  ofTools<Answer>(
    door: keyof ToolDoor,
    ask: (tools: ToolDoor) => unknown,
    read: (answer: unknown) => Answer,
  ): readonly Answer[] {
    return this.parts.flatMap(({ tools }, index) => {
      try {
        const answer = tools && answerNow(ask(tools));
        return answer === undefined ? [] : [read(answer)];
      } catch (error) {
        throw this.explain(index, door, error);
      }
    });
  }

  /** True if a provider finds the deferred tools. */
  get marksDeferred(): boolean {
    return this.parts.some(({ tools }) => tools?.marksDeferred === true);
  }

  /** Takes tools from their sources again. Rejects with the failure of an extension; `undefined` if none has a source. */
  refreshTools(): Promise<unknown> | undefined {
    const { timeoutMs: milliseconds } = this.common;
    const ask = async ({ refresh }: ToolDoor): Promise<unknown> => readPromise(refresh?.());
    const pending = this.parts.flatMap(({ tools }, index) => {
      if (tools?.refresh === undefined) return [];
      return withTimeout(ask(tools), { milliseconds }).catch((error: unknown) => {
        throw this.explain(index, "refresh", error);
      });
    });
    return pending.length === 0 ? undefined : Promise.all(pending);
  }

  #findOwner(door: OwnedDoor): number {
    return this.parts.findIndex(({ owns }) => owns?.includes(door));
  }

  keptBy(part: TurnPart): OwnPart {
    return { [this.common.keeper]: part };
  }

  /** Returns a fact from the first extension that states it. */
  first<Fact extends keyof Attachment>(fact: Fact): Attachment[Fact] {
    return this.parts.find((part) => part[fact] !== undefined)?.[fact];
  }

  /** Returns the functions of an extension for the host. Throws a `TypeError` if it is not attached. */
  use<Api>(extension: DispatcherExtension<Api>): Api {
    const attachment = this.parts[this.#extensions.indexOf(extension as DispatcherExtension)];
    if (attachment !== undefined) return attachment.api as Api;
    return refuseUnattached(extension);
  }

  /** Tells all extensions that the dispatcher is complete. Throws what one of them throws. */
  complete(): void {
    for (const attachment of this.parts) answerNow(attachment.begin?.());
  }

  /** Begins a turn, with its `own` part if an extension begins it; `undefined` if none is concerned. */
  turn(facts: TurnFacts & Stoppable, outer: TurnPart | undefined, own?: OwnPart): JoinedTurn | undefined {
    const isUnseen = own === undefined && this.parts.every((each) => each.turn === undefined);
    if (isUnseen && this.failure === undefined) return undefined;
    const turn = new JoinedTurn(this.common, facts);
    turn.failure = this.failure;
    const known = outer instanceof JoinedTurn ? outer.parts : [];
    this.begin("turn", turn, TURN_DOORS, (attachment, index) => {
      const part = own?.[index] ?? attachment.turn?.(facts, known[index]);
      if (part?.keep !== undefined && index !== this.common.keeper) throw new TypeError("it does not own `keep`");
      return part;
    });
    return turn.failure !== undefined || turn.parts.some((part) => part !== undefined) ? turn : undefined;
  }

  /** Rejects if one fails: the results must not be handed out. */
  async recall(conversation: string, calls: readonly CallRecord[]): Promise<void> {
    for (const [index, attachment] of this.parts.entries()) {
      try {
        const pending: unknown = attachment.recall?.(conversation, calls);
        if (pending !== undefined) await withTimeout(readPromise(pending), { milliseconds: this.common.timeoutMs });
      } catch (error) {
        throw this.explain(index, "recall", error);
      }
    }
  }
}

/** The parts of all extensions in one turn. After a failure none of its calls starts, and no result leaves. */
export class JoinedTurn extends Joined<TurnPart> {
  readonly #facts: TurnFacts & Stoppable;

  constructor(common: Common, facts: TurnFacts & Stoppable) {
    super(common);
    this.#facts = facts;
  }

  get keeper(): TurnPart | undefined {
    return this.parts[this.common.keeper];
  }

  ready(): Promise<void> | undefined {
    return this.wait("ready", (part) => part.ready?.(), this.#facts);
  }

  /** Begins a call. Its part exists even if no extension has one: a failure in the turn must refuse it. */
  call(facts: CallFacts): JoinedCall {
    const call = new JoinedCall(this, facts);
    this.begin("call", call, CALL_DOORS, (part) => part.call?.(facts));
    return call;
  }

  /** Waits even in a stopped turn: a stop must not lose the results of calls that have run. */
  endBatch(): Promise<void> | undefined {
    return this.wait("endBatch", (part) => part.endBatch?.());
  }
}

/** The parts of all extensions in one call. Their first failure refuses it; after its start, it withholds the result. */
export class JoinedCall extends Joined<CallPart> {
  /** Present if an extension keeps the call beyond the process. */
  kept: KeptCall | undefined;
  /** Present if an earlier run prepared the call. */
  earlier: PreparedCall | undefined;
  /** Present if somebody else has executed the call. */
  completion: KeptStep["completion"];
  readonly #turn: JoinedTurn;

  constructor(turn: JoinedTurn, facts: CallFacts) {
    super(turn.common);
    this.#turn = turn;
    this.about = facts;
  }

  /** The first failure in the call or its turn. */
  get fault(): ExtensionFailure | undefined {
    return this.failure ?? this.#turn.failure;
  }

  /** Adds all versions. They only grow, so an unchanged sum means that none has changed. */
  get version(): number {
    let sum = 0;
    this.#decide("version", (part) => void (sum += Number(answerNow(part.version ?? 0))));
    return sum;
  }

  vote(): readonly JudgedVote[] {
    const votes: JudgedVote[] = [];
    this.#decide("vote", (part, index) => {
      const answer = answerNow(part.vote?.());
      if (answer !== undefined) votes.push(...[answer].flat().map((vote) => this.#readVote(vote, index)));
    });
    return votes;
  }

  #readVote(given: unknown, index: number): JudgedVote {
    const vote = readObject(given) as Vote;
    if (vote.decision === "deny") readText(vote.reason);
    else if (vote.decision !== "ask") throw new TypeError("a vote is to deny or to ask");
    else if (vote.concern === undefined) {
      const { toolName: tool } = this.about as CallFacts;
      const reason = readText(vote.reason);
      const remedy =
        "Only a person can allow it: no rule can. A host needs `permissions.ask`, and not the mode `unattended`, to ask one.";
      const concern: Concern = {
        topic: this.common.names[index] ?? "",
        reason,
        details: {},
        refusal: { ...callError("permission/no-one-to-ask", { tool, reason }), remedy },
        about: () => concern,
      };
      return { decision: "ask", concern };
    } else {
      const { topic, reason, details, refusal } = vote.concern;
      [topic, reason, refusal.code, refusal.message, refusal.remedy].forEach(readText);
      readObject(details);
    }
    return vote;
  }

  scope(topic: string): JsonValue | undefined {
    let scope: JsonValue | undefined;
    this.#decide("scope", (part) => {
      const answer: unknown = answerNow(part.scope?.(topic));
      if (answer !== undefined) scope ??= copyJson(answer);
    });
    return scope;
  }

  start(): void {
    this.pass("start");
    this.#assertSound();
  }

  failKept(door: string, error: unknown): ExtensionFailure {
    return this.fail(this.common.keeper, door, error);
  }

  answer(): Outcome | Promise<Outcome> | undefined {
    let answer: Outcome | Promise<Outcome> | undefined;
    this.#decide("answer", (part, index) => {
      const given: unknown = part.answer?.();
      if (given !== undefined && index !== this.common.answerer) throw new TypeError("it does not own this door");
      if (isThenable(given)) {
        const refuse = (error: unknown): never => {
          throw this.fail(index, "answer", error);
        };
        answer = Promise.resolve(given).then(readOutcome).catch(refuse);
      } else if (given !== undefined) answer = readOutcome(given);
    });
    return answer;
  }

  labels(): readonly Label[] | undefined {
    const found = new Set<Label>();
    this.tell("labels", (part) => {
      for (const label of (answerNow(part.labels?.()) ?? []) as readonly Label[]) {
        if (!LABELS.includes(label)) throw new TypeError("it must answer a list of labels");
        found.add(label);
      }
    });
    return found.size === 0 ? undefined : LABELS.filter((label) => found.has(label));
  }

  /** Calls a door of all parts before the handler starts. Throws the first failure, even an earlier one. */
  #decide(door: keyof CallPart, tell: (part: CallPart, index: number) => unknown): void {
    this.tell(door, tell);
    this.#assertSound();
  }

  #assertSound(): void {
    const { fault } = this;
    if (fault !== undefined) throw fault;
  }
}

/** Throws for two extensions of one name, and for one that another needs. */
function checkNames(extensions: readonly DispatcherExtension[], names: readonly string[]): void {
  for (const [index, name] of names.entries()) {
    if (names.indexOf(name) !== index) refuse(`two extensions are called \`${name}\`; rename one, or leave it out.`);
    const missing = extensions[index]?.needs?.find((each) => !names.includes(each));
    if (missing !== undefined) refuse(`the extension \`${name}\` needs \`${missing}\`; add that to \`extensions\`.`);
  }
}

function refuse(what: string): never {
  throw new TypeError(`createDispatcher: ${what}`);
}

/** The kinds of all members of an attachment. The type requires a row for each. */
const ATTACHMENT: Record<keyof Attachment, OptionKind> = {
  api: anything,
  owns: /* @__PURE__ */ listOf("`answer`, `flow` and `keep`", /* @__PURE__ */ oneOf("answer", "flow", "keep")),
  isStandIn: aBoolean,
  keepsOrder: aBoolean,
  conversation: aText,
  keeping: /* @__PURE__ */ hasMethods<CallKeeping>("takeOver", "advance", "settle", "explain", "isLeftOpen"),
  labelStore: anObject,
  resultStore: anObject,
  begin: aFunction,
  tools: anObject,
  listed: aFunction,
  turn: aFunction,
  recall: aFunction,
};

function attach(extension: DispatcherExtension, host: ExtensionHost): Attachment {
  const { name } = extension;
  try {
    const attachment = readObject(answerNow(extension.attach(host))) as Attachment;
    checkShape(attachment, ATTACHMENT, "", (member, what) => {
      throw new TypeError(`${member} ${what}`);
    });
    checkDoors(attachment.tools ?? {}, TOOL_DOORS, new WeakSet());
    return attachment;
  } catch (error) {
    throw new ExtensionFailure(name, "attach", error);
  }
}

function readPromise(value: unknown): PromiseLike<unknown> {
  if (!isThenable(value)) throw new TypeError("it must answer a promise");
  return value;
}
