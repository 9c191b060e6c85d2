import type { JsonObject, JsonValue } from "@hasp/schema";
import { describe, expect, test } from "vitest";
import { importFiles, type ImportedForTest } from "../import-source.testing.js";
import { importOpenapi } from "../openapi.js";
import type { ImportSource } from "../source/importer.js";

const done = { "200": { description: "Done." } };

function importDocument(document: JsonObject, more: Partial<ImportSource> = {}): ImportedForTest {
  const whole = { openapi: "3.1.0", info: { title: "A", version: "1" }, ...document };
  return importFiles(importOpenapi, { "shop api.json": whole }, more);
}

/** Returns what the handler of one operation sends, and the properties of its input. */
function importOperation(
  operation: JsonObject,
  path = "/a",
  method = "post",
): ImportedForTest & { readonly http: JsonObject; readonly properties: JsonObject } {
  const imported = importDocument({
    paths: { [path]: { [method]: { operationId: "a", description: "x", responses: done, ...operation } } },
  });
  const spec = imported.specs.get("a");
  const { http } = (spec?.["handler"] ?? {}) as { readonly http: JsonObject };
  return { ...imported, http, properties: (spec?.["input"] as JsonObject)?.["properties"] as JsonObject };
}

const parameter = (name: string, place: string, more: JsonObject = {}): JsonObject => ({
  name,
  in: place,
  ...(place === "path" ? { required: true } : {}),
  schema: { type: "string" },
  ...more,
});
const body = (type: string, media: JsonObject): JsonObject => ({ requestBody: { content: { [type]: media } } });

describe("parameters of handlers", () => {
  test("names that no reference can hold are written beside the name that the service knows", () => {
    const names = ["filter[a.b]", "$top", "filter.a.b", "9", "naïve", "__proto__", "ok-1"];
    const { http, properties } = importOperation({ parameters: names.map((name) => parameter(name, "query")) });
    expect(http["query"]).toEqual(
      Object.fromEntries([
        ["filter[a.b]", "input.filter_a_b"],
        ["$top", "input.top"],
        ["filter.a.b", "input.query_filter_a_b"],
        ["9", "input.value_9"],
        ["naïve", "input.naive"],
        ["__proto__", "input.proto"],
        ["ok-1", "input.ok-1"],
      ]),
    );
    expect(Object.keys(properties)).toHaveLength(names.length);
  });

  test("a placeholder of the path is the input's name, and a query in the path is one of the request", () => {
    const { http } = importOperation(
      { parameters: [parameter("order.id", "path"), parameter("page", "query")] },
      "/orders/{order.id}?op={order.id}&kind=input.x",
    );
    expect(http).toMatchObject({
      path: "/orders/{order_id}",
      query: { op: "input.order_id", kind: { literal: "input.x" }, page: "input.page" },
    });
  });

  test.each<[string, JsonObject, string, JsonObject | undefined]>([
    ["query", {}, "query", undefined],
    ["query", { style: "form", explode: true }, "query", undefined],
    ["query", { explode: false }, "query", { style: "form", explode: false }],
    ["query", { style: "pipeDelimited" }, "query", { style: "pipeDelimited", explode: false }],
    ["query", { style: "deepObject" }, "query", { style: "deepObject", explode: true }],
    ["query", { allowReserved: true }, "query", { style: "form", explode: true, allowReserved: true }],
    ["path", { style: "simple" }, "path", undefined],
    ["path", { style: "matrix", explode: true }, "path", { style: "matrix", explode: true }],
    ["header", { explode: true }, "headers", { style: "simple", explode: true }],
    ["cookie", { explode: false }, "cookies", { style: "form", explode: false }],
    ["path", { schema: { type: "array", items: { type: "string" } } }, "path", { style: "simple" }],
    ["path", { schema: { type: "object", properties: { x: { type: "string" } } } }, "path", { style: "simple" }],
    ["path", { schema: { enum: ["a", "b"] } }, "path", undefined],
  ])("a %s parameter with %j keeps its style where it is not the default", (place, more, section, expected) => {
    const path = place === "path" ? "/a/{p}" : "/a";
    const { http } = importOperation({ parameters: [parameter("p", place, more)] }, path);
    expect(http["parameters"]).toEqual(expected === undefined ? undefined : { [section]: { p: expected } });
  });

  test("a whole query string is as many parameters as it has properties", () => {
    const content = (type: string): JsonObject => ({
      parameters: [
        {
          name: "q",
          in: "querystring",
          content: {
            [type]: {
              schema: {
                type: "object",
                required: ["a"],
                properties: { a: { type: "string" }, b: { type: "integer" } },
              },
            },
          },
        },
      ],
    });
    const { http, properties } = importOperation(content("application/x-www-form-urlencoded"), "/a", "get");
    expect(http).toMatchObject({ query: ["a", "b"] });
    expect(properties).toMatchObject({ a: { type: "string" }, b: { type: "integer" } });
    expect(importOperation(content("application/json")).codes).toEqual(["import/broken-parameter"]);
  });
});

