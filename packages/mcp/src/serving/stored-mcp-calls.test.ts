import { describe, expect, test, vi } from "vitest";
import type { CallStore } from "@hasp/runtime/call-store";
import { memoryCallStore } from "@hasp/stores";
import type { AnswerLink } from "./stored-mcp-calls.js";
import { accepted, served, type Answer, type Served } from "../questions/served.testing.js";

/** Two processes that share a store, but neither memory nor key; `runs` records their tool's calls. */
function processes(options: { readonly answerLink?: AnswerLink } = {}): {
  readonly one: Served;
  readonly other: Served;
  readonly runs: unknown[];
} {
  const shared = { callStore: memoryCallStore(), runs: [] as unknown[], ...options };
  return { one: served(undefined, shared), other: served(undefined, shared), runs: shared.runs };
}

const textOf = ({ content }: Answer): string => content[0]?.text ?? "";
const allow = accepted("Allow once");

test.each([
  ["a client that cannot ask", {}],
  ["a client of 2026-07-28", { elicitation: {} }],
])("%s is told that an allowed call which somebody else executes has failed", async (_client, capabilities) => {
  const { send, answer, openQuestions } = served(undefined, { callStore: memoryCallStore(), isExternal: true });
  const { requestState } = await send({ capabilities });
  const [question] = await openQuestions();
  await answer(question?.id ?? "", { decision: "allow" });
  const again = await send({ capabilities, requestState });
  expect([again.isError, textOf(again)]).toEqual([true, expect.stringContaining("this server cannot wait for them")]);
  expect(await openQuestions()).toEqual([]);
});

