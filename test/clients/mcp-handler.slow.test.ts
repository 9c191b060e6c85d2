import { buildTool, createDispatcher, type ExecutionOptions, type MarkedResult } from "@hasp/runtime";
import { publicFetch } from "@hasp/handlers/http";
import { mcpConnection, mcpHandler, type McpConnectionOptions, type McpHandlerConnection } from "@hasp/mcp/handler";
import { toCallToolResult, type CallToolResult } from "@hasp/mcp";
import { Client as NewClient } from "@modelcontextprotocol/client";
import { StdioClientTransport as NewTransport } from "@modelcontextprotocol/client/stdio";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sampleOf } from "../sample.js";

// The reference servers of the protocol's authors, through a declared handler, beside the official clients.
const packageOf = (name: string): string =>
  resolve(import.meta.dirname, `../node_modules/@modelcontextprotocol/server-${name}/dist/index.js`);
const node = process.execPath;
let folder: string;
const open: { close(): Promise<void> }[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "hasp-mcp-"));
  await writeFile(join(folder, "a.txt"), "alpha\n");
});
afterAll(async () => {
  await Promise.all(open.map((each) => each.close()));
  await rm(folder, { recursive: true, force: true });
});

function connect(options: McpConnectionOptions): McpHandlerConnection {
  const connection = mcpConnection(options);
  open.push(connection);
  return connection;
}

