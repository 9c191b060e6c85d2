import { once } from "node:events";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { printTable } from "./measure.js";
import { makeServedProject, serveProject, usageOf } from "./served-project.js";

const MODES = ["legacy", { pin: "2026-07-28" }];
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Has so many clients list, call, cancel and connect again for so many seconds, then stops the server by SIGTERM while all
 * of them call. Answers what became of the calls, what the server used on the way, and how it ended.
 */
export async function soak({ seconds, clients }) {
  const { child, url, errors } = await serveProject(makeServedProject(3));
  const counts = { calls: 0, answered: 0, cancelled: 0, wrong: 0, connections: 0 };
  const faults = [];
  const end = performance.now() + seconds * 1000;
  const usage = [];

  async function connect(mode) {
    const client = new Client({ name: "soak", version: "1" }, { versionNegotiation: { mode } });
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    counts.connections += 1;
    return client;
  }

  /** One call. A client gets the answer to its own question, or has cancelled it. */
  async function call(client, id, ms, cancelAfter) {
    counts.calls += 1;
    const gone = new AbortController();
    const timer = cancelAfter === undefined ? undefined : setTimeout(() => gone.abort(), cancelAfter);
    try {
      const { content } = await client.callTool(
        { name: `tool_${ms % 3}`, arguments: { id, ms } },
        { signal: gone.signal, onprogress: () => undefined },
      );
      counts[content[0]?.text === `done ${id}` ? "answered" : "wrong"] += 1;
      return content[0]?.text;
    } catch (error) {
      counts[gone.signal.aborted ? "cancelled" : "wrong"] += 1;
      if (!gone.signal.aborted) faults.push(String(error));
    } finally {
      clearTimeout(timer);
    }
  }

  async function live(number) {
    for (let round = 0; performance.now() < end; round += 1) {
      const client = await connect(MODES[(number + round) % 2]).catch((error) => void faults.push(String(error.cause)));
      if (client === undefined) {
        counts.wrong += 1;
        counts.calls += 1;
        continue;
      }
      for (let turn = 0; turn < 10 && performance.now() < end; turn += 1) {
        const id = `${number}-${round}-${turn}`;
        await client.listTools();
        await Promise.all([call(client, `${id}a`, 5), call(client, `${id}b`, 20, turn % 3 === 0 ? 10 : undefined)]);
        await wait(10);
      }
      await client.close();
    }
  }

  const living = Promise.all(Array.from({ length: clients }, (_client, number) => live(number)));
  // What is loaded and compiled on the way is not a growth.
  const sampling = setInterval(() => usage.push(usageOf(child.pid)), Math.max(250, (seconds * 1000) / 40));
  await living;
  clearInterval(sampling);

  const last = await Promise.all(Array.from({ length: clients }, (_client, number) => connect(MODES[number % 2])));
  const before = counts.calls - counts.answered - counts.cancelled;
  const answers = [];
  const running = last.map(async (client, number) => {
    const { isError } = await client.callTool({ name: "tool_0", arguments: { id: String(number), ms: 9000 } });
    answers.push(isError);
  });
  // A busy machine takes its time until the server has all of them.
  await wait(3000);
  child.kill("SIGTERM");
  const settled = await Promise.allSettled(running);
  const [code] = child.exitCode === null ? await once(child, "exit") : [child.exitCode];
  await Promise.all(last.map((client) => client.close().catch(() => undefined)));
  const lost = settled.filter(({ status }) => status === "rejected").length;
  return { counts, faults, usage, lost: lost + before - counts.wrong, stopped: answers.length, code, errors: errors() };
}

/** The middle of a list of numbers. */
const middle = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

/** Computes the growth from the second to the last third of the samples, by medians. */
export function growthOf(usage) {
  const third = Math.floor(usage.length / 3);
  const of = (from, to, key) => middle(usage.slice(from, to).map((sample) => sample[key]));
  return {
    megabytes: of(2 * third, usage.length, "megabytes") - of(third, 2 * third, "megabytes"),
    handles: of(2 * third, usage.length, "handles") - of(third, 2 * third, "handles"),
    peak: Math.max(...usage.map(({ megabytes }) => megabytes)),
  };
}

/** Ten minutes with 50 clients, or as many seconds as HASP_SOAK_SECONDS says. */
export default async function run() {
  const seconds = Number(process.env.HASP_SOAK_SECONDS ?? 600);
  const { counts, faults, usage, lost, stopped, code, errors } = await soak({ seconds, clients: 50 });
  const { megabytes, handles, peak } = growthOf(usage);
  printTable(
    `MCP over HTTP: ${seconds} seconds with 50 clients, cancellations, reconnections and SIGTERM`,
    ["", "value", "mark"],
    [
      ["calls", String(counts.calls), ""],
      ["answered", String(counts.answered), ""],
      ["cancelled by their client", String(counts.cancelled), ""],
      ["answered wrongly, or failed", String(counts.wrong), "0"],
      ["lost", String(lost), "0"],
      ["connections", String(counts.connections), ""],
      ["stopped by SIGTERM, and answered", String(stopped), "50"],
      ["exit code", String(code), "0"],
      ["peak memory, MB", peak.toFixed(0), ""],
      ["growth, last third against second, MB", megabytes.toFixed(1), "no growth"],
      ["growth of open files and connections", String(handles), "0"],
    ],
  );
  for (const fault of [...new Set(faults)].slice(0, 5)) process.stdout.write(`${fault}\n`);
  if (errors !== "") process.stdout.write(`${errors.slice(0, 2000)}\n`);
}
