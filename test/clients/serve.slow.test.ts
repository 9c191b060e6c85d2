import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { startHasp } from "../cli/command-line.js";
import { bin, createServedProject, type ServedProject } from "./served-project.testing.js";

let project: ServedProject;
beforeAll(async () => {
  project = await createServedProject();
});
afterAll(() => project.remove());
beforeEach(() => rmSync(join(project.folder, "log.txt"), { force: true }));
const log = (): readonly string[] =>
  existsSync(join(project.folder, "log.txt"))
    ? readFileSync(join(project.folder, "log.txt"), "utf8").trim().split("\n")
    : [];

interface Connection {
  readonly client: Client;
  /** Returns the server's output beside the protocol. */
  readonly printed: () => string;
}

/** The official client, with `hasp serve` as its child. */
async function connect(
  words: readonly string[] = [],
  answer?: (message: string) => boolean,
  environment: Readonly<Record<string, string>> = {},
): Promise<Connection> {
  const { CI: _ci, ...env } = process.env as Record<string, string>;
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [bin, "serve", ...words],
    cwd: project.folder,
    env: { ...env, ...environment },
    stderr: "pipe",
  });
  let text = "";
  transport.stderr?.on("data", (chunk: Buffer) => (text += chunk.toString()));
  const client = new Client(
    { name: "test", version: "1" },
    { capabilities: answer === undefined ? {} : { elicitation: {} } },
  );
  if (answer !== undefined) {
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => ({
      action: "accept",
      content: { decision: answer(params.message) ? "Allow once" : "Refuse" },
    }));
  }
  const faults: string[] = [];
  Object.assign(client, { onerror: (error: Error) => faults.push(error.message) });
  await client.connect(transport);
  onTestFinished(async () => {
    await client.close();
    // Whatever is not a message would have been a fault of the client's.
    expect(faults).toEqual([]);
  });
  return { client, printed: () => text };
}

/** Processes may be slow to start and to end where many of them run. */
const PATIENCE = { timeout: 20_000 };

const namesOf = async (client: Client): Promise<readonly string[]> =>
  (await client.listTools()).tools.map(({ name }) => name);

describe("the official client against hasp serve", () => {
  test("lists, calls, progress, cancellation; every print of a handler is kept off the protocol", async () => {
    const { client, printed } = await connect();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["look", "note", "wait"]);
    expect(client.getInstructions()).toBe("Look before you note.");
    expect(tools[0]).toMatchObject({
      inputSchema: { type: "object", additionalProperties: false },
      outputSchema: { type: "object", required: ["seen"] },
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    });
    expect(await client.callTool({ name: "look", arguments: { id: "a", times: "2" } })).toMatchObject({
      structuredContent: { seen: "aa" },
      isError: false,
    });
    expect(await client.callTool({ name: "peek", arguments: { id: "b" } })).toMatchObject({
      structuredContent: { seen: "b" },
    });
    expect(await client.callTool({ name: "look", arguments: {} })).toMatchObject({ isError: true });
    for (const words of ["at import", "by console", "by the stream", "by the file", "by a child"]) {
      await expect.poll(printed, PATIENCE).toContain(words);
    }
    expect(printed()).toMatch(/Not served: wipe: it may destroy and is UNSAFE; pass --allow wipe/u);

    const heard: unknown[] = [];
    // The official client forgets progress that comes in one piece with the answer, so the answer waits for it.
    const hear = (progress: unknown): void => {
      heard.push(progress);
      project.write("heard.txt", "");
    };
    await client.callTool({ name: "wait", arguments: { id: "heard.txt" } }, undefined, { onprogress: hear });
    expect(heard).toEqual([{ progress: 1, message: "waiting" }]);
    const controller = new AbortController();
    const call = client.callTool({ name: "wait", arguments: { id: "long" } }, undefined, {
      signal: controller.signal,
      onprogress: () => controller.abort(),
    });
    await expect(call).rejects.toThrow();
    await expect.poll(log, PATIENCE).toContain("aborted");
    await client.close();
    await expect.poll(log, PATIENCE).toContain("closed");
  });

  test("permission is asked of the person at the client", async () => {
    const questions: string[] = [];
    const { client } = await connect([], (message) => questions.push(message) === 2);
    const note = { name: "note", arguments: { id: "x" } };
    expect(await client.callTool(note)).toMatchObject({ isError: true });
    expect(await client.callTool(note)).toMatchObject({ isError: false });
    expect(questions[0]).toContain('{"id":"x","times":1}');
    expect(log().filter((line) => line.startsWith("noted"))).toHaveLength(1);
    expect(await client.callTool({ name: "wipe", arguments: { id: "x" } })).toMatchObject({
      content: [{ text: expect.stringContaining("There is no tool") }],
    });
  });

  test("where the client cannot ask it is refused; --allow only offers, --permit runs", async () => {
    const { client, printed } = await connect([
      "--allow",
      "wipe",
      "--permit",
      "note",
      "--permit",
      "look",
      "wipe",
      "note",
    ]);
    expect(printed()).toContain("Not served: look: it is allowed but not among the selected tools.");
    expect(await namesOf(client)).toEqual(["note", "wipe"]);
    expect(await client.callTool({ name: "note", arguments: { id: "x" } })).toMatchObject({ isError: false });
    expect(await client.callTool({ name: "wipe", arguments: { id: "x" } })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/no elicitation/u) }],
    });
    expect(log()).toEqual(["noted x"]);
  });

  test("the server offers only a toolset's tools", async () => {
    expect(await namesOf((await connect(["--toolset", "readers"])).client)).toEqual(["look", "wait"]);
  });
});

