import { mkdirSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { hasp, haspJson, project, put, startHasp, tree } from "./command-line.js";

const zod = resolve(import.meta.dirname, "../node_modules/zod");

/** A project in which `zod` is installed, with these files. */
function zodProject(files: Readonly<Record<string, string>>): string {
  const folder = project(files);
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(zod, join(folder, "node_modules/zod"));
  return folder;
}

const orders = (customer = "z.string().min(1)"): string => `import { z } from "zod";
export const findOrdersInput = z.object({ customer: ${customer}.describe("Id of the customer."), limit: z.int().min(1).max(100).default(20).describe("Most orders.") })
  .describe("Find orders of one customer. Use it to see what somebody bought. Do not use it to change an order.");
export const findOrdersOutput = z.object({ orders: z.array(z.object({ id: z.string() })) });
`;

const specsIn = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(tree(join(folder, "specs"))).map(([path, text]) => [path.replace(".tool.yaml", ""), text]),
  );

describe("hasp import zod", () => {
  test("a module keeps the input: its exports become specs that build, and a change in it is drift", async () => {
    const folder = zodProject({
      "src/orders.ts": orders(),
      "hasp.config.yaml": "specs: [specs]\ndialects: [anthropic, openai-responses]\n",
    });
    expect(await haspJson(folder, ["import", "zod", "src/orders.ts"])).toMatchObject({
      code: 0,
      diagnostics: [],
      summary: { tools: 1, imported: 1 },
    });
    expect(specsIn(folder)["findOrders"]).toContain(
      "  module: src/orders.ts\n  export: findOrdersInput\n  digest: sha256-",
    );
    expect(await haspJson(folder, ["build"])).toMatchObject({ code: 0, summary: { tools: 1, relaxations: 0 } });
    put(folder, { "src/orders.ts": orders("z.uuid()") });
    expect(await haspJson(folder, ["import", "zod", "src/orders.ts", "--check"])).toMatchObject({
      code: 1,
      diagnostics: [{ code: "import/drift", tool: "findOrders" }],
    });
    expect((await haspJson(folder, ["import", "zod", "src/orders.ts", "--update"])).code).toBe(0);
    expect(specsIn(folder)["findOrders"]).toContain("format: uuid");
  });

  test("tools as agent frameworks have them are found with their descriptions, alone, in objects and in lists", async () => {
    const folder = zodProject({
      "tools.mjs": `import { z } from "zod";
const inputSchema = z.strictObject({ id: z.string() });
export const one = { description: "One.", inputSchema };
export const tools = { two: { description: "Two.", inputSchema, outputSchema: z.string() } };
export const list = [{ name: "three", title: "Three", description: "Three.", parameters: inputSchema }];
export const other = 1;
`,
    });
    await haspJson(folder, ["import", "zod", "tools.mjs"]);
    const specs = specsIn(folder);
    expect(Object.keys(specs)).toEqual(["one", "three", "two"]);
    expect(specs["two"]).toContain(
      "description: Two.\ninput:\n  type: object\n  required: [id]\n  properties:\n    id:\n      type: string\n  additionalProperties: false\noutput:\n  type: string\n",
    );
    expect(specs["three"]).toContain("title: Three\n");
    expect(specs["two"]).toContain("export: tools.two\n");
  });

  test("one object under several names is one tool, named after its key in an object", async () => {
    const folder = zodProject({
      "src/tools.mjs": `import { z } from "zod";
const tool = (parts) => ({ execute: async () => "", ...parts });
export const findInput = z.strictObject({ id: z.string().trim() });
export const find = tool({ description: "Finds.", inputSchema: findInput });
export const dropTool = tool({ description: "Drops.", inputSchema: z.strictObject({}) });
export const tools = { find, drop: dropTool, other: tool({ description: "Other.", inputSchema: findInput }) };
export const list = [dropTool];
export { find as search };
export { tools as default };
`,
    });
    const run = await haspJson(folder, ["import", "zod", "src/tools.mjs"]);
    expect(run).toMatchObject({ code: 0, summary: { tools: 3, imported: 3, refused: [] } });
    expect(Object.keys(specsIn(folder))).toEqual(["drop", "find", "other"]);
    expect(run.diagnostics.filter(({ code }) => code === "import/one-tool").map(({ message }) => message)).toEqual([
      'tool "drop", /tools/0: "drop", imported from the export tools.drop, is the same object as dropTool, list.0: it is one tool.',
      'tool "find", /tools/1: "find", imported from the export tools.find, is the same object as find, findInput, search: it is one tool.',
    ]);
    expect(specsIn(folder)["drop"]).toContain("export: tools.drop\n");
    expect((await hasp(folder, ["import", "zod", "src/tools.mjs"])).out).not.toContain("Not imported");
  });

  test("tools of one name are one error, and what stays as it was is not called missing", async () => {
    const module = (description: string): string => `import { z } from "zod";
export const find = { description: "${description}", inputSchema: z.object({}) };
export const tools = { find: { description: "Another.", inputSchema: z.object({}) } };
`;
    const folder = zodProject({ "tools.mjs": module("Finds.") });
    const twice = await hasp(folder, ["import", "zod", "tools.mjs"]);
    expect(twice).toMatchObject({ code: 1, out: expect.stringContaining("import/name-twice") as string });
    expect(twice.out).not.toContain("Not imported");
    put(folder, { "tools.mjs": module("Finds one.") });
    const changed = await hasp(folder, ["import", "zod", "tools.mjs"]);
    expect(changed.out).toContain("\nNot updated: find\n");
    expect(changed.out).not.toContain("Not imported");
  });

  test("Standard JSON Schema is enough, whatever the library", async () => {
    const folder = project({
      "schemas.mjs": `const jsonSchema = { type: "object", properties: { id: { type: "string" } } };
export const mine = { "~standard": { version: 1, vendor: "mine", validate: (value) => ({ value }), jsonSchema: { input: () => jsonSchema, output: () => jsonSchema } } };
export const callable = { description: "x", inputSchema: Object.assign(() => 1, mine) };
export const older = { "~standard": { version: 1, vendor: "older", validate: (value) => ({ value }) } };
`,
    });
    const run = await haspJson(folder, ["import", "zod", "schemas.mjs"]);
    expect(run).toMatchObject({ code: 1, summary: { imported: 2, refused: ["older"] } });
    expect(run.diagnostics).toContainEqual(
      expect.objectContaining({
        code: "import/unexportable",
        tool: "older",
        message: expect.stringContaining("cannot write JSON Schema"),
      }),
    );
  });

  test("an export that throws when it is looked at is named, and the rest goes on", async () => {
    const folder = zodProject({
      "schemas.mjs": `import { z } from "zod";
const refuse = () => { throw new Error("only on the server"); };
export const env = new Proxy({}, { get: refuse });
export const shy = new Proxy({}, { has: refuse, get: refuse });
export const lazy = { get inputSchema() { return refuse(); } };
export const loop = {};
loop.loop = loop;
export const ok = z.object({ id: z.string() }).describe("x");
`,
    });
    const run = await haspJson(folder, ["import", "zod", "schemas.mjs"]);
    expect(run).toMatchObject({ code: 1, summary: { imported: 1, refused: ["env", "lazy", "shy"] } });
    expect(run.diagnostics).toContainEqual(
      expect.objectContaining({
        code: "import/unexportable",
        tool: "env",
        message: expect.stringContaining("only on the server"),
      }),
    );
    expect((await haspJson(folder, ["import", "zod", "schemas.mjs", "--only", "ok", "--check"])).code).toBe(0);
  });

  test("leaves out optional properties that no schema can say, with the objects around them", async () => {
    const folder = zodProject({
      "schemas.mjs": `import { z } from "zod";
const date = z.date().refine((day) => day > 0);
export const find = z.object({ id: z.string(), since: date.optional(), until: date.default(new Date(0)), any: z.any().optional(),
  spans: z.array(z.object({ from: date })).optional(), page: z.object({ at: z.union([z.string(), z.bigint()]).optional() }) }).describe("x");
export const nested = z.object({ page: z.object({ days: z.array(z.date()) }) }).describe("x");
`,
    });
    const run = await haspJson(folder, ["import", "zod", "schemas.mjs", "--only", "find"]);
    expect(run).toMatchObject({
      code: 0,
      summary: { imported: 1 },
      diagnostics: [
        {
          code: "import/property-left-out",
          tool: "find",
          message: expect.stringContaining(
            "(/properties/since, /properties/until, /properties/spans, /properties/page/properties/at)",
          ),
        },
      ],
    });
    expect(specsIn(folder)["find"]).toContain(
      "  required: [id, page]\n  properties:\n    id:\n      type: string\n    any: {}\n    page:\n      type: object\n      properties: {}\n",
    );
    const refused = await haspJson(folder, ["import", "zod", "schemas.mjs", "--only", "nested"]);
    expect(refused).toMatchObject({ code: 1, diagnostics: [{ code: "import/unexportable" }] });
  });

  test("an import names what no schema can say: required dates refuse a tool, functions are told", async () => {
    const folder = zodProject({
      "schemas.mjs": `import { z } from "zod";
export const dated = z.object({ when: z.date() }).describe("x");
export const refined = z.object({ a: z.string().refine((text) => text !== "b"), c: z.string() }).refine(() => true).describe("x");
export const returns = { description: "x", inputSchema: z.object({}), outputSchema: z.object({ at: z.date() }) };
`,
    });
    const run = await haspJson(folder, ["import", "zod", "schemas.mjs"]);
    expect(run.summary).toMatchObject({ imported: 2, refused: ["dated"] });
    expect(run.diagnostics.map(({ code, tool, severity }) => `${severity} ${code} ${tool}`).toSorted()).toEqual([
      "error import/unexportable dated",
      "warning import/refinements refined",
      "warning import/unexportable-output returns",
    ]);
    expect(specsIn(folder)["refined"]).toContain('x-imported-refinements: ["", /properties/a]');
    expect(specsIn(folder)["returns"]).not.toContain("output:");
  });

  test("names every change that the module makes to a value, and every function that the spec lacks", async () => {
    const folder = zodProject({
      "tools.mjs": `import { z } from "zod";
export const tools = { find: { description: "Finds it.", needsApproval: async () => true, toModelOutput: () => ({}),
  outputSchema: z.object({ id: z.string() }),
  inputSchema: z.object({ name: z.string().trim().toLowerCase(), size: z.string().transform(Number), count: z.coerce.number(),
    sort: z.enum(["a", "b"]).catch("a"), isNew: z.stringbool(), plain: z.string().default("x"), list: z.array(z.string().trim()).optional() }) } };
`,
    });
    const run = await haspJson(folder, ["import", "zod", "tools.mjs"]);
    expect(run.diagnostics.map(({ code, message }) => [code, message.replace(/^[^(]*/u, "")])).toEqual([
      ["import/functions-left-out", ""],
      ["import/transforms", expect.any(String)],
    ]);
    expect(run.diagnostics[0]?.message).toContain("needsApproval, toModelOutput");
    for (const change of [
      "name: trim",
      "size: transform",
      "count: coerce",
      "sort: catch",
      "isNew: transform",
      "items: trim",
    ]) {
      expect(run.diagnostics[1]?.message).toContain(change);
    }
    expect(run.diagnostics[1]?.message).not.toContain("plain");
    const spec = specsIn(folder)["find"] ?? "";
    expect(spec).toContain("outputCheck: report");
    expect(spec).not.toContain("default: a");
  });

  test("drops patterns that a format implies, and keeps what they say beyond it", async () => {
    const folder = zodProject({
      "schemas.mjs": `import { z } from "zod";
export const formats = z.object({ day: z.iso.date(), at: z.iso.datetime(), zoned: z.iso.datetime({ offset: true }), exact: z.iso.datetime({ precision: 3 }),
  mail: z.email(), id: z.uuid(), seven: z.uuidv7(), own: z.string().regex(/^a+$/) }).describe("x");
`,
    });
    expect(await haspJson(folder, ["import", "zod", "schemas.mjs"])).toMatchObject({ code: 0, diagnostics: [] });
    const properties = (specsIn(folder)["formats"] ?? "").split(/\n {4}(?=\w+:\n)/u).slice(1);
    const patterns = Object.fromEntries(
      properties.map((text) => [text.split(":")[0], /pattern: (.*)/u.exec(text)?.[1]?.slice(0, 8)]),
    );
    expect(patterns).toEqual({
      day: undefined,
      at: "Z$",
      zoned: undefined,
      exact: expect.any(String),
      mail: undefined,
      id: undefined,
      seven: expect.any(String),
      own: "^a+$",
    });
  });

  test("tools of the AI SDK run as they did there: what they yield last, by their own check, in the call's context", async () => {
    const folder = zodProject({
      "package.json": '{ "type": "module" }',
      "hasp.config.yaml": "specs: [specs]\ndialects: [mcp]\ncontext: ./src/context.ts#Context\n",
      "src/context.ts": `export interface Context { readonly user: string }
export const createContext = (): Context => ({ user: "ann" });
`,
      "src/tools.ts": `import { jsonSchema, tool } from "ai";
const schema = { type: "object", required: ["city"], properties: { city: { type: "string" } } } as const;
const validate = (value: { city: string }) =>
  value.city === "Atlantis" ? ({ success: false, error: new Error("it has sunk") } as const) : ({ success: true, value } as const);
export const weather = tool({
  description: "Gets the weather.",
  inputSchema: jsonSchema<{ city: string }>(schema, { validate: (value) => validate(value as { city: string }) }),
  async *execute({ city }, { experimental_context: context }) {
    yield "loading";
    yield \`\${city} for \${(context as { user: string }).user}\`;
  },
});
export const bare = { description: "Takes JSON Schema.", schema, outputSchema: jsonSchema({ type: "object", properties: { degrees: { type: "integer" } } }) };
export const odd = { description: "Takes what nobody knows.", parameters: new Map() };
`,
    });
    for (const name of ["ai", "@hasp"]) symlinkSync(resolve(zod, "..", name), join(folder, "node_modules", name));
    const run = await haspJson(folder, ["import", "zod", "src/tools.ts", "--handlers"]);
    expect(run).toMatchObject({ code: 1, summary: { imported: 2, refused: ["odd"] } });
    expect(run.diagnostics).toMatchObject([{ code: "import/unexportable", tool: "odd" }]);
    expect(specsIn(folder)["bare"]).toMatch(/required: \[city\][^]*output:[^]*degrees:/u);
    expect(await haspJson(folder, ["build"])).toMatchObject({ code: 0 });
    const call = (city: string): string =>
      startHasp(folder, ["call", "weather", JSON.stringify({ city }), "--allow"]).out;
    expect(call("Oslo")).toContain("Oslo for ann");
    expect(call("Atlantis")).toContain("nothing was run. Correct it and call again:\n- it has sunk");
  });

  test("with --handlers, calls run the module's own functions with the input that its schema parses", async () => {
    const folder = zodProject({
      "package.json": '{ "type": "module" }',
      "hasp.config.yaml": "specs: [specs]\ndialects: [mcp]\n",
      "src/tools.ts": `import { z } from "zod";
export const tools = { greet: { description: "Greets somebody. Use it to say hello.", inputSchema: z.object({ name: z.string().trim().refine((name) => name !== "").describe("Who.") }),
  execute: async ({ name }: { name: string }, { toolCallId }: { toolCallId: string }) => \`hello \${name} (\${toolCallId})\` },
  "greet.all": { description: "Greets everybody. Use it to say hello.", inputSchema: z.object({}), execute: () => "hello all" } };
export const alone = { description: "Has none.", inputSchema: z.object({}) };
`,
    });
    symlinkSync(resolve(zod, "../@hasp"), join(folder, "node_modules/@hasp"));
    const run = await hasp(folder, ["import", "zod", "src/tools.ts", "--handlers"]);
    expect(run).toMatchObject({
      code: 0,
      out: expect.stringContaining("Handlers that call the module: src/tools/greet.ts, src/tools/greet-all.ts"),
    });
    expect(run.out).not.toMatch(/import\/(?:transforms|refinements)/u);
    expect(await haspJson(folder, ["build"])).toMatchObject({ code: 0 });
    const { out } = startHasp(folder, ["call", "greet", '{"name":" Bob "}', "--allow"]);
    expect(out).toContain("hello Bob (call)");
    expect(startHasp(folder, ["call", "greet_all", "{}", "--allow"]).out).toContain("hello all");
    const refused = startHasp(folder, ["call", "greet", '{"name":"  "}', "--allow", "--format", "json"]);
    expect(JSON.parse(refused.out)).toMatchObject({
      call: {
        result: {
          error: { phase: "execute", code: "invalid-input", effect: "none" },
          content: [
            { text: expect.stringMatching(/^The input is refused; nothing was run\. .*\n- \/name: /u) as string },
          ],
        },
      },
    });
    put(folder, { "src/tools/greet.ts": "// mine\n" });
    await hasp(folder, ["import", "zod", "src/tools.ts", "--handlers"]);
    expect(tree(folder)["src/tools/greet.ts"]).toBe("// mine\n");
  });

  test.each([
    ["throws", 'throw new Error("no database");', "cannot be imported (no database)"],
    ["never ends", "for (;;);", "was not imported within 1 second."],
    ["waits", "await new Promise((done) => setTimeout(done, 60_000));", "was not imported within 1 second."],
    ["ends the process", 'console.error("bye"); process.exit(0);', "ended its process (0) and said last: bye"],
    ["is broken", "export const = 1;", "cannot be imported"],
    ["imports what is not there", 'import "nothing-like-this";', "cannot be imported"],
  ])("a module that %s is refused in clear words", async (_title, text, reason) => {
    const folder = project({ "schemas.mjs": text });
    const before = tree(folder);
    const run = await haspJson(folder, [
      "import",
      "zod",
      "schemas.mjs",
      "--timeout",
      reason.includes("within") ? "1" : "30",
    ]);
    expect(run).toMatchObject({
      code: 2,
      diagnostics: [{ code: "cli/cannot-read", message: expect.stringContaining(reason) }],
    });
    expect(tree(folder)).toEqual(before);
  });

  test.each([
    ["export const a = 1;", "import/no-tools"],
    ["", "import/no-tools"],
  ])("a module without schemas is told so: %j", async (text, code) => {
    expect(await haspJson(project({ "schemas.mjs": text }), ["import", "zod", "schemas.mjs"])).toMatchObject({
      code: 2,
      diagnostics: [{ code }],
    });
  });

  test("a module does not see the environment, prints nothing, and does not keep us waiting", async () => {
    const folder = zodProject({
      "schemas.mjs": `import { z } from "zod";
console.log("noise");
setInterval(() => {}, 1000);
export const seen = z.object({}).describe(Object.keys(process.env).filter((name) => name.startsWith("HASP_TEST")).join(" ") + ".");
`,
    });
    process.env["HASP_TEST_SECRET"] = "s3cret";
    try {
      const run = await hasp(folder, ["import", "zod", "schemas.mjs", "--env", "HASP_TEST_NAMED"], {
        HASP_TEST_NAMED: "1",
      });
      expect(run).toMatchObject({ code: 0, out: expect.not.stringContaining("noise") });
    } finally {
      delete process.env["HASP_TEST_SECRET"];
    }
    expect(specsIn(folder)["seen"]).toContain("description: HASP_TEST_NAMED.");
  });
});
