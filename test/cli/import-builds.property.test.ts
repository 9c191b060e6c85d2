// A build accepts everything that an import of a document writes: the import leaves out what it would refuse, and names it.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hasp, haspJson, minimalSpec, project, put, tree } from "./command-line.js";

/** Draws from `usual` most of the time: a document in which all is hostile is refused as a whole. */
function mostly<Value>(usual: fc.Arbitrary<Value>, hostile: fc.Arbitrary<Value>, weight = 8): fc.Arbitrary<Value> {
  return fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: hostile });
}

const HIDDEN = "Reads\u202e it.\u001b[31m";
const word = mostly(
  fc.constantFrom("id", "limit", "page", "filter[x]", "$top", "constructor"),
  fc.constantFrom("a b", "__proto__", "naïve", "x\u200by", ""),
);
const text = mostly(
  fc.constantFrom("Reads it.", "</script>*/`${1}", "x".repeat(3000)),
  fc.constantFrom(HIDDEN, "zero\u200bwidth", ""),
);

const odd = fc.constantFrom<object>(
  { type: "string" },
  { type: "string", pattern: "^(a+)+$" },
  { type: "string", pattern: "(?<" },
  { type: "string", format: "int32", maxLength: -1 },
  { type: "string", enum: ["a", "a", null] },
  { type: "string", default: 1, example: { a: 1 } },
  { type: "integer", minimum: 5, maximum: 1, multipleOf: 0 },
  { type: "integer", format: "int64", maximum: 2 ** 63 },
  { type: "number", exclusiveMinimum: true, minimum: 1 },
  { type: "file" },
  { enum: [] },
  { not: {} },
  { type: "object", required: ["gone"], additionalProperties: false },
  { $ref: "#/components/schemas/Node" },
  { $ref: "#/components/schemas/Missing" },
  { nullable: true, allOf: [{ $ref: "#/components/schemas/Node" }] },
  { type: "array" },
  {},
);
const leaf = mostly(
  fc.constantFrom<object>(
    { type: "string", maxLength: 20 },
    { type: "integer", minimum: 0 },
    { type: "boolean", default: false },
    { type: "string", enum: ["a", "b"] },
    { type: "array", items: { type: "string" } },
    { $ref: "#/components/schemas/Node" },
  ),
  odd,
  6,
);
const { schema } = fc.letrec<{ schema: object }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 2 },
    leaf,
    fc.dictionary(word, tie("schema"), { maxKeys: 2 }).map((properties) => ({ type: "object", properties })),
    tie("schema").map((items) => ({ type: "array", items, minItems: 3, maxItems: 1 })),
    fc.array(tie("schema"), { minLength: 1, maxLength: 2 }).map((oneOf) => ({ oneOf })),
    fc.array(tie("schema"), { minLength: 1, maxLength: 2 }).map((allOf) => ({ allOf, type: "object" })),
  ),
}));

const HEADERS = [
  "Content-Length",
  "Host",
  "Cookie",
  "Connection",
  "Expect",
  "Transfer-Encoding",
  "Proxy-Authorization",
];
const parameter = fc.record(
  {
    name: mostly(fc.oneof(fc.constantFrom(...HEADERS, "X-Ok", "sort"), word), fc.constantFrom("a=b", "bad name"), 12),
    in: mostly(fc.constantFrom("query", "header", "cookie"), fc.constant("path")),
    required: fc.boolean(),
    style: mostly(fc.constant(undefined), fc.constantFrom("form", "simple", "deepObject", "cookie", "odd")),
    explode: fc.boolean(),
    description: text,
    schema,
  },
  { requiredKeys: ["name", "in", "schema"] },
);
const media = mostly(
  fc.constantFrom("application/json", "multipart/form-data", "application/x-www-form-urlencoded", "text/plain"),
  fc.constant("a/b c"),
);
const operation = fc.record(
  {
    operationId: fc.constantFrom("get_a", "GET_A", "../../x", "a b", "constructor", "délete", "x".repeat(200), ""),
    summary: text,
    description: text,
    tags: fc.array(fc.constantFrom("orders", "\u001b[31mred", "a\u202eb", "orders", ""), { maxLength: 3 }),
    deprecated: fc.boolean(),
    "x-note": text,
    "x-odd\u202e": fc.constant(1),
    parameters: fc.array(parameter, { maxLength: 3 }),
    requestBody: fc.record({
      required: fc.boolean(),
      content: fc.tuple(media, schema).map(([type, own]) => ({ [type]: { schema: own } })),
    }),
    responses: schema.map((own) => ({
      "200": { description: "Done.", content: { "application/json": { schema: own } } },
    })),
    security: fc.constantFrom([{ key: [] }], [{ oauth: ["read"] }], [{ digest: [] }], []),
    servers: fc.constantFrom(
      [{ url: "http://169.254.169.254" }],
      [{ url: "/v2" }],
      [{ url: "https://{x}.example.com" }],
    ),
  },
  { requiredKeys: [] },
);
const path = mostly(
  fc.constantFrom("/a", "/a/{id}", "/a b", "/a?q=1#f", "/{id}.{limit}", "/{a b}"),
  fc.constantFrom("/../admin", "/a/{id", "/%2e%2e/x", "/a\\b"),
  6,
);