const progress: unknown[] = [];
async function call(
  connection: McpHandlerConnection,
  tool: string,
  input: object = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<MarkedResult> {
  const options = { context: {}, signal, progress: (update: unknown) => progress.push(update) };
  return await mcpHandler<object, unknown>(connection, { tool })(
    input,
    options as unknown as ExecutionOptions<unknown>,
  );
}
const failure = async (
  pending: Promise<unknown>,
): Promise<Error & { readonly code?: string; readonly cause?: unknown }> =>
  pending.then(
    () => expect.unreachable("it did not fail"),
    (error: unknown) => error as Error,
  );

describe("what a reference server answers is what a direct client of either version gets", () => {
  const servers: readonly (readonly [server: string, args: readonly string[], calls: readonly (readonly [string, object])[]])[] = [
    [
      "everything",
      ["stdio"],
      [
        ["echo", { message: "'; $(x) \u202E 💥" }],
        ["get-sum", { a: 17, b: 25 }],
        ["get-sum", { a: "x" }],
        ["get-structured-content", { location: "Chicago" }],
        ["get-tiny-image", {}],
        ["get-annotated-message", { messageType: "error", includeImage: true }],
        ["get-resource-links", { count: 3 }],
        ["get-resource-reference", { resourceType: "Text", resourceId: 1 }],
        ["get-resource-reference", { resourceType: "Blob", resourceId: 2 }],
      ],
    ],
    ["filesystem", ["{folder}"], [["list_directory", { path: "{folder}" }], ["read_text_file", { path: "{folder}/a.txt" }], ["read_text_file", { path: "/etc/passwd" }], ["read_media_file", { path: "{folder}/a.txt" }]]],
    ["memory", [], [["read_graph", {}], ["search_nodes", { query: "x" }]]],
    ["sequential-thinking", [], [["sequentialthinking", { thought: "a", nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 }]]],
  ]; // prettier-ignore

  test.each(sampleOf(servers, (index) => index === 0))(
    "a call gets the direct client's answer: %s",
    async (name, args, calls) => {
      const filled = <Value>(value: Value): Value =>
        JSON.parse(JSON.stringify(value).replaceAll("{folder}", folder)) as Value;
      const command = [node, packageOf(name), ...filled(args)] as const;
      const connection = connect({ name, command });
      const old = new Client({ name: "test", version: "1" });
      const [program, ...rest] = command;
      await old.connect(new StdioClientTransport({ command: program, args: rest, stderr: "ignore" }));
      const recent = new NewClient({ name: "test", version: "1" });
      await recent.connect(new NewTransport({ command: program, args: rest, stderr: "ignore" }));
      open.push(old, recent);
      for (const [tool, given] of calls) {
        const input = filled(given);
        const answers = await Promise.all([
          old.callTool({ name: tool, arguments: { ...input } }),
          recent.callTool({ name: tool, arguments: { ...input } }),
        ]);
        const result = await served(connection, tool, input);
        for (const { content, structuredContent, isError } of answers) {
          expect(withoutTimes(result.content), tool).toEqual(withoutTimes(content));
          expect(result.structuredContent, tool).toEqual(structuredContent);
          expect(result.isError, tool).toBe(isError ?? false);
        }
      }
    },
  );

  test("in every form that content has", async () => {
    const content = [
      { type: "text", text: "a", annotations: { priority: 1 }, _meta: { "x/y": [1] } },
      { type: "image", data: "AP8=", mimeType: "image/png" },
      { type: "audio", data: "AP8=", mimeType: "audio/wav" },
      { type: "resource", resource: { uri: "x://a", text: "b", mimeType: "text/plain", _meta: {} } },
      { type: "resource", resource: { uri: "x://b", blob: "AP8=" } },
      { type: "resource_link", uri: "x://c", name: "c", title: "C", description: "d", size: 3 },
    ];
    const result = { content, structuredContent: { a: [1] }, _meta: { trace: "t" } };
    const connection = connect({ name: "all", command: program(`send({ id, result: ${JSON.stringify(result)} })`) });
    expect(await served(connection, "find", {})).toEqual({ ...result, _meta: undefined, isError: false });
    expect((await call(connection, "find")).details).toEqual({ _meta: { trace: "t" } });
  });
});

/** Calls the tool through our own MCP server and the dispatcher. */
async function served(connection: McpHandlerConnection, tool: string, input: object): Promise<CallToolResult> {
  const act = buildTool<Record<string, unknown>>({
    name: "act",
    description: "Calls.",
    input: { type: "object", additionalProperties: true },
    concurrency: { class: "READ_ONLY" },
    behavior: { requiresPermission: false, isOpenWorld: false },
    limits: { maxResultSizeChars: "unlimited" },
    execute: mcpHandler<Record<string, unknown>, unknown>(connection, { tool }),
  });
  const [result] = await createDispatcher({ tools: [act] }).dispatch([{ id: "1", name: "act", input }]);
  if (result === undefined) throw new Error("no result");
  return toCallToolResult(result);
}

function withoutTimes(content: unknown): unknown {
  const readable = JSON.stringify(content, (key, value: unknown) => (key === "blob" ? atob(String(value)) : value));
  return JSON.parse(readable.replaceAll(/\d{1,2}:\d{2}:\d{2} [AP]M/gu, ""));
}

describe("one client", () => {
  test("serves all calls at once, tells of progress, and is replaced after its end", async () => {
    const connection = connect({ name: "everything", command: [node, packageOf("everything"), "stdio"] });
    const options = { context: {}, signal: new AbortController().signal };
    const [one, other] = await Promise.all([connection.borrow(options), connection.borrow(options)]);
    expect(one.client).toBe(other.client);
    one.release();
    other.release();
    await call(connection, "trigger-long-running-operation", { duration: 0.2, steps: 2 });
    expect(progress).toContainEqual(expect.objectContaining({ total: 2 }));
    await connection.close();
    expect((await call(connection, "echo", { message: "again" })).content).toMatchObject([{ text: "Echo: again" }]);
  });

  test("keeps the variables that a server shows out of content and structured content", async () => {
    process.env["HASP_TEST_SECRET"] = "s3cr3t/of+the test";
    const connection = connect({
      name: "everything",
      command: [node, packageOf("everything"), "stdio"],
      env: ["HASP_TEST_SECRET"],
    });
    const result = await call(connection, "get-env");
    expect(JSON.stringify(result)).toContain("HASP_TEST_SECRET");
    expect(JSON.stringify(result)).not.toContain("s3cr3t");
  });

  test("cancels the request of a call that is stopped", async () => {
    const connection = connect({ name: "everything", command: [node, packageOf("everything"), "stdio"] });
    await call(connection, "echo", { message: "warm" });
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error("enough")), 50);
    const started = performance.now();
    await failure(call(connection, "trigger-long-running-operation", { duration: 60, steps: 1 }, stop.signal));
    expect(performance.now() - started).toBeLessThan(5000);
  });

  test("says that a tool is gone", async () => {
    const connection = connect({ name: "memory", command: [node, packageOf("memory")] });
    const error = await failure(call(connection, "no_such_tool"));
    expect(error).toMatchObject({ code: "tool-gone", message: expect.stringContaining("no longer has the tool") });
  });

  test("does not keep a process running", () => {
    const script = `
      import { mcpConnection, mcpHandler } from "@hasp/mcp/handler";
      const connection = mcpConnection({ name: "memory", command: ${JSON.stringify([node, packageOf("memory")])} });
      const options = { context: {}, signal: new AbortController().signal, progress() {} };
      const { isError } = await mcpHandler(connection, { tool: "read_graph" })({}, options);
      console.log(isError);`;
    const { stdout, status } = spawnSync(node, ["--input-type=module", "-e", script], {
      cwd: import.meta.dirname,
      encoding: "utf8",
      timeout: 30_000,
    });
    expect([stdout.trim(), status]).toEqual(["false", 0]);
  });
});

