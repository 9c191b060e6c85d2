import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { hasp, haspJson, project, put, tree } from "./command-line.js";

const config = "specs: [specs]\ndialects: [anthropic, openai-responses, openai-responses-strict, gemini, mcp]\n";

const orders = (line = "amount: { type: integer, minimum: 1 }"): string => `openapi: 3.0.3
info: { title: Orders, version: "1" }
servers: [{ url: https://api.example.com }]
paths:
  /orders:
    get:
      operationId: list_orders
      description: List orders. Use it to find an order. Do not use it to change one.
      parameters: [{ name: state, in: query, description: Which orders., schema: { $ref: "#/components/schemas/State" } }]
      responses: { "200": { description: ok, content: { application/json: { schema: { type: array, items: { $ref: "#/components/schemas/Order" } } } } } }
    post:
      operationId: create_order
      description: Create an order. Use it when somebody buys. Do not use it to change an order.
      requestBody: { required: true, description: The order., content: { application/json: { schema: { $ref: "#/components/schemas/Order" } } } }
      responses: { "204": { description: made } }
components:
  schemas:
    State: { type: string, enum: [open, sent], description: How far it is. }
    Order:
      type: object
      required: [id, lines]
      properties:
        id: { type: string, readOnly: true, description: Its number. }
        lines: { type: array, description: What was bought., items: { $ref: "models/line.yaml" } }
${line === "" ? "" : `    Unused: { type: object, properties: { ${line} } }\n`}`;

const line = (amount: string): string =>
  `type: object\nrequired: [amount]\nproperties:\n  amount: { ${amount}, description: How many. }\n`;

const start = (): string =>
  project({
    "hasp.config.yaml": config,
    "api/orders.yaml": orders(),
    "api/models/line.yaml": line("type: integer, minimum: 1"),
  });

