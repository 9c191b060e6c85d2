// What declared handlers cost beside the client that they stand for: `pnpm bench handlers`. Each is measured on
// loopback, the client alone in the same run.
import { fork } from "node:child_process";
import { once } from "node:events";
import { httpConnection, httpHandler } from "@hasp/runtime/http";
import { measureCall, measureProcess, printTable } from "./measure.js";

export default async function run() {
  await requests();
}

/** What a handler is given beside its input, as the dispatcher gives it. */
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
    ["import @hasp/runtime and /http", 'await import("@hasp/runtime"); await import("@hasp/runtime/http")'],
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
