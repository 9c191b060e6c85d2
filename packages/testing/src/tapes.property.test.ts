import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { JsonValue } from "@hasp/schema";
import { createDispatcher, toolResult } from "@hasp/runtime";
import { reader, writer } from "./tools.testing.js";
import { recordTape, replayTape } from "./index.js";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "tapes-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const answer = fc.oneof(
  fc.record({ kind: fc.constant("value" as const), value: fc.jsonValue() }),
  fc.record({
    kind: fc.constant("parts" as const),
    value: fc.jsonValue(),
    content: fc.string(),
    terminate: fc.boolean(),
  }),
  fc.record({ kind: fc.constant("error" as const), content: fc.string() }),
  fc.record({ kind: fc.constant("throws" as const), message: fc.string() }),
);

type Answer = typeof answer extends fc.Arbitrary<infer Value> ? Value : never;

function perform(given: Answer): unknown {
  switch (given.kind) {
    case "value":
      return given.value;
    case "parts":
      return toolResult({
        output: given.value,
        content: given.content,
        details: given.value,
        terminate: given.terminate,
      });
    case "error":
      return toolResult({ isError: true, content: given.content });
    case "throws":
      throw new Error(given.message);
  }
}

test("every replay equals its recording byte for byte, and starts no handler", async () => {
  const call = fc.record({
    tool: fc.constantFrom("look", "write"),
    input: fc.dictionary(fc.string(), fc.jsonValue()),
    answer,
  });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(call, { minLength: 1, maxLength: 5 }), { maxLength: 3 }), async (turns) => {
      const file = join(folder, "equal.jsonl");
      const calls = turns.map((turn, t) =>
        turn.map(({ tool, input }, n) => ({ id: `${t}.${n}`, name: tool, input: { ...input, call: `${t}.${n}` } })),
      );
      let started = 0;
      const execute = async (input: { readonly [key: string]: unknown }): Promise<unknown> => {
        started += 1;
        const [t = "", n = ""] = (input["call"] as string).split(".");
        if (started % 2 === 0) await undefined;
        return perform(turns[Number(t)]?.[Number(n)]?.answer as Answer);
      };
      const tools = [reader("look", execute), writer("write", execute)];
      const live = createDispatcher({ tools, extensions: [recordTape(file)] });
      const expected = [];
      for (const turn of calls) expected.push(...(await live.dispatch(turn)));
      const before = started;
      const replayed = createDispatcher({ tools, extensions: [replayTape(file)] });
      const results = [];
      for (const turn of calls) results.push(...(await replayed.dispatch(turn)));
      expect(results.map((each) => JSON.stringify(each))).toEqual(
        expected.map((each) => JSON.stringify({ ...each, durationMs: 0 })),
      );
      expect(started).toBe(before);
    }),
  );
});

test("a tape holds no secret, neither as it is nor escaped in JSON", async () => {
  const secret = fc.string({ minLength: 6, maxLength: 16, unit: "grapheme" }).map((text) => `§${text}§`);
  const input = {
    type: "object",
    properties: { key: { type: "string", writeOnly: true }, note: { type: "string" } },
  } as const;
  const output = {
    type: "object",
    properties: { token: { type: "string", "x-secret": true }, rest: true },
  } as const;
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(secret, { minLength: 10, maxLength: 10 }), async (all) => {
      const file = join(folder, "secret.jsonl");
      const pairs = [0, 2, 4, 6, 8].map((at) => [all[at] ?? "", all[at + 1] ?? ""] as const);
      const echo = reader(
        "echo",
        (given): JsonValue => {
          const { key, note } = given as { readonly key: string; readonly note: string };
          const token = pairs.find(([first]) => first === key)?.[1] ?? "";
          return { token, rest: [key, token, JSON.stringify({ key }), JSON.stringify([JSON.stringify(token)]), note] };
        },
        { input, output },
      );
      const dispatcher = createDispatcher({ tools: [echo], extensions: [recordTape(file)] });
      const calls = pairs.map(([key], index) => ({
        id: String(index),
        name: "echo",
        // Also the secrets that later calls will have.
        input: { key, note: `${all[(2 * index + 7) % all.length]} ${key}` },
      }));
      for (const call of calls) await dispatcher.dispatch([call]);
      const text = readFileSync(file, "utf8");
      for (const each of all) {
        const escaped = JSON.stringify(each).slice(1, -1);
        for (const form of [each, escaped, JSON.stringify(escaped).slice(1, -1)]) expect(text).not.toContain(form);
      }
      const replayed = createDispatcher({ tools: [echo], extensions: [replayTape(file)] });
      for (const call of calls) expect((await replayed.dispatch([call]))[0]?.isError).toBe(false);
    }),
    { numRuns: Number(process.env["HASP_FUZZ_RUNS"] ?? 4) },
  );
});
