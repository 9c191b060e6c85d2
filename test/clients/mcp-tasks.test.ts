// Calls that clients of 2025-11-25 make into tasks. The revision 2026-07-28 has none; its SDK refuses the methods.
import { buildTool, createDispatcher, type AnyTool } from "@hasp/runtime";
import {
  createMcpHandler,
  mcpQuestions,
  mcpTasks,
  registerMcpTools,
  type McpHandlerOptions,
  type McpTask,
} from "@hasp/mcp";
import { Client, InMemoryTransport, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { Server } from "@modelcontextprotocol/server";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { bin, createServedProject, type ServedProject } from "./served-project.testing.js";

const anything = { "~standard": { version: 1, vendor: "test", validate: (value: unknown) => ({ value }) } } as const;
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
  const fail = buildTool({ ...common, ...read, name: "fail", execute: () => Promise.reject(new Error("no")) });
  const note = buildTool({
    ...common,
    name: "note",
    concurrency: { class: "WRITE_EXCLUSIVE" },
    execute: () => "noted",
  });
  return { tools: [wait, fail, note] as readonly AnyTool[], letGo: () => gate.resolve("waited") };
}

/** Collects the requests about tasks that a client may send. */
function tasksOf(client: Client) {
  const send = async (method: string, params: object): Promise<never> =>
    (await client.request({ method, params } as never, anything as never)) as never;
  return {
    start: async (name: string, task: object = {}): Promise<McpTask> =>
      ((await send("tools/call", { name, arguments: {}, task } as never)) as { task: McpTask }).task,
    get: (taskId: string): Promise<McpTask> => send("tasks/get", { taskId }),
    result: (taskId: string): Promise<object> => send("tasks/result", { taskId }),
    cancel: (taskId: string): Promise<McpTask> => send("tasks/cancel", { taskId }),
    list: async (): Promise<readonly McpTask[]> => ((await send("tasks/list", {})) as { tasks: McpTask[] }).tasks,
  };
}

/** Clients of an endpoint over HTTP, each with its own token. */
function serveHttp(options: McpHandlerOptions = {}) {
  const { tools, letGo } = someTools();
  const handler = createMcpHandler(tools as readonly never[], {
    tasks: mcpTasks(),
    authenticate: ({ headers }) => ({ principal: headers.get("authorization") ?? "" }),
    ...options,
  });
  onTestFinished(async () => void (await handler.close({ timeoutMs: 2000 })));
  const connect = async (principal: string, mode: "legacy" | { readonly pin: string } = "legacy"): Promise<Client> => {
    const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
    const fetch = (url: string | URL, init?: RequestInit) => handler(new Request(url, init));
    const requestInit = { headers: { authorization: principal } };
    await client.connect(new StreamableHTTPClientTransport(new URL("http://localhost/mcp"), { fetch, requestInit }));
    onTestFinished(() => client.close());
    return client;
  };
  return { connect, letGo };
}

/** A client on a connection of its own, whose person answers. */
async function connectDirectly(answer: () => Promise<object>): Promise<Client> {
  const questions = mcpQuestions();
  const dispatcher = createDispatcher({ tools: someTools().tools as never, permissions: { ask: questions.ask } });
  const server = new Server({ name: "test", version: "1" }, { capabilities: {} });
  registerMcpTools(server, dispatcher, { questions, tasks: mcpTasks() });
  const client = new Client({ name: "test", version: "1" }, { capabilities: { elicitation: {} } });
  client.setRequestHandler("elicitation/create", answer as never);
  const [one, other] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(one as never), client.connect(other)]);
  onTestFinished(() => client.close());
  return client;
}

