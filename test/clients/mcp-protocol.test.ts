// What the newest revision adds, and what both have beside calls: traces, headers, pages, changes, any output, policies.
import { buildTool, createDispatcher, type AnyTool, type DispatchEvent, type PermissionPolicy } from "@hasp/runtime";
import { createMcpHandler, registerMcpTools, type McpHandlerOptions } from "@hasp/mcp";
import { liveTools } from "@hasp/mcp/live";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Server } from "@modelcontextprotocol/server";
import { durableCalls, memoryCallStore } from "@hasp/stores";
import { describe, expect, onTestFinished, test } from "vitest";

const ENDPOINT = "http://localhost/mcp";
const VERSION = "2026-07-28";
const MODERN = { pin: VERSION };
type Mode = "legacy" | typeof MODERN;
type Definition = Parameters<typeof buildTool>[0];

const readers = {
  description: "Does something.",
  input: { type: "object", properties: {} },
  concurrency: { class: "READ_ONLY" },
  behavior: { requiresPermission: false, isOpenWorld: false },
} as const;
const toolOf = (name: string, parts: Partial<Definition> = {}): AnyTool =>
  buildTool({ ...readers, name, execute: () => name, ...parts } as Definition) as never;

interface Served {
  readonly handler: ReturnType<typeof createMcpHandler>;
  readonly connect: (mode: Mode) => Promise<Client>;
}

/** The handler of those tools, and clients of it. */
function serve(tools: readonly AnyTool[], options: McpHandlerOptions<never> = {}): Served {
  const handler = createMcpHandler(tools as readonly never[], options as McpHandlerOptions);
  onTestFinished(async () => void (await handler.close()));
  const fetch = async (url: string | URL, init?: RequestInit): Promise<Response> => handler(new Request(url, init));
  return {
    handler,
    async connect(mode) {
      const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
      await client.connect(new StreamableHTTPClientTransport(new URL(ENDPOINT), { fetch }));
      onTestFinished(() => client.close());
      return client;
    },
  };
}

/** A request of 2026-07-28, as its bytes. */
function modern(method: string, params: object, headers: Record<string, string> = {}): Request {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": VERSION,
    "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: meta } });
  const name = "name" in params ? { "mcp-name": String(params.name) } : {};
  const usual = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  const said = { ...usual, "mcp-protocol-version": VERSION, "mcp-method": method, ...name, ...headers };
  return new Request(ENDPOINT, { method: "POST", headers: said, body });
}

const EVERY_MODE: readonly [string, Mode][] = [
  ["2025-11-25", "legacy"],
  [VERSION, MODERN],
];