test("a server that cannot start says why on standard error, and nothing on standard output", () => {
  const run = startHasp(project.folder, ["serve", "lok", "--format", "json"]);
  expect(run).toMatchObject({ code: 2, out: "" });
  expect(run.error).toContain('There is no tool named \\"lok\\". Did you mean \\"look\\"?');
});

test("a client that goes away in the middle of a call leaves no process behind", async () => {
  const { client } = await connect(["wait"]);
  const { pid } = client.transport as StdioClientTransport;
  await new Promise<void>((resolve) => {
    void client
      .callTool({ name: "wait", arguments: { id: "long" } }, undefined, { onprogress: () => resolve() })
      .catch(() => undefined);
  });
  await client.close();
  await expect.poll(log, PATIENCE).toEqual(["aborted", "closed"]);
  await expect.poll(() => isRunning(pid), PATIENCE).toBe(false);
});

describe("a write that runs when the server is to end", () => {
  const path = "src/tools/note.ts";
  let before: string;
  beforeAll(() => {
    before = readFileSync(join(project.folder, path), "utf8");
    project.write(
      path,
      `import type { NoteHandler } from "../generated/tools/note.js";
export const execute: NoteHandler["execute"] = async (_input, { context, signal }) => {
  context.log("begun");
  await new Promise((resolve) => setTimeout(resolve, 3500));
  context.log("done " + signal.aborted);
  return "noted";
};
`,
    );
  });
  afterAll(() => project.write(path, before));

  // The official client waits two seconds for its server to end, then sends a signal, and two seconds later ends it by
  // force.
  test.each(["the client goes away", "the client's signal"])("ends what it does: %s", async (how) => {
    const { client } = await connect(["--permit", "note"]);
    const { pid } = client.transport as StdioClientTransport;
    void client.callTool({ name: "note", arguments: { id: "x" } }).catch(() => undefined);
    await expect.poll(log, PATIENCE).toContain("begun");
    if (how === "the client's signal" && pid !== null) process.kill(pid, "SIGTERM");
    else await client.close();
    await expect.poll(log, { timeout: 10_000 }).toEqual(["begun", "done false", "closed"]);
    await expect.poll(() => isRunning(pid), { timeout: 10_000 }).toBe(false);
  });

  test("a second signal ends the server at once", async () => {
    const { client } = await connect(["--permit", "note"]);
    const { pid } = client.transport as StdioClientTransport;
    void client.callTool({ name: "note", arguments: { id: "x" } }).catch(() => undefined);
    await expect.poll(log, PATIENCE).toContain("begun");
    if (pid !== null) process.kill(pid, "SIGTERM");
    await new Promise((resolve) => setTimeout(resolve, 1500));
    if (pid !== null) process.kill(pid, "SIGTERM");
    await expect.poll(() => isRunning(pid)).toBe(false);
    expect(log()).toEqual(["begun"]);
  });
});

test("a question is taken away from the client's person when the call is cancelled", async () => {
  const { client } = await connect([], () => false);
  // The official client cannot cancel the request with the number 0, so the first question is not the one.
  await client.callTool({ name: "note", arguments: { id: "x" } });
  let isTakenAway = false;
  const asked = new Promise<void>((resolve) => {
    client.setRequestHandler(
      ElicitRequestSchema,
      (_request, { signal }) =>
        new Promise((answer) => {
          resolve();
          signal.addEventListener("abort", () => {
            isTakenAway = true;
            answer({ action: "accept", content: { allow: true } });
          });
        }),
    );
  });
  const controller = new AbortController();
  const call = client.callTool({ name: "note", arguments: { id: "x" } }, undefined, { signal: controller.signal });
  await asked;
  controller.abort();
  await expect(call).rejects.toThrow();
  await expect.poll(() => isTakenAway).toBe(true);
  expect(log()).toEqual([]);
});

