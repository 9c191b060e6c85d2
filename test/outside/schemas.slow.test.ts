// Schemas as libraries of five languages print them: imported, built, compiled as the first page says, and called.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createOutside, TOOLS, type Outside } from "./outside-folder.testing.js";
import { PRINTED } from "./schemas/in-typescript.testing.js";
import { findTypeErrors } from "./type-errors.testing.js";

const read = (name: string): object =>
  JSON.parse(readFileSync(join(import.meta.dirname, `schemas/${name}.json`), "utf8")) as object;

/** By tool: what a library prints; those that npm does not have are fixtures. */
const SCHEMAS: Readonly<Record<string, object>> = {
  ...PRINTED,
  pydantic: read("pydantic"),
  schemars: read("schemars"),
  go: read("go"),
  dotnet: read("dotnet"),
};

const VALID = {
  customer: "Ada",
  when: "2026-01-02T03:04:05Z",
  contact: { kind: "phone", number: "1" },
  labels: { urgent: 1 },
  size: [2, 3],
  tree: { label: "root", children: [{ label: "leaf" }] },
  limit: 5,
  note: null,
};

/** One fault for each part of the schema, with the place that the answer must name. */
const INVALID: readonly (readonly [place: string, input: object])[] = [
  ["/contact", { ...VALID, contact: { kind: "phone", address: "a@example.com" } }],
  ["/labels/urgent", { ...VALID, labels: { urgent: "yes" } }],
  ["/size", { ...VALID, size: [1] }],
  ["/tree/children/0", { ...VALID, tree: { label: "root", children: [{}] } }],
  ["/note", { ...VALID, note: 1 }],
];

const MAIN = `import { createDispatcher } from "@hasp/runtime";
import { registry } from "./generated/registry.js";

const calls: readonly { readonly name: string; readonly input: unknown }[] = JSON.parse(process.argv[2] ?? "[]");
const permissions = { rules: [{ tool: "*", decision: "allow" }] } as const;
const ask = () => "allow" as const;
const dispatcher = createDispatcher({ tools: registry, permissions: { ...permissions, ask } });
const turn = calls.map((call, index) => ({ id: String(index), ...call }));
const results = await dispatcher.dispatch(turn);
console.log(JSON.stringify(results.map(({ output, error }) => ({ output, error }))));
`;

const names = Object.keys(SCHEMAS);
let outside: Outside;

/** Runs a command of hasp that must succeed. */
async function hasp(...words: readonly string[]): Promise<string> {
  const { code, out } = await outside.hasp("booking", words);
  expect(code, out).toBe(0);
  return out;
}

beforeAll(async () => {
  outside = await createOutside();
  const tools = names.map((name) => ({ name, description: `Book with ${name}.`, inputSchema: SCHEMAS[name] }));
  outside.write("booking", {
    "package.json": '{ "type": "module", "private": true }',
    "hasp.config.yaml": "specs: [specs]\ndialects: [anthropic, openai-responses-strict, gemini, mcp]\n",
    "tools.json": JSON.stringify({ tools }),
    "src/main.ts": MAIN,
  });
  expect(await hasp("import", "mcp-list", "tools.json")).toContain(`${names.length} of ${names.length} tools imported`);
  // These two accept properties and items that they do not name.
  await hasp("approve", "effect", "valibot", "--yes", "--reason", "the library leaves its objects and tuples open");
  await hasp("build", "--quiet");
  const stubs = readdirSync(join(outside.root, "booking/src/tools"));
  expect(stubs).toHaveLength(names.length);
  for (const stub of stubs) {
    const text = readFileSync(join(outside.root, "booking/src/tools", stub), "utf8");
    const written = text
      .replace(/^import \{ NotExecuted.*\n/mu, "")
      .replace(/\((?:_input)?\) => \{[^]*\}/u, "(input) => input");
    outside.write("booking", { [`src/tools/${stub}`]: written });
  }
});
afterAll(() => outside.remove());

test("every imported schema makes code that compiles", async () => {
  const errors = await findTypeErrors(outside, "booking", "7.0", ["start", "exact"]);
  expect(Object.fromEntries(errors)).toEqual({ start: "", exact: "" });
});

describe("calls of the imported tools", () => {
  let results: readonly {
    readonly output?: unknown;
    readonly error?: { readonly code: string; readonly message: string };
  }[];
  const inputs = [VALID, ...INVALID.map(([, input]) => input)];

  beforeAll(async () => {
    const calls = names.flatMap((name) => inputs.map((input) => ({ name, input })));
    const loader = `--import=${join(TOOLS, "tsx/dist/loader.mjs")}`;
    const { out } = await outside.run("booking", process.execPath, [loader, "src/main.ts", JSON.stringify(calls)]);
    results = JSON.parse(out) as typeof results;
  });

  test.each(names.map((name, index) => [name, index] as const))(
    "tools with schemas of %s take what fits and refuse the rest",
    (_name, index) => {
      const [valid, ...refused] = results.slice(index * inputs.length, (index + 1) * inputs.length);
      // Some fill in defaults.
      expect(valid).toMatchObject({ output: VALID });
      const places = refused.map(({ error }, fault) => [
        error?.code,
        error?.message.includes(INVALID[fault]?.[0] ?? "?"),
      ]);
      expect(places, JSON.stringify(refused)).toEqual(INVALID.map(() => ["invalid-input", true]));
    },
  );
});
