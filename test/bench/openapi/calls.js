// Puts a document through the commands of README, and calls every operation on a service that it describes.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { createDispatcher } from "@hasp/runtime";
import { recordTape } from "@hasp/testing";
import { transform } from "esbuild";
import { parse, stringify } from "yaml";
import { temporaryFolder } from "../temporary-folder.js";
import { inputsFor } from "./inputs.js";
import { operationsOf } from "./served-document.js";

const hasp = resolve(import.meta.dirname, "../../../packages/hasp/bin/hasp.js");
const packages = resolve(import.meta.dirname, "../../../packages");
/**
 * Calls every operation of a document through hasp, with the least valid input and with a full one. Gives counts of
 * operations, of claims that the document makes and a person approves, of those that became tools, that a call of
 * reached the service, and whose calls were all accepted; and why others were not. `use` does something else with the built tools while the service runs.
 */
export async function callEveryOperation(document, name, use = callAll) {
  const folder = temporaryFolder("hasp-openapi-");
  const failures = [];
  const operations = operationsOf(document).length;
  const served = { ...structuredClone(document), servers: [{ url: "/base" }] };
  for (const item of Object.values(served.paths)) delete item.servers;
  for (const { value } of operationsOf(served)) delete value.servers;
  writeFileSync(join(folder, `${name}.json`), JSON.stringify(document));
  writeFileSync(join(folder, "served.json"), JSON.stringify(served));
  const service = spawn(process.execPath, [resolve(import.meta.dirname, "service.js"), join(folder, "served.json")], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const [port] = await Promise.race([
      once(createInterface(service.stdout), "line"),
      once(service, "exit").then(([code]) => Promise.reject(new Error(`the service ended with ${code}`))),
    ]);
    const words = [`${name}.json`, "--url", `http://127.0.0.1:${port}/base`];
    const run = createCommandLine(folder);
    const claims = build(run, folder, words, failures);
    const tools = await builtTools(folder);
    callOne(run, tools, failures);
    return { operations, claims, carried: tools.length, ...(await use(folder, tools, failures)), failures };
  } finally {
    service.kill();
  }
}

const once = (emitter, event) => new Promise((done) => emitter.once(event, (...values) => done(values)));

/** A document with some of the operations, evenly spread, and the components that they need. */
export function excerpt(document, count) {
  const all = operationsOf(document);
  const step = Math.max(1, all.length / count);
  const chosen = new Set(
    Array.from({ length: Math.min(count, all.length) }, (_, index) => all[Math.floor(index * step)]),
  );
  const paths = {};
  for (const { path, method } of chosen) {
    const { parameters, servers } = document.paths[path];
    paths[path] ??= { ...(parameters && { parameters }), ...(servers && { servers }) };
    paths[path][method] = document.paths[path][method];
  }
  const components = { securitySchemes: document.components?.securitySchemes ?? {} };
  const waiting = [paths, components];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const [, section, token] of JSON.stringify(next).matchAll(/"#\/components\/([^/"]+)\/([^/"]+)/gu)) {
      const key = decodeURIComponent(token).replaceAll("~1", "/").replaceAll("~0", "~");
      const value = document.components[section]?.[key];
      components[section] ??= {};
      if (value === undefined || Object.hasOwn(components[section], key)) continue;
      components[section][key] = value;
      waiting.push(value);
    }
  }
  const { webhooks: _webhooks, "x-webhooks": _extension, ...rest } = document;
  return { ...rest, paths, components };
}

function createCommandLine(folder) {
  writeFileSync(join(folder, "package.json"), '{ "type": "module", "private": true }');
  writeFileSync(join(folder, "hasp.config.yaml"), "specs: [specs]\ndialects: [mcp]\n");
  mkdirSync(join(folder, "node_modules/@hasp"), { recursive: true });
  for (const name of ["runtime", "handlers"]) {
    symlinkSync(join(packages, name), join(folder, `node_modules/@hasp/${name}`), "dir");
  }
  return (...command) => {
    const { stdout, stderr } = spawnSync(process.execPath, [hasp, ...command, "--format", "json"], {
      cwd: folder,
      encoding: "utf8",
      maxBuffer: 1e9,
      env: { ...process.env, XDG_CACHE_HOME: join(folder, ".cache") },
    });
    try {
      return JSON.parse(stdout);
    } catch {
      throw new Error(`${command.join(" ")}: ${stdout.slice(0, 2000)} ${stderr.slice(0, 2000)}`);
    }
  };
}

/** Imports, approves what the document leaves open, and builds; returns the number of those claims. */
function build(run, folder, words, failures) {
  const imported = run("import", "openapi", ...words);
  note(imported, failures, "import");
  const config = parse(readFileSync(join(folder, "hasp.config.yaml"), "utf8"));
  // There is no server of tokens here: whoever has one sends it.
  for (const { http } of Object.values(config.connections ?? {})) {
    http.auth &&= [http.auth].flat().map((auth) => (auth.oauth2 ? { bearer: { env: "TEST_TOKEN" } } : auth));
    for (const variable of JSON.stringify(http.auth ?? []).matchAll(/"env":"([^"]+)"/gu)) {
      process.env[variable[1]] = "secret";
    }
  }
  writeFileSync(join(folder, "hasp.config.yaml"), stringify(config));
  run("approve", "--imported", "--yes");
  note(run("build"), failures, "build");
  return imported.summary.approval?.claims ?? 0;
}