describe("bodies of handlers", () => {
  const file = { type: "string", format: "binary", description: "The file." };
  test.each<[string, JsonObject, JsonObject]>([
    ["application/json", {}, { json: "input.body" }],
    ["application/merge-patch+json", {}, { json: "input.body", mediaType: "application/merge-patch+json" }],
    ["*/*", {}, { json: "input.body" }],
    ["text/plain", { schema: { type: "string" } }, { binary: "input.body", mediaType: "text/plain" }],
    ["application/octet-stream", { schema: file }, { binary: "input.body", mediaType: "application/octet-stream" }],
    ["image/png", {}, { binary: "input.body", mediaType: "image/png" }],
    ["image/*", {}, { binary: "input.body" }],
    [
      "application/x-www-form-urlencoded",
      {
        schema: { type: "object", properties: {} },
        encoding: { a: { style: "deepObject" }, b: { contentType: "a, b" } },
      },
      { form: "input.body", encoding: { a: { style: "deepObject", explode: true } } },
    ],
    [
      "multipart/form-data",
      { schema: { type: "object", properties: { f: file } }, encoding: { f: { contentType: "image/png" } } },
      { multipart: "input.body", encoding: { f: { contentType: "image/png" } } },
    ],
    [
      "multipart/form-data",
      {
        schema: {
          type: "object",
          properties: {
            f: { type: "string", contentMediaType: "image/png" },
            g: { type: "string", contentMediaType: "image/*" },
          },
        },
      },
      { multipart: "input.body", encoding: { f: { contentType: "image/png" } } },
    ],
  ])("%s is sent as it is described", (type, media, expected) => {
    expect(importOperation(body(type, media)).http["body"]).toEqual(expected);
  });

  test.each(["get", "head"])("a %s request has none, whatever the document says", (method) => {
    const { http, codes } = importOperation(body("application/json", {}), "/a", method);
    expect(http).not.toHaveProperty("body");
    expect(codes).toContain("import/body-ignored");
  });

  test("files are base64 or text, alone, in lists and behind references", () => {
    const { properties } = importOperation(
      body("multipart/form-data", {
        schema: {
          allOf: [
            { type: "object", required: ["one"], properties: { one: file } },
            {
              properties: {
                many: { type: "array", items: file },
                id: { type: "string", readOnly: true },
                n: { type: "integer" },
                old: { type: "string", contentEncoding: "binary" },
              },
            },
          ],
        },
      }),
    );
    const bytes = { anyOf: [{ required: ["text"] }, { required: ["base64"] }] };
    expect(properties["body"]).toMatchObject({
      required: ["one"],
      properties: {
        one: { description: "The file.", ...bytes },
        many: { type: "array", items: bytes },
        n: { type: "integer" },
        old: bytes,
      },
    });
    expect((properties["body"] as { readonly properties: JsonObject }).properties).not.toHaveProperty("id");
  });
});

