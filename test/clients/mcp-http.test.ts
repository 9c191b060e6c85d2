import { buildTool, createDispatcher, type Tool } from "@hasp/runtime";
import { createMcpHandler, type McpHandlerOptions } from "@hasp/mcp";
import { durableCalls, memoryCallStore } from "@hasp/stores";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { describe, expect, onTestFinished, test } from "vitest";

const ENDPOINT = "http://localhost/mcp";
const id = { type: "object", required: ["id"], properties: { id: { type: "string" } } } as const;

/** Two tools that only read and one that writes, and what was done. */
function someTools(): { readonly tools: readonly Tool<never>[]; readonly done: string[] } {
  const done: string[] = [];
  const look = buildTool<{ id: string }>({
    name: "look",
    description: "Looks.",
    input: id,
    output: { type: "object", required: ["seen"], properties: { seen: { type: "string" } } },
    concurrency: { class: "READ_ONLY" },
    behavior: { requiresPermission: false, isOpenWorld: false, interruptBehavior: "cancel" },
    execute: ({ id: what }, { progress, context }) => {
      progress({ progress: 1, message: "looking" });
      return { seen: `${what}${(context as { readonly for?: string } | undefined)?.for ?? ""}` };
    },
  });
  const wait = buildTool({
    name: "wait",
    description: "Waits.",
    input: id,
    concurrency: { class: "READ_ONLY" },
    behavior: { requiresPermission: false, isOpenWorld: false, interruptBehavior: "cancel" },
    execute: (_input, { signal }) =>
      new Promise((_resolve, reject) => {
        done.push("waiting");
        signal.addEventListener("abort", () => {
          done.push("stopped");
          reject(new Error("stopped"));
        });
      }),
  });
  const note = buildTool<{ id: string }>({
    name: "note",
    description: "Notes.",
    input: id,
    concurrency: { class: "WRITE_EXCLUSIVE" },
    behavior: { isDestructive: false, isOpenWorld: false },
    execute: ({ id: what }) => {
      done.push(`noted ${what}`);
      return "noted";
    },
  });
  return { tools: [look, wait, note], done };
}

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;
type Mode = "legacy" | { readonly pin: string };
const MODERN = { pin: "2026-07-28" };

/** Version 2 of the official client, of one revision. */
async function connect(fetch: Fetch, mode: Mode, answer?: () => object): Promise<Client> {
  const client = new Client(
    { name: "test", version: "1" },
    { capabilities: answer === undefined ? {} : { elicitation: {} }, versionNegotiation: { mode } },
  );
  if (answer !== undefined) client.setRequestHandler("elicitation/create", () => answer() as never);
  await client.connect(new StreamableHTTPClientTransport(new URL(ENDPOINT), { fetch }));
  onTestFinished(() => client.close());
  return client;
}

/** Version 1 of the official client. */
async function connectV1(fetch: Fetch): Promise<ClientV1> {
  const client = new ClientV1({ name: "test", version: "1" }, { capabilities: { elicitation: {} } });
  await client.connect(new TransportV1(new URL(ENDPOINT), { fetch }) as never);
  onTestFinished(() => client.close());
  return client;
}

/** The handler of those tools, and what it was asked. */
function serve(options: McpHandlerOptions = {}): {
  readonly fetch: Fetch;
  readonly handler: ReturnType<typeof createMcpHandler>;
  readonly done: string[];
} {
  const { tools, done } = someTools();
  const handler = createMcpHandler(tools, { info: { name: "words", version: "3.0.0" }, ...options });
  return { handler, done, fetch: (url, init) => handler(new Request(url, init)) };
}

const text = (result: unknown): string => JSON.stringify(result);