/** Describes the placeholders of a path, as most documents do. */
function placeholders(written: string): readonly object[] {
  return [...written.matchAll(/\{([^{}]+)\}/gu)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
}

const document = fc.record(
  {
    openapi: fc.constantFrom("3.0.3", "3.1.0"),
    info: fc.constant({ title: "A", version: "1" }),
    servers: fc.constantFrom(
      [{ url: "https://api.example.com/v1" }],
      [{ url: "http://localhost:3000" }],
      [{ url: "ftp://x" }, { url: "https://user:word@example.com" }],
      [{ url: "" }],
    ),
    paths: fc
      .dictionary(
        path,
        fc.dictionary(fc.constantFrom("get", "post", "put", "delete", "trace"), operation, { minKeys: 1, maxKeys: 2 }),
        { minKeys: 1, maxKeys: 3 },
      )
      .map((paths) =>
        Object.fromEntries(
          Object.entries(paths).map(([written, item]) => [written, { ...item, parameters: placeholders(written) }]),
        ),
      ),
    components: fc.record({
      securitySchemes: fc.constant({
        key: { type: "apiKey", in: "header", name: "Host" },
        oauth: { type: "oauth2", flows: { clientCredentials: { tokenUrl: "http://10.0.0.1/token", scopes: {} } } },
        digest: { type: "http", scheme: "digest" },
      }),
      schemas: schema.map((value) => ({
        Node: { type: "object", properties: { next: { $ref: "#/components/schemas/Node" }, value } },
      })),
    }),
  },
  { requiredKeys: ["openapi", "info", "paths", "components"] },
);

const config = "specs: [specs]\ndialects: [anthropic, openai-responses, gemini, mcp]\n";

async function importAndBuild(api: object, more: Readonly<Record<string, string>> = {}): Promise<string> {
  const folder = project({ "api.json": JSON.stringify(api), "hasp.config.yaml": config, ...more });
  const imported = await haspJson(folder, ["import", "openapi", "api.json"]);
  if (Number(imported.summary["imported"] ?? 0) === 0) return folder;
  const approved = await hasp(folder, ["approve", "--imported", "--yes"]);
  expect(approved.code, approved.out + approved.error).toBe(0);
  const built = await haspJson(folder, ["build"]);
  const errors = built.diagnostics.filter(({ severity }) => severity === "error");
  expect([built.code, errors.map(({ code, message, uri }) => `${uri} ${code} ${message}`)]).toEqual([0, []]);
  return folder;
}

/** Few in the ordinary run; `HASP_FUZZ_RUNS=200` looks longer. */
const numRuns = Number(process.env["HASP_FUZZ_RUNS"] ?? 6);

describe("an imported document", () => {
  test("builds after the approval of what it leaves open, whatever it says", { timeout: 600_000 }, async () => {
    const builds = fc.asyncProperty(document, async (api) => void (await importAndBuild(api)));
    await fc.assert(builds, { numRuns });
  });

  test("loses headers that HTTP or the connection sets, by name, and keeps its tool", async () => {
    const header = (name: string): object => ({ name, in: "header", required: true, schema: { type: "string" } });
    const api = {
      openapi: "3.1.0",
      info: { title: "A", version: "1" },
      servers: [{ url: "https://api.example.com" }],
      paths: {
        "/a": {
          get: {
            operationId: "get_a",
            description: "Reads it.",
            parameters: [...HEADERS, "X-Ok"].map(header),
            responses: {},
          },
        },
      },
    };
    const folder = await importAndBuild(api);
    expect(tree(folder)["specs/get_a.tool.yaml"]).toContain("headers:\n      X-Ok: input.X-Ok\n");
    const { diagnostics } = await haspJson(folder, ["import", "openapi", "api.json", "--check"]);
    const left = diagnostics.filter(({ code }) => code === "import/parameter-left-out").map(({ message }) => message);
    expect(left).toHaveLength(HEADERS.length);
    for (const name of HEADERS) expect(left.join("\n")).toContain(`leaves out the header "${name}"`);
  });

  test("loses a cookie that nobody can send, and its tool if that requires the cookie", async () => {
    const cookie = (required: boolean): object => ({ name: "a=b", in: "cookie", required, schema: { type: "string" } });
    const operation = (operationId: string, required: boolean): object => ({
      get: { operationId, description: "Reads it.", parameters: [cookie(required)], responses: {} },
    });
    const api = {
      openapi: "3.1.0",
      info: { title: "A", version: "1" },
      paths: { "/a": operation("get_a", false), "/b": operation("get_b", true), "/../c": operation("get_c", false) },
    };
    const folder = await importAndBuild(api);
    expect(Object.keys(tree(folder)).filter((path) => path.startsWith("specs/"))).toEqual(["specs/get_a.tool.yaml"]);
    const run = await haspJson(project({ "api.json": JSON.stringify(api) }), ["import", "openapi", "api.json"]);
    const codes = run.diagnostics.map(({ code, tool }) => `${code} ${tool}`);
    expect(codes).toEqual(
      expect.arrayContaining([
        "import/parameter-left-out get_a",
        "import/broken-parameter get_b",
        "import/unsent-path get_c",
      ]),
    );
  });

  test("loses a tag, a title or an extension that a build refuses, and a tool whose description it refuses", async () => {
    const api = {
      openapi: "3.1.0",
      info: { title: "A", version: "1" },
      servers: [{ url: "https://api.example.com" }],
      paths: {
        "/a": {
          get: {
            operationId: "get_a",
            summary: HIDDEN,
            description: "Reads it.",
            tags: ["\u001b[31mred", "a\u202eb", "orders"],
            "x-odd\u202e": 1,
            responses: {},
          },
          put: { operationId: "put_a", description: HIDDEN, responses: {} },
        },
      },
    };
    const folder = await importAndBuild(api);
    const spec = tree(folder)["specs/get_a.tool.yaml"] ?? "";
    expect(spec).toContain("tags: [orders]\n");
    expect(spec).not.toMatch(/title:|x-odd/u);
    const again = await haspJson(folder, ["import", "openapi", "api.json", "--check"]);
    const left = again.diagnostics.filter(({ code }) => code === "import/part-left-out");
    expect(left.map(({ message }) => /leaves out "[^"]+"/u.exec(message)?.[0]).toSorted()).toEqual([
      'leaves out "tags/0"',
      'leaves out "tags/1"',
      'leaves out "title"',
      'leaves out "x-odd\\u202e"',
    ]);
    const run = await haspJson(project({ "api.json": JSON.stringify(api) }), ["import", "openapi", "api.json"]);
    expect(run.summary["refused"]).toEqual(["put_a"]);
    expect(run.diagnostics).toContainEqual(
      expect.objectContaining({
        code: "import/not-buildable",
        tool: "put_a",
        message: expect.stringContaining("because no build accepts it") as string,
      }),
    );
  });

  test("keeps a spec whose author has changed what no build accepts", async () => {
    const api = (description: string): object => ({
      openapi: "3.1.0",
      info: { title: "A", version: "1" },
      servers: [{ url: "https://api.example.com" }],
      paths: { "/a": { get: { operationId: "get_a", description, responses: {} } } },
    });
    const folder = await importAndBuild(api("Reads it."));
    const path = "specs/get_a.tool.yaml";
    put(folder, {
      "api.json": JSON.stringify(api(HIDDEN)),
      [path]: (tree(folder)[path] ?? "").replace("Reads it.", "Reads one record."),
    });
    const run = await haspJson(folder, ["import", "openapi", "api.json", "--prefer", "ours"]);
    expect(run).toMatchObject({ code: 0, summary: { refused: [] } });
    expect(tree(folder)[path]).toContain("description: Reads one record.");
  });

  test("gives way to a tool of the project with the same name", async () => {
    const api = {
      openapi: "3.1.0",
      info: { title: "A", version: "1" },
      servers: [{ url: "https://api.example.com" }],
      paths: {
        "/a": { get: { operationId: "get_a", description: "Reads it.", responses: {} } },
        "/b": { get: { operationId: "get_b", description: "Reads it.", responses: {} } },
      },
    };
    const folder = await importAndBuild(api, { "specs/mine.tool.yaml": minimalSpec("get_a") });
    expect(Object.keys(tree(folder)).filter((path) => path.startsWith("specs/"))).toEqual([
      "specs/get_b.tool.yaml",
      "specs/mine.tool.yaml",
    ]);
  });
});