describe("over HTTP", () => {
  test("a task goes on after its request, and its result is read with another", async () => {
    const { connect, letGo } = serveHttp();
    const client = await connect("ann");
    expect(client.getServerCapabilities()?.tasks).toEqual({ list: {}, cancel: {}, requests: { tools: { call: {} } } });
    const { tools } = await client.listTools();
    expect(tools.map(({ execution }) => execution)).toEqual(tools.map(() => ({ taskSupport: "optional" })));
    const tasks = tasksOf(client);
    const { taskId, ...started } = await tasks.start("wait", { ttl: 5000 });
    expect(started).toMatchObject({ status: "working", ttl: 5000 });
    expect(await tasks.get(taskId)).toMatchObject({ taskId, status: "working" });
    const result = tasks.result(taskId);
    letGo();
    expect(await result).toMatchObject({
      content: [{ type: "text", text: "waited" }],
      isError: false,
      _meta: { "io.modelcontextprotocol/related-task": { taskId } },
    });
    expect(await tasks.list()).toEqual([expect.objectContaining({ taskId, status: "completed" })]);
    await expect(tasks.cancel(taskId)).rejects.toThrow("already completed");
  });

  test("to another principal the task does not exist", async () => {
    const { connect } = serveHttp();
    const { taskId } = await tasksOf(await connect("ann")).start("wait");
    const foreign = tasksOf(await connect("eve"));
    for (const method of ["get", "result", "cancel"] as const) {
      await expect(foreign[method](taskId), method).rejects.toThrow("The task does not exist");
    }
    expect(await foreign.list()).toEqual([]);
  });

  test("callers who cannot be told apart cannot list tasks", async () => {
    const client = await serveHttp({ authenticate: undefined }).connect("");
    expect(client.getServerCapabilities()?.tasks).toEqual({ cancel: {}, requests: { tools: { call: {} } } });
    const tasks = tasksOf(client);
    const { taskId } = await tasks.start("fail");
    expect(await tasks.result(taskId)).toMatchObject({ isError: true });
    expect(await tasks.get(taskId)).toMatchObject({ status: "failed" });
    await expect(tasks.list()).rejects.toThrow('no method "tasks/list"');
  });

  test("a cancelled task stops its call, whose result says so; one whose time is over is gone", async () => {
    const tasks = tasksOf(await serveHttp().connect("ann"));
    const { taskId } = await tasks.start("wait");
    expect(await tasks.cancel(taskId)).toMatchObject({ status: "cancelled" });
    expect(await tasks.result(taskId)).toMatchObject({ isError: true });
    expect(await tasks.get(taskId)).toMatchObject({ status: "cancelled" });
    const short = await tasks.start("wait", { ttl: 50 });
    expect(await tasks.result(short.taskId)).toMatchObject({ isError: true });
    await expect(tasks.get(short.taskId)).rejects.toThrow("it has expired");
  });

  test("the tasks of one principal are bounded; results that were read make room", async () => {
    const { connect, letGo } = serveHttp({ tasks: mcpTasks({ mostPerPrincipal: 2, ttlSeconds: 60 }) });
    const tasks = tasksOf(await connect("ann"));
    const first = await tasks.start("wait", { ttl: 1e12 });
    expect(first.ttl).toBe(60_000);
    await tasks.start("wait");
    await expect(tasks.start("wait")).rejects.toThrow("too many tasks (2)");
    expect(await tasksOf(await connect("eve")).start("fail")).toMatchObject({ status: "working" });
    letGo();
    await tasks.result(first.taskId);
    expect(await tasks.start("fail")).toMatchObject({ status: "working" });
    await expect(tasks.get(first.taskId)).rejects.toThrow("The task does not exist");
    for (const task of [{ ttl: -1 }, { ttl: "long" }, { ttl: 0 }, 7]) {
      await expect(tasks.start("fail", task as object), JSON.stringify(task)).rejects.toThrow(/`task|task:|expected/u);
    }
  });

  test("2026-07-28 has no tasks: its calls are answered when they have ended", async () => {
    const client = await serveHttp().connect("ann", { pin: "2026-07-28" });
    expect(client.getServerCapabilities()?.tasks).toBeUndefined();
    expect((await client.listTools()).tools.every((tool) => !("execution" in tool))).toBe(true);
    const call = { name: "fail", arguments: {}, task: {} };
    expect(await client.callTool(call)).toMatchObject({ isError: true, content: [expect.anything()] });
  });
});

test("a question about a task names it, and the task waits for the answer", async () => {
  const answer = deferred<object>();
  const asked = deferred<unknown>();
  const client = await connectDirectly(((request: unknown) => {
    asked.resolve(request);
    return answer.promise;
  }) as never);
  const tasks = tasksOf(client);
  const { taskId } = await tasks.start("note");
  expect(await asked.promise).toMatchObject({
    params: { _meta: { "io.modelcontextprotocol/related-task": { taskId } } },
  });
  expect(await tasks.get(taskId)).toMatchObject({ status: "input_required" });
  answer.resolve({ action: "accept", content: { decision: "Allow once" } });
  expect(await tasks.result(taskId)).toMatchObject({ content: [{ type: "text", text: "noted" }] });
});

describe("hasp serve", () => {
  let project: ServedProject;
  beforeAll(() => {
    project = createServedProject();
  });
  afterAll(() => project.remove());

  test("version 1 of the official client streams a task", async () => {
    const client = new ClientV1({ name: "test", version: "1" });
    const { CI: _ci, ...env } = process.env as Record<string, string>;
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [bin, "serve"],
        cwd: project.folder,
        env,
        stderr: "ignore",
      }),
    );
    onTestFinished(() => client.close());
    await client.listTools();
    const seen: unknown[] = [];
    const call = { name: "look", arguments: { id: "a" } };
    for await (const message of client.experimental.tasks.callToolStream(call, undefined, { task: {} })) {
      seen.push(message.type === "result" ? message.result.structuredContent : message.type);
    }
    expect(seen.filter((each) => each !== "taskStatus")).toEqual(["taskCreated", { seen: "a" }]);
  });
});