describe.each<[client: string, connect: (fetch: Fetch) => Promise<Client | ClientV1>]>([
  ["version 1 of the official client", connectV1],
  ["version 2, of 2025-11-25", (fetch) => connect(fetch, "legacy")],
  ["version 2, of 2026-07-28", (fetch) => connect(fetch, MODERN)],
])("%s", (_name, connectTo) => {
  test("finds the server's name, lists, calls and hears progress", async () => {
    const { fetch } = serve();
    const client = (await connectTo(fetch)) as Client;
    expect(client.getServerVersion()).toMatchObject({ name: "words", version: "3.0.0" });
    const first = await client.listTools();
    expect(first.tools.map(({ name }) => name)).toEqual(["look", "note", "wait"]);
    expect((await client.listTools()).tools).toEqual(first.tools);
    const heard: unknown[] = [];
    const call = { name: "look", arguments: { id: "a" } };
    const options = { onprogress: (progress: unknown) => heard.push(progress) };
    // The second parameter of version 1 is a schema.
    const words = (client instanceof ClientV1 ? [call, undefined, options] : [call, options]) as unknown as [
      typeof call,
    ];
    expect(await client.callTool(...words)).toMatchObject({ structuredContent: { seen: "a" } });
    expect(heard).toEqual([{ progress: 1, message: "looking" }]);
  });
});

test("a client of 2025-11-25 cannot be asked without a session: the call is refused, and never runs", async () => {
  const { fetch, done } = serve();
  for (const client of [await connect(fetch, "legacy", () => ({ action: "accept" })), await connectV1(fetch)]) {
    const result = await (client as Client).callTool({ name: "note", arguments: { id: "x" } });
    expect([result.isError, text(result)]).toEqual([true, expect.stringContaining("cannot ask its user")]);
  }
  expect(done).toEqual([]);
});

test("a client of 2026-07-28 is asked, and only a yes lets the call run", async () => {
  const { fetch, done } = serve();
  const answers = [{ action: "decline" }, { action: "accept", content: { decision: "Allow once" } }];
  const client = await connect(fetch, MODERN, () => answers.shift() ?? { action: "cancel" });
  const note = { name: "note", arguments: { id: "x" } };
  expect(await client.callTool(note)).toMatchObject({ isError: true });
  expect(done).toEqual([]);
  expect(await client.callTool(note)).toMatchObject({ isError: false });
  expect(await client.callTool(note)).toMatchObject({ isError: true });
  expect(done).toEqual(["noted x"]);
});

test("a thousand questions may stay open, and run nothing", async () => {
  const { fetch, done } = serve();
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": { elicitation: {} },
  };
  const headers = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": "tools/call",
    "mcp-name": "note",
  };
  const params = { name: "note", arguments: { id: "x" }, _meta: meta };
  const ask = async (number: number): Promise<unknown> => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: number, method: "tools/call", params });
    const answer = (await (await fetch(ENDPOINT, { method: "POST", headers, body })).json()) as {
      readonly result?: { readonly resultType?: unknown };
    };
    return answer.result?.resultType;
  };
  const asked = await Promise.all(Array.from({ length: 1000 }, (_question, number) => ask(number)));
  expect(new Set(asked)).toEqual(new Set(["input_required"]));
  expect(done).toEqual([]);
});

