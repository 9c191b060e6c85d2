import {
  type CallRecord,
  type CallStore,
  type TurnRecord,
  TurnConflict,
  UnknownTurn,
  type RunOptions,
  type RunOutcome,
  type StoredTurnOptions,
  type StoredTurns,
} from "@hasp/runtime/call-store";
import type { DispatcherExtension, CallPreview, ToolCall, ToolResult } from "@hasp/runtime";
import { loadOnce } from "@hasp/runtime/contract";
import { InputDigests, keeping } from "@hasp/runtime/internal/durable";
import { aBoolean, aFunction, aText, checkShape, hasMethods, type OptionKind } from "@hasp/runtime/internal";
import { defineExtension, type ExtensionHost, type TurnPart } from "@hasp/runtime/extension";
import { answerQuestion, within } from "./answer-question.js";
import { completeCall } from "./complete-call.js";
import { DurableCall } from "./durable-call.js";
import type { DurableOptions } from "./durable-options.js";
import { StoredTurn, type DurableSettings } from "./stored-turn.js";
import { checkTurnId, createTurnRecord, hasCallsOf, readReceivedCall } from "./turn-record.js";

const aDuration: OptionKind = {
  expected: "a number of seconds above 0, at most a year",
  fits: (value) => typeof value === "number" && value > 0 && value <= 366 * 86_400,
};

/** The kind of every option. The type requires a row for each. */
const OPTIONS: { readonly [option in keyof Required<DurableOptions>]: OptionKind } = {
  store: /* @__PURE__ */ hasMethods<CallStore>("setUp", "open", "read", "advance", "questions", "records"),
  principal: aText,
  mayAnswer: aFunction,
  allowUnseenInput: aBoolean,
  questionTtlSeconds: aDuration,
  externalTtlSeconds: aDuration,
  digestKey: aText,
  leaseSeconds: aDuration,
};

/**
 * Keeps calls in a store, so that questions, effects and results outlive the process: list it in `extensions`, and use
 * `dispatcher.use(durable).run`. Throws a `TypeError` for options that do not fit.
 */
export function durableCalls<Context = unknown>(options: DurableOptions): DispatcherExtension<StoredTurns<Context>> {
  checkShape(options, OPTIONS, "", (path, what) => {
    throw new TypeError(`durableCalls: ${path} ${what}.`);
  });
  if (!OPTIONS.store.fits(options.store)) throw new TypeError("durableCalls needs a `store`.");
  const { store, principal = "" } = options;
  return defineExtension({
    name: "durable",
    attach: (host) => ({
      api: createStoredTurns(options, host) as object as StoredTurns<Context>,
      owns: ["keep"],
      keeping,
      keepsOrder: store.keepsOrder,
      conversation: principal,
      labelStore: store,
    }),
  });
}

/** Creates the functions for stored turns. */
function createStoredTurns(options: DurableOptions, { timeoutMs, begin, recall }: ExtensionHost): StoredTurns<never> {
  const { store, principal: ownPrincipal, leaseSeconds = 15, digestKey } = options;
  const { questionTtlSeconds = 7 * 86_400, externalTtlSeconds = 7 * 86_400 } = options;
  const settings: DurableSettings = {
    ...options,
    questionTtlMs: questionTtlSeconds * 1000,
    externalTtlSeconds,
    leaseMs: leaseSeconds * 1000,
    timeoutMs,
    toolDigests: new WeakMap(),
    inputDigests: new InputDigests(),
    recallLabels: recall,
    runNested: ({ record, begin: beginNested, ...place }) =>
      drive(settings, record, (_options, part) => beginNested(part), {}, place),
  };
  const setUp = loadOnce(() => within(settings, store.setUp()));

  async function read(turnId: string, { principal = ownPrincipal }: StoredTurnOptions<never>): Promise<TurnRecord> {
    const turn = await within(settings, store.read(turnId));
    if (turn === undefined) throw new UnknownTurn(turnId);
    if (turn.principal !== principal) throw new TurnConflict(turnId, "principal");
    return turn;
  }

  return {
    store,
    async run(calls, options) {
      if (!Array.isArray(calls)) throw new TypeError("run takes a list of calls: [{ id, name, input }].");
      const { turnId, principal = ownPrincipal, conversation } = Object(options) as Partial<RunOptions>;
      checkTurnId(turnId);
      const made = createTurnRecord(turnId, calls as readonly ToolCall[], { principal, conversation, digestKey });
      await setUp();
      if (await within(settings, store.open(made))) {
        return drive(settings, made, begin, options, { preview: options.preview });
      }
      const stored = await read(turnId, options);
      if (!hasCallsOf(stored, made, digestKey)) throw new TurnConflict(turnId, "calls");
      if (conversation !== undefined && stored.conversation !== conversation) {
        throw new TurnConflict(turnId, "conversation");
      }
      return drive(settings, stored, begin, options);
    },
    async resume(turnId, options = {}) {
      checkTurnId(turnId);
      await setUp();
      return drive(settings, await read(turnId, options), begin, options);
    },
    async complete(id, completion, { principal = ownPrincipal } = {}) {
      await setUp();
      return completeCall(settings, id, completion, principal);
    },
    async answer(questionId, answer) {
      await setUp();
      return answerQuestion(settings, questionId, answer);
    },
  };
}