describe.each(EVERY_MODE)("a client of %s", (_revision, mode) => {
  test("passes its trace on to handlers and events; what is no trace goes nowhere", async () => {
    const events: DispatchEvent[] = [];
    const traces: unknown[] = [];
    const inner = toolOf("inner");
    const outer = toolOf("outer", {
      execute: async (_input, { trace, dispatch }) => {
        traces.push(trace);
        await dispatch([{ id: "i", name: "inner", input: {} }]);
        return "done";
      },
    });
    const client = await serve([inner, outer], { onEvent: (event) => events.push(event) }).connect(mode);
    const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    const _meta = { traceparent, tracestate: "a=1\r\nx-evil: 1", baggage: "user=ann" };
    await client.callTool({ name: "outer", arguments: {}, _meta });
    const trace = { traceparent, baggage: "user=ann" };
    expect(traces).toEqual([trace]);
    expect(new Set(events.map(({ toolName }) => toolName))).toEqual(new Set(["inner", "outer"]));
    expect(events.map((event) => event.trace)).toEqual(events.map(() => trace));
  });

  test("reads the list page by page; a cursor that nobody gave out is refused", async () => {
    const names = ["a", "b", "c", "d", "e"];
    const client = await serve(
      names.map((name) => toolOf(name)),
      { pageSize: 2 },
    ).connect(mode);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(names);
    await expect(client.listTools({ cursor: "z" })).rejects.toThrow("not from this list");
  });

  test("reads the instructions", async () => {
    const client = await serve([toolOf("a")], { instructions: "Ask a first." }).connect(mode);
    expect(client.getInstructions()).toBe("Ask a first.");
  });

  test("gets the output of a call that the host executes", async () => {
    const tool = toolOf("a", { external: true, execute: undefined } as never);
    const client = await serve([tool], { external: ({ toolName }) => `${toolName} by the host` }).connect(mode);
    expect((await client.listTools()).tools).toHaveLength(1);
    expect(await client.callTool({ name: "a", arguments: {} })).toMatchObject({
      content: [{ type: "text", text: "a by the host" }],
    });
  });

  test.each([
    ["no store", {}],
    ["a store", { durable: durableCalls({ store: memoryCallStore() }) }],
  ])("is not shown a tool whose calls nobody executes, with %s", async (_, options) => {
    const tool = toolOf("a", { external: true, execute: undefined } as never);
    const client = await serve([tool, toolOf("b")], options).connect(mode);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["b"]);
    expect(await client.callTool({ name: "a", arguments: {} })).toMatchObject({ isError: true });
  });

  test("hears that the list has changed", async () => {
    let isOpen = false;
    const { handler, connect } = serve(
      [toolOf("always"), toolOf("sometimes", { visibility: { featureGate: "beta" } } as never)],
      {
        features: () => isOpen,
      },
    );
    const client = await connect(mode);
    const heard: string[] = [];
    client.setNotificationHandler("notifications/tools/list_changed", () => void heard.push("changed"));
    if (mode === MODERN) await client.listen({ toolsListChanged: true } as never);
    expect((await client.listTools()).tools).toHaveLength(1);
    isOpen = true;
    // The stream of the older revision is opened after the connection.
    await new Promise((resolve) => setTimeout(resolve, 50));
    await handler.refresh();
    await expect.poll(() => heard).toEqual(["changed"]);
    await handler.refresh();
    expect((await client.listTools()).tools).toHaveLength(2);
    expect(heard).toEqual(["changed"]);
  });

  test("gets output that is no object where its revision has it", async () => {
    const count = toolOf("count", { output: { type: "integer" }, execute: () => 3 });
    const client = await serve([count]).connect(mode);
    const [listed] = (await client.listTools()).tools;
    const { structuredContent, content } = await client.callTool({ name: "count", arguments: {} });
    expect([listed?.outputSchema, structuredContent]).toEqual(
      mode === MODERN ? [{ type: "integer" }, 3] : [undefined, undefined],
    );
    expect(content).toEqual([{ type: "text", text: "3" }]);
  });
});

test("instructions that some clients cut are a problem, told once", () => {
  const problems: string[] = [];
  const onProblem = ({ message }: Error): void => void problems.push(message);
  serve([toolOf("a")], { instructions: "x".repeat(2048), onProblem });
  serve([toolOf("a")], { instructions: "x".repeat(2049), onProblem });
  expect(problems).toEqual(["The instructions have 2049 characters; some clients cut them after 2048."]);
});

test("a list that depends on the caller may not be kept for others", async () => {
  const { handler } = serve([toolOf("a"), toolOf("b")], {
    toolsets: { one: ["a"] },
    authenticate: () => ({ principal: "ann", toolsets: ["one"] }),
  } as never);
  for (const _time of ["made", "ready"]) {
    const { result } = (await (await handler(modern("tools/list", {}))).json()) as { readonly result: object };
    expect(result).toMatchObject({ cacheScope: "private", tools: [{ name: "a" }] });
  }
});

