import { sortBy, isObject } from "@hasp/base/json";
import type { AuditRecord, CallRecord, CallStore, Question, TurnRecord } from "@hasp/runtime/call-store";

/** A case that every call store must pass: `run` rejects with an `Error` that names the fault. */
export interface ConformanceCase {
  readonly name: string;
  run(): Promise<void>;
}

type MakeStore = () => CallStore | Promise<CallStore>;
type StoreCase = (store: CallStore) => Promise<void>;

/** Returns the cases that every call store must pass, for any test runner. `makeStore` returns an empty store. */
export function callStoreConformance(makeStore: MakeStore): readonly ConformanceCase[] {
  return Object.entries(CASES).map(([name, check]) => ({
    name,
    async run() {
      const store = await makeStore();
      await store.setUp();
      await check(store);
    },
  }));
}

const CASES: { readonly [name: string]: StoreCase } = {
  "is set up any number of times": async (store) => {
    const turn = turnOf(1);
    await store.open(turn);
    await Promise.all([store.setUp(), store.setUp()]);
    same((await store.read(turn.turnId))?.turnId, turn.turnId, "the turn after a second setUp");
  },

  "knows no turn that was not opened": async (store) => {
    const turnId = newId();
    same(await store.read(turnId), undefined, "an unknown turn");
    same(await store.advance(turnId, "1", "proposed", "reserved", {}), false, "advance of an unknown turn");
    same(await store.questions({ turnId }), [], "the questions of an unknown turn");
    same(await store.records({ turnId }), [], "the records of an unknown turn");
  },

  "finds nothing under an unknown id, whatever characters it has": async (store) => {
    for (const id of ["", "\0", "a\0b", "\ud800", "../x", "'; --", "x".repeat(100_000)]) {
      const named = JSON.stringify(id.slice(0, 9));
      same(await store.read(id), undefined, `the turn ${named}`);
      same(await store.questions({ id }), [], `the question ${named}`);
      same(await store.questions({ turnId: id }), [], `the questions of ${named}`);
      same(await store.records({ turnId: id }), [], `the records of ${named}`);
      same(await store.advance(id, id, "proposed", "reserved", {}), false, `advance of ${named}`);
    }
  },

  "gives a turn back as it was opened, with its calls in order": async (store) => {
    const turn = turnOf(12);
    same(await store.open(turn), true, "the first open");
    same(await store.read(turn.turnId), turn, "the turn");
  },

  "opens a turn once": async (store) => {
    const turn = turnOf(2);
    const wins = await Promise.all(
      Array.from({ length: 8 }, (_, index) => store.open({ ...turn, callsDigest: `digest ${index}` })),
    );
    same(wins.filter(Boolean).length, 1, "of eight opens at once, those that won");
    same((await store.read(turn.turnId))?.callsDigest, `digest ${wins.indexOf(true)}`, "whose turn was stored");
    same((await store.records({ turnId: turn.turnId })).length, 2, "the records of a turn of two calls");
  },

  "advances a call that is as expected, and no other": async (store) => {
    const turn = turnOf(2);
    const advance = advanceIn(store, turn.turnId);
    await store.open(turn);
    same(await advance("1", "asked", "allowed"), false, "from another state");
    same(await advance("1", { state: "proposed", version: 7 }, "asked"), false, "from another version");
    same(await advance("1", { state: "asked", version: 0 }, "asked"), false, "from another state of this version");
    same(await advance("3", "proposed", "asked"), false, "a call that is not there");
    same(await store.read(turn.turnId), turn, "a turn of which nothing won");
    same(await advance("1", "proposed", "asked"), true, "from this state");
    same(await advance("1", { state: "asked", version: 1 }, "allowed"), true, "from this version");
    const [first, second] = await callsOf(store, turn);
    same([first?.state, first?.version], ["allowed", 2], "the call that was advanced");
    same([second?.state, second?.version], ["proposed", 0], "the call that was not");
  },

  "lets one of many win": async (store) => {
    const turn = turnOf(1);
    await store.open(turn);
    for (const [version, from, to] of [
      [0, "proposed", "asked"],
      [1, "asked", "allowed"],
      [2, "allowed", "reserved"],
      [3, "reserved", "reserved"],
      [4, "reserved", "settled"],
    ] as const) {
      const wins = await Promise.all(
        Array.from({ length: 16 }, (_, index) =>
          store.advance(turn.turnId, "1", { state: from, version }, to, { reason: `${to} ${index}` }),
        ),
      );
      same(wins.filter(Boolean).length, 1, `of sixteen at once from ${from} to ${to}, those that won`);
      same((await callsOf(store, turn))[0]?.reason, `${to} ${wins.indexOf(true)}`, "whose patch was applied");
    }
    same((await store.records({ turnId: turn.turnId })).length, 5, "the records of four transitions");
  },

  "applies the parts of a patch, removes those that are null, and keeps the rest": async (store) => {
    const turn = turnOf(1);
    const lease = { owner: "a", until: "2030-01-01T00:00:00.000Z" };
    await store.open(turn);
    await store.advance(turn.turnId, "1", "proposed", "reserved", { lease, reason: "because", notes: ["a", "b"] });
    await store.advance(turn.turnId, "1", "reserved", "reserved", { lease: null, toolName: "renamed" });
    const expected = {
      ...turn.calls[0],
      state: "reserved",
      version: 2,
      reason: "because",
      notes: ["a", "b"],
      toolName: "renamed",
    };
    same((await callsOf(store, turn))[0], expected, "the call");
  },

  "keeps nothing of an input that was removed": async (store) => {
    const turn = turnOf(2, { secret: "a-very-secret-word" });
    const advance = advanceIn(store, turn.turnId);
    const question = questionOf(turn, "1");
    await store.open(turn);
    await store.advance(turn.turnId, "1", "proposed", "asked", { input: { secret: "a-very-secret-word" }, question });
    await store.advance(turn.turnId, "1", "asked", "settled", { input: null, question: { ...question, input: null } });
    await advance("2", "proposed", "settled", { input: null });
    const all = [
      await store.read(turn.turnId),
      await store.questions({ turnId: turn.turnId }),
      await store.records({ turnId: turn.turnId }),
    ];
    same(JSON.stringify(all).includes("a-very-secret-word"), false, "whether the input is still there");
  },

  "removes the result of a settled call, without a record": async (store) => {
    const turn = turnOf(1);
    const result = { callId: "1", toolName: "pay", isError: false, content: [], durationMs: 1, wasConcurrent: false };
    await store.open(turn);
    await store.advance(turn.turnId, "1", "proposed", "settled", { input: null, result, order: 1 });
    const [settled] = await callsOf(store, turn);
    same(settled?.result, result, "the result");
    const forget = { result: null };
    same(
      await store.advance(turn.turnId, "1", settled as CallRecord, "settled", forget),
      true,
      "whether it is removed",
    );
    same((await callsOf(store, turn))[0]?.result, undefined, "the result that was removed");
    same((await store.records({ turnId: turn.turnId })).length, 2, "the records");
  },

  "finds questions by each part of a filter": async (store) => {
    const [one, two] = [turnOf(2), turnOf(1)];
    for (const turn of [one, two]) await store.open(turn);
    const asked = [
      { ...questionOf(one, "1"), principal: "ann", askedAt: "2026-01-01T00:00:00.000Z" },
      { ...questionOf(one, "2"), toolName: "other", askedAt: "2026-01-03T00:00:00.000Z" },
      { ...questionOf(two, "1"), principal: "ann", askedAt: "2026-01-02T00:00:00.000Z" },
    ];
    for (const question of asked) {
      same(await store.advance(question.turnId, question.callId, "proposed", "asked", { question }), true, "asking");
    }
    await store.advance(one.turnId, "1", "asked", "allowed", {});
    const found = async (filter: Parameters<CallStore["questions"]>[0]): Promise<readonly number[]> => {
      const ours = (await store.questions(filter)).filter(({ id }) => asked.some((question) => question.id === id));
      return ours.map(({ id }) => asked.findIndex((question) => question.id === id));
    };
    same(await found({}), [0, 2, 1], "all questions, oldest first");
    same(await found({ isOpen: true }), [2, 1], "open questions");
    same(await found({ turnId: one.turnId }), [0, 1], "questions of a turn");
    same(await found({ principal: "ann" }), [0, 2], "questions of a principal");
    same(await found({ toolName: "other" }), [1], "questions about a tool");
    same(await found({ id: asked[2]?.id as string }), [2], "a question by its id");
    same(await found({ id: asked[0]?.id as string, isOpen: true }), [], "a decided question among open ones");
    same(await found({ id: newId() }), [], "an unknown question");
    same((await store.questions({ id: asked[1]?.id as string }))[0], asked[1], "the question itself");
  },

  "finds questions by the beginning of a turn's id": async (store) => {
    const base = newId();
    const ids = ["ann 1", "ann 2", "bob 1"].map((end) => `${base} ${end}`);
    for (const turn of ids.map((id) => turnOf(1, {}, id))) {
      await store.open(turn);
      await store.advance(turn.turnId, "1", "proposed", "asked", { question: questionOf(turn, "1") });
    }
    const found = async (turnPrefix: string): Promise<readonly string[]> =>
      (await store.questions({ turnPrefix })).map(({ turnId }) => turnId).toSorted();
    same(await found(`${base} `), ids, "all of them");
    for (const begin of ["ann ", "an"]) same(await found(`${base} ${begin}`), ids.slice(0, 2), `those of "${begin}"`);
    for (const other of [`${base} ann 1 `, `${base}_ann `, `${base}%`, `${base}\0`]) {
      same(await found(other), [], `those that begin with ${JSON.stringify(other)}`);
    }
  },

  "records each transition once, in order, with its details": async (store) => {
    const turn = { ...turnOf(1), principal: "ann" };
    const advance = advanceIn(store, turn.turnId);
    await store.open(turn);
    await advance("1", "proposed", "asked", { audit: { questionId: "q", reason: "why" } });
    await advance("1", "proposed", "asked", { audit: { questionId: "never" } });
    await advance("1", "asked", "asked", { audit: { by: "eve", code: "not-permitted" } });
    await advance("1", "asked", "asked", { reason: "not worth a record" });
    await advance("1", "asked", "allowed", { audit: { by: "ann" } });
    await advance("1", "allowed", "reserved", {});
    const records = await store.records({ turnId: turn.turnId });
    const shown = records.map(({ at: _at, ...rest }: AuditRecord) => rest);
    const ids = { turnId: turn.turnId, callId: "1", toolName: "act" };
    const expected = [
      { ...ids, to: "proposed", principal: "ann" },
      { ...ids, from: "proposed", to: "asked", questionId: "q", reason: "why" },
      { ...ids, from: "asked", to: "asked", by: "eve", code: "not-permitted" },
      { ...ids, from: "asked", to: "allowed", by: "ann" },
      { ...ids, from: "allowed", to: "reserved" },
    ];
    same(shown, expected, "the records");
    for (const { at } of records) same(new Date(at).toISOString(), at, "an ISO date");
    const last = records.at(-1)?.at as string;
    same(
      (await store.records({ turnId: turn.turnId, since: last })).at(-1)?.to,
      "reserved",
      "the last record, since then",
    );
    same(await store.records({ turnId: turn.turnId, since: "9999-01-01T00:00:00.000Z" }), [], "records of the future");
    const own = (await store.records({})).filter(({ turnId }) => turnId === turn.turnId);
    same(own, records, "the same records among all");
  },

  "keeps the labels of a conversation once each, if it keeps labels at all, until they are forgotten": async (
    store,
  ) => {
    const methods = [store.addLabels, store.labels, store.forget].filter((method) => method !== undefined);
    same([0, 3].includes(methods.length), true, "whether it has all three methods or none");
    if (methods.length === 0) return;
    const [one, two] = [newId(), `${newId()} ' OR 1=1 --${Array.from({ length: 200 }, newId).join("")}`];
    const entry = { label: "private" as const, callId: "1", toolName: "find", turnId: "t" };
    const other = { label: "untrusted" as const, callId: "1", toolName: "fetch" };
    same(await store.labels?.(one), [], "the labels of an unknown conversation");
    await Promise.all([store.addLabels?.(one, [entry, other]), store.addLabels?.(two, [other])]);
    await store.addLabels?.(one, [entry]);
    same(await store.labels?.(one), [entry, other], "the labels in order");
    await store.forget?.(one);
    await store.forget?.(newId());
    same(await store.labels?.(one), [], "the labels of a forgotten conversation");
    same(await store.labels?.(two), [other], "those of another conversation");
  },

  "takes any printable id and any JSON": async (store) => {
    const hostile = [
      "../../escape",
      "/etc/passwd",
      "a\\b",
      "%00",
      "__proto__",
      "constructor",
      "é".repeat(60),
      "' OR 1=1 --",
      ".",
    ];
    const input = JSON.parse(
      '{"__proto__":{"x":1},"text":"\\u0000\\ud83d\\ude00 \'; DROP TABLE","n":1e300}',
    ) as CallRecord["input"];
    for (const id of hostile) {
      const plain = turnOf(0);
      const turnId = `${plain.turnId} ${id}`;
      const calls = hostile.map((callId) => ({ ...callOf(turnId, callId), input: input ?? null }));
      const turn = { ...plain, turnId, calls };
      same(await store.open(turn), true, `a turn called ${turnId}`);
      same(await store.open(turn), false, `a second turn called ${turnId}`);
      same(await store.advance(turnId, id, "proposed", "reserved", { reason: id }), true, `a call called ${id}`);
      const calls2 = await callsOf(store, turn);
      same(
        calls2.map(({ callId }) => callId),
        hostile,
        "the calls in order",
      );
      same(JSON.stringify(calls2[0]?.input), JSON.stringify(input), "the input");
      same(calls2.find(({ callId }) => callId === id)?.reason, id, "the call that was advanced");
    }
  },

  "is not changed through objects that it returned or received": async (store) => {
    const turn = structuredCopy(turnOf(1));
    await store.open(turn);
    overwrite(turn.calls[0]);
    overwrite((await callsOf(store, turn))[0]);
    const patch = { notes: ["a"] };
    await store.advance(turn.turnId, "1", "proposed", "reserved", patch);
    patch.notes.push("b");
    const [call] = await callsOf(store, turn);
    same([call?.toolName, call?.notes], ["act", ["a"]], "the call");
  },

  "holds an input of a megabyte": async (store) => {
    const turn = turnOf(1, { text: "long ".repeat(200_000) });
    await store.open(turn);
    same((await callsOf(store, turn))[0]?.input, turn.calls[0]?.input, "the input");
  },
};