/** Calls the first tool whose least input is valid. */
function callOne(run, tools, failures) {
  const tool = tools.find(({ inputSchema }) => inputsFor(withBody(inputSchema)).length > 0);
  if (tool === undefined) return;
  const { name, inputSchema } = tool;
  const [input] = inputsFor(withBody(inputSchema));
  const { diagnostics, call } = run("call", name, JSON.stringify(input), "--allow");
  if (call?.result.isError === false) return;
  const { code, message } = call?.result.error ?? diagnostics[0];
  failures.push({ phase: "call", tool: name, code, message });
}

function note({ diagnostics }, failures, phase) {
  for (const { severity, tool, code, message } of diagnostics) {
    if (severity === "error") failures.push({ phase, tool, code, message });
  }
}

/** Counts the modules of handlers that a process has loaded. */
const COUNTED = "\nglobalThis.loadedHandlers = (globalThis.loadedHandlers ?? 0) + 1;\n";

/** Compiles what was built, and gives its tools with their input schemas; none where nothing was built. */
async function builtTools(folder) {
  const generated = join(folder, "src/generated");
  if (!existsSync(join(generated, "registry.ts"))) return [];
  for (const path of readdirSync(generated, { recursive: true })) {
    if (!path.endsWith(".ts")) continue;
    const source = readFileSync(join(generated, path), "utf8");
    const { code } = await transform(source + (path.startsWith("handlers") ? COUNTED : ""), {
      loader: "ts",
      format: "esm",
    });
    const target = join(folder, "dist", path.replace(/\.ts$/u, ".js"));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, code);
  }
  const list = await import(pathToFileURL(join(folder, "dist/providers/mcp.js")).href);
  return Object.values(list).find(Array.isArray);
}

/** Records every operation, and replays it in a process without network, service and handlers. */
export async function recordAll(folder, tools) {
  const calls = tools.flatMap(({ name, inputSchema }) =>
    inputsFor(withBody(inputSchema)).map((input, index) => ({ id: `${name}.${index}`, name, input })),
  );
  const tape = join(folder, "tape.jsonl");
  const dispatcher = await createRecorder(folder, tools, recordTape(tape));
  const results = [];
  for (const call of calls) {
    const [result] = await dispatcher.dispatch([call]);
    results.push(JSON.stringify({ ...result, durationMs: 0 }));
  }
  writeFileSync(join(folder, "calls.json"), JSON.stringify({ tools: tools.map(({ name }) => name), calls, results }));
  const { stdout, status } = spawnSync(process.execPath, [resolve(import.meta.dirname, "replay.js"), folder], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    env: { PATH: process.env.PATH },
  });
  if (status !== 0) throw new Error(`the replay ended with ${status}`);
  return { calls: calls.length, bytes: readFileSync(tape).length, ...JSON.parse(stdout) };
}

export async function createRecorder(folder, tools, tape) {
  const { registry } = await import(pathToFileURL(join(folder, "dist/registry.js")).href);
  const rules = tools.map(({ name }) => ({ tool: name, decision: "allow", flow: "allow", reason: "a test" }));
  return createDispatcher({ tools: registry, permissions: { rules }, tape });
}

async function callAll(folder, tools, failures) {
  if (tools.length === 0) return { called: 0, accepted: 0 };
  const { registry } = await import(pathToFileURL(join(folder, "dist/registry.js")).href);
  const dispatcher = createDispatcher({
    tools: registry,
    permissions: {
      rules: tools.map(({ name }) => ({ tool: name, decision: "allow", flow: "allow", reason: "a test" })),
    },
  });
  let called = 0;
  let accepted = 0;
  for (const { name, inputSchema } of tools) {
    const inputs = inputsFor(withBody(inputSchema));
    if (inputs.length === 0) {
      failures.push({ phase: "input", tool: name, message: "no valid input was found" });
      continue;
    }
    let reached = 0;
    let refused = 0;
    for (const input of inputs) {
      const [{ error }] = await dispatcher.dispatch([{ id: "1", name, input }]);
      const [, status] = /answered ([1-5]\d\d)/u.exec(error?.message ?? "") ?? [];
      // An answer that does not fit its own description came from a service that accepted the request.
      const isAccepted = error === undefined || /ran, but what it returned/u.test(error.message);
      if (isAccepted || status !== undefined) reached += 1;
      if (isAccepted) continue;
      refused += 1;
      failures.push({
        phase: "call",
        tool: name,
        message: error.message.slice(0, 600),
        input: JSON.stringify(input).slice(0, 300),
      });
    }
    if (reached > 0) called += 1;
    if (reached > 0 && refused === 0) accepted += 1;
  }
  return { called, accepted };
}

/** The validator refuses a request without the body that it may leave out. */
function withBody(schema) {
  return schema.properties?.body === undefined ? schema : { ...schema, required: [...(schema.required ?? []), "body"] };
}
