// The tasks extension of 2026-07-28, with its official client over the official SDK, and message by message.
import { buildTool, type AnyTool } from "@hasp/runtime";
import { createMcpHandler, mcpTasks, type McpHandlerOptions, type McpTask } from "@hasp/mcp";
import { durableCalls, memoryCallStore } from "@hasp/stores";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { createTaskSessionFromClient, resultFromTaskOutcome } from "@modelcontextprotocol/ext-tasks/client";
import { isCreateTaskResultV2, isDetailedTaskV2 } from "@modelcontextprotocol/ext-tasks/core/v2";
import { describe, expect, onTestFinished, test } from "vitest";

const read = {
  concurrency: { class: "READ_ONLY" },
  behavior: { requiresPermission: false, isOpenWorld: false },
} as const;
const input = { type: "object", properties: {} } as const;

/** A promise that is settled from outside. */
function deferred<Value>() {
  let resolve!: (value: Value) => void;
  let reject!: (error: Error) => void;
  const promise = new Promise<Value>((settle, fail) => ([resolve, reject] = [settle, fail]));
  return { promise, resolve, reject };
}

/** A tool that waits to be let go or stopped, one that fails, and one that needs permission. */
function someTools(): { readonly tools: readonly AnyTool[]; readonly letGo: () => void } {
  const gate = deferred<string>();
  const common = { description: "Does something.", input };
  const wait = buildTool({
    ...common,
    ...read,
    name: "wait",
    behavior: { ...read.behavior, interruptBehavior: "cancel" },
    execute: (_input, { signal }) => {
      const stopped = deferred<string>();
      signal.addEventListener("abort", () => stopped.reject(new Error("stopped")));
      return Promise.race([gate.promise, stopped.promise]);
    },
  });
  const waitMore = buildTool({
    ...common,
    ...read,
    name: "wait_more",
    behavior: { ...read.behavior, interruptBehavior: "cancel" },
    execute: (_input, { signal }) =>
      new Promise<string>((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("stopped")))),
  });
  const fail = buildTool({ ...common, ...read, name: "fail", execute: () => Promise.reject(new Error("no")) });
  const note = buildTool({
    ...common,
    name: "note",
    concurrency: { class: "WRITE_EXCLUSIVE" },
    execute: () => "noted",
  });
  return { tools: [wait, waitMore, fail, note] as readonly AnyTool[], letGo: () => gate.resolve("waited") };
}

const able = { elicitation: {}, extensions: { "io.modelcontextprotocol/tasks": {} } };
type Answer = {
  readonly result?: McpTask & { readonly resultType?: string };
  readonly error?: { code: number; message: string; data?: unknown };
};

/** An endpoint, and requests of 2026-07-28 to it by callers with their own tokens. */
function serveHttp(options: McpHandlerOptions = {}, { patienceMs = 20 }: { readonly patienceMs?: number } = {}) {
  const { tools, letGo } = someTools();
  const handler = createMcpHandler(tools as readonly never[], {
    tasks: mcpTasks({ startAfterMs: patienceMs }),
    authenticate: ({ headers }) => ({ principal: headers.get("authorization") ?? "" }),
    ...options,
  });
  onTestFinished(async () => void (await handler.close({ timeoutMs: 2000 })));
  let count = 0;
  const post = async (
    message: { method: string; params: Record<string, unknown> },
    principal: string,
  ): Promise<Answer> => {
    const { method, params } = message;
    const name = params["name"] ?? params["taskId"];
    const response = await handler(
      new Request("http://localhost/mcp", {
        method: "POST",
        headers: {
          authorization: principal,
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          "mcp-protocol-version": "2026-07-28",
          "mcp-method": method,
          ...(typeof name === "string" && { "mcp-name": name }),
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: (count += 1), ...message }),
      }),
    );
    const text = await response.text();
    return JSON.parse(text.replace(/^[\s\S]*?data: /u, "")) as Answer;
  };
  const caller = (principal: string, capabilities: object = able) => {
    const send = async (method: string, params: object): Promise<Answer> => {
      const _meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
        "io.modelcontextprotocol/clientCapabilities": capabilities,
      };
      return post({ method, params: { ...params, _meta } }, principal);
    };
    const get = async (taskId: string): Promise<McpTask> => {
      const { result } = await send("tasks/get", { taskId });
      expect(isDetailedTaskV2(result), JSON.stringify(result)).toBe(true);
      return result as McpTask;
    };
    return {
      send,
      get,
      call: async (name: string, more: object = {}) =>
        (await send("tools/call", { name, arguments: {}, ...more })).result as McpTask,
      until: (taskId: string, status: McpTask["status"]) =>
        expect
          .poll(async () => (await get(taskId)).status)
          .toBe(status)
          .then(() => get(taskId)),
    };
  };
  const connect = async (principal: string, capabilities: object = able): Promise<Client> => {
    const client = new Client(
      { name: "test", version: "1" },
      { capabilities, versionNegotiation: { mode: { pin: "2026-07-28" } } },
    );
    const fetch = (url: string | URL, init?: RequestInit) => handler(new Request(url, init));
    const requestInit = { headers: { authorization: principal } };
    await client.connect(new StreamableHTTPClientTransport(new URL("http://localhost/mcp"), { fetch, requestInit }));
    onTestFinished(() => client.close());
    return client;
  };
  return { caller, connect, post, letGo };
}