function newId(): string {
  return `conformance-${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;
}

function turnOf(
  count: number,
  input: CallRecord["input"] = { a: [1, "2", null] },
  turnId: string = newId(),
): TurnRecord {
  const calls = Array.from({ length: count }, (_, index) => ({ ...callOf(turnId, String(index + 1)), input }));
  return { turnId, callsDigest: "digest", openedAt: "2026-01-01T00:00:00.000Z", calls };
}

function callOf(turnId: string, callId: string): CallRecord {
  const received = { id: callId, name: "act" };
  return { turnId, callId, toolName: "act", state: "proposed", version: 0, received };
}

function questionOf({ turnId }: TurnRecord, callId: string): Question {
  return {
    id: newId(),
    turnId,
    callId,
    toolName: "act",
    input: { secret: "a-very-secret-word" },
    inputDigest: "digest",
    toolDigest: "digest",
    class: "UNSAFE",
    isDestructive: true,
    askedAt: "2026-01-01T00:00:00.000Z",
    expiresAt: "2026-01-08T00:00:00.000Z",
  };
}

async function callsOf(store: CallStore, { turnId }: TurnRecord): Promise<readonly CallRecord[]> {
  return (await store.read(turnId))?.calls ?? [];
}

function advanceIn(
  store: CallStore,
  turnId: string,
): (
  callId: string,
  from: Parameters<CallStore["advance"]>[2],
  to: CallRecord["state"],
  patch?: Parameters<CallStore["advance"]>[4],
) => Promise<boolean> {
  return (callId, from, to, patch = {}) => store.advance(turnId, callId, from, to, patch);
}

function structuredCopy(turn: TurnRecord): TurnRecord {
  return JSON.parse(JSON.stringify(turn)) as TurnRecord;
}

function overwrite(call: CallRecord | undefined): void {
  try {
    (call as { toolName: string }).toolName = "overwritten";
  } catch {}
}

/** Compares as JSON, whatever the key order. */
function same(actual: unknown, expected: unknown, what: string): void {
  const [found, wanted] = [inOrder(actual), inOrder(expected)];
  if (found !== wanted) throw new Error(`${what}: expected ${shown(wanted)}, found ${shown(found)}`);
}

function inOrder(value: unknown): string {
  return (
    JSON.stringify(value, (_key, member: unknown) =>
      isObject(member) ? Object.fromEntries(sortBy(Object.entries(member), ([key]) => key)) : member,
    ) ?? "undefined"
  );
}

function shown(text: string): string {
  return text.length > 500 ? `${text.slice(0, 500)}…` : text;
}
