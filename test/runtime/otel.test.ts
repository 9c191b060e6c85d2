import { context, metrics, propagation, ROOT_CONTEXT, SpanStatusCode, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  type ReadableSpan,
} from "@opentelemetry/sdk-trace-base";
import { buildTool, createDispatcher, type DispatcherOptions, type Tool } from "@hasp/runtime";
import { createMcpHandler } from "@hasp/mcp";
import { withTelemetry, type TelemetryOptions } from "@hasp/adapters/otel";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

const exporter = new InMemorySpanExporter();
const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
const measured = new InMemoryMetricExporter(AggregationTemporality.DELTA);
const reader = new PeriodicExportingMetricReader({ exporter: measured, exportIntervalMillis: 1_000_000 });
const meters = new MeterProvider({ readers: [reader] });

beforeAll(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(provider);
  metrics.setGlobalMeterProvider(meters);
});
afterAll(async () => {
  for (const api of [context, propagation, trace, metrics]) api.disable();
  await Promise.all([provider.shutdown(), meters.shutdown()]);
});
beforeEach(() => exporter.reset());

type Definition = Parameters<typeof buildTool>[0];

function tool(name: string, execute: Definition["execute"], parts: Partial<Definition> = {}): Tool<never> {
  return buildTool({
    name,
    description: "Does it.",
    input: { type: "object", additionalProperties: true },
    concurrency: { class: "READ_ONLY" },
    behavior: { requiresPermission: false, isOpenWorld: false },
    execute,
    ...parts,
  } as Definition) as Tool<never>;
}

const sleep = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

async function dispatch(
  tools: readonly Tool<never>[],
  calls: readonly (readonly [name: string, input?: object])[],
  { telemetry = {}, ...options }: Partial<DispatcherOptions> & { telemetry?: TelemetryOptions } = {},
): Promise<readonly ReadableSpan[]> {
  const dispatcher = createDispatcher(withTelemetry({ tools, ...options } as DispatcherOptions, telemetry));
  await dispatcher.dispatch(
    calls.map(([name, input = {}], index) => ({ id: `call_${index + 1}`, name, input })) as never,
  );
  return exporter.getFinishedSpans();
}

const spanOf = (name: string): ReadableSpan => {
  const found = exporter.getFinishedSpans().find((span) => span.name === name);
  if (found === undefined) throw new Error(`there is no span ${name}`);
  return found;
};

test("a call is a span by the conventions of generative AI, without its input, its output and texts of errors", async () => {
  const tools = [
    tool("look", () => "the-output"),
    tool("fail", () => {
      throw new Error("the-reason");
    }),
    tool("pay", () => "paid", { behavior: { isOpenWorld: false } }),
  ];
  const spans = await dispatch(tools, [["look", { q: "the-input" }], ["fail"], ["pay"], ["x".repeat(10_000)]]);
  expect(spanOf("execute_tool look").attributes).toEqual({
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": "look",
    "gen_ai.tool.call.id": "call_1",
    "gen_ai.tool.type": "function",
    "hasp.tool.class": "READ_ONLY",
    "hasp.tool.attempts": 1,
  });
  expect(spanOf("execute_tool fail")).toMatchObject({
    status: { code: SpanStatusCode.ERROR },
    attributes: { "error.type": "threw", "hasp.tool.effect": "none" },
  });
  expect(spanOf("execute_tool pay")).toMatchObject({
    status: { code: SpanStatusCode.ERROR },
    attributes: { "error.type": "no-one-to-ask", "hasp.tool.attempts": 0 },
  });
  expect(spans.map(({ name }) => name.length < 300)).toEqual([true, true, true, true]);
  expect(JSON.stringify(spans.map(({ attributes, status, events }) => [attributes, status, events]))).not.toMatch(
    /the-(?:input|output|reason)/u,
  );
});

const readPin = (input: unknown): string => (input as { readonly pin: string }).pin;

test("inputs and outputs are recorded on request, without secrets and cut", async () => {
  const secret = { type: "string", "x-secret": true } as const;
  const schema = {
    type: "object",
    properties: { id: { type: "string" }, pin: { type: "string", writeOnly: true }, token: secret },
    additionalProperties: false,
  } as const;
  const answer = { id: "1", token: "the-token" };
  const tools = [
    tool("look", () => answer, { input: schema, output: schema } as never),
    tool("long", () => answer, { input: schema, output: schema, limits: { maxResultSizeChars: 20 } } as never),
    tool("talk", () => "x".repeat(50_000)),
    tool("repeat", (given) => `Your pin is ${readPin(given)}.`, { input: schema } as never),
    tool("fail", (given) => Promise.reject(new Error(`Wrong: ${readPin(given)}`)), { input: schema } as never),
    tool("break", () => ({ token: "the-token", id: 1 }), {
      output: { ...schema, properties: { ...schema.properties, token: { ...secret, maxLength: 3 } } },
    } as never),
  ];
  const input = { id: "1", pin: "the-pin", token: "the-token" };
  const calls = [["look", input], ["repeat", input], ["fail", input], ["break"], ["long"], ["talk"]] as const;
  const spans = await dispatch(tools, calls, { telemetry: { recordArguments: true, recordResults: true } });
  expect(spanOf("execute_tool look").attributes).toMatchObject({
    "gen_ai.tool.call.arguments": '{"id":"1","pin":"[secret]","token":"[secret]"}',
    "gen_ai.tool.call.result": '{"id":"1","token":"[secret]"}',
  });
  expect(JSON.stringify(spans.map(({ attributes, status }) => [attributes, status]))).not.toMatch(/the-(?:pin|token)/u);
  expect(spanOf("execute_tool break").status.message).toContain("must be at most 3 characters long.");
  expect(String(spanOf("execute_tool talk").attributes["gen_ai.tool.call.result"]).length).toBeLessThan(20_000);
});

