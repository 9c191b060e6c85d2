import { spawnSync } from "node:child_process";
import { buildTool } from "@hasp/runtime";
import { createMcpHandler, type McpFetch } from "@hasp/mcp";
import { mcpConnection, type McpHandlerConnection } from "@hasp/mcp/handler";
import { afterEach, expect, test, vi } from "vitest";

interface Remote {
  readonly connection: McpHandlerConnection<{ readonly token: string }>;
  /** The tokens with which clients connected. */
  readonly handshakes: string[];
}

function remote(): Remote {
  const tool = buildTool({
    name: "act",
    description: "Acts.",
    input: { type: "object", properties: {} },
    execute: () => "ok",
  });
  const handler = createMcpHandler([tool]);
  const handshakes: string[] = [];
  const fetch: McpFetch = async (url, { body, ...init }) => {
    if (/"method":"(?:initialize|server\/discover)"/u.test(String(body))) {
      handshakes.push(init.headers.get("authorization") ?? "");
    }
    return handler(new Request(url, { ...init, ...(typeof body === "string" && { body }) } as RequestInit));
  };
  const auth = { bearer: { context: "token" } } as const;
  return { connection: mcpConnection({ name: "remote", url: "http://localhost/mcp", auth, fetch }), handshakes };
}

const { signal } = new AbortController();

afterEach(() => vi.useRealTimers());

test("contexts with the same token share one client", async () => {
  const { connection, handshakes } = remote();
  const clients = new Set<unknown>();
  for (let call = 0; call < 50; call += 1) {
    const { client, release } = await connection.borrow({ context: { token: "one" }, signal });
    clients.add(client);
    release();
  }
  const { client } = await connection.borrow({ context: { token: "two" }, signal });
  expect(clients.has(client)).toBe(false);
  expect([clients.size, new Set(handshakes)]).toEqual([1, new Set(["Bearer one", "Bearer two"])]);
  await connection.close();
});

test("a client ends a minute after its last call, and not before", async () => {
  const { connection, handshakes } = remote();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"], shouldAdvanceTime: true });
  const use = async (): Promise<() => void> => (await connection.borrow({ context: { token: "one" }, signal })).release;
  const [first, second] = [await use(), await use()];
  const once = handshakes.length;
  first();
  await vi.advanceTimersByTimeAsync(120_000);
  second();
  await vi.advanceTimersByTimeAsync(30_000);
  (await use())();
  expect(handshakes.length).toBe(once);
  await vi.advanceTimersByTimeAsync(61_000);
  (await use())();
  expect(handshakes.length).toBe(once * 2);
  await connection.close();
});

test("at most a hundred clients are kept; where all are at work, a call does not start", async () => {
  const { connection, handshakes } = remote();
  const use = (token: number): ReturnType<typeof connection.borrow> =>
    connection.borrow({ context: { token: `token ${token}` }, signal: new AbortController().signal });
  const held = await Promise.all(Array.from({ length: 100 }, (_, token) => use(token)));
  await expect(use(100)).rejects.toMatchObject({ code: "not-executed", retryable: true });
  held[7]?.release();
  (await use(100)).release();
  const before = handshakes.length;
  (await use(8)).release();
  expect(handshakes.length).toBe(before);
  (await use(7)).release();
  expect(handshakes.length).toBeGreaterThan(before);
  await connection.close();
});

test.each([
  ["ends at once", 0],
  ["takes half a second to end", 500],
  ["ignores its end, and is killed", 60_000],
])("close() keeps the program running until its server has ended: one that %s", (_how, delay) => {
  const server = `
    const answer = (id, result) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result }) + "\\n");
    let rest = "";
    process.stdin.on("data", (chunk) => {
      const lines = (rest + chunk).split("\\n");
      rest = lines.pop();
      for (const line of lines) {
        const { id, method, params } = JSON.parse(line);
        if (method === "initialize") {
          answer(id, { protocolVersion: params.protocolVersion, capabilities: {}, serverInfo: { name: "s", version: "1" } });
        } else if (id !== undefined) {
          process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32601, message: "unknown" } }) + "\\n");
        }
      }
    });
    process.on("SIGTERM", () => {});
    process.stdin.on("end", () => setTimeout(() => process.exit(), ${delay}));`;
  const program = `
    import { mcpConnection } from ${JSON.stringify(import.meta.resolve("@hasp/mcp/handler"))};
    const connection = mcpConnection({ name: "slow", command: [process.execPath, "-e", ${JSON.stringify(server)}] });
    const { client, release } = await connection.borrow({ context: {}, signal: new AbortController().signal });
    const { pid } = client.transport;
    release();
    // A call keeps the program running for less time; meanwhile this timer does.
    await new Promise((resolve) => setTimeout(resolve, 300));
    await connection.close();
    let isRunning = true;
    for (let tries = 0; isRunning && tries < 40; tries += 1) {
      try { process.kill(pid, 0); } catch { isRunning = false; }
      if (isRunning) await new Promise((resolve) => setTimeout(resolve, 50));
    }
    console.log("closed", isRunning);`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
    encoding: "utf8",
  });
  expect({ status, stdout }, stderr).toEqual({ status: 0, stdout: "closed false\n" });
});