describe("x-mcp-header", () => {
  const input = {
    type: "object",
    properties: {
      region: { type: "string", "x-mcp-header": "Region" },
      where: { type: "object", properties: { shard: { type: "integer", "x-mcp-header": "Shard" } } },
      tenant: { type: "string", default: "prod", "x-mcp-header": "Tenant" },
    },
  } as const;
  const find = toolOf("find", { input, aliases: ["search"], execute: (given) => JSON.stringify(given) });

  test("is listed, and sent by the official client", async () => {
    const client = await serve([find]).connect(MODERN);
    const [listed] = (await client.listTools()).tools;
    expect(listed?.inputSchema).toMatchObject({ properties: { region: { "x-mcp-header": "Region" } } });
    const sent = { region: "Zürich ", where: { shard: 7 }, tenant: "a" };
    const { content } = await client.callTool({ name: "find", arguments: sent });
    expect(content).toEqual([{ type: "text", text: JSON.stringify(sent) }]);
  });

  const region = { region: "eu" };
  test.each<[what: string, name: string, input: object, headers: Record<string, string>, status: number]>([
    ["the same", "find", region, { "mcp-param-region": "eu" }, 200],
    ["the same in Base64", "find", region, { "mcp-param-region": "=?base64?ZXU=?=" }, 200],
    ["the same number, written otherwise", "find", { where: { shard: 7 } }, { "mcp-param-shard": "7.0" }, 200],
    ["a header for what the input does not have", "find", {}, { "mcp-param-region": "eu" }, 400],
    ["the default", "find", {}, { "mcp-param-tenant": "prod" }, 200],
    ["another value than the default", "find", {}, { "mcp-param-tenant": "mine" }, 400],
    ["another value than JSON text holds", "find", { where: '{"shard":7}' }, { "mcp-param-shard": "8" }, 400],
    ["the value that JSON text holds", "find", { where: '{"shard":7}' }, { "mcp-param-shard": "7" }, 200],
    ["another value", "find", region, { "mcp-param-region": "us" }, 400],
    ["another value, by an alias", "search", region, { "mcp-param-region": "us" }, 400],
    ["no header", "find", region, {}, 400],
    ["damaged Base64", "find", region, { "mcp-param-region": "=?base64?ZX?=" }, 400],
    ["Base64 of no text", "find", region, { "mcp-param-region": "=?base64?/w==?=" }, 400],
    ["another number", "find", { where: { shard: 7 } }, { "mcp-param-shard": "8" }, 400],
  ])("the header is compared with the argument: %s", async (_what, name, given, headers, status) => {
    const { handler } = serve([find]);
    const response = await handler(modern("tools/call", { name, arguments: given }, headers));
    const code = ((await response.json()) as { readonly error?: { readonly code: number } }).error?.code;
    expect([response.status, code]).toEqual([status, status === 200 ? undefined : -32020]);
  });

  test.each([
    [{ "mcp-param-tenant": "mine" }, -32020],
    [{ "mcp-param-region": "us" }, -32020],
    [{ "mcp-param-region": "eu" }, undefined],
    [{}, undefined],
  ])("a client of 2025-11-25 is compared where it sends the header: %j", async (headers, expected) => {
    const ran: unknown[] = [];
    const { handler } = serve([toolOf("find", { input, execute: (given) => void ran.push(given) })]);
    const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "find", arguments: region } };
    const accept = { accept: "application/json, text/event-stream", "content-type": "application/json" };
    const request = new Request("http://localhost/mcp", {
      method: "POST",
      headers: { ...accept, "mcp-protocol-version": "2025-11-25", ...headers },
      body: JSON.stringify(call),
    });
    const text = await (await handler(request)).text();
    const { error } = JSON.parse(/\{.*\}/su.exec(text)?.[0] ?? "") as { readonly error?: { readonly code: number } };
    expect([error?.code, ran.length]).toEqual([expected, expected === undefined ? 1 : 0]);
  });
});