describe("who calls", () => {
  const options: McpHandlerOptions = {
    authenticate: ({ headers }) => {
      const principal = headers.get("authorization");
      return principal === null ? undefined : { principal, toolsets: principal === "reader" ? ["readers"] : ["all"] };
    },
    toolsets: { readers: ["look", "wait"], all: ["look", "wait", "note"] },
    context: (caller) => ({ for: ` for ${caller?.principal ?? "nobody"}` }),
  };
  const as =
    (fetch: Fetch, authorization: string): Fetch =>
    (url, init) => {
      const headers = new Headers(init?.headers);
      headers.set("authorization", authorization);
      return fetch(url, { ...init, headers });
    };

  test("is offered the tools of their toolsets, and runs no others", async () => {
    const { fetch, done } = serve(options);
    const reader = await connect(as(fetch, "reader"), MODERN, () => ({ action: "accept" }));
    const writer = await connect(as(fetch, "writer"), MODERN);
    const names = async (client: Client): Promise<readonly string[]> =>
      (await client.listTools()).tools.map(({ name }) => name);
    expect([await names(reader), await names(writer)]).toEqual([
      ["look", "wait"],
      ["look", "note", "wait"],
    ]);
    expect(await reader.callTool({ name: "note", arguments: { id: "x" } })).toMatchObject({ isError: true });
    expect(await reader.callTool({ name: "look", arguments: { id: "x" } })).toMatchObject({
      structuredContent: { seen: "x for reader" },
    });
    expect(done).toEqual([]);
  });

  test("is refused without a name, by the answer of `authenticate`, or with a toolset that there is not", async () => {
    const list = (fetch: Fetch): Promise<Response> =>
      fetch(ENDPOINT, { method: "POST", body: "{}", headers: { "content-type": "application/json" } });
    expect((await list(serve(options).fetch)).status).toBe(401);
    const own = serve({ authenticate: () => new Response("no", { status: 418 }) });
    expect((await list(own.fetch)).status).toBe(418);
    for (const toolsets of [["other"], ["readers", "toString"], undefined]) {
      const { fetch } = serve({ ...options, authenticate: () => ({ principal: "x", toolsets }) });
      expect((await list(fetch)).status).toBe(403);
    }
    const open = serve({ authenticate: () => ({ principal: "x", toolsets: [] }) });
    expect((await list(open.fetch)).status).toBe(403);
  });

  test.each([
    ["", undefined],
    [", in the store of durable calls too", durableCalls({ store: memoryCallStore() })],
  ])("keeps the labels of what they have read when their toolsets change, and nobody else's%s", async (_, durable) => {
    const clean = { requiresPermission: false, isDestructive: false, returnsPrivate: false, isOpenWorld: false };
    const named = (name: string, claims: object): Tool<never> =>
      buildTool({
        name,
        description: name,
        input: { type: "object", properties: {} },
        behavior: { ...clean, ...claims },
        execute: () => "done",
      });
    const handler = createMcpHandler(
      [named("find", { returnsPrivate: true }), named("send", { returnsUntrusted: false, isOpenWorld: true })],
      {
        flow: "ask",
        durable,
        toolsets: { inside: ["find"], outside: ["send"] },
        authenticate: ({ headers }) => {
          const [principal = "", toolset = ""] = headers.get("authorization")?.split(" ") ?? [];
          return { principal, toolsets: [toolset] };
        },
      },
    );
    const call = async (caller: string, name: string): Promise<string> => {
      const client = await connect(
        as((url, init) => handler(new Request(url, init)), caller),
        MODERN,
      );
      return text(await client.callTool({ name, arguments: {} }));
    };
    expect(await call("ann outside", "send")).toContain("done");
    expect(await call("ann inside", "find")).toContain("done");
    expect(await call("ann outside", "send")).toContain("cannot ask its user");
    expect(await call("bob outside", "send")).toContain("done");
  });

  test("has questions in the store of durable calls, and a repeated call runs once after its answer", async () => {
    const store = memoryCallStore();
    const { fetch, done } = serve({ ...options, durable: durableCalls({ store }) });
    const writer = await connect(as(fetch, "writer"), MODERN);
    const repeat = async (): Promise<string> => text(await writer.callTool({ name: "note", arguments: { id: "x" } }));
    expect(await repeat()).toContain("hasp calls answer ");
    const [question, ...others] = await store.questions({ isOpen: true });
    expect([question?.principal, others, done]).toEqual(["writer", [], []]);
    const durable = durableCalls({ store });
    const person = createDispatcher({ tools: [], extensions: [durable] }).use(durable);
    await person.answer(question?.id ?? "", { decision: "allow", by: "writer" });
    expect([await repeat(), done]).toEqual([expect.stringContaining(`"text":"noted"`), ["noted x"]]);
  });

  test("cannot answer with the state of another, nor twice with their own", async () => {
    const { fetch, done } = serve(options);
    const states: unknown[] = [];
    const bodies: string[] = [];
    const spy: Fetch = async (url, init) => {
      bodies.push(String(init?.body));
      const response = await fetch(url, init);
      states.push(await response.clone().text());
      return response;
    };
    const writer = await connect(as(spy, "writer"), MODERN, () => ({
      action: "accept",
      content: { decision: "Allow once" },
    }));
    expect(await writer.callTool({ name: "note", arguments: { id: "x" } })).toMatchObject({ isError: false });
    expect(done).toEqual(["noted x"]);
    const answered = bodies.find((body) => body.includes('"requestState"'));
    const send = async (authorization: string): Promise<string> => {
      const headers = {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "tools/call",
        "mcp-name": "note",
      };
      const response = await as(fetch, authorization)(ENDPOINT, { method: "POST", headers, body: answered ?? "" });
      return response.text();
    };
    expect(await send("another")).toContain("Invalid or expired requestState");
    expect(await send("writer")).toContain("input_required");
    expect(done).toEqual(["noted x"]);
  });
});

