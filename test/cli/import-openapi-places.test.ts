import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, describe, expect, test } from "vitest";
import { hasp, haspJson, project, put, tree } from "./command-line.js";

const operation = (operationId: string): object => ({
  get: { operationId, description: `Gets ${operationId}.`, responses: { "200": { description: "Done." } } },
});
const openapi = (paths: object, more: object = {}): string =>
  JSON.stringify({
    openapi: "3.1.0",
    info: { title: "A", version: "1" },
    servers: [{ url: "https://api.example.com" }],
    paths,
    ...more,
  });
const config = "# ours\nspecs: [specs]\ndialects: [mcp]\n";

describe("a folder of documents", () => {
  const files = {
    "hasp.config.yaml": config,
    "api/billing.json": openapi({ "/invoices": operation("list_invoices"), "/health": operation("health") }),
    "api/orders/v1.json": openapi({ "/orders": operation("list_orders"), "/health": operation("health") }),
    "api/models/order.yaml": "type: object\n",
    "api/README.md": "openapi: 3.1.0\n",
  };

  test("is imported document by document; a name that two have is refused", async () => {
    const folder = project(files);
    const run = await haspJson(folder, ["import", "openapi", "api"]);
    expect(run.summary).toMatchObject({ tools: 4, imported: 3, refused: ["health"] });
    expect(run.diagnostics.filter(({ severity }) => severity === "error")).toMatchObject([
      { code: "import/name-taken", tool: "health", uri: "api/orders/v1.json" },
    ]);
    const written = tree(folder)["hasp.config.yaml"] ?? "";
    expect(written).toContain("# ours\n");
    expect(written).toMatch(/^ {2}billing:/mu);
    expect(written).toMatch(/^ {2}orders-v1:/mu);
  });

  test("is compared document by document", async () => {
    const folder = project(files);
    const words = ["import", "openapi", "api", "--except", "health"];
    expect((await haspJson(folder, words)).code).toBe(0);
    expect((await haspJson(folder, [...words, "--check"])).code).toBe(0);
    put(folder, { "api/orders/v1.json": openapi({ "/orders": operation("list_orders") }).replace("Gets", "Lists") });
    const run = await haspJson(folder, [...words, "--check"]);
    expect(run.diagnostics).toMatchObject([{ code: "import/drift", tool: "list_orders" }]);
  });

  test("without a document says so", async () => {
    const run = await haspJson(project({ "api/x.yaml": "a: 1\n" }), ["import", "openapi", "api"]);
    expect(run).toMatchObject({ code: 2, diagnostics: [{ code: "cli/cannot-read" }] });
  });
});

test("an operation that cannot be imported fails no later --check, but one that no longer can does", async () => {
  const xml = {
    post: {
      operationId: "send_xml",
      description: "Sends XML.",
      requestBody: { content: { "application/xml": { schema: { type: "object" } } } },
      responses: { "200": { description: "Done." } },
    },
  };
  const folder = project({ "hasp.config.yaml": config, "api.json": openapi({ "/a": operation("get_a"), "/x": xml }) });
  const words = ["import", "openapi", "api.json"];
  expect(await haspJson(folder, words)).toMatchObject({ code: 1, summary: { refused: ["send_xml"] } });
  expect(await haspJson(folder, [...words, "--check"])).toMatchObject({
    code: 0,
    diagnostics: [{ code: "import/broken-body", severity: "warning" }],
  });
  put(folder, {
    "api.json": openapi({
      "/a": { get: { ...xml.post, operationId: "get_a", parameters: [{ name: "p", in: "query" }] } },
      "/b": operation("b"),
    }),
  });
  const run = await haspJson(folder, [...words, "--check"]);
  expect(run.code).toBe(1);
  expect(run.diagnostics).toContainEqual(
    expect.objectContaining({ code: "import/broken-parameter", severity: "error" }),
  );
});

test("ten thousand operations are imported in seconds, with one connection for each security", async () => {
  const paths = Object.fromEntries(
    Array.from({ length: 10_000 }, (_, index) => [`/p${index}`, operation(`op_${index}`)]),
  );
  const folder = project({ "hasp.config.yaml": config, "api.json": openapi(paths) });
  const run = await haspJson(folder, ["import", "openapi", "api.json", "--only", "op_99*"]);
  expect(run.summary).toMatchObject({ imported: 111 });
});

