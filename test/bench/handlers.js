// What declared handlers cost beside the client that they stand for: `pnpm bench handlers`. Each is measured on
// loopback, the client alone in the same run.
import { fork } from "node:child_process";
import { once } from "node:events";
import { httpConnection, httpHandler } from "@hasp/handlers/http";
import { mcpConnection, mcpHandler } from "@hasp/mcp/handler";
import { sqlConnection, sqlHandler } from "@hasp/handlers/sql";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Pool } from "pg";
import { startPostgres } from "../../tools-spec/dist/services/embedded-postgres.js";
import { measureCall, measureProcess, printTable } from "./measure.js";

export default async function run() {
  await requests();
  await statements();
  await toolsOfServers();
}

/**
 * The CPU time of a call of each, in microseconds: measured by turns, and the least of them, since whatever else the
 * machine does only adds to it.
 */
async function byTurns(calls) {
  const names = Object.keys(calls);
  const times = Object.fromEntries(names.map((name) => [name, Infinity]));
  for (let turn = 0; turn < 15; turn += 1) {
    for (const name of names) {
      times[name] = Math.min(times[name], await measureCall(calls[name], { runs: 3, inner: 300 }));
    }
  }
  return times;
}

/** One indexed read in a read-only transaction with a time limit and a row limit, beside the query alone. */
async function statements() {
  const server = await startPostgres();
  const pool = new Pool({ connectionString: server.urls.application });
  pool.on("error", () => undefined);
  try {
    const text = "SELECT id, name, plan FROM users WHERE id = $1";
    const connection = sqlConnection({ name: "app-db", client: (context) => context.db });
    const execute = sqlHandler(connection, { text, values: (input) => [input.id], readOnly: true, timeoutSeconds: 60 });
    const bareQuery = async () => (await pool.query(text, [2])).rows;
    const transaction = async () => {
      const client = await pool.connect();
      await client.query("BEGIN READ ONLY");
      await client.query("SET LOCAL statement_timeout = 57000");
      const { rows } = await client.query(text, [2]);
      await client.query("ROLLBACK");
      client.release();
      return rows;
    };
    // The signal of a call is the dispatcher's expense.
    const given = { ...options(), context: { db: pool } };
    const handler = async () => (await execute({ id: 2 }, given)).output.rows;
    if (JSON.stringify(await bareQuery()) !== JSON.stringify(await handler())) throw new Error("the answers differ");
    const { bare, own, plain } = await byTurns({ bare: bareQuery, own: handler, plain: transaction });
    printTable(
      "one read on loopback, client side",
      ["", "CPU µs", "over the query"],
      [
        ["query of pg", bare.toFixed(0), ""],
        ["sqlHandler, in a read-only transaction", own.toFixed(0), (own - bare).toFixed(0)],
        ["the same transaction by hand", plain.toFixed(0), (plain - bare).toFixed(0)],
      ],
    );
    process.stdout.write(`mark: at most 30 µs over the query: ${own - bare <= 30 ? "met" : "missed"}\n`);
  } finally {
    await pool.end();
    await server.stop();
  }
}