test("a shared server keeps the results of one user from another, who cannot guess where they are", async () => {
  const long = buildTool({
    name: "long",
    description: "Says much.",
    input: { type: "object", properties: {} },
    concurrency: { class: "READ_ONLY" },
    behavior: { requiresPermission: false, isOpenWorld: false },
    limits: { maxResultSizeChars: 1000 },
    execute: () => "secret ".repeat(500),
  });
  const handler = createMcpHandler([long]);
  const client = await connect((url, init) => handler(new Request(url, init)), MODERN);
  expect(text(await client.callTool({ name: "long" }))).toMatch(/long-[0-9a-f-]{36}/u);
  const guessed = await client.callTool({ name: "read_result", arguments: { reference: "long-1" } });
  expect(guessed).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("Nothing is stored") }] });
});

describe("bad input", () => {
  const LIST = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  const post = (fetch: Fetch, body: string | ReadableStream, extra: Record<string, string> = {}): Promise<Response> =>
    fetch(ENDPOINT, { method: "POST", body, headers: { ...headers, ...extra }, duplex: "half" } as RequestInit);

  test.each<[what: string, extra: Record<string, string>]>([
    ["a page of another site", { origin: "https://evil.example" }],
    ["a page without an origin", { origin: "null" }],
    ["a page whose origin only begins like ours", { origin: "http://localhost.evil.example" }],
    ["a browser extension called like us", { origin: "chrome-extension://localhost" }],
    ["a name that leads here (DNS rebinding)", { host: "rebound.example:80" }],
    ["a host with a user in it", { host: "localhost@evil.example" }],
    ["an empty host", { host: "" }],
  ])("the endpoint refuses %s", async (_what, extra) => {
    const { fetch } = serve();
    expect((await post(fetch, LIST, extra)).status).toBe(403);
  });

  test("takes pages and hosts of its own, on any port", async () => {
    const { fetch } = serve({ hosts: ["mcp.example.com"] });
    const own = { host: "mcp.example.com:8443", origin: "https://mcp.example.com" };
    expect((await post(fetch, LIST, own)).status).toBe(200);
    expect((await post(fetch, LIST, { host: "localhost" })).status).toBe(403);
  });

  test("reads no body beyond the limit, whatever its length is said to be", async () => {
    const { fetch } = serve({ maxBodyBytes: 1000 });
    let sent = 0;
    const endless = new ReadableStream({
      pull(controller) {
        sent += 100;
        controller.enqueue(new TextEncoder().encode(" ".repeat(100)));
      },
    });
    expect((await post(fetch, endless)).status).toBe(413);
    expect(sent).toBeLessThan(2000);
    expect((await post(fetch, "x", { "content-length": "100000000" })).status).toBe(413);
  });

  test.each<[what: string, body: string, extra: Record<string, string>, status: number]>([
    ["what is no JSON", "{", {}, 400],
    ["bytes that are no text", "\u{fffd}", {}, 400],
    ["an empty body", "", {}, 400],
    ["another type of content", LIST, { "content-type": "text/plain" }, 415],
    ["a revision that there is not", LIST, { "mcp-protocol-version": "1999-01-01" }, 400],
    [
      "a revision in the header that the body does not know (downgrade)",
      LIST,
      { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/list" },
      400,
    ],
    ["a client that takes no answer", LIST, { accept: "text/html" }, 406],
  ])("refuses %s, also after the list is ready", async (_what, body, extra, status) => {
    const { fetch } = serve();
    expect((await post(fetch, LIST)).status).toBe(200);
    expect((await post(fetch, body, extra)).status).toBe(status);
    expect((await post(fetch, LIST)).status).toBe(200);
  });

  test("answers unknown methods, cursors and batches as errors, and other HTTP methods with 405", async () => {
    const { fetch } = serve();
    const unknown = await (await post(fetch, '{"jsonrpc":"2.0","id":1,"method":"tools/delete"}')).text();
    expect(unknown).toContain("-32601");
    const cursor = '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"2"}}';
    for (let time = 0; time < 2; time += 1) expect(await (await post(fetch, cursor)).text()).toContain("-32602");
    const newer = { ...headers, "mcp-protocol-version": "2026-07-28" };
    const none = { accept: "application/json" };
    for (const init of [
      { method: "GET", headers: none },
      { method: "GET", headers: newer },
      { method: "DELETE", headers },
      { method: "PUT", headers },
    ]) {
      expect((await fetch(ENDPOINT, init)).status).toBe(405);
    }
  });

  test("an error of `authenticate` or of the context tells the client nothing", async () => {
    const problems: string[] = [];
    const fails = (): never => {
      throw new Error("the password is 1234");
    };
    for (const options of [{ authenticate: fails }, { context: fails }] as McpHandlerOptions[]) {
      const { fetch } = serve({ ...options, onProblem: ({ message }) => problems.push(message) });
      const call = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"look","arguments":{}}}';
      const response = await post(fetch, call);
      expect([response.status, await response.text()]).toEqual([500, expect.not.stringContaining("1234")]);
    }
    expect(problems).toEqual(["the password is 1234", "the password is 1234"]);
  });
});