test("a limit hears of every message of a batch, and runs none where it refuses", async () => {
  const seen: number[] = [];
  const ran: unknown[] = [];
  const limit = (_caller: unknown, messages: number): Response | undefined => {
    seen.push(messages);
    return messages > 2 ? new Response(null, { status: 429 }) : undefined;
  };
  const { handler } = serve([toolOf("act", { execute: () => ran.push(1) })], { limit });
  const post = async (size: number): Promise<number> => {
    const batch = Array.from({ length: size }, (_, id) => {
      return { jsonrpc: "2.0", id, method: "tools/call", params: { name: "act", arguments: {} } };
    });
    const headers = { accept: "application/json, text/event-stream", "content-type": "application/json" };
    const response = await handler(new Request(ENDPOINT, { method: "POST", headers, body: JSON.stringify(batch) }));
    await response.text();
    return response.status;
  };
  expect([await post(100), ran.length, await post(2), ran.length, seen]).toEqual([429, 0, 200, 2, [100, 2]]);
});

test.each([
  ["a call", { name: "admin" }, [403, 0]],
  ["an alias", { name: "old_admin" }, [403, 0]],
  ["a batch", [{ name: "act" }, { name: "admin" }], [403, 0]],
  ["calls of other tools", [{ name: "act" }], [200, 1]],
])("a refused tool is not called by %s", async (_what, called, expected) => {
  const ran: unknown[] = [];
  const execute = (): unknown => ran.push(1);
  const refuseCall = (_caller: unknown, tool: string): Response | undefined =>
    tool === "admin" ? new Response(null, { status: 403 }) : undefined;
  const tools = [toolOf("act", { execute }), toolOf("admin", { execute, aliases: ["old_admin"] })];
  const { handler } = serve(tools, { refuseCall });
  const send = (params: object): object => ({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
  const body = JSON.stringify(Array.isArray(called) ? called.map(send) : send(called));
  const headers = { accept: "application/json, text/event-stream", "content-type": "application/json" };
  const response = await handler(new Request(ENDPOINT, { method: "POST", headers, body }));
  await response.text();
  expect([response.status, ran.length]).toEqual(expected);
});

test("pages of nothing are a mistake at once", () => {
  expect(() => createMcpHandler([toolOf("act")] as never, { pageSize: 0 })).toThrow("pageSize");
  const server = new Server({ name: "test", version: "1" }, { capabilities: {} });
  const dispatcher = createDispatcher({ tools: [toolOf("act")] as never });
  expect(() => registerMcpTools(server as never, dispatcher, { pageSize: 0 })).toThrow(RangeError);
});

test("an unknown method has the status that the revision demands", async () => {
  const { handler } = serve([toolOf("act")]);
  const response = await handler(modern("tools/delete", {}));
  expect([response.status, await response.json()]).toEqual([
    404,
    expect.objectContaining({ error: { code: -32601, message: "Method not found" } }),
  ]);
});

describe("policies of toolsets", () => {
  const tools = ["look", "pay", "wipe"].map((name) =>
    toolOf(name, { behavior: { requiresPermission: true, isOpenWorld: false }, aliases: [`do_${name}`] }),
  );
  const policies = {
    strict: { tools: ["pay", "look"], policy: { deny: ["pa*"], rules: [{ tool: "*", decision: "allow" }] } },
    lax: { tools: ["pay", "wipe"], policy: { rules: [{ tool: "*", decision: "allow", when: () => true }] } },
    frozen: { tools: ["wipe"], policy: { mode: "plan", rules: [{ tool: "wipe", decision: "allow" }] } },
  } as const;

  /** Calls each tool of the toolsets and lists the outcomes. */
  async function outcomes(...toolsets: readonly string[]): Promise<readonly string[]> {
    const { connect } = serve(tools, {
      toolsets: policies,
      authenticate: () => ({ principal: "ann", toolsets }),
    } as never);
    const client = await connect(MODERN);
    const listed = (await client.listTools()).tools.map(({ name }) => name);
    const ran = await Promise.all(
      tools.map(async ({ name }) => {
        const { isError } = await client.callTool({ name, arguments: {} });
        return isError === true ? [] : [name];
      }),
    );
    return [listed.join(" "), ran.flat().join(" ")];
  }

  test("decide what their callers run; of several toolsets the first has a tool, and the strictest mode counts", async () => {
    expect(await outcomes("strict")).toEqual(["look", "look"]);
    expect(await outcomes("lax")).toEqual(["pay wipe", "pay wipe"]);
    // `pay` is of `strict`, which denies it; `wipe` is of `lax`.
    expect(await outcomes("lax", "strict")).toEqual(["look wipe", "look wipe"]);
    expect(await outcomes("strict", "frozen")).toEqual(["look wipe", "look wipe"]);
  });

  test("policies refuse and ask about live tools for callers with several toolsets, too", async () => {
    const inputSchema = { type: "object", properties: {} };
    const execute = (): object => ({ content: [{ type: "text", text: "paid" }] });
    const server: never = { server: "bank", tools: [{ name: "pay", inputSchema, execute }] } as never;
    const outcomeOf = async (policy: PermissionPolicy, ...own: readonly string[]): Promise<string> => {
      const { connect } = serve(tools, {
        extensions: [liveTools([server])],
        permissions: { rules: [{ server: "bank", tool: "pay", decision: "allow" }] },
        toolsets: { one: { tools: ["pay"], policy }, two: { tools: ["look", "wipe"], policy: { rules: [] } } },
        authenticate: () => ({ principal: "ann", toolsets: own }),
      } as never);
      const client = await connect(MODERN);
      const isListed = (await client.listTools()).tools.some(({ name }) => name === "mcp__bank__pay");
      const { isError } = await client.callTool({ name: "mcp__bank__pay", arguments: {} });
      return `${isListed ? "listed" : "hidden"}, ${isError === true ? "refused" : "ran"}`;
    };
    const policies: readonly [PermissionPolicy, string][] = [
      [{ deny: ["mcp__*"] }, "hidden, refused"],
      [{ deny: ["*pay"] }, "hidden, refused"],
      [{ deny: [{ server: "bank", tool: "*" }] }, "hidden, refused"],
      [{ rules: [{ tool: "mcp__bank__pay", decision: "deny" }] }, "listed, refused"],
      [{ rules: [{ tool: "m*", decision: "ask" }] }, "listed, refused"],
      [{ rules: [{ server: "b*", tool: "pay", decision: "ask" }] }, "listed, refused"],
      [{ deny: ["pay"], rules: [{ tool: "p*", decision: "deny" }] }, "listed, ran"],
    ];
    for (const [policy, expected] of policies) {
      const outcomes = [await outcomeOf(policy, "one"), await outcomeOf(policy, "one", "two")];
      expect([policy, ...outcomes]).toEqual([policy, expected, expected]);
    }
  });

  test("the host's mode holds where no policy has a stricter one", async () => {
    const writes = toolOf("write", {
      concurrency: { class: "WRITE_EXCLUSIVE" },
      behavior: { requiresPermission: false, isDestructive: false, isOpenWorld: false },
    });
    const toolsets = {
      plain: { tools: ["write"], policy: { rules: [] } },
      other: { tools: [], policy: { rules: [] } },
      lax: { tools: ["write"], policy: { mode: "accept-writes" } },
    };
    const wasRefused = async (mode: string | undefined, ...own: readonly string[]): Promise<boolean> => {
      const { connect } = serve([writes], {
        permissions: { mode },
        toolsets,
        authenticate: () => ({ principal: "ann", toolsets: own }),
      } as never);
      const client = await connect(MODERN);
      return (await client.callTool({ name: "write", arguments: {} })).isError === true;
    };
    for (const own of [["plain"], ["plain", "other"], ["lax"], ["lax", "other"]]) {
      expect([own, await wasRefused("plan", ...own), await wasRefused(undefined, ...own)]).toEqual([own, true, false]);
    }
    await expect(wasRefused("plann", "lax")).rejects.toThrow("mode");
  });

  test("refuses a policy with a mistake in it", () => {
    const broken = { all: { tools: ["look"], policy: { rules: [{ tool: "lok", decision: "allow" }] } } } as never;
    expect(() => createMcpHandler(tools as never, { toolsets: broken })).toThrow('names no tool: "lok"');
    expect(() => createMcpHandler(tools as never, { toolsets: { all: ["lok"] } as never })).toThrow('"lok"');
  });
});
