import { describe, expect, test, vi } from "vitest";
import { type AskedCall, buildTool, type PermissionRequest, presentQuestion } from "@hasp/runtime";
import { memoryCallStore } from "../calls/memory-call-store.js";
import { createHost, type Host, type HostOptions } from "./durable.testing.js";

const CANARY = "canary-22";
const call = { id: "1", name: "pay", input: { id: "o17", pin: CANARY } };

interface World {
  readonly dispatcher: Host;
  readonly ran: unknown[];
  readonly problems: string[];
}

function createWorld(options: Partial<HostOptions>, isDestructive = false, word = "x-secret"): World {
  const ran: unknown[] = [];
  const problems: string[] = [];
  const pay = buildTool<object>({
    name: "pay",
    description: "Pays.",
    input: { type: "object", properties: { id: { type: "string" }, pin: { type: "string", [word]: true } } },
    behavior: { isDestructive },
    execute: (input) => void ran.push(input),
  });
  const dispatcher = createHost({
    tools: [pay],
    onEvent: (event) => void (event.type === "problem" && problems.push(event.message)),
    ...options,
  });
  return { dispatcher, ran, problems };
}

/** Each way to learn what a person is asked. */
const ways: { readonly [way: string]: (isDestructive: boolean, word: string) => Promise<AskedCall | undefined> } = {
  async "the request of `ask`"(isDestructive, word) {
    const ask = vi.fn((_request: PermissionRequest) => "deny" as const);
    await createWorld({ permissions: { ask } }, isDestructive, word).dispatcher.dispatch([call]);
    return ask.mock.calls[0]?.[0];
  },
  async "a preview"(isDestructive, word) {
    const { dispatcher } = createWorld({ permissions: { ask: () => "deny" } }, isDestructive, word);
    const preview = await dispatcher.preview(call);
    return preview.decision === "invalid" ? undefined : preview.question;
  },
  async "a stored question"(isDestructive, word) {
    const { dispatcher } = createWorld({ callStore: memoryCallStore() }, isDestructive, word);
    const outcome = await dispatcher.run([call], { turnId: "t" });
    return outcome.status === "waiting" ? outcome.questions[0] : undefined;
  },
};

describe.each(Object.entries(ways))("%s about a call with a secret", (_way, ask) => {
  test.each(["x-secret", "writeOnly"])("hides what the schema marks with `%s`", async (word) => {
    const asked = await ask(false, word);
    expect(asked).toMatchObject({ input: { id: "o17", pin: "[secret]" }, hidden: ["/pin"], isDestructive: false });
    expect(asked?.refuseOnly).toBeUndefined();
    expect(JSON.stringify(asked)).not.toContain(CANARY);
    expect(presentQuestion(asked as AskedCall)).toMatchObject({
      mayAllow: true,
      notes: [expect.stringContaining("/pin")],
    });
  });

  test("can only be refused if the call is destructive", async () => {
    const asked = await ask(true, "x-secret");
    expect(asked).toMatchObject({ hidden: ["/pin"], refuseOnly: true });
    expect(presentQuestion(asked as AskedCall).mayAllow).toBe(false);
  });
});

test("rules and checks get the whole input, and an allowed call runs with it", async () => {
  const seen: unknown[] = [];
  const { dispatcher, ran } = createWorld({
    permissions: {
      rules: [{ tool: "pay", decision: "deny", when: (input, request) => seen.push(input, request.input) === 0 }],
      check: ({ input }) => (seen.push(input), "ask"),
      ask: () => "allow",
    },
  });
  await dispatcher.dispatch([call]);
  expect(ran).toEqual([call.input]);
  expect(new Set(seen.map((input) => JSON.stringify(input)))).toEqual(new Set([JSON.stringify(call.input)]));
});

test("a spread copy of the request of `ask` hides the same", async () => {
  const ask = vi.fn((request: PermissionRequest) => ({
    decision: "deny" as const,
    reason: JSON.stringify({ ...request }),
  }));
  await createWorld({ permissions: { ask } }).dispatcher.dispatch([call]);
  expect(ask.mock.results[0]?.value).toMatchObject({ reason: expect.stringMatching(/^(?!.*canary).*\[secret\]/u) });
});

test("a changed input cannot hold the mark of a hidden part", async () => {
  const ask = ({ input }: PermissionRequest): { decision: "allow"; input: never } => ({
    decision: "allow",
    input: { ...(input as object), id: "o18" } as never,
  });
  const { dispatcher, ran, problems } = createWorld({ permissions: { ask } });
  const [result] = await dispatcher.dispatch([call]);
  expect([result?.error?.code, ran]).toEqual(["denied", []]);
  expect(problems).toEqual([expect.stringContaining("`input` has [secret]")]);
});
