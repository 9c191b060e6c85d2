// `hasp serve` with a call store, killed with SIGKILL while a question is open or a call runs, and started again.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { McpTask } from "@hasp/mcp";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { hasp } from "../cli/command-line.js";
import { bin, createServedProject, type ServedProject } from "./served-project.testing.js";

let project: ServedProject;
beforeAll(async () => {
  project = await createServedProject();
  const config = readFileSync(join(project.folder, "hasp.config.yaml"), "utf8");
  project.write("hasp.config.yaml", `${config}callStore: { files: .hasp/calls }\n`);
});
afterAll(() => project.remove());
beforeEach(() => rmSync(join(project.folder, "log.txt"), { force: true }));

const { CI: _ci, ...environment } = process.env as Record<string, string>;
const yes = { action: "accept", content: { decision: "Allow once" } } as const;
const note = (id: string): { name: string; arguments: { id: string } } => ({ name: "note", arguments: { id } });

/** Reads the effects of the handlers; the server itself logs that it has closed its context. */
function effects(): readonly string[] {
  const path = join(project.folder, "log.txt");
  if (!existsSync(path)) return [];
  return readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .filter((line) => line !== "closed");
}

/** A server over HTTP that can be killed, and started again under its address. */
async function serveHttp(): Promise<{ readonly url: URL; restart(): Promise<void> }> {
  let port = "0";
  let child: ChildProcess;
  const start = async (): Promise<string> => {
    child = spawn(process.execPath, [bin, "serve", "--http", port], { cwd: project.folder, env: environment });
    let said = "";
    child.stderr?.on("data", (chunk) => (said += String(chunk)));
    await expect.poll(() => said, { timeout: 30_000 }).toContain("/mcp.");
    return /http:\S+\/mcp/u.exec(said)?.[0] ?? "";
  };
  const kill = async (): Promise<void> => {
    child.kill("SIGKILL");
    await once(child, "exit");
  };
  const url = new URL(await start());
  ({ port } = url);
  onTestFinished(kill);
  return {
    url,
    async restart() {
      await kill();
      await start();
    },
  };
}

const asked = (client: Client, answer: () => Promise<object>): void =>
  client.setRequestHandler("elicitation/create", answer as never);

test("a question of 2026-07-28 is answered after the server was killed, and the effect happens once", async () => {
  const server = await serveHttp();
  const client = new Client(
    { name: "test", version: "1" },
    { capabilities: { elicitation: {} }, versionNegotiation: { mode: { pin: "2026-07-28" } } },
  );
  await client.connect(new StreamableHTTPClientTransport(server.url));
  onTestFinished(() => client.close());
  let questions = 0;
  asked(client, async () => {
    questions += 1;
    expect(effects()).toEqual([]);
    await server.restart();
    return yes;
  });
  expect(await client.callTool(note("a"))).toMatchObject({ isError: false, content: [{ text: "noted" }] });
  expect([questions, effects()]).toEqual([1, ["noted a"]]);
  const audit = JSON.parse((await hasp(project.folder, ["calls", "audit", "--format", "json"])).out) as {
    records: readonly { readonly to: string }[];
  };
  expect(audit.records.map(({ to }) => to)).toEqual(["proposed", "asked", "allowed", "reserved", "settled"]);
});

/** Sends requests of 2026-07-28 with the tasks extension. */
async function ask(url: URL, method: string, params: Record<string, unknown>, capabilities: object): Promise<McpTask> {
  const name = params["name"] ?? params["taskId"];
  const response = await fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
      "mcp-name": String(name),
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method,
      params: {
        ...params,
        _meta: {
          "io.modelcontextprotocol/protocolVersion": "2026-07-28",
          "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
          "io.modelcontextprotocol/clientCapabilities": {
            ...capabilities,
            extensions: { "io.modelcontextprotocol/tasks": {} },
          },
        },
      },
    }),
  });
  const { result, error } = JSON.parse((await response.text()).replace(/^[\s\S]*?data: /u, "")) as {
    result?: McpTask;
    error?: { readonly message: string };
  };
  if (result === undefined) throw new Error(error?.message);
  return result;
}

async function openQuestion(): Promise<string> {
  const pending = JSON.parse((await hasp(project.folder, ["calls", "--format", "json"])).out) as {
    questions: readonly { readonly id: string }[];
  };
  expect(pending.questions).toHaveLength(1);
  return pending.questions[0]?.id ?? "";
}

test("a task of a client that cannot ask waits for hasp calls answer, also after the server was killed", async () => {
  const server = await serveHttp();
  const { taskId } = await ask(server.url, "tools/call", note("c"), {});
  const get = (): Promise<McpTask> => ask(server.url, "tasks/get", { taskId }, {});
  expect(await get()).toMatchObject({ taskId, status: "working" });
  await server.restart();
  expect(await get()).toMatchObject({ taskId, status: "working" });
  expect((await hasp(project.folder, ["calls", "answer", await openQuestion(), "--allow"])).code).toBe(0);
  await expect.poll(async () => (await get()).status, { timeout: 20_000 }).toBe("completed");
  expect((await get()).result).toMatchObject({ isError: false, content: [{ text: "noted" }] });
  await server.restart();
  await expect.poll(async () => (await get()).status, { timeout: 20_000 }).toBe("completed");
  expect(effects()).toEqual(["noted c"]);
  await expect(ask(server.url, "tasks/get", { taskId: `${taskId}0` }, {})).rejects.toThrow("The task does not exist");
});

test("a restored task asks a client that can answer, and takes answers that come first", async () => {
  const server = await serveHttp();
  const { taskId } = await ask(server.url, "tools/call", note("b"), {});
  await server.restart();
  const able = { elicitation: {} };
  const key = `permission ${await openQuestion()}`;
  await ask(server.url, "tasks/update", { taskId, inputResponses: { [key]: yes } }, able);
  const get = (): Promise<McpTask> => ask(server.url, "tasks/get", { taskId }, able);
  await expect.poll(async () => (await get()).status, { timeout: 20_000 }).toBe("completed");
  expect(effects()).toEqual(["noted b"]);
});

test("a call of 2025-11-25 over HTTP is refused with its question, and runs when it is repeated", async () => {
  const server = await serveHttp();
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: "legacy" } });
  await client.connect(new StreamableHTTPClientTransport(server.url));
  onTestFinished(() => client.close());
  const refused = await client.callTool(note("d"));
  const id = await openQuestion();
  expect(refused).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining(`hasp calls answer ${id}\n`) }],
  });
  expect((await hasp(project.folder, ["calls", "answer", id, "--allow"])).code).toBe(0);
  expect(await client.callTool(note("d"))).toMatchObject({ isError: false, content: [{ text: "noted" }] });
  expect(effects()).toEqual(["noted d"]);
});

test("each connection over standard input and output is a conversation of its own", async () => {
  const labels = join(project.folder, ".hasp/calls/labels");
  rmSync(labels, { recursive: true, force: true });
  for (const connections of [1, 2]) {
    const client = new Client({ name: "test", version: "1" });
    const server = { command: process.execPath, args: [bin, "serve"], cwd: project.folder, env: environment };
    await client.connect(new StdioClientTransport({ ...server, stderr: "ignore" }));
    onTestFinished(() => client.close());
    for (const id of ["a", "b"]) await client.callTool({ name: "look", arguments: { id } });
    expect(readdirSync(labels)).toHaveLength(connections);
  }
});
