import { describe, expect, test, vi } from "vitest";
import { type CallStore, memoryCallStore } from "@hasp/runtime";
import { accepted, served, type Answer, type Served } from "../questions/served.testing.js";

/** Two processes that share a store, but neither memory nor key; `runs` records their tool's calls. */
function processes(): { readonly one: Served; readonly other: Served; readonly runs: unknown[] } {
  const callStore = memoryCallStore();
  const runs: unknown[] = [];
  return { one: served(undefined, { callStore, runs }), other: served(undefined, { callStore, runs }), runs };
}

const textOf = ({ content }: Answer): string => content[0]?.text ?? "";
const allow = accepted("Allow once");

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

  test("a call that is repeated over another connection goes on in the conversation in which it was made", async () => {
    const callStore = memoryCallStore();
    const [one, other] = ["one", "other"].map((conversation) => served(undefined, { callStore, conversation }));
    const asked = await one?.send();
    const state = { requestState: asked?.requestState ?? "", inputResponses: allow };
    for (const _ of [1, 2]) expect(await other?.send(state)).toMatchObject({ isError: false });
    expect([one?.runs.length, other?.runs.length]).toEqual([0, 1]);
    expect(await callStore.labels?.("one")).toHaveLength(2);
    expect(await callStore.labels?.("other")).toEqual([]);
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
    expect(await other.dispatcher.answer(turn?.id ?? "", { decision: "allow", by: "eve" })).toMatchObject({
      accepted: false,
    });
    await other.dispatcher.answer(turn?.id ?? "", { decision: "deny", reason: "not today", by: "ada" });
    expect(textOf(await one.send({ principal: "ada", requestState, inputResponses: allow }))).toContain("not today");
    expect(runs).toEqual([]);
  });

  test("reports an expired question; a client that cannot ask is refused, and leaves no question", async () => {
    const { one, other, runs } = processes();
    const { requestState } = await one.send();
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 8 * 86_400_000 });
    try {
      const late = await other.send({ requestState, inputResponses: allow });
      expect([late.isError, textOf(late)]).toEqual([true, expect.stringContaining("nobody decided in time")]);
    } finally {
      vi.useRealTimers();
    }
    expect(textOf(await one.send({ capabilities: {} }))).toContain("cannot ask");
    expect([runs, await one.openQuestions()]).toEqual([[], []]);
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
