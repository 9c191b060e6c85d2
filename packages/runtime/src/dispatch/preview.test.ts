import { expect, test } from "vitest";
import type { DispatcherOptions } from "./state/dispatcher-types.js";
import { createEquippedDispatcher as createDispatcher, reader, writer } from "./tools.testing.js";

const input = { type: "object", properties: { n: { type: "integer", default: 1 } } } as const;
const ran: string[] = [];
const tools = [
  reader("look", () => ran.push("look"), { input }),
  writer("wipe", () => ran.push("wipe"), { behavior: { isDestructive: true } }),
  writer("picky", () => ran.push("picky"), { validate: [{ that: () => false, message: "never right" }] }),
];
const call = (name: string, given: object = {}): { id: string; name: string; input: object } => ({
  id: "1",
  name,
  input: given,
});
const previewWith = async (options: Partial<DispatcherOptions>, name: string, given?: object): Promise<unknown> =>
  await createDispatcher({ tools, ...options }).preview(call(name, given));

test("a preview says what would be decided, on the input that would be decided on", async () => {
  expect(await previewWith({}, "look", { n: "3" })).toMatchObject({
    decision: "allow",
    toolName: "look",
    input: { n: 3 },
    classification: { class: "READ_ONLY" },
    inputDigest: expect.stringMatching(/^[0-9a-f]{64}$/u),
  });
  expect(await previewWith({ permissions: { ask: () => "allow" } }, "wipe")).toMatchObject({
    decision: "ask",
  });
  expect(await previewWith({}, "wipe")).toMatchObject({
    decision: "deny",
    reason: expect.stringContaining("no one to ask"),
  });
  expect(await previewWith({ permissions: { check: () => "deny" } }, "wipe")).toMatchObject({ decision: "deny" });
  expect(await previewWith({ permissions: { rules: [{ tool: "wipe", decision: "allow" }] } }, "wipe")).toMatchObject({
    decision: "allow",
  });
});

test("preview calls a call invalid, with the phase, if it would be refused before permission", async () => {
  expect(await previewWith({}, "look", { n: "x" })).toMatchObject({
    decision: "invalid",
    phase: "schema",
    code: "invalid-input",
  });
  expect(await previewWith({}, "picky")).toMatchObject({ decision: "invalid", phase: "semantic" });
  expect(await previewWith({}, "nobody")).toMatchObject({ decision: "invalid", phase: "lookup", code: "unknown-tool" });
});

test("nothing runs, nobody is asked, and nobody hears of it", async () => {
  const heard: string[] = [];
  const asked: string[] = [];
  const options: Partial<DispatcherOptions> = {
    permissions: { ask: ({ toolName }) => (asked.push(toolName), "allow") },
    hooks: { transform: () => void asked.push("transform"), guard: () => void asked.push("guard") },
    onEvent: ({ type }) => heard.push(type),
  };
  for (const { name } of tools) await previewWith(options, name);
  expect([ran, asked, heard]).toEqual([[], [], []]);
});

test("a preview of a stopped session, or with an unreadable input, is an answer too", async () => {
  const controller = new AbortController();
  controller.abort();
  const dispatcher = createDispatcher({ tools, permissions: { check: () => new Promise<never>(() => undefined) } });
  expect(await dispatcher.preview(call("wipe"), { signal: controller.signal })).toMatchObject({
    decision: "invalid",
    code: "aborted",
  });
  expect(await dispatcher.preview(undefined as never)).toMatchObject({ decision: "invalid", code: "malformed-call" });
});
