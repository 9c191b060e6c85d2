import { describe, expect, test, vi } from "vitest";
import { sha256 } from "@hasp/base/json";
import { memoryCallStore } from "@hasp/stores";
import { mcpQuestions } from "./mcp-questions.js";
import { accepted, served } from "./served.testing.js";

describe("a client of 2026-07-28", () => {
  test("the client gets the question as a result, and calls again with the answer", async () => {
    const { send, runs } = served();
    const question = await send({ input: { id: "a\u202e\u05d0" } });
    expect(question.resultType).toBe("input_required");
    expect(question.inputRequests?.permission.params).toMatchObject({
      mode: "form",
      message: String.raw`Allow the tool wipe to run? It may destroy data. Its input:${"\n"}{"id":"a\u{202e}\u{5d0}"}`,
      requestedSchema: { properties: { decision: { enum: ["Refuse", "Allow once"] } }, required: ["decision"] },
    });
    expect(JSON.stringify(question)).not.toContain("default");
    expect(runs).toEqual([]);
    const { requestState } = question;
    const done = await send({ input: { id: "a\u202e\u05d0" }, requestState, inputResponses: accepted("Allow once") });
    expect([done.isError, runs]).toEqual([false, [{ id: "a\u202e\u05d0" }]]);
  });

  test.each([
    ["Refuse", accepted("Refuse")],
    ["an unknown word", accepted("allow once")],
    ["no decision", { permission: { action: "accept", content: {} } }],
    ["no content", { permission: { action: "accept" } }],
    ["a declined form", { permission: { action: "decline", content: { decision: "Allow once" } } }],
    ["rubbish", { permission: 7 }],
  ])("a client that answers with %s is refused, and not asked again", async (_what, inputResponses) => {
    const { send, runs } = served();
    const { requestState } = await send();
    const answer = await send({ requestState, inputResponses });
    expect([answer.isError, answer.content[0]?.text, runs]).toEqual([
      true,
      expect.stringContaining("did not allow"),
      [],
    ]);
  });

  test.each([undefined, memoryCallStore()])(
    "a client cannot allow an input that is not shown completely",
    async (callStore) => {
      const { send, runs } = served(undefined, callStore && { callStore });
      const input = { id: `tidy${"\u3164".repeat(7000)}; rm -rf ~` };
      const { requestState, inputRequests } = await send({ input });
      const { message, requestedSchema } = inputRequests?.permission.params ?? {};
      expect(message).toMatch(/The input is too long to be judged, so the call can only be refused here\.$/);
      expect(requestedSchema).toMatchObject({ properties: { decision: { enum: ["Refuse"] } } });
      const answer = await send({ input, requestState, inputResponses: accepted("Allow once") });
      expect([answer.isError, runs]).toEqual([true, []]);
    },
  );

  test("the question shows characters that a screen would hide", async () => {
    const { message = "" } =
      (await served().send({ input: { id: "a\u3164b\u00a0c" } })).inputRequests?.permission.params ?? {};
    expect(message).toContain(String.raw`{"id":"a\u{3164}b\u{a0}c"}`);
  });

  test.each([undefined, memoryCallStore()])("a person may give the call another input, as JSON", async (callStore) => {
    const { send, runs } = served(undefined, callStore && { callStore });
    const answers = async (input: string) => {
      const { requestState } = await send({ input: { id: "a" } });
      const permission = { action: "accept", content: { decision: "Allow once", input } };
      return send({ input: { id: "a" }, requestState, inputResponses: { permission } });
    };
    expect((await answers('{"id":"b"}')).content.map(({ text }) => text).join()).toContain("changed its input first");
    expect((await answers("{id")).content[0]?.text).toContain("is not JSON, so it is refused");
    expect((await answers('{"id":5}')).isError).toBe(true);
    expect((await answers("")).isError).toBe(false);
    expect(runs).toEqual([{ id: "b" }, { id: "a" }]);
  });

  test("a client that cannot ask is refused with the reason", async () => {
    const { send, runs } = served();
    const answer = await send({ capabilities: {} });
    expect([answer.isError, answer.content[0]?.text, runs]).toEqual([true, expect.stringContaining("cannot ask"), []]);
  });

  test("an answer counts once, for the input that was shown", async () => {
    const { send, runs } = served();
    const { requestState } = await send({ input: { id: "a" } });
    const allow = accepted("Allow once");
    expect((await send({ input: { id: "b" }, requestState, inputResponses: allow })).resultType).toBe("input_required");
    expect(runs).toEqual([]);
    expect((await send({ input: { id: "a" }, requestState, inputResponses: allow })).isError).toBe(false);
    expect((await send({ input: { id: "a" }, requestState, inputResponses: allow })).resultType).toBe("input_required");
    expect(runs).toEqual([{ id: "a" }]);
  });

  test("an answer counts only while the call is as harmless as the question said", async () => {
    let isMild = true;
    const { send, runs } = served(undefined, { isMild: () => isMild });
    const { requestState } = await send();
    isMild = false;
    const answer = await send({ requestState, inputResponses: accepted("Allow once") });
    expect([answer.resultType, runs]).toEqual(["input_required", []]);
  });

  test("an answer counts for a call that is more harmless than the question said", async () => {
    let isMild = false;
    const { send, runs } = served(undefined, { isMild: () => isMild });
    const { requestState } = await send();
    isMild = true;
    expect((await send({ requestState, inputResponses: accepted("Allow once") })).isError).toBe(false);
    expect(runs).toEqual([{}]);
  });

  test("an answer about a secret counts in every process with the key, and its state gives no short secret away", async () => {
    const options = { key: new Uint8Array(32).fill(7) };
    const start = (runs: unknown[]) => served(options, { isMild: () => true, id: { writeOnly: true }, runs });
    const input = { id: "7391" };
    const { requestState } = await start([]).send({ input });
    const runs: unknown[] = [];
    const allow = { requestState, inputResponses: accepted("Allow once") };
    expect((await start(runs).send({ input: { id: "7392" }, ...allow })).resultType).toBe("input_required");
    expect((await start(runs).send({ input, ...allow })).isError).toBe(false);
    expect(runs).toEqual([input]);
    expect(atob(requestState.split(".")[0] ?? "")).not.toContain(sha256(`wipe\n${JSON.stringify(input)}`));
  });

  test("an answer counts in every process with the key that has this tool, and in none that has another", async () => {
    const options = { key: new Uint8Array(32).fill(7) };
    const [asking, other, same] = ["test", "live", "test"].map((name) => {
      const { send, runs } = served(options, { description: `Wipes the ${name} database.` });
      return { send, runs };
    });
    const { requestState = "" } = (await asking?.send()) ?? {};
    const allow = { requestState, inputResponses: accepted("Allow once") };
    expect([(await other?.send(allow))?.resultType, other?.runs]).toEqual(["input_required", []]);
    expect([(await same?.send(allow))?.isError, same?.runs]).toEqual([false, [{}]]);
  });

  test("a client cannot answer without a question", async () => {
    const { send, runs } = served();
    expect((await send({ inputResponses: accepted("Allow once") })).resultType).toBe("input_required");
    expect(runs).toEqual([]);
  });

  test("a client cannot use a state that is forged, foreign, of another principal, or expired", async () => {
    const { send, runs } = served({ ttlSeconds: 60 });
    const inputResponses = accepted("Allow once");
    const { requestState } = await send({ principal: "ada" });
    const [text = "", signature = ""] = requestState.split(".");
    const foreign = (await served().send({ principal: "ada" })).requestState;
    const other = btoa(atob(text).replace(/"expires":\d+/u, '"expires":9999999999999'));
    const forged = [
      "",
      ".",
      "x.y",
      `${text}.`,
      `.${signature}`,
      `${text}.${signature}.`,
      `${other}.${signature}`,
      `${text}.${signature.slice(1)}`,
      foreign,
    ];
    for (const state of forged) {
      await expect(send({ principal: "ada", requestState: state, inputResponses })).rejects.toMatchObject({
        code: -32602,
      });
    }
    for (const principal of ["eve", undefined]) {
      const request = { requestState, inputResponses, ...(principal !== undefined && { principal }) };
      await expect(send(request)).rejects.toThrow("Invalid or expired requestState.");
    }
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 61_000 });
    try {
      await expect(send({ principal: "ada", requestState, inputResponses })).rejects.toThrow("Invalid or expired");
    } finally {
      vi.useRealTimers();
    }
    expect(runs).toEqual([]);
    expect((await send({ principal: "ada", requestState, inputResponses })).isError).toBe(false);
  });

  test("processes with one long key serve the same clients", async () => {
    const key = new Uint8Array(32).fill(7);
    const { requestState } = await served({ key }).send();
    expect((await served({ key }).send({ requestState, inputResponses: accepted("Allow once") })).isError).toBe(false);
    expect(() => mcpQuestions({ key: new Uint8Array(31) })).toThrow(RangeError);
  });
});
