import { spawn } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { median, measureProcess, printTable } from "./measure.js";
import { makeServedProject, serveProject, stdioCommand, usageOf } from "./served-project.js";

const SESSIONS = 1000;
const agent = new Agent({ keepAlive: true, maxSockets: Infinity });

/** Opens a stream and returns its request once the first event has come. */
async function open(url, method, headers, body) {
  const sent = request(url, { method, agent, headers: { accept: "application/json, text/event-stream", ...headers } });
  sent.on("error", () => undefined);
  sent.end(body);
  const [response] = await once(sent, "response");
  if (response.statusCode !== 200) throw new Error(`the server answered ${response.statusCode}`);
  await once(response, "data");
  return sent;
}

/** The streams on which clients of each revision listen for changes. */
const STREAMS = {
  "2025-11-25 (GET)": (url) => open(url, "GET", {}),
  "2026-07-28 (subscriptions/listen)": (url) => {
    const meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const params = { notifications: { toolsListChanged: true }, _meta: meta };
    const headers = { "mcp-protocol-version": "2026-07-28", "mcp-method": "subscriptions/listen" };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "subscriptions/listen", params });
    return open(url, "POST", { ...headers, "content-type": "application/json" }, body);
  },
};

/** Megabytes that so many idle sessions cost a server. */
async function idleSessions(folder, stream) {
  const { child, url } = await serveProject(folder);
  // What the first session loads is not its own.
  const first = await stream(url);
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const before = usageOf(child.pid).megabytes;
  const sessions = [];
  while (sessions.length < SESSIONS) {
    sessions.push(...(await Promise.all(Array.from({ length: 50 }, () => stream(url)))));
  }
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const after = usageOf(child.pid).megabytes;
  for (const session of [first, ...sessions]) session.destroy();
  child.kill("SIGTERM");
  await once(child, "exit");
  return after - before;
}

/** Milliseconds from the start of `hasp serve` to its first answer over standard output. */
async function firstAnswer(folder, lines) {
  const { command, args, env } = stdioCommand;
  const start = performance.now();
  const child = spawn(command, args, { cwd: folder, env, stdio: ["pipe", "pipe", "ignore"] });
  for (const line of lines) child.stdin.write(`${JSON.stringify(line)}\n`);
  await once(child.stdout, "data");
  const elapsed = performance.now() - start;
  child.stdin.end();
  await once(child, "exit");
  return elapsed;
}

const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "bench", version: "1" } },
};

/** Measures idle sessions, and how soon a server over standard input and output answers. */
export default async function run() {
  const folder = makeServedProject(100);
  const rows = [];
  for (const [name, stream] of Object.entries(STREAMS)) {
    const megabytes = await idleSessions(folder, stream);
    rows.push([`${SESSIONS} idle sessions, ${name}, MB`, megabytes.toFixed(0), "under 60"]);
  }
  const bare = measureProcess(["-e", ""], { runs: 5 }).milliseconds;
  const times = [];
  for (let time = 0; time < 7; time += 1) times.push(await firstAnswer(folder, [initialize]));
  const first = median(times);
  rows.push(["stdio, 100 tools: start to first answer, ms", first.toFixed(0), "under 400"]);
  rows.push(["the same, in starts of bare Node", (first / bare).toFixed(1), ""]);
  printTable("MCP: idle sessions and the first answer", ["", "value", "mark"], rows);
}
