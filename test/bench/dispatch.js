import { execFileSync } from "node:child_process";
import { mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { buildTool, createDispatcher } from "@hasp/runtime";
import { Ajv2020 } from "ajv/dist/2020.js";
import { build } from "esbuild";
import { measureCall, measureProcess, printTable } from "./measure.js";
import { makeToolset } from "./toolset.js";

const schema = {
  type: "object",
  required: ["id", "name", "kind", "limit"],
  properties: {
    id: { type: "string", pattern: "^[a-z0-9-]+$" },
    name: { type: "string", minLength: 1, maxLength: 80 },
    kind: { enum: ["user", "group", "robot"] },
    limit: { type: "integer", minimum: 1, maximum: 1000 },
    ratio: { type: "number", minimum: 0, maximum: 1 },
    active: { type: "boolean" },
  },
};
const text = JSON.stringify({ id: "a-1", name: "Ada", kind: "user", limit: 10, ratio: 0.5, active: true });
const callsOf = (count) =>
  Array.from({ length: count }, (_call, index) => ({ id: `c${index}`, name: "nothing", input: text }));

function makeTool(name, parts = {}) {
  return buildTool({
    name,
    description: "Does nothing.",
    input: schema,
    concurrency: { class: "READ_ONLY" },
    behavior: { requiresPermission: false, isOpenWorld: false },
    validate: [{ that: (input) => input.limit > 0, message: "limit must be positive" }],
    execute: () => "done",
    ...parts,
  });
}

/** Every phase at work: hooks of each kind, a rule of the host, a semantic check. */
const everything = {
  hooks: { transform: () => undefined, guard: () => undefined, post: () => undefined },
  permissions: { rules: [{ tool: "nothing", decision: "allow" }] },
};

/** Measures one call without the work of its tool, beside peers; the tables say what the peers do not do. */
export default async function run() {
  await overhead();
  await edits();
  await writers();
  await checks();
  await lists();
  await coldStart();
}

async function overhead() {
  const perCall = async (dispatch, size, inner) => (await measureCall(() => dispatch(callsOf(size)), { inner })) / size;
  const validate = new Ajv2020().compile(schema);
  const ajv = await measureCall(() => validate(JSON.parse(text)), { inner: 20_000 });
  const plain = createDispatcher({ tools: [makeTool("nothing")] });
  const full = createDispatcher({ tools: [makeTool("nothing")], ...everything });
  const later = createDispatcher({ tools: [makeTool("nothing", { execute: async () => "done" })], ...everything });
  const rows = [
    ["JSON.parse and Ajv, nothing else", ajv],
    ["hasp, 10 calls", await perCall((calls) => plain.dispatch(calls), 10, 500)],
    ["hasp, 10 calls, every phase", await perCall((calls) => full.dispatch(calls), 10, 500)],
    ["hasp, 10 calls, every phase, async tool", await perCall((calls) => later.dispatch(calls), 10, 500)],
    ["hasp, 1000 calls", await perCall((calls) => plain.dispatch(calls), 1000, 5)],
    ["hasp, 10 000 calls", await perCall((calls) => plain.dispatch(calls), 10_000, 1)],
  ];
  const { peers } = await import("./dispatch-peers.js");
  for (const [name, make] of Object.entries(peers)) {
    const dispatch = await make(schema, async () => "done");
    rows.push([`${name}, 10 calls`, await perCall(dispatch, 10, 20)]);
  }
  printTable(
    "one call of a tool that does nothing, its turn included",
    ["", "CPU µs", "ratio"],
    rows.map(([name, figure]) => [name, figure.toFixed(2), (figure / ajv).toFixed(1)]),
  );
}

/** Pairs of edits of one file: read, think, write. Whoever runs both at once loses one. */
async function edits() {
  const pairs = 300;
  const files = new Map();
  const edit = async (limit) => {
    const before = files.get(limit) ?? 0;
    await new Promise((wake) => setImmediate(wake));
    files.set(limit, before + 1);
    return "done";
  };
  const callsFor = (file) =>
    [0, 1].map((edition) => ({
      id: `${file}/${edition}`,
      name: "nothing",
      input: JSON.stringify({ ...JSON.parse(text), limit: file + 1 }),
    }));
  const kept = () => `${[...files.values()].filter((count) => count === 2).length} of ${pairs}`;
  const allFiles = Array.from({ length: pairs }, (_file, index) => index);
  const count = async (dispatch, isOneTurn) => {
    files.clear();
    if (isOneTurn) await dispatch(allFiles.flatMap(callsFor));
    else await Promise.all(allFiles.map((file) => dispatch(callsFor(file))));
    return kept();
  };
  const tool = makeTool("nothing", { concurrency: { class: "WRITE_EXCLUSIVE" }, execute: ({ limit }) => edit(limit) });
  const { dispatch } = createDispatcher({
    tools: [tool],
    permissions: { rules: [{ tool: "nothing", decision: "allow" }] },
  });
  const rows = [["hasp", await count(dispatch, true), await count(dispatch, false)]];
  const { peers } = await import("./dispatch-peers.js");
  const execute = ({ limit }) => edit(limit);
  // A mock model serves one turn at a time, so that peers get a dispatcher a turn.
  for (const [name, make] of Object.entries(peers)) {
    rows.push([
      name,
      await count(await make(schema, execute), true),
      await count(async (calls) => (await make(schema, execute))(calls), false),
    ]);
  }
  printTable("pairs of edits of one file of which both survive", ["", "one turn", "300 turns at once"], rows);
}

/** Ten writers on ten files, in elapsed time: a writer without a key runs alone. */
async function writers() {
  const sleep = () => new Promise((wake) => setTimeout(wake, 20));
  const elapsed = async (concurrency) => {
    const tool = makeTool("nothing", { concurrency: { class: "WRITE_EXCLUSIVE", ...concurrency }, execute: sleep });
    const { dispatch } = createDispatcher({
      tools: [tool],
      permissions: { rules: [{ tool: "nothing", decision: "allow" }] },
    });
    const calls = callsOf(10).map((call, index) => ({
      ...call,
      input: JSON.stringify({ ...JSON.parse(text), name: `src/file-${index}.txt` }),
    }));
    const start = performance.now();
    await dispatch(calls);
    return performance.now() - start;
  };
  await elapsed({});
  const alone = await elapsed({});
  const keyed = await elapsed({ key: "path(input.name)" });
  printTable(
    "a batch of 10 writers on 10 files",
    ["", "ms", "times as fast"],
    [
      ["alone", alone.toFixed(0), "1.0"],
      ["with resource keys", keyed.toFixed(0), (alone / keyed).toFixed(1)],
    ],
  );
}

/** Readers that a slow check must allow: whoever checks one after the other makes the last one wait for all. */
async function checks() {
  const checkMs = 200;
  const sleep = () => new Promise((wake) => setTimeout(wake, checkMs));
  const slow = createDispatcher({
    tools: [makeTool("nothing", { behavior: { requiresPermission: true } })],
    permissions: { check: () => sleep().then(() => "allow") },
  });
  const rows = [];
  for (const size of [1, 6]) {
    const started = performance.now();
    const results = await slow.dispatch(callsOf(size));
    if (results.some(({ isError }) => isError)) throw new Error("the check did not allow a call");
    rows.push([`${size} of them`, (performance.now() - started).toFixed(0)]);
  }
  printTable("readers with a check of 200 ms each", ["", "ms in all"], rows);
}

async function lists() {
  const many = createDispatcher({ tools: Array.from({ length: 100 }, (_tool, index) => makeTool(`tool_${index}`)) });
  const definitions = await measureCall(() => void many.definitions("anthropic"), { inner: 100_000 });
  printTable("definitions of 100 tools", ["", "CPU µs"], [["definitions()", definitions.toFixed(3)]]);
}

/**
 * A fresh process up to its first validated call, of a registry of twenty tools. Measured within the process, around
 * what it imports and calls, and from outside, over a process that does nothing.
 */
async function coldStart() {
  const folder = await makeRegistry();
  const cases = [
    ["bare node", ""],
    ["import @hasp/runtime", timed('await import("@hasp/runtime")')],
    ["20 tools bound in the program itself", timed(boundHere)],
    ["20 generated tools, one bundle", timed('await import("./bundle.js")')],
    ["20 generated tools, as generated", timed('await import("./call.js")')],
    ["import ai", timed('await import("ai")')],
    [
      "import ajv, compile one schema",
      timed(`const { Ajv2020 } = await import("ajv/dist/2020.js"); new Ajv2020().compile(${JSON.stringify(schema)})`),
    ],
  ];
  const times = cases.map(([name, code]) => ({
    name,
    ...measureProcess(["--input-type=module", "-e", code], {
      runs: 15,
      cwd: name.includes("generated") ? folder : import.meta.dirname,
    }),
  }));
  const bare = times[0]?.milliseconds ?? 0;
  const rows = times.map(({ name, milliseconds, printed }) => [
    name,
    printed === 0 ? "" : printed.toFixed(1),
    milliseconds.toFixed(0),
    (milliseconds - bare).toFixed(0),
  ]);
  printTable("a fresh process", ["", "within, ms", "in all, ms", "over bare"], rows);
}

/** Prints how many milliseconds the code takes. */
function timed(code) {
  return `const started = performance.now(); ${code}; process.stdout.write(String(performance.now() - started));`;
}

const boundHere = `
  const { createDispatcher } = await import("@hasp/runtime");
  const { bindTool, createRegistry } = await import("@hasp/runtime/codegen/v1");
  const input = { ...${JSON.stringify(schema)}, additionalProperties: false };
  const metadata = {
    concurrency: { class: "READ_ONLY" },
    behavior: { isReadOnly: true, isDestructive: false, isIdempotent: true, isOpenWorld: false, requiresPermission: false, requiresUserInteraction: false, interruptBehavior: "block", abortsSiblingsOnError: false },
    visibility: { load: "normal" },
    limits: { maxResultSizeChars: 1000, timeoutSeconds: 1, maxRetries: 0 },
  };
  const names = Array.from({ length: 20 }, (_tool, index) => "tool_" + index);
  const specs = names.map((name) => ({ name, description: "d", handlerFile: "f", metadata, input: structuredClone(input) }));
  const registry = createRegistry(Object.fromEntries(specs.map((spec) => [spec.name, bindTool(spec, { execute: () => "done" })])), { unlocked: false });
  const [result] = await createDispatcher({ tools: registry }).dispatch([{ id: "1", name: "tool_7", input: ${JSON.stringify(text)} }]);
  if (result.isError) throw new Error(result.content[0].text)`;

/** One valid call of a generated tool; the generator makes the same tools every time. */
const generatedCall = `
  import { createDispatcher } from "@hasp/runtime";
  import { registry } from "./dist/generated/registry.js";
  const input = { state: 5, process_image: true, own_table: { result_header: "step" }, own_route_job: 4 };
  const [result] = await createDispatcher({ tools: registry }).dispatch([{ id: "1", name: "update_invoice_date", input }]);
  if (result.isError) throw new Error(result.content[0].text);`;

/** A project of twenty generated tools, compiled: five dialects, 17 KB a tool, handlers that do nothing. */
async function makeRegistry() {
  const folder = makeToolset(20);
  execFileSync(
    process.execPath,
    [resolve(import.meta.dirname, "../../packages/hasp/bin/hasp.js"), "build", "--unlocked", "--quiet"],
    { cwd: folder },
  );
  const handlers = (await readdir(join(folder, "handlers"))).map((file) => join(folder, "handlers", file));
  for (const handler of handlers) await writeFile(handler, 'export const execute = () => "done";\n');
  const modules = (await readdir(join(folder, "generated"), { recursive: true }))
    .filter((file) => /^(?:tools|definitions)[\\/].*\.ts$/u.test(file))
    .map((file) => join(folder, "generated", file));
  const settings = { format: "esm", platform: "node", logLevel: "error" };
  await build({
    ...settings,
    entryPoints: [...handlers, ...modules, join(folder, "generated/registry.ts")],
    outdir: join(folder, "dist"),
    outbase: folder,
  });
  await mkdir(join(folder, "node_modules/@hasp"), { recursive: true });
  for (const name of ["runtime", "schema"]) {
    await symlink(
      resolve(import.meta.dirname, "../../packages", name),
      join(folder, "node_modules/@hasp", name),
      "junction",
    );
  }
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  await writeFile(join(folder, "call.js"), generatedCall);
  await build({
    ...settings,
    entryPoints: [join(folder, "call.js")],
    bundle: true,
    outfile: join(folder, "bundle.js"),
  });
  return folder;
}
