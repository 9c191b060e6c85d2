import { describe, expect, test } from "vitest";
import { haspJson, project, tree } from "./command-line.js";

const specsOf = (folder: string): readonly string[] =>
  Object.keys(tree(folder)).filter((path) => path.startsWith("specs/"));
const schema = (property: string): string => `{ "type": "object", "properties": { ${property} } }`;
const tool = (name: string, property = '"id": { "type": "string" }'): string =>
  `{ "name": "${name}", "description": "Does ${name}.", "input_schema": ${schema(property)} }`;

describe("what cannot be read in a list of tools", () => {
  test.each([
    ["load/unsafe-key", '"__proto__": { "type": "string" }'],
    ["load/duplicate-key", '"id": { "type": "string" }, "id": { "type": "integer" }'],
  ])("%s costs only the tool in which it stands, by name", async (code, property) => {
    const folder = project({ "list.json": `[\n${tool("good")},\n${tool("bad", property)},\n${tool("fine")}\n]` });
    const run = await haspJson(folder, ["import", "anthropic", "list.json"]);
    expect(run).toMatchObject({ code: 1, summary: { tools: 3, refused: ["bad"] } });
    expect(run.diagnostics).toMatchObject([{ code, tool: "bad", line: 3, severity: "error" }]);
    expect(specsOf(folder)).toEqual(["specs/fine.tool.yaml", "specs/good.tool.yaml"]);
  });

  test("in an entry that is no tool, or that nobody asked for, costs none", async () => {
    const folder = project({ "list.json": `[{ "__proto__": 1 }, ${tool("good")}, ${tool("bad", '"__proto__": {}')}]` });
    const run = await haspJson(folder, ["import", "anthropic", "list.json", "--only", "good"]);
    expect(run).toMatchObject({ code: 0, diagnostics: [], summary: { tools: 1 } });
  });

  test("beside the tools costs all of them", async () => {
    const folder = project({ "list.json": `{ "__proto__": 1, "tools": [${tool("good")}] }` });
    const run = await haspJson(folder, ["import", "anthropic", "list.json"]);
    expect(run).toMatchObject({ code: 1, diagnostics: [{ code: "load/unsafe-key" }], summary: { refused: ["good"] } });
    expect(specsOf(folder)).toEqual([]);
  });

  test("a list of tools that is no JSON is refused whole", async () => {
    const folder = project({ "list.json": `[${tool("good")}, {]` });
    expect(await haspJson(folder, ["import", "anthropic", "list.json"])).toMatchObject({
      code: 2,
      diagnostics: [{ code: "load/json-syntax" }],
    });
  });

  test("and that an alias repeats is refused whole: it stands in more tools than its text", async () => {
    const repeated =
      "- &bad { name: bad, description: B., input_schema: { type: object, properties: { __proto__: {} } } }\n- *bad\n";
    const folder = project({ "list.yaml": `${repeated}- ${tool("good")}\n` });
    expect(await haspJson(folder, ["import", "anthropic", "list.yaml"])).toMatchObject({
      code: 2,
      diagnostics: [{ code: "load/unsafe-key" }],
    });
    expect(specsOf(folder)).toEqual([]);
  });
});

describe("what cannot be read in an OpenAPI document", () => {
  const operation = (id: string, body: string): string =>
    `"post": { "operationId": "${id}", "description": "Does ${id}.", "requestBody": { "content": { "application/json": { "schema": ${body} } } }, "responses": { "204": { "description": "done" } } }`;
  const reference = (name: string): string => `{ "$ref": "#/components/schemas/${name}" }`;
  const document = (paths: string, schemas: string): string =>
    `{ "openapi": "3.1.0", "info": { "title": "T", "version": "1" },\n"paths": { ${paths} },\n"components": { "schemas": { ${schemas} } } }`;

  test("costs the operations that need it, through whichever definitions, and no other", async () => {
    const paths = [
      `"/direct": { ${operation("direct", schema('"__proto__": {}'))} }`,
      `"/through": { ${operation("through", reference("Outer"))} }`,
      `"/free": { ${operation("free", reference("Plain"))} }`,
    ];
    const schemas = [
      `"Outer": ${schema(`"inner": ${reference("Broken")}`)}`,
      `"Broken": ${schema('"n": { "__proto__": {} }')}`,
      `"Plain": ${schema('"id": {}')}`,
    ];
    const folder = project({ "api.json": document(paths.join(", "), schemas.join(", ")) });
    const run = await haspJson(folder, ["import", "openapi", "api.json"]);
    expect(run).toMatchObject({ code: 1, summary: { tools: 3, refused: ["direct", "through"] } });
    expect(run.diagnostics.map(({ code, line }) => [code, line])).toEqual(
      expect.arrayContaining([
        ["load/unsafe-key", 2],
        ["import/needs-missing", 2],
        ["load/unsafe-key", 3],
      ]),
    );
    expect(specsOf(folder)).toEqual(["specs/api.schemas.yaml", "specs/free.tool.yaml"]);
    expect(tree(folder)["specs/api.schemas.yaml"]).not.toMatch(/Outer|Broken/u);
  });

  test("costs all of them where it stands beside operations and definitions", async () => {
    const shared = `"parameters": [{ "name": "id", "name": "other", "in": "query", "schema": { "type": "string" } }]`;
    const folder = project({ "api.json": document(`"/a": { ${shared}, ${operation("a", schema('"id": {}'))} }`, "") });
    const run = await haspJson(folder, ["import", "openapi", "api.json"]);
    expect(run).toMatchObject({
      code: 1,
      diagnostics: [{ code: "load/duplicate-key", line: 2 }],
      summary: { refused: ["a"] },
    });
    expect(specsOf(folder)).toEqual([]);
  });
});

describe("a document of several files", () => {
  const operation = (ref: string): string => `openapi: 3.1.0
info: { title: T, version: "1" }
paths:
  /a:
    get:
      operationId: list_all
      summary: List all.
      parameters: [{ name: q, in: query, description: What., schema: { $ref: ${JSON.stringify(ref)} } }]
      responses: { "200": { description: ok } }
`;
  const page = "type: integer\nmaximum: 9\n";

  test("is bundled across the files of its folder", async () => {
    const folder = project({
      "hasp.config.yaml": "specs: [specs]\n",
      "api/main.yaml": operation("./models/deep page.yaml#/$defs/Page"),
      "api/models/deep page.yaml": `$defs: { Page: { $ref: "../other/%70age.yaml" } }\n`,
      "api/other/page.yaml": page,
    });
    expect(await haspJson(folder, ["import", "openapi", "api/main.yaml"])).toMatchObject({ code: 0 });
    expect(JSON.stringify(tree(folder))).toContain("maximum: 9");
  });

  test.each([
    ["../secret.yaml", "outside the document's folder"],
    ["../../secret.yaml", "points outside the folder"],
    ["https://example.com/page.yaml", "does not access the network"],
    ["/etc/hostname", "points outside the folder"],
    ["file:///etc/hostname", "not to names"],
    ["./none.yaml", "there is no such file"],
    ["./main.yaml#/nowhere", "points to nothing"],
  ])("reads nothing at %s", async (ref, reason) => {
    const folder = project({
      "hasp.config.yaml": "specs: [specs]\n",
      "api/main.yaml": operation(ref),
      "secret.yaml": page,
    });
    const run = await haspJson(folder, ["import", "openapi", "api/main.yaml"]);
    expect(run.code).not.toBe(0);
    expect(run.diagnostics.find(({ severity }) => severity === "error")?.message).toContain(reason);
    expect(JSON.stringify(tree(folder))).not.toContain("maximum: 9\\n      ");
  });
});