test("Swagger 2.0 is converted, and findings stand where it has them", async () => {
  const swagger = JSON.stringify(
    {
      swagger: "2.0",
      info: { title: "A", version: "1" },
      host: "api.example.com",
      basePath: "/v2",
      schemes: ["https"],
      paths: {
        "/pets": {
          post: {
            operationId: "add_pets",
            description: "Adds pets.",
            consumes: ["application/json"],
            parameters: [
              { name: "tags", in: "query", type: "array", items: { type: "string" }, collectionFormat: "csv" },
              { name: "pet", in: "body", schema: { $ref: "#/definitions/Pet" } },
            ],
            responses: { 200: { description: "Done." } },
          },
        },
      },
      definitions: { Pet: { type: "object", properties: { any: { type: "object" } } } },
    },
    undefined,
    2,
  );
  const folder = project({ "hasp.config.yaml": config, "pets.json": swagger });
  const run = await haspJson(folder, ["import", "openapi", "pets.json"]);
  expect(run.summary).toMatchObject({ imported: 1 });
  expect(run.diagnostics).toMatchObject([
    { code: "import/bare-object", line: swagger.slice(0, swagger.indexOf('"any"')).split("\n").length },
  ]);
  const files = tree(folder);
  expect(files["hasp.config.yaml"]).toContain("baseUrl: https://api.example.com/v2");
  expect(files["specs/add_pets.tool.yaml"]).toMatch(/explode: false/u);
  expect((await haspJson(folder, ["import", "openapi", "pets.json", "--check"])).code).toBe(0);
});

describe("an address", () => {
  const servers: Server[] = [];
  afterAll(() => servers.forEach((server) => server.close()));
  const serve = async (answer: RequestListener): Promise<string> => {
    const server = createServer(answer);
    servers.push(server);
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  const importFrom = async (
    address: string,
  ): Promise<{ readonly folder: string; readonly text: string; readonly code: number | null }> => {
    const folder = project({ "hasp.config.yaml": config });
    const { code, out, error } = await hasp(folder, ["import", "openapi", address, "--timeout", "2"]);
    return { folder, code, text: out + error };
  };

  test("an address of this machine is fetched because it was named; relative servers are its own", async () => {
    const origin = await serve((_request, response) =>
      response.end(openapi({ "/a": operation("get_a") }, { servers: [{ url: "/v1" }] })),
    );
    const { folder, code } = await importFrom(`${origin}/docs/shop.json`);
    expect(code).toBe(0);
    const files = tree(folder);
    expect(files["specs/get_a.tool.yaml"]).toContain("connection: shop");
    expect(files["hasp.config.yaml"]).toContain(`baseUrl: ${origin}/v1`);
  });

  test.each<[string, RequestListener, RegExp]>([
    ["an error", (_request, response) => response.writeHead(404).end(), /answered 404/u],
    [
      "a redirect elsewhere",
      (_request, response) => response.writeHead(302, { location: "http://example.com/" }).end(),
      /only https/u,
    ],
    [
      "a redirect to another private host",
      (_request, response) => response.writeHead(302, { location: "https://169.254.169.254/latest" }).end(),
      /169\.254\.169\.254 is not a public address/u,
    ],
    [
      "redirects without end",
      (_request, response) => response.writeHead(302, { location: "/x" }).end(),
      /more than 5 times/u,
    ],
    ["silence", () => undefined, /within 2 seconds/u],
    ["something else", (_request, response) => response.end("<html>"), /not valid JSON/u],
  ])("an address that answers with %s is refused", async (_what, answer, reason) => {
    const { code, text } = await importFrom(`${await serve(answer)}/shop.json`);
    expect(code).toBe(2);
    expect(text).toMatch(reason);
  });

  test.each(["http://example.com/a.json", "https://192.168.0.1.nip.invalid/a.json", "https://"])(
    "%s is refused",
    async (address) => {
      expect((await importFrom(address)).code).toBe(2);
    },
  );
});
