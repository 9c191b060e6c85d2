import { cpSync, existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
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
    put(folder, { "hasp.config.yaml": config.replace(/( +)(baseUrl: .*)/u, "$1$2\n$1allowPrivateAddresses: true") });
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
    expect(run.diagnostics.filter(({ severity }) => severity === "error")).toMatchObject([
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

const digitalocean = resolve(import.meta.dirname, "../../../shared/corpus/multifile/digitalocean");

test.skipIf(!existsSync(digitalocean))(
  "98 files of DigitalOcean become one file of definitions, and what is sound builds",
  async () => {
    const folder = project({ "hasp.config.yaml": "specs: [specs]\ndialects: [anthropic, openai-responses, mcp]\n" });
    cpSync(digitalocean, join(folder, "api"), { recursive: true });
    const run = await haspJson(folder, ["import", "mcp-list", "api/tools.yaml"]);
    // A "$ref" in the place of a map of properties: legal for bundlers that paste, not JSON Schema.
    expect(run.diagnostics).toContainEqual(
      expect.objectContaining({
        code: "import/reference-for-map",
        uri: "api/resources/load_balancers/models/load_balancer_create.yml",
        line: 6,
      }),
    );
    expect(run).toMatchObject({ code: 1, summary: { tools: 8, imported: 7, refused: ["loadBalancers_create"] } });
    // The author decides where the import could not, and leaves out what holds passwords in its examples.
    expect(run.diagnostics.filter(({ code }) => code === "import/bare-object")).toMatchObject([
      { uri: "api/resources/kubernetes/models/node_pool.yml" },
    ]);
    const shared = tree(folder)["specs/tools.schemas.yaml"] ?? "";
    put(folder, {
      "specs/tools.schemas.yaml": shared.replace(
        /^( +labels:\n +type: \[object, "null"\]\n(?:(?! +additionalProperties).*\n){0,6}? +additionalProperties:) true$/m,
        "$1 { type: string }",
      ),
    });
    const errors = (await haspJson(folder, ["check"])).diagnostics.filter(({ severity }) => severity === "error");
    const bad = new Set(errors.map(({ tool }) => tool));
    // What is in the shared file is of no single tool.
    const shown = [...new Set(errors.filter(({ tool }) => tool === null).map(({ code }) => code))];
    const ignore = shown.map((rule) => ({ rule, path: "specs/tools.schemas.yaml", reason: "as the API has it" }));
    const specs = Object.keys(tree(folder)).filter(
      (path) => path.endsWith(".tool.yaml") && ![...bad].some((tool) => path.includes(`/${tool}.`)),
    );
    put(folder, {
      "hasp.config.yaml": `specs: ${JSON.stringify(specs)}\nignore: ${JSON.stringify(ignore)}\ndialects: [anthropic, openai-responses, mcp]\n`,
    });
    const build = await haspJson(folder, ["build"]);
    expect(build.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    expect(build.code).toBe(0);
  },
);

const schemas = resolve(import.meta.dirname, "../../../shared/corpus/schemas");

/** A document whose operations take the corpus's schemas as bodies, with their definitions as components. */
function documentOf(file: string): object {
  const { schemas: list } = JSON.parse(readFileSync(join(schemas, file), "utf8")) as {
    readonly schemas: readonly { readonly name: string; readonly schema: object }[];
  };
  const components: Record<string, unknown> = {};
  const paths = Object.fromEntries(
    list.map(({ name, schema }, index) => {
      const text = JSON.stringify(schema)
        .replaceAll('"$ref":"#/$defs/', `"$ref":"#/components/schemas/${index}.`)
        .replaceAll('"$ref":"#/definitions/', `"$ref":"#/components/schemas/${index}.`);
      const { $defs, definitions, ...root } = JSON.parse(text) as {
        readonly $defs?: object;
        readonly definitions?: object;
      };
      for (const [definition, value] of Object.entries({ ...$defs, ...definitions })) {
        components[`${index}.${definition}`] = value;
      }
      return [
        `/${index}`,
        {
          post: {
            operationId: name,
            description: `Does ${name}.`,
            requestBody: { content: { "application/json": { schema: root } } },
            responses: { 204: { description: "Done." } },
          },
        },
      ];
    }),
  );
  return { openapi: "3.0.3", info: { title: file, version: "1" }, paths, components: { schemas: components } };
}

test.skipIf(!existsSync(schemas)).each(["box-openapi.json", "digitalocean-openapi.json", "qdrant-openapi.json"])(
  "%s: every operation is imported or refused by name, and check reports only files that the author can edit",
  async (file) => {
    const folder = project({
      "hasp.config.yaml": "specs: [specs]\ndialects: [anthropic, openai-responses, gemini-json-schema]\n",
      "api.json": JSON.stringify(documentOf(file)),
    });
    const run = await haspJson(folder, ["import", "openapi", "api.json"]);
    const refused = run.summary["refused"] as readonly string[];
    for (const name of refused) {
      expect(
        run.diagnostics.some(
          ({ severity, tool, message }) => severity === "error" && tool === name && message.length > 20,
        ),
      ).toBe(true);
    }
    expect(refused.length).toBeLessThan(3);
    const check = await haspJson(folder, ["check", "--unlocked"]);
    const errors = check.diagnostics.filter(({ severity }) => severity === "error");
    expect(errors.filter(({ uri }) => uri === null || !uri.startsWith("specs/"))).toEqual([]);
    // What is left is the author's to say, or wrong in the source.
    const known = ["schema/bare-object", "schema/invalid-example", "schema/open-object", "supply-chain/secret-in-text"];
    expect([...new Set(errors.map(({ code }) => code))].filter((code) => !known.includes(code))).toEqual([]);
  },
);
