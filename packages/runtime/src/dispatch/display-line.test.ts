import { expect, test } from "vitest";
import type { DispatchEvent, CallProgress } from "./state/dispatcher-types.js";
import { createDispatcher } from "./dispatcher.js";
import { callsOf, reader, writer } from "./tools.testing.js";

const display = {
  running: "Reading {path}",
  done: "Read {path}",
  failed: "Could not read {path}",
  rejected: "Refused to read {path}",
  progress: ({ path }: Record<string, unknown>) => `Still reading ${String(path)}`,
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
    ["progress", "Still reading a"],
    ["settled", "Read a"],
    ["started", "Reading b"],
    ["settled", "Could not read b"],
    ["denied", "Refused to read c"],
    ["settled", "Refused to read c"],
  ]);
  expect(lines.filter(([type]) => type === "settled")).toHaveLength(5);
  expect(updates).toEqual([{ callId: "1", toolName: "read", update: "half", line: "Still reading a" }]);
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