/** A server over stdio: what it does with each line that it is sent. */
const program = (onLine: string): readonly [string, ...string[]] => [
  node,
  "-e",
  `const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
  require("readline").createInterface(process.stdin).on("line", (line) => {
    const { id, method, params } = JSON.parse(line);
    if (method === "initialize") {
      const { protocolVersion } = params;
      send({ id, result: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } } });
    } else if (method === "tools/call") { ${onLine} }
  });`,
];

describe("a server that misbehaves", () => {
  test.each([
    ["ends during the call", "process.exit(1)", { code: undefined, message: /ended during the call/ }],
    ["refuses the call", "send({ id, error: { code: -32602, message: 'bad' } })", { code: "not-executed", message: /refused the call: .*bad/ }],
    ["fails", "send({ id, error: { code: -32603, message: 'oops' } })", { code: undefined, message: /failed: .*oops/ }],
    ["answers another type", "send({ id, result: { content: 'text' } })", { code: undefined, message: /failed/ }],
    ["sends too much", "for (;;) require('fs').writeSync(1, 'x'.repeat(65536))", { code: undefined, message: /ended during the call/ }],
    ["prints what is no message", "console.log('hello'); send({ id, result: { content: [] } })", undefined],
  ])("a server may misbehave and %s", async (_what, onLine, expected) => {
    const connection = connect({ name: "odd", command: program(onLine), maxMessageMb: 1 });
    if (expected === undefined) expect(await call(connection, "find")).toMatchObject({ content: [] });
    else {
      const error = await failure(call(connection, "find"));
      expect(error.message).toMatch(expected.message);
      expect(error.code).toBe(expected.code);
    }
  }); // prettier-ignore

  test("after its end, the next call starts it again", async () => {
    const marker = join(folder, "started");
    const once = `if (require("fs").existsSync(${JSON.stringify(marker)})) send({ id, result: { content: [] } });
      else { require("fs").writeFileSync(${JSON.stringify(marker)}, ""); process.exit(1); }`;
    const connection = connect({ name: "odd", command: program(once) });
    await failure(call(connection, "find"));
    expect(await call(connection, "find")).toMatchObject({ content: [] });
  });

  test.each([
    ["is not there", ["no-such-program-of-hasp"], /cannot be reached: .*ENOENT/],
    ["ends at once", [node, "-e", "console.error('the reason'); process.exit(3)"], /it wrote: the reason/],
    ["never answers", [node, "-e", "setInterval(() => {}, 1000)"], /longer than 0\.6 s/],
  ] as const)("and %s: nothing was run", async (_what, command, message) => {
    const connection = connect({ name: "odd", command, timeoutSeconds: 0.6 });
    expect(await failure(call(connection, "find"))).toMatchObject({
      code: "not-executed",
      message: expect.stringMatching(message),
    });
  });

  test("sees of the environment what is named, and what every program needs", async () => {
    process.env["HASP_TEST_TOKEN"] = "s3cr3t-token";
    process.env["HASP_TEST_OTHER"] = "other";
    const show = "send({ id, result: { content: [{ type: 'text', text: Object.keys(process.env).join(' ') }] } })";
    const connection = connect({ name: "odd", command: program(show), env: ["HASP_TEST_TOKEN"] });
    const [block] = (await call(connection, "find")).content as readonly { readonly text: string }[];
    expect(block?.text).toContain("HASP_TEST_TOKEN");
    expect(block?.text).not.toContain("HASP_TEST_OTHER");
    const leaking = connect({
      name: "odd",
      command: program("send({ id, error: { code: 1, message: process.env.HASP_TEST_TOKEN } })"),
      env: ["HASP_TEST_TOKEN"],
    });
    expect((await failure(call(leaking, "find"))).message).toMatch(/\[redacted\]/u);
  });
});

