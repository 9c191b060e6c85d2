import { execFileSync, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { httpConnection, httpHandler } from "@hasp/handlers/http";
import { createPrograms } from "@hasp/programs";
import { buildTool, createDispatcher } from "@hasp/runtime";
import pg from "pg";
import { parse } from "yaml";
import { startPostgres } from "../../tools-spec/dist/services/embedded-postgres.js";
import { compareWithDirect, proveKilled } from "../durable/program-proof.js";
import { median, printTable } from "./measure.js";

const require = createRequire(import.meta.url);
const hasp = resolve(import.meta.dirname, "../../packages/hasp/bin/hasp.js");
const corpus = resolve(import.meta.dirname, "../../../shared/corpus/tools");

const DOCUMENTS = {
  github: ["@octokit/openapi", "generated/api.github.com.json"],
  figma: ["@figma/rest-api-spec", "openapi/openapi.yaml"],
  "star-trek": ["@readme/oas-examples", "3.0/json/star-trek.json"],
  "train-travel": ["@readme/oas-examples", "3.1/json/train-travel.json"],
  petstore: ["@readme/oas-examples", "3.0/json/petstore.json"],
};

/** The marks of programs: searches, declarations, and what a program costs beside single calls. */
export default async function run() {
  await measureSearches();
  await measureCost();
  await compareRandomPrograms();
  await killRandomPrograms();
}

async function compareRandomPrograms() {
  const { calls, threw, differing } = await compareWithDirect({ programs: 1000 });
  printTable(
    "random programs of 1 to 20 calls, beside the same calls made directly",
    ["programs", "calls", "threw", "other result or writes"],
    [[1000, calls, threw, differing.length]],
  );
  for (const { code, made, direct } of differing) {
    process.stdout.write(`${code}\nprogram: ${JSON.stringify(made)}\ndirectly: ${JSON.stringify(direct)}\n`);
  }
}

async function killRandomPrograms() {
  const server = await startPostgres();
  try {
    const rows = [];
    let broken = [];
    for (const [name, url] of [["files"], ["Postgres", server.urls.scratch]]) {
      const { kills, calls, questions, lost, wrong } = await proveKilled({ programs: 8, url, Pool: pg.Pool });
      broken = Object.keys(wrong);
      rows.push([name, 8, calls, kills, questions, ...Object.values(wrong), lost]);
    }
    const head = ["store", "programs", "calls", "kills", "questions", ...broken, "told the program: effect unknown"];
    printTable("programs with 0 to 3 questions, killed with SIGKILL at every step", head, rows);
  } finally {
    await server.stop();
  }
}

/** Queries of the tuning half were judged while the ranking was made; those held out, once it was. */
async function measureSearches() {
  const judged = JSON.parse(readFileSync(join(import.meta.dirname, "search-queries.json"), "utf8"));
  const rows = [];
  for (const [half, documents] of Object.entries(judged)) {
    const first = rows.length;
    for (const [name, queries] of Object.entries(documents)) rows.push(await measureDocument(half, name, queries));
    const sum = (column) => rows.slice(first).reduce((total, row) => total + row[column], 0);
    const [expected, found, empty, answered] = [3, 4, 6, 7].map(sum);
    rows.push([`${half}, all`, sum(1), "", expected, found, (found / expected).toFixed(3), empty, answered, ""]);
  }
  const head = ["document", "tools", "tokens", "expected", "in 5", "recall", "nothing fits", "answered", "ms"];
  printTable("search_tools; tokens read before the first program", head, rows);
}

async function measureDocument(half, name, queries) {
  const tools = toolsOf(name);
  const dispatcher = createDispatcher({
    tools,
    extensions: [createPrograms({ overTokens: tools.length > 100 ? 2000 : 1 })],
  });
  const listed = dispatcher.definitions("anthropic").filter((tool) => tool.name !== "read_result");
  const tokens = Math.ceil(JSON.stringify(listed).length / 4);
  const figures = { expected: 0, found: 0, empty: 0, answered: 0, milliseconds: [] };
  await search(dispatcher, "warm the index up");
  for (const [query, wanted] of Object.entries(queries)) {
    const before = process.cpuUsage();
    const found = await search(dispatcher, query);
    const { user, system } = process.cpuUsage(before);
    figures.milliseconds.push((user + system) / 1000);
    figures.expected += wanted.length;
    const missed = wanted.filter((tool) => !found.includes(tool));
    figures.found += wanted.length - missed.length;
    if (wanted.length === 0) figures.empty += 1;
    if (wanted.length === 0 && found.length > 0) figures.answered += 1;
    if (missed.length > 0 || (wanted.length === 0 && found.length > 0)) {
      process.stdout.write(`${name}: "${query}" wants ${missed.join(", ") || "nothing"}; found ${found.join(", ")}\n`);
    }
  }
  const { expected, found, empty, answered, milliseconds } = figures;
  const recall = (found / expected).toFixed(3);
  const label = `${half}, ${name}`;
  return [label, tools.length, tokens, expected, found, recall, empty, answered, median(milliseconds).toFixed(2)];
}

async function search(dispatcher, query) {
  const [result] = await dispatcher.dispatch([{ id: "1", name: "search_tools", input: { query, limit: 5 } }]);
  const text = result.content[0].text;
  return Array.from(text.matchAll(/^"?([\w$-]+)"?\(input/gm), ([, name]) => name);
}

function toolsOf(name) {
  const definitions = DOCUMENTS[name] === undefined ? corpusTools(name) : importedTools(...DOCUMENTS[name]);
  return definitions.map(({ name, title, description, tags, input }) =>
    buildTool({
      name,
      ...(title !== undefined && { title }),
      description: description || name,
      ...(tags !== undefined && { tags }),
      input: plainSchema({ properties: {}, ...input }),
      execute: () => "done",
    }),
  );
}

function corpusTools(name) {
  const { tools } = JSON.parse(readFileSync(join(corpus, `${name}.json`), "utf8"));
  return [...new Map(tools.map((tool) => [tool.name, { ...tool, input: tool.inputSchema }])).values()];
}

function importedTools(owner, path) {
  const folder = mkdtempSync(join(tmpdir(), "hasp-bench-programs-"));
  const file = resolve(require.resolve(`${owner}/package.json`), "..", path);
  execFileSync(process.execPath, [hasp, "import", "openapi", file, "--quiet"], { cwd: folder });
  const specs = readdirSync(join(folder, "specs")).filter((spec) => spec.includes(".tool."));
  const tools = specs.map((spec) => parse(readFileSync(join(folder, "specs", spec), "utf8")));
  rmSync(folder, { recursive: true });
  return tools;
}

/** The names and descriptions of a schema, which are all that a search reads. */
function plainSchema({ properties, items, description }) {
  const said = description === undefined ? {} : { description };
  if (items?.properties !== undefined) return { ...said, type: "array", items: plainSchema(items) };
  if (properties === undefined) return { ...said, type: "string" };
  const parts = Object.entries(properties).map(([name, part]) => [name, plainSchema(part)]);
  return { ...said, type: "object", properties: Object.fromEntries(parts), additionalProperties: false };
}

const COUNT = 50;

/**
 * The CPU time of a program of 50 calls beside the 50 calls, in one batch and one by one, all warm, the JIT and the garbage collector of all
 * threads included. The mark compares a real read, an HTTP request over loopback: the others show what a program costs by itself.
 */
async function measureCost() {
  const server = fork(new URL("handlers-server.js", import.meta.url));
  try {
    const [port] = await once(server, "message");
    const connection = httpConnection({
      name: "rows",
      baseUrl: `http://127.0.0.1:${port}`,
      allowPrivateAddresses: true,
    });
    const requests = httpHandler(connection, {
      method: "GET",
      path: "/rows",
      request: (input) => ({ query: { id: input.id } }),
    });
    const rows = [];
    for (const [name, execute] of [
      ["an HTTP request", requests],
      ["a file", () => readFile(join(import.meta.dirname, "../package.json"), "utf8")],
      ["nothing but its answer", ({ id }) => ({ id })],
    ]) {
      rows.push([name, ...(await compareCost(execute))]);
    }
    const head = ["each call reads", "50 calls", "program", "ratio", "one by one", "program", "ratio", "empty program"];
    printTable("ms of CPU of a program of 50 calls, at once and one by one, beside the calls", head, rows);
    process.stdout.write(`mark, by HTTP requests: at most 1.5: ${rows[0][3] <= 1.5 ? "met" : "missed"}\n`);
    await measureStart();
  } finally {
    server.kill();
  }
}

/** Measures the calls and the programs by turns. */
async function compareCost(execute) {
  const read = buildTool({
    name: "read",
    description: "Reads a row.",
    input: { type: "object", properties: { id: { type: "integer" } }, required: ["id"], additionalProperties: false },
    concurrency: { class: "READ_ONLY" },
    behavior: { requiresPermission: false, isOpenWorld: false },
    execute,
  });
  const dispatcher = createDispatcher({ tools: [read], extensions: [createPrograms()] });
  const ids = Array.from({ length: COUNT }, (_, id) => id);
  const program = (code) => () => dispatcher.dispatch([{ id: "p", name: "run_program", input: { code } }]);
  const list = `Array.from({ length: ${COUNT} }, (_, id) => id)`;
  const bodies = [
    () => dispatcher.dispatch(ids.map((id) => ({ id: `s${id}`, name: "read", input: { id } }))),
    program(`const rows = await Promise.all(${list}.map((id) => tools.read({ id }))); return rows.length`),
    async () => {
      for (const id of ids) await dispatcher.dispatch([{ id: `s${id}`, name: "read", input: { id } }]);
      return [];
    },
    program(`let count = 0; for (const id of ${list}) { await tools.read({ id }); count += 1 } return count`),
    program("return 1"),
  ];
  const times = bodies.map(() => []);
  for (let round = 0; round < 200; round += 1) {
    for (const [index, body] of bodies.entries()) {
      const before = process.cpuUsage();
      const results = await body();
      const { user, system } = process.cpuUsage(before);
      if (results.some(({ isError }) => isError)) throw new Error(JSON.stringify(results[0]));
      if (round >= 100) times[index].push((user + system) / 1000);
    }
  }
  const [batch, atOnce, calls, loop, empty] = times.map(median);
  const pair = (single, whole) => [single.toFixed(1), whole.toFixed(1), (whole / single).toFixed(2)];
  return [...pair(batch, atOnce), ...pair(calls, loop), empty.toFixed(1)];
}

/** Measures the time until a program's first call, in a worker that has run one before. */
async function measureStart() {
  let began = 0;
  const times = [];
  const first = buildTool({
    name: "first",
    description: "Tells when it is called.",
    input: { type: "object", properties: {}, additionalProperties: false },
    concurrency: { class: "READ_ONLY" },
    behavior: { requiresPermission: false, isOpenWorld: false },
    execute: () => void times.push(performance.now() - began),
  });
  const dispatcher = createDispatcher({ tools: [first], extensions: [createPrograms()] });
  for (let round = 0; round < 40; round += 1) {
    began = performance.now();
    await dispatcher.dispatch([{ id: "p", name: "run_program", input: { code: "await tools.first()" } }]);
  }
  const [cold, ...warm] = times;
  process.stdout.write(
    `start, ms until the first call: ${cold.toFixed(0)} cold, ${median(warm).toFixed(1)} warm (mark: 30)\n`,
  );
}