test("a span has the caller's as parent, here or from a traceparent, and is the parent of what the handler does", async () => {
  const tracer = trace.getTracer("test");
  const inner = tool("inner", () => "ok");
  const outer = tool("outer", async (_input, { dispatch: nested }) => {
    await sleep(1);
    tracer.startSpan("query").end();
    return (await nested([{ id: "n", name: "inner", input: {} }]))[0]?.isError;
  });
  const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  const remote = propagation.extract(ROOT_CONTEXT, { traceparent });
  await context.with(remote, () => dispatch([outer, inner], [["outer"]]));
  const parent = spanOf("execute_tool outer");
  expect(parent.spanContext().traceId).toBe("0af7651916cd43dd8448eb211c80319c");
  expect(parent.parentSpanContext?.spanId).toBe("b7ad6b7169203331");
  for (const name of ["query", "execute_tool inner"]) {
    expect([name, spanOf(name).parentSpanContext?.spanId]).toEqual([name, parent.spanContext().spanId]);
  }
});

const mcpMeta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** A call of an MCP client, as its bytes. */
function mcpCall(name: string, trace: object): Request {
  const params = { name, arguments: {}, _meta: { ...mcpMeta, ...trace } };
  return new Request("http://localhost/mcp", {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/call",
      "mcp-name": name,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
  });
}

test("a call of an MCP client goes on with the trace that it brings, unless the active span is of that trace", async () => {
  const tracer = trace.getTracer("test");
  const inner = tool("inner", () => "ok");
  const outer = tool("outer", async (_input, { dispatch: nested }) => {
    tracer.startSpan("query").end();
    await nested([{ id: "n", name: "inner", input: {} }]);
  });
  const { onEvent, callTracker } = withTelemetry({ tools: [outer, inner] as readonly Tool<never>[] });
  const handler = createMcpHandler([outer, inner] as readonly Tool<never>[], { onEvent, callTracker });
  const traceId = "0af7651916cd43dd8448eb211c80319c";
  const traceparent = `00-${traceId}-b7ad6b7169203331-01`;
  const call = (sent: object) => handler(mcpCall("outer", sent)).then((response) => response.text());
  const server = tracer.startSpan("server");
  await context.with(trace.setSpan(ROOT_CONTEXT, server), () => call({ traceparent, tracestate: "a=1" }));
  const parent = spanOf("execute_tool outer");
  expect([parent.spanContext().traceId, parent.parentSpanContext?.spanId]).toEqual([traceId, "b7ad6b7169203331"]);
  expect(parent.spanContext().traceState?.get("a")).toBe("1");
  for (const name of ["query", "execute_tool inner"]) {
    expect([name, spanOf(name).parentSpanContext?.spanId]).toEqual([name, parent.spanContext().spanId]);
  }
  exporter.reset();
  const same = tracer.startSpan("server", {}, propagation.extract(ROOT_CONTEXT, { traceparent }));
  await context.with(trace.setSpan(ROOT_CONTEXT, same), () => call({ traceparent }));
  expect(spanOf("execute_tool outer").parentSpanContext?.spanId).toBe(same.spanContext().spanId);
  for (const none of [`00-${"0".repeat(32)}-b7ad6b7169203331-01`, `ff-${traceId}-b7ad6b7169203331-01`]) {
    exporter.reset();
    await call({ traceparent: none });
    expect(spanOf("execute_tool outer").parentSpanContext, none).toBeUndefined();
  }
  await handler.close();
});

test("turns at the same time whose calls have the same id keep their spans apart", async () => {
  const tools = [
    tool("wait", async (input) => {
      await sleep((input as { ms: number }).ms);
      if ((input as { ms: number }).ms > 5) throw new Error("late");
    }),
  ];
  const dispatcher = createDispatcher(withTelemetry({ tools }));
  await Promise.all([20, 1].map((ms) => dispatcher.dispatch([{ id: "call_1", name: "wait", input: { ms } }])));
  const spans = exporter.getFinishedSpans();
  expect(spans.map(({ attributes }) => attributes["error.type"])).toEqual([undefined, "threw"]);
  expect(spans[1]?.duration[1]).toBeGreaterThan(spans[0]?.duration[1] ?? 0);
});