describe("a server over HTTP", () => {
  async function withServer(listener: RequestListener, use: (url: string) => Promise<void>): Promise<void> {
    const server = createServer(listener).listen(0, "127.0.0.1");
    await new Promise((done) => server.once("listening", done));
    try {
      await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  }

  test("is the same server as over stdio", async () => {
    let server: ChildProcess | undefined;
    try {
      const port = await new Promise<number>((done) => {
        const probe = createServer().listen(0, "127.0.0.1", () => {
          const { port: free } = probe.address() as AddressInfo;
          probe.close(() => done(free));
        });
      });
      server = spawn(node, [packageOf("everything"), "streamableHttp"], {
        env: { ...process.env, PORT: String(port) },
        stdio: ["ignore", "ignore", "pipe"],
      });
      await new Promise((done) => server?.stderr?.once("data", done));
      const connection = connect({ name: "everything", url: `http://127.0.0.1:${port}/mcp` });
      expect((await call(connection, "echo", { message: "hi" })).content).toEqual([{ type: "text", text: "Echo: hi" }]);
      await connection.close();
    } finally {
      server?.kill("SIGKILL");
    }
  });

  test("sends the connection's secrets, reveals them in no failure, and renews a refused token once", async () => {
    process.env["HASP_TEST_TOKEN"] = "s3cr3t-token";
    const seen: unknown[] = [];
    const echoing: RequestListener = ({ headers }, response) => {
      seen.push(headers.authorization, headers["x-key"]);
      response.writeHead(headers.authorization === "Bearer fresh" ? 500 : 401).end(`you sent ${headers.authorization}`);
    };
    await withServer(echoing, async (url) => {
      const auth = [{ bearer: { env: "HASP_TEST_TOKEN" } }, { apiKey: { in: "header", name: "x-key", env: "HASP_TEST_TOKEN" } }] as const; // prettier-ignore
      const error = await failure(call(connect({ name: "remote", url, auth }), "find"));
      expect(seen.slice(0, 2)).toEqual(["Bearer s3cr3t-token", "s3cr3t-token"]);
      expect(error.code).toBe("not-executed");
      expect(JSON.stringify([error.message, error.cause])).not.toContain("s3cr3t");
      const tokens = ["stale", "fresh"];
      const receivers = new Set<string>();
      const token = async (_signal: AbortSignal, origin: string) => {
        receivers.add(origin);
        return tokens[0] ?? "";
      };
      const oauth2 = { token, refused: () => void tokens.shift() };
      await failure(call(connect({ name: "remote", url, auth: { oauth2 } }), "find"));
      expect(seen.filter((each) => String(each).startsWith("Bearer "))).toContain("Bearer fresh");
      expect([...receivers]).toEqual([new URL(url).origin]);
    });
    const unset = connect({ name: "remote", url: "http://127.0.0.1:9/", auth: { bearer: { env: "HASP_TEST_NONE" } } });
    expect((await failure(call(unset, "find"))).message).toMatch(/HASP_TEST_NONE, which is not set/u);
  });

  test("carries no secret to where it redirects, and is not reached where addresses must be public", async () => {
    process.env["HASP_TEST_TOKEN"] = "s3cr3t-token";
    const reached: unknown[] = [];
    const noting: RequestListener = ({ headers }, response) => {
      reached.push(headers["x-key"]);
      response.end();
    };
    await withServer(noting, async (elsewhere) => {
      const redirecting: RequestListener = (_request, response) =>
        response.writeHead(307, { location: elsewhere }).end();
      await withServer(redirecting, async (url) => {
        const headers = { "x-key": { env: "HASP_TEST_TOKEN" } };
        const { code } = await failure(call(connect({ name: "remote", url, headers }), "find"));
        expect(code).toBe("not-executed");
      });
      const vetted = connect({ name: "remote", url: elsewhere, fetch: publicFetch() });
      expect((await failure(call(vetted, "find"))).message).toContain("not public");
    });
    expect(reached).toEqual([]);
  });

  test.each<readonly [string, RequestListener]>([
    ["hangs", () => undefined],
    ["drips", (_request, response) => void setInterval(() => response.write(" "), 50).unref()],
    ["sends without an end", (_request, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const more = (): void => void (response.destroyed || response.write("x".repeat(65536), () => setImmediate(more)));
      more();
    }],
    ["answers HTML", (_request, response) => response.writeHead(200, { "content-type": "text/html" }).end("<p>")],
    ["has moved elsewhere", (_request, response) => response.writeHead(307, { location: "http://127.0.0.1:9/" }).end()],
  ])("a server that %s runs nothing", async (_what, listener) => {
    await withServer(listener, async (url) => {
      const connection = connect({ name: "remote", url, timeoutSeconds: 1, maxMessageMb: 1 });
      expect(await failure(call(connection, "find"))).toMatchObject({ code: "not-executed" });
    });
  }); // prettier-ignore
});

describe("a client of the host's own", () => {
  test.each([[undefined], [7], [{}]])("is %j: nothing was run", async (client) => {
    const connection = connect({ name: "own", client: () => client as never });
    expect(await failure(call(connection, "find"))).toMatchObject({ code: "not-executed" });
  });

  test("may answer anything", async () => {
    for (const answer of [undefined, 7, {}, { content: "text" }]) {
      const client = { listTools: async () => ({ tools: [] }), callTool: async () => answer };
      expect((await failure(call(connect({ name: "own", client: () => client }), "find"))).message).toMatch(
        /not the result of a tool/u,
      );
    }
  });
});