describe("hasp import openapi", () => {
  test("writes a spec for each operation and one file of definitions, and all of it builds with nothing loosened", async () => {
    const folder = start();
    const run = await haspJson(folder, ["import", "openapi", "api/orders.yaml"]);
    expect(run).toMatchObject({ code: 0, summary: { tools: 2, imported: 2, refused: [] } });
    expect(Object.keys(tree(folder)).filter((path) => path.startsWith("specs/"))).toEqual([
      "specs/create_order.tool.yaml",
      "specs/list_orders.tool.yaml",
      "specs/orders.schemas.yaml",
    ]);
    const build = await haspJson(folder, ["build"]);
    expect(build.diagnostics.filter(({ severity }) => severity !== "info")).toEqual([]);
    expect(build).toMatchObject({ code: 0, summary: { tools: 2, relaxations: 0 } });
    expect(tree(folder)["src/generated/types.ts"]).toContain("export interface Line {");
  });

  test("says which address each variable is for, and which of them is set already", async () => {
    const security = "security: [{ token: [] }, { other: [] }]\n";
    const schemes = "  securitySchemes: { token: { type: http, scheme: bearer } }\n";
    const text = orders("").replace("paths:", `${security}paths:`).replace("components:\n", `components:\n${schemes}`);
    const folder = project({
      "hasp.config.yaml": config,
      "api/github.yaml": text,
      "api/models/line.yaml": line("type: integer, minimum: 1"),
    });
    const words = ["import", "openapi", "api/github.yaml"];
    const printed = "  GITHUB_TOKEN: a bearer token, which the document calls token, for https://api.example.com";
    const copy = project(tree(folder));
    expect((await hasp(folder, words)).out).toContain(`${printed}\n`);
    expect((await hasp(copy, words, { GITHUB_TOKEN: "x" })).out).toContain(
      `${printed}; it is set here, and the next call sends it\n`,
    );
  });

  test("prints the way to a first allowed call, and the way works", async () => {
    const folder = start();
    const { out } = await hasp(folder, ["import", "openapi", "api/orders.yaml"]);
    const [, command = ""] = /`hasp (approve .*)`/.exec(out) ?? [];
    const words = [...command.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word);
    expect(await hasp(folder, words)).toMatchObject({ code: 0 });
    expect((await haspJson(folder, ["show", "list_orders"])).data["tool"]).toMatchObject({
      worstCase: { class: "READ_ONLY", requiresPermission: true },
    });
  });

  test("counts no suggestion that a spec has adopted", async () => {
    const folder = start();
    const imported = await hasp(folder, ["import", "openapi", "api/orders.yaml"]);
    expect(imported.out).toContain("class: READ_ONLY  1 tool\n");
    await hasp(folder, ["approve", "list_orders", "--suggested", "--yes", "--reason", "It reads."]);
    const { out } = await hasp(folder, ["import", "openapi", "api/orders.yaml"]);
    expect(out).toContain("2 of 2 tools imported into specs (2 unchanged)");
    expect(out).not.toMatch(/suggested/u);
  });

  test("says what a private address of the document needs, and nothing more once the author has allowed it", async () => {
    const folder = start();
    put(folder, { "api/orders.yaml": orders().replace("https://api.example.com", "http://127.0.0.1:8081/v1") });
    expect(await haspJson(folder, ["import", "openapi", "api/orders.yaml"])).toMatchObject({
      code: 0,
      diagnostics: expect.arrayContaining([
        expect.objectContaining({
          code: "import/unreachable-address",
          message: expect.stringContaining("http://127.0.0.1:8081/v1"),
          help: expect.stringContaining("allowPrivateAddresses: true"),
        }),
      ]),
    });
    const config = tree(folder)["hasp.config.yaml"] ?? "";
    put(folder, {
      "hasp.config.yaml": config.replace(
        /( +)baseUrl: .*/u,
        "$1baseUrl: http://127.0.0.1:8081/v1\n$1allowPrivateAddresses: true",
      ),
    });
    expect((await haspJson(folder, ["build"])).code).toBe(0);
    const { diagnostics } = await haspJson(folder, ["import", "openapi", "api/orders.yaml", "--check"]);
    expect(diagnostics.filter(({ severity }) => severity !== "info")).toEqual([]);
  });

  test("reports a definition that the source has changed, takes it over when asked, and keeps what the author wrote", async () => {
    const folder = start();
    await hasp(folder, ["import", "openapi", "api/orders.yaml"]);
    const shared = tree(folder)["specs/orders.schemas.yaml"] ?? "";
    put(folder, {
      "specs/orders.schemas.yaml": shared.replace("description: How far it is.", "description: How far it is. # mine"),
    });
    put(folder, { "api/models/line.yaml": line("type: number") });
    const edited = tree(folder);
    for (const words of [[], ["--check"]]) {
      const run = await haspJson(folder, ["import", "openapi", "api/orders.yaml", ...words]);
      expect(run).toMatchObject({
        code: 1,
        diagnostics: expect.arrayContaining([
          expect.objectContaining({ code: "import/definition-drift", message: expect.stringContaining(": line.") }),
        ]),
      });
      expect(tree(folder)).toEqual(edited);
    }
    expect((await haspJson(folder, ["import", "openapi", "api/orders.yaml", "--update"])).code).toBe(0);
    const updated = tree(folder)["specs/orders.schemas.yaml"] ?? "";
    expect(updated).toContain("type: number");
    expect(updated).toContain("# mine");
    expect((await haspJson(folder, ["import", "openapi", "api/orders.yaml", "--check"])).code).toBe(0);
  });

  test("names the approvals to look at again when a definition has changed under them", async () => {
    const folder = start();
    await hasp(folder, ["import", "openapi", "api/orders.yaml"]);
    await hasp(folder, ["approve", "list_orders", "--suggested", "--yes", "--reason", "It reads."]);
    put(folder, { "api/models/line.yaml": line("type: number") });
    const run = await haspJson(folder, ["import", "openapi", "api/orders.yaml", "--update"]);
    expect(run.code).toBe(0);
    expect(run.diagnostics.filter(({ severity }) => severity === "warning")).toMatchObject([
      { code: "import/approved-before", tool: "list_orders" },
    ]);
    expect(run.diagnostics.find(({ code }) => code === "import/approved-before")?.message).toContain(
      '"list_orders" has changed (line)',
    );
  });

  test("does not write over a definition that both have changed, unless it must", async () => {
    const folder = start();
    await hasp(folder, ["import", "openapi", "api/orders.yaml"]);
    const shared = tree(folder)["specs/orders.schemas.yaml"] ?? "";
    put(folder, {
      "specs/orders.schemas.yaml": shared.replace("minimum: 1", "minimum: 2"),
      "api/models/line.yaml": line("type: number"),
    });
    const run = await haspJson(folder, ["import", "openapi", "api/orders.yaml", "--update"]);
    expect(run).toMatchObject({
      code: 1,
      diagnostics: expect.arrayContaining([
        expect.objectContaining({ code: "import/conflict", pointer: "/$defs/line/properties/amount/minimum" }),
      ]),
    });
    expect(tree(folder)["specs/orders.schemas.yaml"]).toContain("minimum: 2");
    expect((await haspJson(folder, ["import", "openapi", "api/orders.yaml", "--update", "--force"])).code).toBe(0);
    expect(tree(folder)["specs/orders.schemas.yaml"]).toContain("type: number");
  });

  test("says which operations are gone, and that a method or path has moved", async () => {
    const folder = start();
    await hasp(folder, ["import", "openapi", "api/orders.yaml"]);
    put(folder, {
      "api/orders.yaml": orders()
        .replace("    post:\n", "    patch:\n")
        .replace("operationId: create_order", "operationId: change_order"),
    });
    const run = await haspJson(folder, ["import", "openapi", "api/orders.yaml", "--check"]);
    expect(run.diagnostics.filter(({ severity }) => severity === "error")).toMatchObject([
      { code: "import/gone", tool: "create_order" },
      { code: "import/not-imported", tool: "change_order" },
    ]);
    put(folder, { "api/orders.yaml": orders().replace("https://api.example.com", "https://evil.example.com") });
    const moved = await haspJson(folder, ["import", "openapi", "api/orders.yaml", "--check"]);
    expect(moved.diagnostics.filter(({ severity }) => severity === "error")).toMatchObject([
      { code: "import/drift", message: expect.stringContaining(": server.") },
      { code: "import/drift", message: expect.stringContaining(": server.") },
    ]);
  });

  test("--only imports some, and the next import adds to the same definitions", async () => {
    const folder = start();
    const one = await haspJson(folder, ["import", "openapi", "api/orders.yaml", "--only", "list_*"]);
    expect(one).toMatchObject({ code: 0, summary: { tools: 1, imported: 1 } });
    expect(Object.keys(tree(folder)).filter((path) => path.startsWith("specs/"))).toEqual([
      "specs/list_orders.tool.yaml",
      "specs/orders.schemas.yaml",
    ]);
    expect((await haspJson(folder, ["import", "openapi", "api/orders.yaml"])).code).toBe(0);
    expect((await haspJson(folder, ["check"])).diagnostics.filter(({ severity }) => severity !== "info")).toEqual([]);
    expect(
      (await haspJson(folder, ["import", "openapi", "api/orders.yaml", "--only", "POST /orders"])).summary,
    ).toMatchObject({ tools: 1 });
    const words = ["import", "openapi", "api/orders.yaml", "--only", "*order*"];
    expect((await haspJson(folder, [...words, "method:POST"])).summary).toMatchObject({ tools: 1 });
    expect((await haspJson(folder, [...words, "--except", "tag:none", "method:POST"])).summary).toMatchObject({
      tools: 1,
    });
    expect(await haspJson(folder, ["import", "openapi", "api/orders.yaml", "--only", "nothing"])).toMatchObject({
      code: 2,
      diagnostics: [{ code: "cli/none-matches" }],
    });
  });

  test("never takes a file of somebody else for its definitions", async () => {
    const folder = start();
    put(folder, { "specs/orders.schemas.yaml": "$defs: { Mine: { type: string } }\n" });
    const run = await haspJson(folder, ["import", "openapi", "api/orders.yaml"]);
    expect(run).toMatchObject({
      code: 1,
      diagnostics: expect.arrayContaining([expect.objectContaining({ code: "cli/file-exists" })]),
    });
    expect(tree(folder)["specs/orders.schemas.yaml"]).toBe("$defs: { Mine: { type: string } }\n");
  });

  test("reads nothing outside of the folder", async () => {
    const folder = project({
      "secret.yaml": "type: string\nenum: [hunter2]\n",
      "in/hasp.config.yaml": config,
      "in/api.yaml": orders("").replace("models/line.yaml", "../secret.yaml"),
    });
    const run = await haspJson(join(folder, "in"), ["import", "openapi", "api.yaml"]);
    expect(run.diagnostics).toContainEqual(
      expect.objectContaining({
        code: "import/broken-reference",
        message: expect.stringContaining("points outside the folder"),
      }),
    );
    expect(
      Object.entries(tree(folder))
        .filter(([, text]) => text.includes("hunter2"))
        .map(([path]) => path),
    ).toEqual(["secret.yaml"]);
  });
});