describe("with a call store, a client of 2026-07-28", () => {
  test("a question of one process is answered in another, and a repeated call runs once", async () => {
    const { one, other, runs } = processes();
    const { requestState, resultType, inputRequests } = await one.send({ input: { id: "a" } });
    expect([resultType, inputRequests?.permission.params.message]).toEqual([
      "input_required",
      expect.stringContaining('{"id":"a"}'),
    ]);
    const first = await other.send({ input: { id: "a" }, requestState, inputResponses: allow });
    expect([first.isError, runs]).toEqual([false, [{ id: "a" }]]);
    // The answer was lost on its way: the first one counts, and nothing else does.
    const refusal = accepted("Refuse");
    expect(await one.send({ input: { id: "a" }, requestState, inputResponses: refusal })).toEqual(first);
    expect(runs).toEqual([{ id: "a" }]);
  });

  test("a call that is repeated over another connection goes on in its own conversation, and labels both", async () => {
    const callStore = memoryCallStore();
    const [one, other] = ["one", "other"].map((conversation) => served(undefined, { callStore, conversation }));
    const asked = await one?.send();
    const state = { requestState: asked?.requestState ?? "", inputResponses: allow };
    for (const _ of [1, 2]) expect(await other?.send(state)).toMatchObject({ isError: false });
    expect([one?.runs.length, other?.runs.length]).toEqual([0, 1]);
    expect(await callStore.labels?.("one")).toHaveLength(2);
    expect(await callStore.labels?.("other")).toEqual(await callStore.labels?.("one"));
  });

  test("a hundred answers at once, half of them refusals, have one effect", async () => {
    const { one, other, runs } = processes();
    const { requestState } = await one.send();
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        (index % 3 === 0 ? one : other).send({
          requestState,
          inputResponses: index % 2 === 0 ? allow : accepted("Refuse"),
        }),
      ),
    );
    expect(new Set(answers.map(textOf)).size).toBe(1);
    expect(runs.length).toBe(answers[0]?.isError === true ? 0 : 1);
  });

  test("another input, or no answer, is asked anew; the state holds for the shown input", async () => {
    const { one, other, runs } = processes();
    const { requestState } = await one.send({ input: { id: "a" } });
    const changed = await other.send({ input: { id: "b" }, requestState, inputResponses: allow });
    expect([changed.resultType, changed.requestState === requestState, runs]).toEqual(["input_required", false, []]);
    const again = await other.send({ input: { id: "a" }, requestState });
    expect([again.resultType, again.requestState === requestState]).toEqual(["input_required", true]);
    expect((await one.send({ input: { id: "a" }, requestState, inputResponses: allow })).isError).toBe(false);
    expect(runs).toEqual([{ id: "a" }]);
  });

  test("a client cannot use a state that is invented or another client's", async () => {
    const { one, other, runs } = processes();
    const { requestState } = await one.send({ principal: "ada" });
    for (const forged of ["", "x", requestState.slice(1), `${requestState}0`]) {
      const request = { principal: "ada", requestState: forged, inputResponses: allow };
      await expect(other.send(request), forged).rejects.toMatchObject({ code: -32602 });
    }
    for (const principal of ["eve", undefined]) {
      const request = { requestState, inputResponses: allow, ...(principal !== undefined && { principal }) };
      await expect(other.send(request)).rejects.toThrow("Invalid or expired requestState.");
    }
    expect(runs).toEqual([]);
    expect((await other.send({ principal: "ada", requestState, inputResponses: allow })).isError).toBe(false);
  });

  test("a client finds an answer from elsewhere", async () => {
    const { one, other, runs } = processes();
    const { requestState } = await one.send({ principal: "ada" });
    const [turn] = await one.openQuestions();
    expect(turn).toMatchObject({ toolName: "wipe", principal: "ada" });
    expect(await other.answer(turn?.id ?? "", { decision: "allow", by: "eve" })).toMatchObject({
      accepted: false,
    });
    await other.answer(turn?.id ?? "", { decision: "deny", reason: "not today", by: "ada" });
    expect(textOf(await one.send({ principal: "ada", requestState, inputResponses: allow }))).toContain("not today");
    expect(runs).toEqual([]);
  });

  test("reports an expired question", async () => {
    const { one, other, runs } = processes();
    const { requestState } = await one.send();
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 8 * 86_400_000 });
    try {
      const late = await other.send({ requestState, inputResponses: allow });
      expect([late.isError, textOf(late)]).toEqual([true, expect.stringContaining("nobody decided in time")]);
    } finally {
      vi.useRealTimers();
    }
    expect([runs, await one.openQuestions()]).toEqual([[], []]);
  });
});

