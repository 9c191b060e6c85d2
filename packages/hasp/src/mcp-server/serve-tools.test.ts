import { PassThrough } from "node:stream";
import { buildTool, type Tool } from "@hasp/runtime";
import { afterEach, expect, test, vi } from "vitest";
import { serveTools } from "./serve-tools.js";

afterEach(() => {
  vi.useRealTimers();
});

/** Creates a tool that never ends by itself, and records what it hears. */
function endlessTool(timeoutSeconds: number | "unlimited"): {
  readonly tool: Tool;
  readonly begun: Promise<void>;
  readonly signals: AbortSignal[];
} {
  const signals: AbortSignal[] = [];
  let begin: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const tool = buildTool({
    name: "endless",
    description: "Never ends.",
    input: { type: "object", properties: {} },
    behavior: { requiresPermission: false, isDestructive: false },
    limits: { timeoutSeconds },
    execute: (_input, { signal }) => {
      signals.push(signal);
      begin();
      return new Promise(() => undefined);
    },
  });
  return { tool, begun, signals };
}

/** Serves the tool, calls it, and disconnects as soon as it runs. */
async function callAndLeave(
  tool: Tool,
  begun: Promise<void>,
): Promise<{ readonly served: Promise<void>; readonly reports: string[] }> {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const input = new PassThrough();
  const output = new PassThrough().resume();
  const reports: string[] = [];
  const served = serveTools({
    tools: [tool],
    withheld: [],
    policy: undefined,
    permitted: [],
    features: [],
    context: undefined,
    callStore: undefined,
    info: { name: "test", version: "0" },
    input,
    output,
    report: (message) => reports.push(message),
    log: undefined,
    telemetry: undefined,
    drainMs: undefined,
  });
  for (const message of [
    {
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "0" } },
    },
    { method: "notifications/initialized" },
    { id: 2, method: "tools/call", params: { name: "endless", arguments: {} } },
  ]) {
    input.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }
  await begun;
  const timers = vi.getTimerCount();
  input.end();
  // Until the server has heard of it.
  while (vi.getTimerCount() === timers) await new Promise(setImmediate);
  return { served, reports };
}

test("a call without a time limit does not keep a server alive whose client is gone", async () => {
  const { tool, begun, signals } = endlessTool("unlimited");
  const { served, reports } = await callAndLeave(tool, begun);
  await vi.advanceTimersByTimeAsync(59_000);
  expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  await vi.advanceTimersByTimeAsync(2000);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  await vi.advanceTimersByTimeAsync(2000);
  await served;
  expect(reports).toEqual(["A call is still running although the client has disconnected; stopping it."]);
});

test("a call with a limit has its time", async () => {
  const { tool, begun, signals } = endlessTool(100);
  const { served } = await callAndLeave(tool, begun);
  await vi.advanceTimersByTimeAsync(99_000);
  expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  await vi.advanceTimersByTimeAsync(5000);
  await served;
});