test("retries are one span; a call that is given up ends its span, however long its handler goes on", async () => {
  let attempts = 0;
  const flaky = tool(
    "flaky",
    () => {
      attempts += 1;
      if (attempts < 3) throw Object.assign(new Error("again"), { retryable: true });
    },
    { limits: { maxRetries: 3 } },
  );
  const stuck = tool("stuck", () => new Promise(() => undefined), { limits: { timeoutSeconds: 0.02 } });
  await dispatch([flaky, stuck], [["flaky"], ["stuck"]], { retryDelayMs: () => 1 });
  expect(spanOf("execute_tool flaky").events.map(({ name }) => name)).toEqual(["retry", "retry"]);
  expect(spanOf("execute_tool flaky").status.code).toBe(SpanStatusCode.UNSET);
  expect(spanOf("execute_tool stuck").attributes["error.type"]).toBe("timeout");
});

test("calls are counted by outcome and measured; names that a model invents are one", async () => {
  await reader.forceFlush();
  measured.reset();
  const tools = [
    tool("look", () => sleep(5)),
    tool("fail", () => {
      throw new Error("x");
    }),
    tool("pay", () => "paid", { behavior: { isOpenWorld: false } }),
  ];
  await dispatch(tools, [["look"], ["look"], ["fail"], ["pay"], ["invented_1"], ["invented_2"]]);
  await reader.forceFlush();
  const points = new Map(
    measured
      .getMetrics()
      .flatMap(({ scopeMetrics }) => scopeMetrics)
      .flatMap((scope) => scope.metrics)
      .map(({ descriptor, dataPoints }) => [descriptor.name, dataPoints]),
  );
  const counts = points.get("hasp.tool.calls")?.map(({ attributes, value }) => {
    return [attributes["gen_ai.tool.name"], attributes["hasp.outcome"], attributes["error.type"], value];
  });
  expect(counts).toEqual([
    ["look", "ok", undefined, 2],
    ["fail", "failed", "threw", 1],
    ["pay", "refused", "no-one-to-ask", 1],
    ["_OTHER", "refused", "unknown-tool", 2],
  ]);
  const durations = points.get("hasp.tool.duration")?.map(({ attributes, value }) => {
    return [attributes["gen_ai.tool.name"], (value as { count: number }).count];
  });
  expect(durations).toEqual([
    ["look", 2],
    ["fail", 1],
  ]);
});

test("spans and metrics have the host's attributes; with results, spans say why a call was permitted", async () => {
  const telemetry = { attributes: { "hasp.toolset": "support" } };
  const rules = [{ tool: "pay", decision: "allow", reason: "support pays" }] as const;
  const tools = [tool("pay", () => "paid", { behavior: { isOpenWorld: false, isDestructive: false } })];
  const permissions = { rules } as DispatcherOptions["permissions"];
  await dispatch(tools, [["pay"]], { permissions, telemetry });
  expect(spanOf("execute_tool pay").attributes).toMatchObject({ "hasp.toolset": "support" });
  expect(spanOf("execute_tool pay").attributes).not.toHaveProperty("hasp.permission.reason");
  expect(spanOf("execute_tool pay").instrumentationScope.version).toMatch(/^\d+\.\d+\.\d+/u);
  exporter.reset();
  await dispatch(tools, [["pay"]], { permissions, telemetry: { ...telemetry, recordResults: true } });
  expect(spanOf("execute_tool pay").attributes).toMatchObject({ "hasp.permission.reason": "support pays" });
});

test("a span has the reason of its own call, where calls of two users have one id", async () => {
  let release = (): void => undefined;
  const isReleased = new Promise<void>((resolve) => (release = resolve));
  const act = tool("act", () => isReleased, { behavior: { isOpenWorld: false, isDestructive: false } });
  let permitted = 0;
  const options = {
    tools: [act],
    permissions: { check: ({ context }) => ({ decision: "allow", reason: `for ${String(context)}` }) },
    onEvent: ({ type }) => {
      // All of them wait for the first one then.
      if (type === "permitted" && (permitted += 1) === 3) release();
    },
  } as DispatcherOptions;
  const dispatcher = createDispatcher(withTelemetry(options, { recordResults: true }));
  const users = ["first", "ann", "bob"];
  await Promise.all(
    users.map((context) => dispatcher.dispatch([{ id: "call_0", name: "act", input: {} }], { context })),
  );
  const reasons = exporter.getFinishedSpans().map(({ attributes }) => attributes["hasp.permission.reason"]);
  expect(reasons.toSorted()).toEqual(["for ann", "for bob", "for first"]);
});

test("a broken tracer costs no call its answer, and the host keeps its own listener and tracker", async () => {
  const events: string[] = [];
  const broken = {
    startSpan: () => {
      throw new Error("broken");
    },
  };
  const ran: string[] = [];
  const dispatcher = createDispatcher(
    withTelemetry(
      {
        tools: [tool("look", () => "ok")],
        onEvent: ({ type }) => events.push(type),
        callTracker: {
          run: ({ toolName }, body) => {
            ran.push(toolName);
            return body();
          },
          current: () => undefined,
        },
      },
      { tracer: broken as never },
    ),
  );
  const [result] = await dispatcher.dispatch([{ id: "1", name: "look", input: {} }]);
  expect([result?.isError, events.at(-1), ran]).toEqual([false, "settled", ["look"]]);
});