async function drive(
  settings: DurableSettings,
  record: TurnRecord,
  begin: ExtensionHost["begin"],
  options: StoredTurnOptions<never>,
  place: ConstructorParameters<typeof StoredTurn>[4] & {
    readonly onSettled?: (call: CallRecord) => void;
    readonly preview?: CallPreview | undefined;
  } = {},
): Promise<RunOutcome> {
  const conversation = record.conversation ?? record.principal ?? "";
  const turn = new StoredTurn(settings, record.turnId, record.principal, conversation, place);
  const ids = new Set<string>();
  const calls = record.calls.map((call) => {
    const { id } = call.received;
    const isDuplicate = id !== "" && ids.has(id);
    ids.add(id);
    return new DurableCall(turn, call, isDuplicate, record.calls.length === 1 ? place.preview : undefined);
  });
  const results = new Map<DurableCall, ToolResult>();
  turn.open();
  try {
    for (const call of calls) if (call.record.state === "reserved") await call.takeOver();
    const open: DurableCall[] = [];
    for (const call of calls) {
      if (call.record.state === "settled" && call.record.result !== undefined) results.set(call, call.record.result);
      else open.push(call);
    }
    await settings.recallLabels(
      conversation,
      [...results.keys()].map((call) => call.record),
    );
    if (open.length > 0) {
      const unpushed = open.values();
      const part: TurnPart = { keep: (facts) => unpushed.next().value?.keep(facts) };
      const running = begin({ ...options, conversation, principal: record.principal, turnId: record.turnId }, part);
      turn.onFailure(() => running.abort("The call store failed."));
      for (const call of open) running.push(readReceivedCall(call.record));
      const answers = await running.end();
      for (const call of open) if (call.program.isSuspended) await call.release();
      open
        .filter(({ isAnswered }) => isAnswered)
        .forEach((call, index) => results.set(call, answers[index] as ToolResult));
    }
    for (const { record } of calls) if (record.state === "settled") place.onSettled?.(record);
    if (turn.failure === undefined) for (const call of calls) await call.forgetCalls();
  } finally {
    await turn.close();
  }
  if (turn.failure !== undefined) throw turn.failure.error;
  if (calls.some(({ isElsewhere }) => isElsewhere)) {
    // Now that the other calls of their batch are settled, nobody waits for this run.
    const now = await within(settings, settings.store.read(record.turnId));
    if (now === undefined) throw new UnknownTurn(record.turnId);
    return drive(settings, now, begin, options, place);
  }
  const found = Object.freeze(calls.flatMap((call) => results.get(call) ?? []));
  if (found.length === calls.length) return Object.freeze({ status: "settled", results: found });
  const questions = Object.freeze(
    calls.flatMap(({ program, questions: own }) =>
      program.isSuspended ? program.waiting.flatMap((each) => each.questions) : own,
    ),
  );
  const externals = Object.freeze(calls.flatMap((call) => call.externals));
  return Object.freeze({
    status: "waiting",
    turnId: record.turnId,
    questions,
    ...(externals.length > 0 && { externals }),
    results: found,
  });
}