test("a list that is ready is the list that the SDK would send, and goes to the same requests only", async () => {
  const { fetch } = serve();
  const answers = new Map<string, unknown>();
  const recording: Fetch = async (url, init) => {
    const response = await fetch(url, init);
    const body = String(init?.body);
    if (body.includes('"tools/list"')) answers.set(body, JSON.parse(await response.clone().text()));
    return response;
  };
  const modern = await connect(recording, MODERN);
  for (let time = 0; time < 3; time += 1) await modern.listTools();
  const [first, ...others] = [...answers.values()] as { readonly id: number; readonly result: object }[];
  expect(others.map(({ result }) => result)).toEqual(others.map(() => first?.result));
  expect(new Set([...answers.values()].map((answer) => (answer as { readonly id: number }).id)).size).toBe(
    answers.size,
  );
  expect(first?.result).toMatchObject({ resultType: "complete" });
  const legacy = await connect(fetch, "legacy");
  expect(await legacy.listTools()).not.toHaveProperty("resultType");
});

test("a mistake in the options is an error at once", () => {
  const { tools } = someTools();
  const made = (options: object) => () => createMcpHandler(tools, options);
  expect(made({ permission: {} })).toThrow("`permission` is unknown");
  expect(made({ callStore: memoryCallStore() })).toThrow(
    "`durableCalls({ store })` of `@hasp/stores` takes its place, in `durable`",
  );
  const durable = durableCalls({ store: memoryCallStore() });
  expect(made({ durable, extensions: [durable] })).toThrow("two extensions are called `durable`");
  expect(made({ toolsets: { a: ["lok"] } })).toThrow('names no tool: "lok"');
  expect(made({ permissions: { ask: () => "allow" } })).toThrow("`permissions.ask` cannot be passed");
  expect(made({ permissions: { deny: ["lok"] } })).toThrow('names no tool: "lok"');
});

test("closing stops what may be stopped, and refuses the rest", async () => {
  const { fetch, handler, done } = serve();
  const client = await connect(fetch, MODERN);
  const call = client.callTool({ name: "wait", arguments: { id: "x" } });
  await expect.poll(() => done).toEqual(["waiting"]);
  expect(await handler.close()).toBe(true);
  expect(await call.catch(() => ({ isError: true }))).toMatchObject({ isError: true });
  expect(done).toEqual(["waiting", "stopped"]);
  expect((await fetch(ENDPOINT, { method: "POST", body: "{}" })).status).toBe(503);
});

test("a client that goes away stops its call", async () => {
  const { fetch, done } = serve();
  const gone = new AbortController();
  const headers = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": "2025-11-25",
  };
  const body = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"wait","arguments":{"id":"x"}}}';
  void fetch(ENDPOINT, { method: "POST", headers, body, signal: gone.signal }).catch(() => undefined);
  await expect.poll(() => done).toEqual(["waiting"]);
  gone.abort();
  await expect.poll(() => done).toEqual(["waiting", "stopped"]);
});