function isRunning(pid: number | null): boolean {
  try {
    return pid !== null && process.kill(pid, 0);
  } catch {
    return false;
  }
}

test("a client that sends rubbish gets no answer to it, and the next message gets one", async () => {
  const { CI: _ci, ...env } = process.env;
  const child = spawn(process.execPath, [bin, "serve"], { cwd: project.folder, env, stdio: ["pipe", "pipe", "pipe"] });
  let out = "";
  let error = "";
  child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (error += chunk.toString()));
  const send = (value: unknown): void =>
    void child.stdin.write(`${typeof value === "string" ? value : JSON.stringify(value)}\n`);
  send("not json at all");
  send("[1, 2]");
  send({ jsonrpc: "2.0", id: {}, method: "tools/list" });
  send("\u0000\u{1F600}");
  send({
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "x", version: "1" } },
  });
  send({ jsonrpc: "2.0", method: "notifications/initialized" });
  send({ jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: 7 } });
  const text = "x".repeat(11 * 1024 * 1024);
  send({ jsonrpc: "2.0", id: "huge", method: "tools/call", params: { name: "look", arguments: { id: text } } });
  send({
    jsonrpc: "2.0",
    id: 3,
    method: "tools/call",
    params: { name: "look", arguments: { id: "a", __proto__: { x: 1 } } },
  });
  await expect.poll(() => out.trim().split("\n").length, PATIENCE).toBe(4);
  const answers = out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { id: unknown; error?: { code: number }; result?: unknown });
  const answerTo = (wanted: unknown): (typeof answers)[number] | undefined => answers.find(({ id }) => id === wanted);
  expect(answerTo(1)?.result).toBeDefined();
  expect(answerTo(2)?.error?.code).toBe(-32602);
  expect(answerTo("huge")?.error?.code).toBe(-32600);
  expect(answerTo(3)?.result).toMatchObject({ structuredContent: { seen: "a" } });
  child.stdin.end();
  const [code] = (await once(child, "exit")) as [number];
  expect(code).toBe(0);
  expect(error).toMatch(/invalid/u);
});

describe("OpenTelemetry", () => {
  test("the standard variables send a span of each call to a collector", async () => {
    const bodies: { [path: string]: string } = {};
    const collector = createServer((request, response) => {
      request.on(
        "data",
        (chunk: Buffer) => (bodies[request.url ?? ""] = `${bodies[request.url ?? ""] ?? ""}${chunk.toString()}`),
      );
      request.on("end", () => response.end("{}"));
    }).listen(0, "127.0.0.1");
    await once(collector, "listening");
    onTestFinished(() => void collector.close());
    const { port } = collector.address() as AddressInfo;
    const { client, printed } = await connect(["--toolset", "readers"], undefined, {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
    });
    await client.callTool({ name: "look", arguments: { id: "the-input" } });
    await client.close();
    await expect.poll(() => Object.keys(bodies).toSorted(), PATIENCE).toEqual(["/v1/metrics", "/v1/traces"]);
    const { "/v1/traces": spans = "", "/v1/metrics": metrics = "" } = bodies;
    expect(spans).toContain('"name":"execute_tool look"');
    expect(spans).toContain('{"key":"hasp.toolset","value":{"stringValue":"readers"}}');
    expect(spans).toMatch(/"scope":\{"name":"@hasp\/runtime","version":"\d+\.\d+\.\d+"/u);
    expect(metrics).toContain('"name":"hasp.tool.calls"');
    expect(`${spans}${metrics}${printed()}`).not.toContain("the-input");
  });

  test("a missing package is an error of one line, unless the variables turn telemetry off", () => {
    const bare = mkdtempSync(join(tmpdir(), "hasp-bare-"));
    onTestFinished(() => rmSync(bare, { recursive: true }));
    const registry = join(project.folder, "src/generated/registry.ts");
    const run = (environment: Record<string, string>) =>
      startHasp(
        bare,
        ["serve", "--registry", registry, "--context", `${join(project.folder, "src/context.ts")}#createContext`],
        // The package manager's shims name a folder of all packages.
        { NODE_PATH: "", ...environment },
      );
    const { code, error, out } = run({ OTEL_TRACES_EXPORTER: "otlp" });
    expect([code, `${out}${error}`]).toEqual([
      2,
      expect.stringContaining(
        "OTEL_TRACES_EXPORTER asks for OpenTelemetry, and @opentelemetry/sdk-node is not installed: npm install @opentelemetry/sdk-node.",
      ),
    ]);
    for (const off of [
      { OTEL_TRACES_EXPORTER: "none" },
      { OTEL_EXPORTER_OTLP_ENDPOINT: "http://x", OTEL_SDK_DISABLED: "true" },
    ]) {
      expect(run(off).error).not.toContain("OpenTelemetry");
    }
  });
});
