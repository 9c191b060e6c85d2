import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import { buildTool, type FlowSetting, type Tool } from "@hasp/runtime";
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

interface Server {
  readonly input: PassThrough;
  readonly output: PassThrough;
  readonly served: Promise<void>;
  readonly reports: string[];
  send(message: object): void;
}

/** Serves tools to a client that has connected and cannot ask anybody. */
function serve(tools: readonly Tool[], flow: FlowSetting): Server {
  const input = new PassThrough();
  const output = new PassThrough();
  const reports: string[] = [];
  const served = serveTools({
    tools,
    withheld: [],
    policy: undefined,
    flow,
    permitted: [],
    features: [],
    context: undefined,
    durable: undefined,
    info: { name: "test", version: "0" },
    input,
    output,
    report: (message) => reports.push(message),
    log: undefined,
    telemetry: undefined,
    drainMs: undefined,
  });
  const send = (message: object): void => void input.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const client = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "0" } };
  send({ id: 1, method: "initialize", params: client });
  send({ method: "notifications/initialized" });
  return { input, output, served, reports, send };
}

/** Serves the tool, calls it, and disconnects as soon as it runs. */
async function callAndLeave(
  tool: Tool,
  begun: Promise<void>,
): Promise<{ readonly served: Promise<void>; readonly reports: string[] }> {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { input, output, served, reports, send } = serve([tool], "note");
  output.resume();
  send({ id: 2, method: "tools/call", params: { name: "endless", arguments: {} } });
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

test("a call that may carry something out is refused in words that are true, and its operator is told once what to do", async () => {
  const send = buildTool({
    name: "send",
    description: "Sends.",
    input: { type: "object", properties: {} },
    behavior: { requiresPermission: false, isDestructive: false },
    execute: () => "sent",
  });
  const { input, output, served, reports, send: write } = serve([send], "ask");
  const answers = createInterface({ input: output })[Symbol.asyncIterator]();
  await answers.next();
  const texts: string[] = [];
  for (const id of [2, 3, 4]) {
    write({ id, method: "tools/call", params: { name: "send", arguments: {} } });
    const { result } = JSON.parse(String((await answers.next()).value)) as { result: { content: [{ text: string }] } };
    texts.push(result.content[0].text);
  }
  const refused =
    "What send sends leaves this conversation, which holds private data and text that an outsider may have written, and this client cannot ask its user (it has no elicitation).";
  expect(texts).toEqual(["sent", refused, refused]);
  expect(reports).toEqual([
    expect.stringMatching(/^send was refused: State `behavior\.isOpenWorld: false`.*flow: note/u),
  ]);
  input.end();
  await served;
});