/** One call of a server's tool over stdio, beside the SDK's client alone. */
async function toolsOfServers() {
  const home = new URL("../node_modules/@modelcontextprotocol/server-everything/dist/index.js", import.meta.url);
  const args = [home.pathname, "stdio"];
  const connection = mcpConnection({ name: "everything", command: [process.execPath, ...args] });
  const client = new Client({ name: "bench", version: "1" });
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: "ignore" }));
  try {
    const execute = mcpHandler(connection, { tool: "get-sum" });
    const input = { a: 17, b: 25 };
    const given = { ...options(), progress: () => undefined };
    const request = { name: "get-sum", arguments: input };
    const direct = async () => (await client.callTool(request)).content;
    const whole = { signal: given.signal, onprogress: given.progress };
    const stoppable = async () => (await client.callTool(request, whole)).content;
    const handler = async () => (await execute(input, given)).content;
    if (JSON.stringify(await direct()) !== JSON.stringify(await handler())) throw new Error("the answers differ");
    // Two servers: each gets as many calls as the other.
    for (let call = 0; call < 3000; call += 1) await handler();
    const { bare, peer, own } = await byTurns({ bare: direct, peer: stoppable, own: handler });
    printTable(
      "one call of a tool over stdio, client side",
      ["", "CPU µs", "times"],
      [
        ["client of the official SDK", bare.toFixed(0), ""],
        ["the same, with a signal and progress", peer.toFixed(0), (peer / bare).toFixed(2)],
        ["mcpHandler, which has both", own.toFixed(0), (own / bare).toFixed(2)],
      ],
    );
    process.stdout.write(`mark: at most 1.2 times the same call: ${own / peer <= 1.2 ? "met" : "missed"}\n`);
  } finally {
    await client.close();
    await connection.close();
  }
}

/** The second argument of a handler, as the dispatcher gives it. */
function options() {
  const controller = new AbortController();
  return { signal: controller.signal, callId: "1", idempotencyKey: "k", class: "READ_ONLY", context: {} };
}

/** One GET with a path, a query, a header and a token, and its JSON, beside `fetch` of the same. */
async function requests() {
  const server = fork(new URL("handlers-server.js", import.meta.url));
  try {
    const [port] = await once(server, "message");
    const origin = `http://127.0.0.1:${port}`;
    process.env["HASP_BENCH_TOKEN"] = "t0ken-of-the-bench";
    const connection = httpConnection({
      name: "orders",
      baseUrl: origin,
      auth: { bearer: { env: "HASP_BENCH_TOKEN" } },
      allowPrivateAddresses: true,
    });
    const execute = httpHandler(connection, {
      method: "GET",
      path: "/customers/{customerId}/orders",
      request: (input) => ({
        path: { customerId: input.customerId },
        query: { limit: input.limit, status: input.status },
        headers: { "X-Trace": "t-1" },
      }),
    });
    const input = { customerId: "c 1", limit: 10, status: ["new", "paid"] };
    const bareFetch = async () => {
      const url = `${origin}/customers/${encodeURIComponent(input.customerId)}/orders?limit=10&status=new&status=paid`;
      const headers = { authorization: "Bearer t0ken-of-the-bench", "x-trace": "t-1" };
      const answer = await fetch(url, { headers });
      return answer.json();
    };
    const handler = async () => (await execute(input, options())).output;
    if (JSON.stringify(await bareFetch()) !== JSON.stringify(await handler())) throw new Error("the answers differ");
    const settings = { runs: 9, inner: 500 };
    const bare = await measureCall(bareFetch, settings);
    const own = await measureCall(handler, settings);
    printTable(
      "one request on loopback, client side",
      ["", "CPU µs", "over fetch"],
      [
        ["fetch", bare.toFixed(0), ""],
        ["httpHandler", own.toFixed(0), (own - bare).toFixed(0)],
      ],
    );
    process.stdout.write(`mark: at most 60 µs over fetch: ${own - bare <= 60 ? "met" : "missed"}\n`);
  } finally {
    server.kill();
  }
  const load = (code) => measureProcess(["--input-type=module", "-e", code], { runs: 9, cwd: import.meta.dirname });
  const times = [
    ["bare node", ""],
    ["import @hasp/runtime", 'await import("@hasp/runtime")'],
    ["import @hasp/runtime and /http", 'await import("@hasp/runtime"); await import("@hasp/handlers/http")'],
  ].map(([name, code]) => [name, load(code)]);
  const bareNode = times[0][1];
  printTable(
    "start",
    ["", "user ms over bare", "MB over bare"],
    times.map(([name, { userMilliseconds, megabytes }]) => [
      name,
      (userMilliseconds - bareNode.userMilliseconds).toFixed(0),
      (megabytes - bareNode.megabytes).toFixed(1),
    ]),
  );
}