describe("with a call store, a client that cannot ask", () => {
  test("is refused with the place of the answer, and repeats the call once it is allowed", async () => {
    const { one, other, runs } = processes({
      answerLink: ({ id, isShownToModel }) => `https://host.example/answers?model=${isShownToModel}&answer=${id}`,
    });
    const send = (id: string, on = one): Promise<Answer> =>
      on.send({ capabilities: {}, principal: "ada", input: { id } });
    const refused = await send("a");
    const [question] = await one.openQuestions();
    expect([refused.isError, textOf(refused)]).toEqual([
      true,
      expect.stringContaining(`?model=true&answer=${question?.id}\n`),
    ]);
    expect(textOf(await send("a", other))).toBe(textOf(refused));
    expect(await one.openQuestions()).toHaveLength(1);
    await other.answer(question?.id ?? "", { decision: "allow", by: "ada" });
    expect([(await send("a", other)).isError, runs]).toEqual([false, [{ id: "a" }]]);
    expect(textOf(await send("a"))).not.toBe(textOf(refused));
    expect(runs).toHaveLength(1);
  });

  test("receives the labels of a result in the conversation of the connection that repeats the call", async () => {
    const callStore = memoryCallStore();
    const [one, other] = ["one", "other"].map((conversation) => served(undefined, { callStore, conversation }));
    await one?.send({ capabilities: {}, principal: "ada" });
    const [question] = (await one?.openQuestions()) ?? [];
    await one?.answer(question?.id ?? "", { decision: "allow", by: "ada" });
    expect(await other?.send({ capabilities: {}, principal: "ada" })).toMatchObject({ isError: false });
    expect(await callStore.labels?.("other")).toHaveLength(2);
  });

  test("leaves at most a hundred questions of a principal open, and reads no others to ask one more", async () => {
    const callStore = memoryCallStore();
    const read: number[] = [];
    const questions: CallStore["questions"] = async (filter) => {
      const found = await callStore.questions(filter);
      read.push(found.length);
      return found;
    };
    const { send, answer, openQuestions } = served(undefined, { callStore: { ...callStore, questions } });
    const ask = (id: string, principal: string): Promise<Answer> =>
      send({ capabilities: {}, principal, input: { id } });
    for (let index = 0; index < 99; index += 1) await ask(String(index), "bob");
    for (let index = 0; index < 100; index += 1) await ask(String(index), "ada");
    read.length = 0;
    expect(textOf(await ask("new", "ada"))).toContain("100 questions of this user wait");
    expect(textOf(await ask("7", "ada"))).toContain("hasp calls answer");
    expect(textOf(await ask("new", "bob"))).toContain("hasp calls answer");
    expect(Math.max(...read)).toBe(100);
    const first = (await openQuestions()).find(({ principal }) => principal === "ada");
    await answer(first?.id ?? "", { decision: "deny", by: "ada" });
    expect(textOf(await ask("new", "ada"))).toContain("hasp calls answer");
  });

  test("finds the answer about a secret, and gives the secret away by no id", async () => {
    const callStore = memoryCallStore();
    const runs: unknown[] = [];
    const start = () => served(undefined, { callStore, runs, isMild: () => true, id: { writeOnly: true } });
    const send = (id: string): Promise<Answer> => start().send({ capabilities: {}, input: { id } });
    await send("7391");
    await send("7392");
    const [one, other] = await callStore.questions({});
    await start().answer(other?.id ?? "", { decision: "allow" });
    expect((await send("7391")).isError).toBe(true);
    expect((await send("7392")).isError).toBe(false);
    expect(runs).toEqual([{ id: "7392" }]);
    expect(await callStore.questions({})).toHaveLength(2);
    const words = (turnId = "") => turnId.split(" ").slice(0, -1);
    expect(words(one?.turnId)).toEqual(words(other?.turnId));
  });

  test("gets nothing of another input, another principal, or a refusal", async () => {
    const { one, runs } = processes();
    const send = (id: string, principal?: string): Promise<Answer> =>
      one.send({ capabilities: {}, input: { id }, ...(principal !== undefined && { principal }) });
    expect(textOf(await send("a", "ada"))).toContain("hasp calls answer ");
    const [question] = await one.openQuestions();
    await one.answer(question?.id ?? "", { decision: "allow", by: "ada" });
    for (const answer of [await send("b", "ada"), await send("a", "eve"), await send("a")]) {
      expect(textOf(answer)).toContain("cannot ask");
    }
    expect(runs).toEqual([]);
    const mine = (await one.openQuestions()).find(({ principal }) => principal === "ada");
    await one.answer(mine?.id ?? "", { decision: "deny", reason: "not today", by: "ada" });
    expect(textOf(await send("b", "ada"))).toContain("not today");
    expect(runs).toEqual([]);
  });
});

test("tells the host about a failing store, and clients without its own message", async () => {
  const callStore: CallStore = {
    ...memoryCallStore(),
    open: async () => {
      throw new Error("connect ECONNREFUSED 10.0.0.7:5432");
    },
  };
  const problems: string[] = [];
  const { send, runs } = served(undefined, { callStore, onProblem: ({ message }) => problems.push(message) });
  await expect(send()).rejects.toThrow("The server's call store cannot be used at the moment.");
  expect([problems, runs]).toEqual([["connect ECONNREFUSED 10.0.0.7:5432"], []]);
});
