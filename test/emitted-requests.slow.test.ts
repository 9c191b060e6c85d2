// Sends emitted lists as requests to judges that know the providers' rules, but not hasp's dialects.
import { cpSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { endpoints } from "@hasp/schema/probe";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { haspJson, project, put, tree } from "./cli/command-line.js";
import { findRefusals, providerOf } from "./schema/providers.testing.js";
import { toolInputs } from "./schema/tool-inputs.testing.js";
import { isSample } from "./sample.js";

interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: unknown;
}

const asked = Object.entries(endpoints).flatMap(([id, endpoint]) =>
  endpoint === undefined ? [] : [[id, endpoint] as const],
);

const settings = asked.map(([id]) => {
  const cached = id.startsWith("anthropic") ? ", cacheControl: { type: ephemeral }" : "";
  const strict = ["anthropic", "openai-chat", "openai-responses", "bedrock-converse"].includes(id)
    ? ", strict: auto"
    : "";
  return `  ${id}: { onUncarried: exclude${cached}${strict} }\n`;
});
// A list holds as many of the tools as fit into a request.
const config = `specs: [specs]\nemit: { jsonLists: true }\ntoolsets: { all: { partial: true } }\ndialects:\n${settings.join("")}`;

/** Judges each list of a built project as the body of a request. Returns the refusals, and the number of entries. */
function judgeLists(folder: string): { readonly refusals: readonly string[]; readonly entries: number } {
  const files = tree(folder);
  let entries = 0;
  const refusals = asked.flatMap(([id, { body }]) =>
    Object.keys(files)
      .filter((path) => path.includes("/providers/") && basename(path) === `${id}.json`)
      .flatMap((path) => {
        const list = JSON.parse(files[path] ?? "") as readonly unknown[];
        entries += list.length;
        // Deferred tools need a search tool beside them, which the host adds.
        const beside = list.some((tool) => Object(tool).defer_loading === true)
          ? endpoints[id as "anthropic"]?.fields?.["defer_loading"]?.beside
          : undefined;
        const sent = JSON.stringify(beside === undefined ? list : [...list, beside]);
        const request = JSON.parse(JSON.stringify(body).replace('"$tools"', () => sent));
        return findRefusals(providerOf(id), request).map((refusal) => `${path}: ${refusal}`);
      }),
  );
  return { refusals, entries };
}

/** Imports tools, leaves out those that the compiler refuses, and builds the rest for every provider. */
async function buildTools(tools: readonly Tool[]): Promise<string> {
  const folder = project({ "hasp.config.yaml": config, "tools.json": JSON.stringify({ tools }) });
  await haspJson(folder, ["import", "mcp-list", "tools.json"]);
  const { diagnostics } = await haspJson(folder, ["check", "--unlocked"]);
  const bad = new Set(diagnostics.flatMap(({ severity, uri }) => (severity === "error" ? [uri] : [])));
  const specs = Object.keys(tree(folder)).filter((path) => path.startsWith("specs/") && !bad.has(path));
  if (specs.length === 0) return folder;
  put(folder, { "hasp.config.yaml": config.replace("[specs]", JSON.stringify(specs)) });
  const build = await haspJson(folder, ["build", "--unlocked"]);
  expect(build.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  return folder;
}

test("no list of the worked example is refused, for any provider", async () => {
  const folder = project();
  cpSync(resolve(import.meta.dirname, "../tools-spec"), folder, {
    recursive: true,
    filter: (path) => !/node_modules|src\/generated/u.test(path),
  });
  const own = readFileSync(join(folder, "hasp.config.yaml"), "utf8");
  const changed = own
    .replace(/^dialects:\n(?: {2}- .*\n)+/mu, `dialects:\n${settings.join("")}`)
    .replace("all: {", "all: { partial: true,");
  put(folder, { "hasp.config.yaml": changed });
  const build = await haspJson(folder, ["build"]);
  expect(build.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  const { refusals, entries } = judgeLists(folder);
  expect(refusals).toEqual([]);
  expect(entries).toBeGreaterThan(16 * 20);
});

const names = fc.stringMatching(/^[a-zA-Z][\w-]{0,70}$/u);
const randomTools = fc.uniqueArray(
  fc.record({
    name: names,
    description: fc.string({ maxLength: 2000 }),
    schema: toolInputs.map(({ schema }) => schema),
  }),
  { selector: ({ name }) => name, minLength: 8, maxLength: 8 },
);

test.each(
  fc.sample(randomTools, { seed: 48, numRuns: isSample ? 1 : 4 }).map((tools, index) => [index + 1, tools] as const),
)("no list of random tools is refused, for any provider: draw %i", async (_, tools) => {
  const folder = await buildTools(tools.map(({ schema, ...tool }) => ({ ...tool, inputSchema: schema })));
  const { refusals, entries } = judgeLists(folder);
  expect(refusals).toEqual([]);
  expect(entries).toBeGreaterThan(16);
});

const corpus = resolve(import.meta.dirname, "../../shared/corpus/tools");
const TOOLS_OF_LIST = 20;

function readLists(): readonly (readonly [name: string, tools: readonly Tool[]])[] {
  return readdirSync(corpus).flatMap((file) => {
    const { tools } = JSON.parse(readFileSync(join(corpus, file), "utf8")) as { readonly tools: readonly Tool[] };
    const starts = tools.flatMap((_, index) => (index % TOOLS_OF_LIST === 0 ? [index] : []));
    return starts.map((start) => [`${file} from ${start}`, tools.slice(start, start + TOOLS_OF_LIST)] as const);
  });
}

describe.skipIf(!existsSync(corpus))("the corpus (skipped where ../shared/corpus is not there)", () => {
  test.each(existsSync(corpus) ? readLists() : [])("no list of %s is refused, for any provider", async (_, tools) => {
    expect(judgeLists(await buildTools(tools)).refusals).toEqual([]);
  });
});
