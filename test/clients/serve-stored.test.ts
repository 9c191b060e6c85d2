// `hasp serve` with a call store, killed with SIGKILL while a question is open or a call runs, and started again.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { McpTask } from "@hasp/mcp";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { startHasp } from "../cli/command-line.js";
import { bin, createServedProject, type ServedProject } from "./served-project.testing.js";

let project: ServedProject;
beforeAll(() => {
  project = createServedProject();
  const config = readFileSync(join(project.folder, "hasp.config.yaml"), "utf8");
  project.write("hasp.config.yaml", `${config}callStore: { files: .hasp/calls }\n`);
});
afterAll(() => project.remove());
beforeEach(() => rmSync(join(project.folder, "log.txt"), { force: true }));

const { CI: _ci, ...environment } = process.env as Record<string, string>;
const anything = { "~standard": { version: 1, vendor: "test", validate: (value: unknown) => ({ value }) } } as const;
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
  const audit = JSON.parse(startHasp(project.folder, ["audit", "--format", "json"]).out) as {
    records: readonly { readonly to: string }[];
  };
  expect(audit.records.map(({ to }) => to)).toEqual(["proposed", "asked", "allowed", "reserved", "settled"]);
});

/** Version 2 of the client with a server of its own over standard input and output, which can be killed. */
async function serveStdio(answer: () => Promise<object>): Promise<{
  send: <Result>(method: string, params: object) => Promise<Result>;
  kill: () => Promise<void>;
}> {
  const client = new Client({ name: "test", version: "1" }, { capabilities: { elicitation: {} } });
  asked(client, answer);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [bin, "serve"],
    cwd: project.folder,
    env: environment,
    stderr: "ignore",
  });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return {
    send: async (method, params) => (await client.request({ method, params } as never, anything as never)) as never,
    kill: async () => {
      process.kill(transport.pid ?? 0, "SIGKILL");
      await expect.poll(() => transport.pid).toBe(null);
    },
  };
}

test("a task and its question are there after the server was killed; a third server knows the result", async () => {
  const waits = deferred();
  const first = await serveStdio(() => {
    waits.resolve();
    return new Promise(() => undefined);
  });
  const { taskId } = (await first.send<{ task: McpTask }>("tools/call", { ...note("b"), task: {} })).task;
  await waits.promise;
  await first.kill();

  const second = await serveStdio(async () => yes);
  expect(await second.send("tasks/result", { taskId })).toMatchObject({ isError: false, content: [{ text: "noted" }] });
  expect(await second.send("tasks/get", { taskId })).toMatchObject({ taskId, status: "completed" });
  await second.kill();

  const third = await serveStdio(async () => expect.fail("asked again"));
  expect(await third.send("tasks/result", { taskId })).toMatchObject({ content: [{ text: "noted" }] });
  expect(effects()).toEqual(["noted b"]);
  await expect(third.send("tasks/get", { taskId: `${taskId}0` })).rejects.toThrow("The task does not exist");
});

test("each connection over standard input and output is a conversation of its own", async () => {
  const labels = join(project.folder, ".hasp/calls/labels");
  rmSync(labels, { recursive: true, force: true });
  for (const connections of [1, 2]) {
    const { send } = await serveStdio(async () => yes);
    for (const id of ["a", "b"]) await send("tools/call", { name: "look", arguments: { id } });
    expect(readdirSync(labels)).toHaveLength(connections);
  }
});

test("a task of a client that cannot ask waits for hasp answer", async () => {
  const server = await serveHttp();
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: "legacy" } });
  await client.connect(new StreamableHTTPClientTransport(server.url));
  onTestFinished(() => client.close());
  const send = async <Result>(method: string, params: object): Promise<Result> =>
    (await client.request({ method, params } as never, anything as never)) as never;
  const { task } = await send<{ task: McpTask }>("tools/call", { ...note("c"), task: {} });
  const get = (): Promise<McpTask> => send("tasks/get", { taskId: task.taskId });
  await expect.poll(async () => (await get()).status, { timeout: 20_000 }).toBe("input_required");
  await server.restart();
  const pending = JSON.parse(startHasp(project.folder, ["pending", "--format", "json"]).out) as {
    questions: readonly { readonly id: string }[];
  };
  expect(pending.questions).toHaveLength(1);
  expect(startHasp(project.folder, ["answer", pending.questions[0]?.id ?? "", "--allow"]).code).toBe(0);
  expect(await send("tasks/result", { taskId: task.taskId })).toMatchObject({ isError: false });
  expect(effects()).toEqual(["noted c"]);
});

function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve!: () => void;
  const promise = new Promise<void>((settle) => (resolve = settle));
  return { promise, resolve };
}
