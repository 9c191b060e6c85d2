import { expect, test } from "vitest";
import type { DisplayedCall } from "../tool/definition.js";
import type { DispatchEvent, CallProgress } from "./state/dispatcher-types.js";
import { createEquippedDispatcher as createDispatcher, callsOf, reader, writer } from "./tools.testing.js";

const display = {
  running: "Reading {path}",
  done: "Read {path}",
  failed: "Could not read {path}",
  rejected: "Refused to read {path}",
  progress: ({ input, progress }: DisplayedCall<Record<string, unknown>>) =>
    `Read ${String(progress)} of ${String(input["path"])}`,
};
const options = { display };

test("events carry the tool's own sentence for what happens", async () => {
  const lines: (readonly [string, string | undefined])[] = [];
  const updates: CallProgress[] = [];
  const dispatcher = createDispatcher({
    tools: [
      reader("read", (_input, { progress }) => progress("half"), options),
      reader("fail", () => Promise.reject(new Error("no")), options),
      writer("ask", () => "ok", { ...options, behavior: { requiresPermission: true } }),
    ],
    onEvent: (event: DispatchEvent) => lines.push([event.type, event.line]),
    onProgress: (update) => updates.push(update),
  });
  await dispatcher.dispatch(callsOf(["read", { path: "a" }]));
  await dispatcher.dispatch(callsOf(["fail", { path: "b" }]));
  await dispatcher.dispatch(callsOf(["ask", { path: "c" }], ["read", 1], "unknown"));
  expect(lines.filter(([, line]) => line !== undefined)).toEqual([
    ["started", "Reading a"],
    ["progress", "Read half of a"],
    ["settled", "Read a"],
    ["started", "Reading b"],
    ["settled", "Could not read b"],
    ["denied", "Refused to read c"],
    ["settled", "Refused to read c"],
  ]);
  expect(lines.filter(([type]) => type === "settled")).toHaveLength(5);
  expect(updates).toEqual([{ callId: "1", toolName: "read", update: "half", line: "Read half of a" }]);
});

test("a sentence that fails costs nobody an event", async () => {
  const events: DispatchEvent[] = [];
  const throws = (): never => {
    throw new Error("no words");
  };
  const tool = reader("t", () => "ok", { display: { running: throws, done: () => 7 as never } });
  await createDispatcher({ tools: [tool], onEvent: (event) => events.push(event) }).dispatch(callsOf("t"));
  expect(events.map((event) => event.type)).toEqual(["classified", "validated", "permitted", "started", "settled"]);
  expect(events.some((event) => "line" in event)).toBe(false);
});

test("a function is given the input and what became of the call", async () => {
  const lines: (string | undefined)[] = [];
  const show = (call: DisplayedCall<Record<string, unknown>>): string => JSON.stringify(call);
  const parts = { display: { running: show, done: show, failed: show, rejected: show } };
  const dispatcher = createDispatcher({
    tools: [
      reader("value", () => ({ rows: 2 }), parts),
      reader("text", () => "plain", parts),
      reader("fail", () => Promise.reject(new Error("no")), parts),
      writer("ask", () => "ok", { ...parts, behavior: { requiresPermission: true } }),
    ],
    onEvent: ({ type, line }) => {
      if (type === "settled") lines.push(line);
    },
  });
  for (const name of ["value", "text", "fail", "ask"]) await dispatcher.dispatch(callsOf([name, { a: 1 }]));
  expect(lines.map((line) => JSON.parse(line ?? "null") as unknown)).toMatchObject([
    { input: { a: 1 }, output: { rows: 2 } },
    { input: { a: 1 }, output: "plain" },
    { input: { a: 1 }, error: { phase: "execute", code: "threw" } },
    { input: { a: 1 }, error: { phase: "permission", code: "no-one-to-ask" } },
  ]);
});

test("tools of MCP servers have lines, in which a server's text drives no terminal", async () => {
  const lines: (string | undefined)[] = [];
  const tool = {
    name: "find",
    title: "Find\u001b[31m it",
    inputSchema: { type: "object" },
    execute: () => "ok",
  } as const;
  const dispatcher = createDispatcher({
    tools: [],
    mcp: [{ server: "github", tools: [tool] }],
    permissions: { ask: () => "allow" },
    onEvent: ({ line }) => lines.push(line),
  });
  await dispatcher.dispatch(callsOf("mcp__github__find"));
  expect(lines.filter((line) => line !== undefined)).toEqual([
    "Calling Find [31m it of github",
    "Called Find [31m it of github",
  ]);
});