test("the official client of the extension waits for a task, and gets short calls at once", async () => {
  const { connect, post, letGo } = serveHttp();
  const client = await connect("ann");
  const session = createTaskSessionFromClient(client, {
    endpointId: "test",
    v2RequestFraming: {
      protocolVersion: "2026-07-28",
      clientInfo: { name: "test", version: "1" },
      clientCapabilities: able,
    },
    rawDispatch: async (message) => {
      const { result, error } = await post(message as never, "ann");
      return error === undefined
        ? { kind: "result", result: result as never }
        : { kind: "error", error: error as never };
    },
  });
  onTestFinished(() => session.close());
  const short = await session.callTool("fail", {});
  expect([short.kind, resultFromTaskOutcome((await short.settle()).outcome)]).toMatchObject([
    "immediate",
    { isError: true },
  ]);
  const execution = await session.callTool("wait", {});
  expect(execution.kind).toBe("task");
  letGo();
  const { outcome } = await execution.settle();
  expect(resultFromTaskOutcome(outcome)).toMatchObject({ content: [{ type: "text", text: "waited" }], isError: false });
  const cancelled = await session.callTool("wait_more", {});
  await cancelled.cancel();
  expect((await cancelled.settle()).outcome.status).toBe("cancelled");
});

describe("message by message", () => {
  test("a call that lasts becomes a task, whose result is in its state", async () => {
    const { caller, letGo } = serveHttp();
    const ann = caller("ann");
    const created = await ann.call("wait");
    expect(isCreateTaskResultV2(created)).toBe(true);
    expect(created).toMatchObject({ status: "working", ttlMs: 3_600_000, pollIntervalMs: 500 });
    expect(await ann.get(created.taskId)).toMatchObject({ status: "working" });
    letGo();
    expect(await ann.until(created.taskId, "completed")).toMatchObject({
      result: { resultType: "complete", content: [{ type: "text", text: "waited" }], isError: false },
    });
  });

  test("a client without the extension gets the result of its call, and no task", async () => {
    const { caller, letGo } = serveHttp();
    const plain = caller("ann", {});
    const { taskId } = await caller("ann").call("wait");
    setTimeout(letGo, 60);
    expect(await plain.call("wait")).toMatchObject({ resultType: "complete", content: [{ text: "waited" }] });
    for (const method of ["tasks/get", "tasks/update", "tasks/cancel"]) {
      expect((await plain.send(method, { taskId, inputResponses: {} })).error, method).toMatchObject({
        code: -32021,
        data: { requiredCapabilities: { extensions: { "io.modelcontextprotocol/tasks": {} } } },
      });
    }
  });

  test("to another principal the task does not exist; neither does one whose time is over", async () => {
    const { caller } = serveHttp({ tasks: mcpTasks({ startAfterMs: 10, ttlSeconds: 0.5 }) });
    const { taskId } = await caller("ann").call("wait");
    for (const method of ["tasks/get", "tasks/update", "tasks/cancel"]) {
      const { error } = await caller("eve").send(method, { taskId, inputResponses: {} });
      expect(error, method).toMatchObject({ code: -32602, message: expect.stringContaining("does not exist") });
    }
    const expired = async (): Promise<unknown> => (await caller("ann").send("tasks/get", { taskId })).error;
    await expect.poll(expired).toMatchObject({ code: -32602, message: expect.stringContaining("has expired") });
  });

  test("a question before the call comes as the result; one during the task is in its state", async () => {
    const { caller } = serveHttp({
      hooks: {
        guard: async ({ toolName }) => {
          if (toolName === "note") await new Promise((resolve) => setTimeout(resolve, 60));
          return undefined;
        },
      },
    });
    const ann = caller("ann");
    const { taskId } = await ann.call("note");
    const { inputRequests } = (await ann.until(taskId, "input_required")) as {
      inputRequests?: Record<string, unknown>;
    };
    const [key = "", ...others] = Object.keys(inputRequests ?? {});
    expect(others).toEqual([]);
    expect(inputRequests?.[key]).toMatchObject({ method: "elicitation/create", params: { mode: "form" } });
    const yes = { action: "accept", content: { decision: "Allow once" } };
    expect((await ann.send("tasks/update", { taskId, inputResponses: { other: yes } })).result).toMatchObject({
      resultType: "complete",
    });
    expect(await ann.get(taskId)).toMatchObject({ status: "input_required" });
    await ann.send("tasks/update", { taskId, inputResponses: { [key]: yes } });
    expect(await ann.until(taskId, "completed")).toMatchObject({ result: { content: [{ text: "noted" }] } });
    const asked = await serveHttp({}, { patienceMs: 5000 }).caller("ann").call("note");
    expect(asked).toMatchObject({ resultType: "input_required" });
  });

  test("nobody can allow later what the client has cancelled, in whichever process", async () => {
    const store = memoryCallStore();
    const open = deferred<undefined>();
    const ann = serveHttp({
      durable: durableCalls({ store }),
      hooks: { guard: async ({ toolName }) => (toolName === "note" ? open.promise : undefined) },
    }).caller("ann");
    // The first call loads the code for stored calls.
    await ann.call("fail");
    const { taskId } = await ann.call("note");
    open.resolve(undefined);
    await ann.until(taskId, "input_required");
    expect(await store.questions({ isOpen: true })).toHaveLength(1);
    await ann.send("tasks/cancel", { taskId });
    await expect.poll(async () => store.questions({ isOpen: true })).toEqual([]);
    const elsewhere = serveHttp({ durable: durableCalls({ store }) }).caller("ann");
    await elsewhere.until(taskId, "completed");
    expect(await elsewhere.get(taskId)).toMatchObject({ result: { isError: true } });
  });

  test("the tasks of one principal are bounded: without room a call is answered when it has ended", async () => {
    const { caller, letGo } = serveHttp({ tasks: mcpTasks({ startAfterMs: 10, mostPerPrincipal: 1 }) });
    const ann = caller("ann");
    const { taskId } = await ann.call("wait");
    const second = ann.call("wait");
    expect(await caller("eve").call("wait")).toMatchObject({ resultType: "task" });
    letGo();
    expect(await second).toMatchObject({ resultType: "complete", content: [{ text: "waited" }] });
    await ann.until(taskId, "completed");
    const third = await ann.call("wait_more");
    expect(third).toMatchObject({ resultType: "task" });
    expect((await ann.send("tasks/get", { taskId })).error).toMatchObject({ code: -32602 });
    expect((await ann.send("tasks/cancel", { taskId: third.taskId })).result).toMatchObject({ resultType: "complete" });
    expect(await ann.get(third.taskId)).toMatchObject({ status: "cancelled" });
    for (const setting of [{ startAfterMs: 0 }, { ttlSeconds: -1 }, { mostPerPrincipal: 0 }]) {
      expect(() => mcpTasks(setting)).toThrow(RangeError);
    }
  });

  test("a client of 2025-11-25 is not offered tasks, and its methods do not exist", async () => {
    const handler = createMcpHandler(someTools().tools as readonly never[], { tasks: mcpTasks() });
    onTestFinished(async () => void (await handler.close({ timeoutMs: 2000 })));
    const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: "legacy" } });
    const fetch = (url: string | URL, init?: RequestInit) => handler(new Request(url, init));
    await client.connect(new StreamableHTTPClientTransport(new URL("http://localhost/mcp"), { fetch }));
    onTestFinished(() => client.close());
    expect(client.getServerCapabilities()?.tasks).toBeUndefined();
    expect((await client.listTools()).tools.every((tool) => !("execution" in tool))).toBe(true);
    const anything = {
      "~standard": { version: 1, vendor: "test", validate: (value: unknown) => ({ value }) },
    } as const;
    for (const method of ["tasks/get", "tasks/result", "tasks/list", "tasks/cancel", "tasks/update"]) {
      await expect(
        client.request({ method, params: { taskId: "x" } } as never, anything as never),
        method,
      ).rejects.toThrow(/no method|Method not found/iu);
    }
  });
});