describe("connections", () => {
  const get = (id: string, more: JsonObject = {}): JsonObject => ({
    get: { operationId: id, description: "x", responses: done, ...more },
  });
  const connectionOf = ({ specs }: ImportedForTest, name: string): JsonValue | undefined =>
    (specs.get(name)?.["handler"] as { readonly http: JsonObject } | undefined)?.http["connection"];

  test.each<[string, readonly JsonObject[], string | undefined, string]>([
    [
      "variables have their defaults",
      [{ url: "https://{r}.x.example/v1/", variables: { r: { default: "eu" } } }],
      undefined,
      "https://eu.x.example/v1",
    ],
    [
      "the first complete one is taken",
      [{ url: "https://{r}.x.example" }, { url: "https://b.example" }],
      undefined,
      "https://b.example",
    ],
    [
      "relative ones belong to the document's address",
      [{ url: "../v2" }],
      "https://a.example/docs/openapi.json",
      "https://a.example/v2",
    ],
    ["without servers it is the document's host", [], "https://a.example/docs/openapi.json", "https://a.example"],
    [
      "credentials are not taken over",
      [{ url: "https://user:pass@a.example" }, { url: "https://b.example" }],
      undefined,
      "https://b.example",
    ],
  ])("chooses the address of a connection: %s", (_title, servers, address, expected) => {
    const { connections } = importDocument(
      { servers: [...servers], paths: { "/a": get("a") } },
      address === undefined ? {} : { address },
    );
    expect(connections.map(({ settings }) => settings)).toEqual([{ http: { baseUrl: expected } }]);
  });

  test("a document that names no server says so, and --base-url answers", () => {
    const document = { servers: [{ url: "/v1" }], paths: { "/a": get("a") } };
    expect(importDocument(document).codes).toEqual(["import/no-server"]);
    expect(importDocument({ ...document, $self: "https://self.example/api.json" }).connections[0]?.settings).toEqual({
      http: { baseUrl: "https://self.example/v1" },
    });
    const replaced = (baseUrl: string): ImportedForTest => importDocument(document, { settings: { baseUrl } });
    expect(replaced("https://b.example/x/").connections[0]?.settings).toEqual({
      http: { baseUrl: "https://b.example/x" },
    });
    expect(replaced("http://127.0.0.1:80/").connections[0]?.settings).toEqual({
      http: { baseUrl: "http://127.0.0.1", allowPrivateAddresses: true },
    });
    expect(replaced("ftp://b.example").codes).toEqual(["import/bad-base-url"]);
  });

  test("a document's own private server is not trusted", () => {
    const { connections } = importDocument({ servers: [{ url: "http://169.254.169.254" }], paths: { "/a": get("a") } });
    expect(connections).toMatchObject([
      {
        settings: { http: { baseUrl: "https://service.invalid" } },
        unreachable: "http://169.254.169.254",
        comments: ["The document's address is http://169.254.169.254, which is private"],
      },
    ]);
  });

  const schemes = {
    key: { type: "apiKey", in: "header", name: "X-Key" },
    bearerAuth: { type: "http", scheme: "Bearer" },
    login: { type: "http", scheme: "basic" },
    machine: { type: "oauth2", flows: { clientCredentials: { tokenUrl: "/token", scopes: {} } } },
    person: {
      type: "oauth2",
      flows: {
        authorizationCode: { tokenUrl: "https://t.example/t", authorizationUrl: "https://t.example/a", scopes: {} },
      },
    },
    implicit: { type: "oauth2", flows: { implicit: { authorizationUrl: "https://t.example/a", scopes: {} } } },
    certificate: { type: "mutualTLS" },
  };
  const env = (name: string): JsonObject => ({ env: `SHOP_API_${name}` });
  test.each<[string, readonly JsonObject[], JsonValue | undefined, readonly string[]]>([
    ["an API key", [{ key: [] }], { apiKey: { in: "header", name: "X-Key", ...env("KEY") } }, ["KEY"]],
    ["a bearer token", [{ bearerAuth: [] }], { bearer: env("BEARER_AUTH") }, ["BEARER_AUTH"]],
    [
      "a password",
      [{ login: [] }],
      { basic: { username: env("LOGIN_USERNAME"), password: env("LOGIN_PASSWORD") } },
      ["LOGIN_USERNAME", "LOGIN_PASSWORD"],
    ],
    [
      "client credentials",
      [{ machine: ["b", "a"] }],
      {
        oauth2: {
          flow: "clientCredentials",
          tokenUrl: "https://a.example/token",
          clientId: env("MACHINE_CLIENT_ID"),
          clientSecret: env("MACHINE_CLIENT_SECRET"),
          scopes: ["a", "b"],
        },
      },
      ["MACHINE_CLIENT_ID", "MACHINE_CLIENT_SECRET"],
    ],
    [
      "the only one, for a person",
      [{ person: ["a"] }],
      {
        oauth2: {
          flow: "authorizationCode",
          tokenUrl: "https://t.example/t",
          authorizationUrl: "https://t.example/a",
          clientId: env("PERSON_CLIENT_ID"),
          scopes: ["a"],
        },
      },
      ["PERSON_CLIENT_ID"],
    ],
    [
      "the first that needs no person",
      [{ person: [] }, { key: [] }],
      { apiKey: { in: "header", name: "X-Key", ...env("KEY") } },
      ["KEY"],
    ],
    ["a flow that nobody offers any longer", [{ implicit: [] }], { bearer: env("IMPLICIT") }, ["IMPLICIT"]],
    [
      "two at once",
      [{ key: [], bearerAuth: [] }],
      [{ apiKey: { in: "header", name: "X-Key", ...env("KEY") } }, { bearer: env("BEARER_AUTH") }],
      ["KEY", "BEARER_AUTH"],
    ],
    ["none that a connection can use", [{ certificate: [] }, { unknown: [] }], undefined, []],
  ])("chooses the authentication of a connection: %s", (_title, security, auth, variables) => {
    const { connections } = importDocument({
      servers: [{ url: "https://a.example" }],
      security: [...security],
      paths: { "/a": get("a") },
      components: { securitySchemes: schemes },
    });
    expect(connections).toHaveLength(1);
    expect(connections[0]?.settings).toEqual({
      http: { baseUrl: "https://a.example", ...(auth === undefined ? {} : { auth }) },
    });
    expect(connections[0]?.variables.map(({ name }) => name)).toEqual(variables.map((name) => `SHOP_API_${name}`));
  });

  const oauth = (flow: JsonObject): JsonObject => ({ type: "oauth2", flows: flow });
  test.each<[string, JsonObject, string]>([
    ["tokens over http", oauth({ clientCredentials: { tokenUrl: "http://t.example/t" } }), "https://a.example"],
    [
      "a login over http",
      oauth({ authorizationCode: { tokenUrl: "https://t.example/t", authorizationUrl: "http://t.example/a" } }),
      "https://a.example",
    ],
    ["tokens below a server with http", oauth({ clientCredentials: { tokenUrl: "/t" } }), "http://a.example"],
    ["a key in no place", { type: "apiKey", in: "body", name: "key" }, "https://a.example"],
    ["a key without a name", { type: "apiKey", in: "header", name: "" }, "https://a.example"],
    ["a client certificate", { type: "mutualTLS" }, "https://a.example"],
  ])("leaves out a scheme that the configuration would refuse, and says so: %s", (_title, scheme, baseUrl) => {
    const document = (security: JsonValue): ImportedForTest =>
      importDocument({
        servers: [{ url: baseUrl }],
        security,
        paths: { "/a": get("a") },
        components: { securitySchemes: { ...schemes, scheme } },
      });
    const alone = document([{ scheme: [] }]);
    expect(alone.codes).toEqual(["import/scheme-left-out"]);
    expect(alone.connections[0]?.settings).toEqual({ http: { baseUrl } });
    const beside = document([{ scheme: [] }, { key: [] }]);
    expect(beside.codes).toEqual([]);
    expect(beside.connections[0]?.variables.map(({ name }) => name)).toEqual(["SHOP_API_KEY"]);
  });

  test("takes a flow at https before one at http", () => {
    const { codes, connections } = importDocument({
      servers: [{ url: "https://a.example" }],
      security: [{ both: [] }],
      paths: { "/a": get("a") },
      components: {
        securitySchemes: {
          both: oauth({
            clientCredentials: { tokenUrl: "http://t.example/t" },
            authorizationCode: { tokenUrl: "https://t.example/t", authorizationUrl: "https://t.example/a" },
          }),
        },
      },
    });
    expect(codes).toEqual([]);
    expect(connections[0]?.settings).toMatchObject({ http: { auth: { oauth2: { flow: "authorizationCode" } } } });
  });

  test("names the alternatives that were not chosen in a comment", () => {
    const { connections } = importDocument({
      servers: [{ url: "https://a.example" }, { url: "https://b.example" }],
      security: [{ person: [] }, { key: [], login: [] }, {}],
      paths: { "/a": get("a") },
      components: { securitySchemes: schemes },
    });
    expect(connections[0]?.comments).toEqual([
      "Other servers of the document: https://b.example",
      "Other security that the document accepts: person; none",
    ]);
  });

  test("another server and another security are connections of their own, whichever operations are imported", () => {
    const document = {
      servers: [{ url: "https://a.example" }],
      security: [{ key: [] }],
      components: { securitySchemes: schemes },
      paths: {
        "/open": get("open", { security: [] }),
        "/a": get("a"),
        "/up": get("upload", { servers: [{ url: "https://up.example/x" }] }),
        "/me": get("me", { security: [{ bearerAuth: [] }] }),
      },
    };
    const all = importDocument(document);
    expect(["open", "a", "upload", "me"].map((name) => connectionOf(all, name))).toEqual([
      "shop-api-public",
      "shop-api",
      "shop-api-up-example-x",
      "shop-api-bearerauth",
    ]);
    const variables = all.connections.flatMap((each) => (each.variables ?? []).map(({ name }) => [each.name, name]));
    // The secret of one host does not reach another.
    expect(variables).toEqual([
      ["shop-api", "SHOP_API_KEY"],
      ["shop-api-up-example-x", "SHOP_API_UP_EXAMPLE_X_KEY"],
      ["shop-api-bearerauth", "SHOP_API_BEARER_AUTH"],
    ]);
    const one = importDocument(document, { isWanted: (names) => names.includes("open") });
    expect(one.connections.map(({ name }) => name)).toEqual(["shop-api-public"]);
  });
});

