import type { JsonObject, JsonSchema, SchemaObject } from "@hasp/schema";
import { describe, expect, test } from "vitest";
import { memoryCallStore } from "../calls/memory-call-store.js";
import type { DispatchEvent } from "@hasp/runtime";
import { createHost as createDispatcher, callsOf, writer } from "./durable.testing.js";

const SECRET = "hunter22";

const inputWith = (pin: JsonSchema, more: JsonObject = {}): JsonSchema => ({
  type: "object",
  properties: {
    user: { type: "string" },
    account: { type: "object", properties: { pin }, additionalProperties: false },
  },
  ...more,
});

/** Runs one call with the secret. Returns its text for the model, and all that is told to others. */
async function runWith(
  parts: Parameters<typeof writer>[2],
  input: JsonObject | string,
): Promise<{ readonly text: string; readonly told: string }> {
  const events: DispatchEvent[] = [];
  const tool = writer("log_in", () => "ok", { behavior: { requiresPermission: false }, ...parts });
  const callStore = memoryCallStore();
  const dispatcher = createDispatcher({ tools: [tool], onEvent: (event) => events.push(event), callStore });
  const { results } = await dispatcher.run(callsOf(["log_in", input]), { turnId: "t" });
  const kept = [await callStore.questions({}), await callStore.records({})];
  return { text: JSON.stringify(results), told: JSON.stringify([results, events, kept]) };
}

describe("a fault of a secret part names the place and the keyword, without the value", () => {
  test.each<[string, SchemaObject]>([
    ["minLength", { type: "string", "x-secret": true, minLength: 12 }],
    ["pattern", { type: "string", writeOnly: true, pattern: "^[0-9]+$" }],
    ["enum", { enum: ["a", "b"], "x-secret": true }],
    ["type", { type: "integer", "x-secret": true }],
    ["const", { const: "other", format: "password" }],
  ])("%s of %j", async (keyword, pin) => {
    const { text, told } = await runWith({ input: inputWith(pin) }, { user: "ann", account: { pin: SECRET } });
    expect(told).not.toContain(SECRET);
    expect(text).toContain(`\`/account/pin\` breaks \`${keyword}\``);
  });

  test.each(["hunter/two", "hunter~two"])(
    "the fault of a member whose name is secret does not show %s",
    async (name) => {
      const pins = { type: "object", propertyNames: { writeOnly: true }, additionalProperties: { type: "integer" } };
      const input = { type: "object", properties: { pins } } as const;
      const { text, told } = await runWith({ input: input as JsonSchema }, { pins: { [name]: "no" } });
      expect(told).not.toMatch(/hunter/u);
      expect(text).toContain("A part of `/pins` breaks `type`.");
    },
  );

  test("a fault of another part quotes what was sent", async () => {
    const input = inputWith(
      { type: "string", "x-secret": true },
      { properties: { user: { type: "string", maxLength: 2 } } },
    );
    expect((await runWith({ input }, { user: "annabel" })).text).toContain("annabel");
  });
});

test.each([
  ["broken JSON", `{"account": {"pin": ${SECRET}}}`, "their syntax is broken"],
  ["an inexact number", '{"account": {"pin": 9007199254740993}}', "The number in the input has too many digits"],
])("an error about %s quotes no text of a tool that takes secrets", async (_, given, said) => {
  const { text, told } = await runWith({ input: inputWith({ type: "integer", "x-secret": true }) }, given);
  expect(told).not.toMatch(/hunter|9007199254740993/u);
  expect(text).toContain(said);
});

describe("a function of the tool that quotes a secret part is not repeated:", () => {
  const input = inputWith({ type: "string", "x-secret": true });
  const given = { user: "ann", account: { pin: SECRET } };
  const fail = (): never => {
    throw new Error(`no account for ${SECRET}`);
  };
  test.each<[string, Parameters<typeof writer>[2], string]>([
    ["validate faults", { validate: [() => `${SECRET} is too short`] }, "A check of the tool did not hold."],
    [
      "validate throws",
      {
        validate: [
          () => {
            throw new Error(SECRET.toUpperCase());
          },
        ],
      },
      "quotes a secret",
    ],
    ["permit denies", { permit: () => ({ decision: "deny", reason: `not with ${SECRET}` }) }, "refuses this call"],
    ["permit asks", { permit: () => ({ decision: "ask", reason: `odd: ${SECRET}` }) }, ""],
    ["permit throws", { permit: () => fail() }, "quotes a secret"],
    ["permit answers with it", { permit: () => ({ decision: SECRET }) as never }, "quotes a secret"],
    ["prepare throws", { prepare: () => fail() }, "may quote a secret"],
  ])("no result repeats a secret where %s", async (_, parts, said) => {
    const { text, told } = await runWith({ input, ...parts }, given);
    expect(told).not.toMatch(new RegExp(SECRET, "iu"));
    expect(text).toContain(said);
  });

  test.each(['hunter"two', "hunter\\two", "hunter\ntwo"])("no result repeats %j within JSON", async (pin) => {
    const [once, twice] = [JSON.stringify({ pin }), JSON.stringify(JSON.stringify({ pin }))];
    for (const fault of [once, twice]) {
      const { told } = await runWith({ input, validate: [() => `wrong: ${fault}`] }, { user: "ann", account: { pin } });
      expect(told).not.toContain("hunter");
    }
  });

  test("other words of a function of the tool are repeated", async () => {
    const { text } = await runWith({ input, validate: [() => "ann may not"] }, given);
    expect(text).toContain("ann may not");
  });
});

test("a line of a tool's display shows a mark in the place of a secret part, of the input and of the output", async () => {
  const lines: (string | undefined)[] = [];
  const tool = writer("log_in", () => ({ token: SECRET, user: "ann" }), {
    behavior: { requiresPermission: false },
    input: inputWith({ type: "string", "x-secret": true }),
    output: { type: "object", properties: { token: { type: "string", "x-secret": true }, user: { type: "string" } } },
    display: {
      running: ({ input }) => `in ${JSON.stringify(input)}`,
      done: ({ input, output }) => `done ${JSON.stringify([input, output])}`,
    },
  });
  const dispatcher = createDispatcher({ tools: [tool], onEvent: (event) => lines.push(event.line) });
  await dispatcher.dispatch(callsOf(["log_in", { user: "ann", account: { pin: SECRET } }]));
  expect(lines.filter((line) => line !== undefined)).toEqual([
    'in {"user":"ann","account":{"pin":"[secret]"}}',
    'done [{"user":"ann","account":{"pin":"[secret]"}},{"token":"[secret]","user":"ann"}]',
  ]);
});