test("the origin of an operation shows a change of its security, and only of its own", () => {
  const securityOf = (name: string, operation: string): unknown => {
    const key = { type: "apiKey", in: "header", name };
    const get = (operationId: string, more: JsonObject = {}): JsonObject => ({
      get: { operationId, description: "x", responses: { "200": { description: "x" } }, ...more },
    });
    const paths = { "/a": get("a", { security: [{ key: [] }] }), "/open": get("open") };
    const { specs } = importDocument({ components: { securitySchemes: { key } }, paths });
    return (specs.get(operation)?.["origin"] as JsonObject | undefined)?.["security"];
  };
  expect(securityOf("X-Key", "a")).toBe(securityOf("X-Key", "a"));
  expect(securityOf("X-Key", "a")).not.toBe(securityOf("Y-Key", "a"));
  expect(securityOf("X-Key", "open")).toBeUndefined();
});

describe("what the user asks for", () => {
  const operation = (operationId: string, tag: string): JsonObject => ({
    operationId,
    description: "x",
    tags: [tag],
    responses: { "200": { description: "x", content: { "application/json": { schema: { type: "string" } } } } },
  });
  const paths = { "/a": { get: operation("list", "x"), post: operation("make", "y") } };

  test.each<[string, readonly string[]]>([
    ["tag:x", ["list"]],
    ["method:POST", ["make"]],
    ["method:post", ["make"]],
    ["GET /a", ["list"]],
  ])("operations are selected by %s", (word, expected) => {
    const { specs } = importDocument({ paths }, { isWanted: (names) => names.includes(word) });
    expect([...specs.keys()]).toEqual(expected);
  });

  test("names have a prefix, and outputs are left out", () => {
    const { specs, codes } = importDocument({ paths }, { settings: { prefix: "shop_", withoutOutputs: true } });
    expect([...specs.keys()]).toEqual(["shop_list", "shop_make"]);
    expect(codes).toEqual(["import/no-server"]);
    for (const spec of specs.values()) expect(Object.keys(spec)).not.toContain("output");
    expect(importDocument({ paths }).specs.get("list")).toMatchObject({ outputCheck: "report" });
  });

  test("methods that handlers do not send are refused by name", () => {
    const { specs, refused } = importDocument({
      openapi: "3.2.0",
      paths: {
        "/a": {
          get: operation("get", "x"),
          query: operation("search", "x"),
          trace: operation("trace", "x"),
          additionalOperations: { COPY: operation("copy", "x"), "a b": operation("broken", "x") },
        },
      },
    });
    expect([[...specs.keys()], refused]).toEqual([
      ["get", "search", "copy"],
      ["trace", "broken"],
    ]);
    expect(specs.get("search")).toMatchObject({
      handler: { http: { method: "QUERY" } },
      origin: { suggested: { class: "READ_ONLY" } },
    });
    expect(specs.get("copy")).toMatchObject({ handler: { http: { method: "COPY" } } });
  });

  test("leaves the key of repeatable calls to the handler, which sends one of its own", () => {
    const parameters = [{ in: "header", name: "idempotency-key", required: true, schema: { type: "string" } }];
    const { specs, diagnostics } = importDocument({
      paths: { "/orders": { post: { operationId: "order", summary: "Orders.", parameters, responses: {} } } },
    });
    expect(specs.get("order")).toMatchObject({
      input: { properties: {} },
      handler: { http: { method: "POST", path: "/orders" } },
      origin: { suggested: { isIdempotent: "withKey" } },
    });
    expect(JSON.stringify(specs.get("order")?.["handler"])).not.toContain("headers");
    expect(diagnostics.map(({ code }) => code)).toContain("import/idempotency-key");
  });

  test("the connection has the name that the user gives it", () => {
    const { specs, connections } = importDocument({ paths }, { settings: { connectionName: "My_Shop" } });
    expect(connections?.map(({ name }) => name)).toEqual(["My_Shop"]);
    expect(specs.get("list")).toMatchObject({ handler: { http: { connection: "My_Shop" } } });
  });

  test("a stream is left to the text of the answer, and a body of one is refused", () => {
    const stream = { "application/jsonl": { itemSchema: { type: "object" } } };
    const { specs, refused, codes } = importDocument({
      openapi: "3.2.0",
      $self: "https://shop.example/api/",
      paths: {
        "/a": {
          get: { operationId: "get", description: "x", responses: { "200": { description: "x", content: stream } } },
          put: { operationId: "put", description: "x", requestBody: { content: stream }, responses: done },
        },
      },
    });
    expect([[...specs.keys()], refused]).toEqual([["get"], ["put"]]);
    expect(Object.keys(specs.get("get") ?? {})).not.toContain("output");
    expect(codes).toEqual(["import/stream-output", "import/broken-body"]);
  });
});

describe("pages", () => {
  const list = { type: "array", items: { type: "string" } };
  const answer = (schema: JsonObject, headers: JsonObject = {}): JsonObject => ({
    "200": { description: "x", headers, content: { "application/json": { schema } } },
  });
  function pagesOf(operation: JsonObject, more: JsonObject = {}) {
    const get = { operationId: "a", description: "x", ...operation };
    const { specs } = importDocument({ paths: { "/a": { get } }, ...more }, { settings: { maxPages: 5 } });
    const { handler, input, output } = (specs.get("a") ?? {}) as {
      handler?: { http: JsonObject };
      input?: { properties?: JsonObject };
      output?: JsonValue;
    };
    const { pagination, query, result } = handler?.http ?? {};
    return { pagination, result, output, taken: [Object.keys(input?.properties ?? {}), query] };
  }
  const object = (properties: JsonObject): JsonObject => ({ type: "object", properties });
  const cursor = { type: ["string", "null"] };

  test("follows a header Link beside a list", () => {
    const link = { link: { schema: { type: "string" } } };
    expect(pagesOf({ responses: answer(list, link) })).toEqual({
      pagination: { link: true, maxPages: 5 },
      result: undefined,
      output: list,
      taken: [[], undefined],
    });
    expect(pagesOf({ responses: answer(object({ items: list }), link) }).pagination).toBeUndefined();
    expect(pagesOf({ responses: answer(list) }).pagination).toBeUndefined();
  });

  test.each([
    ["next_marker", "marker"],
    ["nextPageToken", "page_token"],
    ["NextToken", "nextToken"],
  ])("follows the cursor %s, which the parameter %s takes and the input no longer has", (property, query) => {
    const Page = { allOf: [object({ entries: list }), object({ [property]: cursor, total: { type: "integer" } })] };
    const operation = {
      parameters: [parameter(query, "query"), parameter("limit", "query")],
      responses: answer({ $ref: "#/components/schemas/Page" }),
    };
    expect(pagesOf(operation, { components: { schemas: { Page } } })).toEqual({
      pagination: { cursor: { from: `/${property}`, query }, maxPages: 5 },
      result: "/entries",
      output: list,
      taken: [["limit"], ["limit"]],
    });
  });

  test.each<[string, JsonObject, string]>([
    ["of which nothing says that it is the next", object({ entries: list, cursor }), "cursor"],
    ["that no parameter takes", object({ entries: list, next_marker: cursor }), "offset"],
    ["beside two lists", object({ entries: list, more: list, next_marker: cursor }), "marker"],
    ["that is no text", object({ entries: list, next_page: { type: "integer" } }), "page"],
  ])("does not follow a cursor %s", (_what, schema, query) => {
    expect(pagesOf({ parameters: [parameter(query, "query")], responses: answer(schema) })).toEqual({
      pagination: undefined,
      taken: [[query], [query]],
      result: undefined,
      output: schema,
    });
  });
});
