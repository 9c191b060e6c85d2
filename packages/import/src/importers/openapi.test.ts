import { toObject } from "@hasp/base/json";
import { type JsonObject, type JsonValue, createValidator } from "@hasp/schema";
import type { LoadedDocument } from "@hasp/compiler/model";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { importFiles, importText, type ImportedForTest } from "./import-source.testing.js";
import { importOpenapi } from "./openapi.js";
import { createHiddenProperties } from "./openapi/openapi-document.js";
import type { ImportSettings } from "./source/importer.js";

const done = { "200": { description: "Done." } };

function importPaths(
  paths: JsonObject,
  more: JsonObject = {},
  files: { readonly [path: string]: JsonValue } = {},
  settings: ImportSettings = {},
): ImportedForTest {
  const document = {
    openapi: "3.0.3",
    info: { title: "A", version: "1" },
    servers: [{ url: "https://a.example" }],
    paths,
    ...more,
  };
  return importFiles(importOpenapi, { "api.json": document, ...files }, { settings });
}

function importOperation(
  operation: JsonObject,
  more: JsonObject = {},
  settings: ImportSettings = {},
): ImportedForTest & { readonly input: JsonValue | undefined; readonly spec: JsonObject | undefined } {
  const imported = importPaths(
    { "/a": { get: { operationId: "a", description: "x", responses: done, ...operation } } },
    more,
    {},
    settings,
  );
  const spec = imported.specs.get("a");
  return { ...imported, spec, input: spec?.["input"] };
}

/** Imports a query parameter with this schema in one version of OpenAPI; returns its new schema. */
function importSchema(
  schema: JsonValue,
  openapi = "3.0.3",
  schemas: JsonObject = {},
  settings: ImportSettings = {},
): { readonly schema: JsonValue | undefined } & ImportedForTest {
  const imported = importOperation(
    { parameters: [{ name: "p", in: "query", schema }] },
    { openapi, components: { schemas } },
    settings,
  );
  return {
    ...imported,
    schema: ((imported.input as JsonObject | undefined)?.["properties"] as JsonObject | undefined)?.["p"],
  };
}

test("an OpenAPI document may have bounds that JavaScript rounds, in a parameter or a schema of any operation", () => {
  const id = { name: "id", in: "query", schema: { type: "integer", maximum: "BOUND" } };
  const Price = { type: "integer", minimum: "BOUND" };
  const document = {
    openapi: "3.0.3",
    info: { title: "A", version: "1" },
    servers: [{ url: "https://a.example" }],
    paths: {
      "/a": {
        get: {
          operationId: "a",
          description: "x",
          parameters: [
            { $ref: "#/components/parameters/id" },
            { name: "p", in: "query", schema: { $ref: "#/components/schemas/Price" } },
          ],
          responses: done,
        },
      },
    },
    components: { parameters: { id }, schemas: { Price } },
  };
  const text = JSON.stringify(document).replaceAll('"BOUND"', "9223372036854775807");
  const { specs, shared, codes } = importText(importOpenapi, text);
  expect([...specs.keys()]).toEqual(["a"]);
  expect(codes).toEqual(["import/bound-dropped", "import/bound-dropped"]);
  expect(JSON.stringify([...specs.values(), shared])).not.toMatch(/"(?:minimum|maximum)":/u);
});

test("a definition of an OpenAPI document is found by its $id", () => {
  const Node = { $id: "Node", type: "object", properties: { next: { $ref: "Node" } } };
  const { shared, codes } = importSchema({ $ref: "Node#/properties/next" }, "3.1.0", { Node });
  expect(codes).toEqual([]);
  expect(shared).toMatchObject({ $defs: { Node: { properties: { next: { $ref: "#/$defs/Node" } } } } });
  expect(JSON.stringify(shared)).not.toContain("$id");
});

describe("operations", () => {
  test("names an operation by its id, or by method and path where it has none or it is taken", () => {
    const operation = (operationId?: string): JsonObject => ({
      description: "x",
      responses: done,
      ...(operationId === undefined ? {} : { operationId }),
    });
    const { specs, codes } = importPaths({
      "/pets": { get: operation("list"), post: operation() },
      "/pets/all": { get: operation("list"), delete: operation("pets.drop") },
    });
    expect([...specs.keys()].toSorted()).toEqual(["get_pets_all", "list", "pets_drop", "post_pets"]);
    expect(codes).toEqual(["import/operation-id-twice", "import/renamed"]);
    expect(specs.get("post_pets")?.["origin"]).toMatchObject({
      kind: "openapi",
      source: "api.json",
      name: "POST /pets",
    });
    expect(specs.get("post_pets")?.["handler"]).toEqual({
      http: { connection: "api", method: "POST", path: "/pets" },
    });
  });

  test("suggest what their method promises and claim nothing", () => {
    const methods = ["get", "head", "put", "delete", "post", "patch"];
    const { specs } = importPaths({
      "/a": Object.fromEntries(
        methods.map((method) => [method, { operationId: method, description: "x", responses: done }]),
      ),
    });
    expect(methods.map((method) => toObject(specs.get(method)?.["origin"])["suggested"])).toEqual([
      { from: "method", class: "READ_ONLY" },
      { from: "method", class: "READ_ONLY" },
      { from: "method", isIdempotent: true },
      { from: "method", isIdempotent: true },
      undefined,
      undefined,
    ]);
    for (const spec of specs.values()) expect(Object.keys(spec)).not.toContain("concurrency");
  });

  test.each<[string, JsonObject, string]>([
    ["Swagger 2", { swagger: "2.0", openapi: "2.0" }, "import/openapi-version"],
    ["an unknown version", { openapi: "4.0.0" }, "import/openapi-version"],
    ["no document of OpenAPI", { openapi: 3 }, "import/openapi-version"],
    ["unknown schemas", { openapi: "3.1.0", jsonSchemaDialect: "https://example.com/mine" }, "import/openapi-dialect"],
    ["no operations", { paths: {} }, "import/no-operations"],
  ])("%s is refused as a whole", (_title, more, code) => {
    expect(importPaths({ "/a": { get: { responses: done } } }, more).codes).toEqual([code]);
  });
});

describe("parameters and body", () => {
  test("merges parameters and body into one input without collisions", () => {
    const parameter = (place: string, type: string): JsonObject => ({
      name: "id",
      in: place,
      required: place === "path",
      schema: { type },
    });
    const { specs } = importPaths({
      "/a/{id}": {
        parameters: [parameter("path", "string"), parameter("header", "string")],
        post: {
          operationId: "a",
          description: "x",
          parameters: [parameter("query", "integer"), { name: "body", in: "query", schema: { type: "string" } }],
          requestBody: {
            required: true,
            content: { "application/json": { schema: { type: "object", properties: { id: { type: "string" } } } } },
          },
          responses: done,
        },
      },
    });
    const spec = specs.get("a");
    expect(spec?.["input"]).toEqual({
      type: "object",
      required: ["id", "request_body"],
      properties: {
        id: { type: "string" },
        header_id: { type: "string" },
        query_id: { type: "integer" },
        body: { type: "string" },
        request_body: { type: "object", properties: { id: { type: "string" } } },
      },
    });
    expect(spec?.["handler"]).toEqual({
      http: {
        connection: "api",
        method: "POST",
        path: "/a/{id}",
        query: { id: "input.query_id", body: "input.body" },
        headers: { id: "input.header_id" },
        body: { json: "input.request_body" },
      },
    });
  });

  test("prefers the parameters of an operation to those of its path", () => {
    const { specs } = importPaths({
      "/a": {
        parameters: [{ name: "p", in: "query", schema: { type: "string" } }],
        get: {
          operationId: "a",
          description: "x",
          parameters: [{ name: "p", in: "query", required: true, schema: { type: "integer" } }],
          responses: done,
        },
      },
    });
    expect(specs.get("a")?.["input"]).toEqual({
      type: "object",
      required: ["p"],
      properties: { p: { type: "integer" } },
    });
  });

  test("credentials are never asked for", () => {
    const names: readonly [string, string][] = [
      ["X-API-KEY", "header"],
      ["token", "query"],
      ["Authorization", "header"],
      ["Content-Type", "header"],
      ["session", "cookie"],
      ["kept", "query"],
    ];
    const { input, codes } = importOperation(
      { parameters: names.map(([name, place]) => ({ name, in: place, schema: { type: "string" } })) },
      {
        components: {
          securitySchemes: {
            a: { type: "apiKey", in: "header", name: "x-api-key" },
            b: { type: "apiKey", in: "query", name: "token" },
            c: { type: "apiKey", in: "cookie", name: "session" },
          },
        },
      },
    );
    expect(Object.keys((input as JsonObject)["properties"] as JsonObject)).toEqual(["kept"]);
    expect(codes).toEqual(["import/credential-left-out", "import/credential-left-out", "import/credential-left-out"]);
  });

  test("keeps what a parameter says of its schema", () => {
    const parameters = [
      {
        name: "p",
        in: "query",
        description: "Outer.",
        deprecated: true,
        example: 1,
        content: { "application/json": { schema: { type: "integer", description: "Inner." } } },
      },
    ];
    const { input, spec } = importOperation({ parameters });
    expect(input).toMatchObject({
      properties: { p: { type: "integer", description: "Outer.\nInner.", examples: [1], deprecated: true } },
    });
    expect(spec?.["handler"]).toMatchObject({
      http: { query: ["p"], parameters: { query: { p: { contentType: "application/json" } } } },
    });
  });

  test.each<[string, JsonObject, string]>([
    ["a parameter without a schema", { parameters: [{ name: "p", in: "query" }] }, "import/broken-parameter"],
    ["parameters that are no list", { parameters: { name: "p", in: "query", schema: {} } }, "import/broken-parameter"],
    ["a parameter in no place", { parameters: [{ name: "p", in: "body", schema: {} }] }, "import/broken-parameter"],
    [
      "a parameter that leads nowhere",
      { parameters: [{ $ref: "#/components/parameters/Gone" }] },
      "import/broken-parameter",
    ],
    [
      "a parameter that leads to itself",
      { parameters: [{ $ref: "#/components/parameters/Loop" }] },
      "import/broken-parameter",
    ],
    [
      "a body in XML",
      { requestBody: { content: { "application/xml": { schema: { type: "object" } } } } },
      "import/broken-body",
    ],
    [
      "a body that is a stream",
      { requestBody: { content: { "application/json": { itemSchema: { type: "string" } } } } },
      "import/broken-body",
    ],
    [
      "a schema that leads nowhere",
      { parameters: [{ name: "p", in: "query", schema: { $ref: "#/components/schemas/Gone" } }] },
      "import/broken-reference",
    ],
    [
      "a schema on the network",
      { parameters: [{ name: "p", in: "query", schema: { $ref: "https://example.com/a.json" } }] },
      "import/broken-reference",
    ],
    [
      "a schema outside of the folder",
      { parameters: [{ name: "p", in: "query", schema: { $ref: "../../../etc/passwd" } }] },
      "import/broken-reference",
    ],
    [
      "a schema that needs a broken one",
      { parameters: [{ name: "p", in: "query", schema: { $ref: "#/components/schemas/Deep" } }] },
      "import/needs-missing",
    ],
  ])("%s refuses that operation alone", (_title, operation, code) => {
    const { specs, refused, codes, diagnostics } = importPaths(
      {
        "/bad": { post: { operationId: "bad", description: "x", responses: done, ...operation } },
        "/good": {
          get: {
            operationId: "good",
            description: "x",
            parameters: [{ name: "p", in: "query", schema: { $ref: "#/components/schemas/Fine" } }],
            responses: done,
          },
        },
      },
      {
        components: {
          parameters: { Loop: { $ref: "#/components/parameters/Loop" } },
          schemas: {
            Fine: { type: "string" },
            Deep: { type: "object", properties: { a: { $ref: "#/components/schemas/Broken" } } },
            Broken: { type: "money" },
          },
        },
      },
    );
    expect([...specs.keys()]).toEqual(["good"]);
    expect(refused).toEqual(["bad"]);
    expect(codes).toContain(code);
    expect(diagnostics.some(({ tool, severity }) => tool === "bad" && severity === "error")).toBe(true);
  });

  test("a path without its slash is said to be one, and words of others are passed over", () => {
    const get = { operationId: "a", description: "x", responses: done };
    const { specs, codes } = importPaths({ pets: { get }, "x-pets": { get }, "/pets": { get } });
    expect([...specs.keys()]).toEqual(["a"]);
    expect(codes).toEqual(["import/broken-path"]);
  });

  test("a part of the path must be declared", () => {
    expect(importPaths({ "/a/{id}": { get: { operationId: "a", description: "x", responses: done } } })).toMatchObject({
      refused: ["a"],
      codes: ["import/path-parameter-unknown"],
    });
  });
});

describe("definitions", () => {
  const json = (schema: JsonValue): JsonObject => ({ content: { "application/json": { schema } } });

  test("stand in one shared file under their authors' names, through files and cycles", () => {
    const { specs, shared, codes } = importPaths(
      {
        "/a": {
          post: {
            operationId: "a",
            description: "x",
            requestBody: json({ $ref: "#/components/schemas/Node" }),
            responses: done,
          },
        },
      },
      {
        components: {
          schemas: {
            Node: {
              type: "object",
              properties: { next: { $ref: "#/components/schemas/Node" }, tag: { $ref: "models/tags.json#/inner/Tag" } },
            },
          },
        },
      },
      {
        "models/tags.json": {
          inner: {
            Tag: {
              type: "object",
              properties: { of: { $ref: "../api.json#/components/schemas/Node" }, size: { $ref: "size.json" } },
            },
          },
        },
        "models/size.json": { enum: ["s", "m"] },
      },
    );
    expect(codes).toEqual([]);
    expect(specs.get("a")?.["input"]).toMatchObject({
      properties: { body: { $ref: "./api.schemas.yaml#/$defs/Node" } },
    });
    expect(shared?.["$defs"]).toEqual({
      Node: { type: "object", properties: { next: { $ref: "#/$defs/Node" }, tag: { $ref: "#/$defs/Tag" } } },
      Tag: { type: "object", properties: { of: { $ref: "#/$defs/Node" }, size: { $ref: "#/$defs/size" } } },
      size: { enum: ["s", "m"] },
    });
  });

  describe("a discriminator tells the branches of a union apart", () => {
    const at = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });
    const animal = (more: JsonObject): JsonObject => ({ allOf: [at("Base"), { type: "object", properties: more }] });
    const kinds = ({ kind, ...more }: { readonly kind: JsonObject } & JsonObject, own: JsonObject = {}): JsonValue => {
      const { shared } = importPaths(
        { "/a": { post: { operationId: "a", description: "x", requestBody: json(at("Pet")), responses: done } } },
        {
          components: {
            schemas: {
              Base: { type: "object", required: ["kind"], properties: { kind } },
              Cat: animal({ lives: { type: "integer" }, ...own }),
              Dog: animal({}),
              Pet: { oneOf: [at("Cat"), at("Dog")], discriminator: { propertyName: "kind", ...more } },
            },
          },
        },
      );
      const validate = createValidator({ $defs: toObject(shared?.["$defs"]), $ref: "#/$defs/Pet" });
      return ["Cat", "cat", "kitten", "Dog", "dog"].filter((value) => validate({ kind: value }).valid);
    };
    const mapping = { cat: "#/components/schemas/Cat", kitten: "Cat", dog: "./api.json#/components/schemas/Dog" };
    const [text, listed] = [{ type: "string" }, { type: "string", enum: ["cat", "dog"] }];

    test.each<[rule: string, accepted: readonly string[], found: JsonValue]>([
      ["by the values that its mapping gives to a schema", ["cat", "kitten", "dog"], kinds({ kind: text, mapping })],
      ["by the names of the schemas without a mapping", ["Cat", "Dog"], kinds({ kind: text })],
      ["by those values that the property lists", ["cat", "dog"], kinds({ kind: listed, mapping })],
      ["not where the property has none of these values", [], kinds({ kind: listed })],
      ["not where a branch has a value of its own", ["cat", "Dog"], kinds({ kind: text }, { kind: { const: "cat" } })],
      ["not where the property is only received", [], kinds({ kind: { ...text, readOnly: true }, mapping })],
    ])("it does so %s", (_, accepted, found) => expect(found).toEqual(accepted));

    test("keywords beside a branch's reference still apply", () => {
      const beside = { required: ["name"], properties: { name: { type: "string", maxLength: 3 } } };
      const schemas = {
        Cat: { type: "object", properties: { kind: { type: "string" } } },
        Pet: { oneOf: [{ ...at("Cat"), ...beside }], discriminator: { propertyName: "kind" } },
      };
      const { shared } = importSchema(at("Pet"), "3.1.0", schemas);
      const validate = createValidator({ $defs: toObject(shared?.["$defs"]), $ref: "#/$defs/Pet" });
      const pets = [
        { kind: "Cat" },
        { kind: "Cat", name: "long" },
        { kind: "Dog", name: "a" },
        { kind: "Cat", name: "a" },
      ];
      expect(pets.map((pet) => validate(pet).valid)).toEqual([false, false, false, true]);
    });
  });

  test("follows references into the middle of definitions, whatever their names", () => {
    const { specs, shared } = importPaths(
      {
        "/a": {
          post: {
            operationId: "a",
            description: "x",
            requestBody: json({ $ref: "#/components/schemas/A%20b~1c/properties/x" }),
            responses: done,
          },
        },
      },
      { components: { schemas: { "A b/c": { type: "object", properties: { x: { type: "string" } } } } } },
    );
    expect(specs.get("a")?.["input"]).toMatchObject({
      properties: { body: { $ref: "./api.schemas.yaml#/$defs/A%20b~1c/properties/x" } },
    });
    expect(shared?.["$defs"]).toEqual({ "A b/c": { type: "object", properties: { x: { type: "string" } } } });
  });

  test("keeps two definitions of one name apart", () => {
    const { shared } = importPaths(
      {
        "/a": {
          post: {
            operationId: "a",
            description: "x",
            requestBody: json({ anyOf: [{ $ref: "a.json#/X" }, { $ref: "b.json#/X" }] }),
            responses: done,
          },
        },
      },
      {},
      { "a.json": { X: { type: "string" } }, "b.json": { X: { type: "integer" } } },
    );
    expect(shared?.["$defs"]).toEqual({ X: { type: "string" }, X2: { type: "integer" } });
  });

  test("a secret that a document shows reaches neither a spec nor a definition nor a finding", () => {
    const key = `sk_live_${"a1".repeat(15)}`;
    const { specs, shared, connections, diagnostics } = importPaths(
      {
        "/a": {
          post: {
            operationId: "a",
            summary: `Use ${key}`,
            description: `Call it with ${key}.`,
            parameters: [{ name: "q", in: "query", example: key, schema: { type: "integer", default: key } }],
            requestBody: json({ $ref: "#/components/schemas/Key" }),
            responses: { "200": { description: key, ...json({ type: "string", example: key }) } },
            "x-sample": { curl: `curl -u ${key}:` },
          },
        },
      },
      {
        servers: [{ url: "https://a.example", description: key }],
        components: {
          schemas: { Key: { type: "object", properties: { k: { type: "string", example: key, description: key } } } },
          securitySchemes: { auth: { type: "http", scheme: "bearer", description: key } },
        },
      },
    );
    expect(specs.size).toBe(1);
    expect(
      JSON.stringify([[...specs.values()], shared, connections, diagnostics.map(({ message }) => message)]),
    ).not.toContain(key);
    expect(diagnostics.map(({ code }) => code)).toContain("import/secret-removed");
  });

  test("omits read-only properties from inputs and write-only ones from outputs; shares equal definitions", () => {
    const schemas = {
      User: {
        type: "object",
        required: ["id", "name", "secret"],
        properties: {
          id: { type: "string", readOnly: true },
          link: { allOf: [{ $ref: "#/components/schemas/Name" }, { readOnly: true }] },
          name: { $ref: "#/components/schemas/Name" },
          secret: { type: "string", writeOnly: true },
        },
      },
      Name: { type: "string" },
      Both: { allOf: [{ $ref: "#/components/schemas/User" }, { required: ["id"] }] },
    };
    const { specs, shared, codes } = importPaths(
      {
        "/a": {
          post: {
            operationId: "a",
            description: "x",
            requestBody: json({ $ref: "#/components/schemas/Both" }),
            responses: { "200": { description: "x", ...json({ $ref: "#/components/schemas/Both" }) } },
          },
        },
      },
      { components: { schemas } },
    );
    expect(specs.get("a")).toMatchObject({
      input: { properties: { body: { $ref: "./api.schemas.yaml#/$defs/Both" } } },
      output: { $ref: "./api.schemas.yaml#/$defs/BothResult" },
    });
    expect(shared?.["$defs"]).toEqual({
      Both: { allOf: [{ $ref: "#/$defs/User" }, {}] },
      BothResult: { allOf: [{ $ref: "#/$defs/UserResult" }, { required: ["id"] }] },
      User: {
        type: "object",
        required: ["name", "secret"],
        properties: { name: { $ref: "#/$defs/Name" }, secret: { type: "string", writeOnly: true } },
      },
      UserResult: {
        type: "object",
        required: ["id", "name"],
        properties: {
          id: { type: "string", readOnly: true },
          link: { allOf: [{ $ref: "#/$defs/Name" }, { readOnly: true }] },
          name: { $ref: "#/$defs/Name" },
        },
      },
      Name: { type: "string" },
    });
    expect(codes).toEqual(["import/hidden-properties", "import/hidden-properties"]);
  });

  test("a schema that leads to too many others is refused at its place", () => {
    const ring = Array.from({ length: 600 }, (_, index): [string, JsonValue] => [
      `N${index}`,
      { allOf: [{ $ref: `#/components/schemas/N${(index + 1) % 600}` }] },
    ]);
    const { refused, diagnostics } = importPaths(
      {
        "/a": {
          post: {
            operationId: "a",
            description: "x",
            requestBody: json({ $ref: "#/components/schemas/N0" }),
            responses: done,
          },
        },
      },
      { components: { schemas: Object.fromEntries(ring) } },
    );
    expect(refused).toEqual(["a"]);
    expect(diagnostics).toContainEqual(
      expect.objectContaining({
        code: "import/too-many-parts",
        location: expect.objectContaining({ pointer: "/components/schemas/N0" }) as unknown,
      }),
    );
  });

  test("follows each reference of a circular composition once", () => {
    let count = 0;
    const value = {
      N: Array.from({ length: 100 }, (_, index) => ({
        get allOf(): JsonValue {
          count += 1;
          return [{ $ref: `#/N/${(index + 1) % 100}` }];
        },
      })),
    };
    const document: LoadedDocument = {
      uri: "api.json",
      role: "shared",
      text: "",
      value,
      references: [],
      locate: () => expect.unreachable(),
    };
    const findHidden = createHiddenProperties(new Map());
    for (const schema of value.N) expect(findHidden(schema, document, "input")).toEqual(new Set());
    expect(count).toBe(100);
  });

  test("examines a repeated or circular composition once", () => {
    const levels = Array.from({ length: 60 }, (_, level): [string, JsonValue] => [
      `L${level}`,
      {
        allOf: Array.from({ length: 10 }, () => ({ $ref: `#/components/schemas/L${(level + 1) % 60}` })),
        properties: { [`p${level}`]: { type: "string", readOnly: true } },
      },
    ]);
    const { refused, diagnostics } = importPaths(
      {
        "/a": {
          post: {
            operationId: "a",
            description: "x",
            requestBody: json({ allOf: [{ $ref: "#/components/schemas/L0" }], required: ["p59", "q"] }),
            responses: done,
          },
        },
      },
      { components: { schemas: Object.fromEntries(levels) } },
    );
    expect(refused).toEqual(["a"]);
    expect(diagnostics.filter(({ severity }) => severity === "error")).toMatchObject([
      { code: "import/not-buildable", message: expect.stringContaining("refers back to itself") },
    ]);
  });

  test("an output that cannot be said is left out, and the tool stays", () => {
    for (const schema of [
      { type: "money" },
      { $ref: "#/components/schemas/Gone" },
      { $ref: "#/components/schemas/Bad" },
    ]) {
      const { specs, diagnostics } = importPaths(
        {
          "/a": {
            get: { operationId: "a", description: "x", responses: { "200": { description: "x", ...json(schema) } } },
          },
        },
        { components: { schemas: { Bad: { type: "money" } } } },
      );
      expect(specs.get("a")).not.toHaveProperty("output");
      expect(diagnostics.length).toBeGreaterThan(0);
      expect(diagnostics.filter(({ severity }) => severity !== "warning")).toEqual([]);
    }
  });

  test("several answers that differ promise none", () => {
    const answers = { "200": { description: "x", ...json({ type: "string" }) }, "204": { description: "x" } };
    expect(importOperation({ responses: answers }).spec).not.toHaveProperty("output");
    const alike = {
      "200": answers["200"],
      "201": { ...answers["200"] },
      "404": { description: "x", ...json({ type: "integer" }) },
    };
    expect(importOperation({ responses: alike }).spec).toMatchObject({ output: { type: "string" } });
  });
});

describe("the words of OpenAPI 3.0", () => {
  test("translates the words of OpenAPI 3.0 to JSON Schema", () => {
    expect(
      importSchema({ type: "integer", minimum: 0, exclusiveMinimum: true, nullable: true, example: 3 }).schema,
    ).toEqual({ type: ["integer", "null"], exclusiveMinimum: 0, examples: [3] });
    expect(
      importSchema({ type: "string", discriminator: { propertyName: "x" }, externalDocs: { url: "x" } }),
    ).toMatchObject({
      schema: { type: "string", "x-imported-discriminator": { propertyName: "x" } },
      codes: [],
    });
  });

  test("nullable adds null to the type alone, so an enum without it takes none", () => {
    const { schema, codes } = importSchema({ type: "string", enum: ["a"], nullable: true });
    expect(codes).toEqual(["import/nullable", "import/nullable-enum"]);
    expect(createValidator(schema as JsonObject)(null).valid).toBe(false);
    expect(createValidator(schema as JsonObject)("a").valid).toBe(true);
  });

  describe("nullable without a type", () => {
    const schemas = {
      Device: { type: "object", properties: { name: { type: "string" } } },
      Kind: { type: "string", enum: ["a"] },
    };
    const reference = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });
    const shared = (name: string): JsonObject => ({ $ref: `./api.schemas.yaml#/$defs/${name}` });

    test.each<[keyword: string, written: JsonObject, asserted: JsonObject]>([
      ["$ref", reference("Device"), shared("Device")],
      ["allOf", { allOf: [reference("Device")] }, { allOf: [shared("Device")] }],
      ["oneOf", { oneOf: [reference("Device"), reference("Kind")] }, { oneOf: [shared("Device"), shared("Kind")] }],
      ["anyOf", { anyOf: [reference("Device"), reference("Kind")] }, { anyOf: [shared("Device"), shared("Kind")] }],
    ])("accepts null beside %s, and says what the letter says", (_, written, asserted) => {
      const nullable = { ...written, nullable: true, description: "Prose." };
      const lenient = importSchema(nullable, "3.0.3", schemas);
      expect(lenient.schema).toEqual({ anyOf: [asserted, { type: "null" }], description: "Prose." });
      expect(lenient.codes).toEqual(["import/nullable-without-type"]);
      expect(lenient.diagnostics[0]).toMatchObject({
        severity: "warning",
        message: expect.stringContaining("means nothing by the letter of OpenAPI 3.0"),
        location: { pointer: "/paths/~1a/get/parameters/0/schema/nullable" },
      });
      const strict = importSchema(nullable, "3.0.3", schemas, { nullable: "strict" });
      expect(strict.schema).toEqual({ ...asserted, description: "Prose.", "x-imported-nullable": true });
    });

    test("allows null next to an object, and closes the object", () => {
      const properties = { a: { type: "string" } };
      const { schema } = importSchema({ nullable: true, allOf: [{ properties }] });
      expect(schema).toEqual({ anyOf: [{ type: "object", allOf: [{ properties }] }, { type: "null" }] });
    });

    test("keeps a default of null", () => {
      const { schema, codes } = importSchema({ nullable: true, default: null, allOf: [{ type: "string" }] });
      expect(schema).toEqual({ anyOf: [{ allOf: [{ type: "string" }] }, { type: "null" }], default: null });
      expect(codes).toEqual(["import/nullable-without-type"]);
    });

    test("adds nothing without a schema that accepts the other values, or in 3.1, where nullable has no meaning", () => {
      expect(importSchema({ nullable: true, maxLength: 3 }).codes).toEqual(["import/keyword-kept"]);
      expect(importSchema({ nullable: true, ...reference("Kind") }, "3.1.0", schemas).codes).toEqual([
        "import/keyword-kept",
      ]);
    });
  });

  test("ignores siblings of a reference in 3.0; heeds them in 3.1, where nullable has no meaning", () => {
    const schema = { $ref: "#/components/schemas/S", maxLength: 3, description: "Prose." };
    const schemas = { S: { type: "string" } };
    expect(importSchema(schema, "3.0.3", schemas)).toMatchObject({
      codes: ["import/beside-reference"],
      schema: { $ref: "./api.schemas.yaml#/$defs/S", description: "Prose.", "x-imported-maxLength": 3 },
    });
    expect(importSchema(schema, "3.1.0", schemas)).toMatchObject({ codes: [], schema: { maxLength: 3 } });
    expect(importSchema({ type: "string", nullable: true }, "3.1.0")).toMatchObject({
      codes: ["import/keyword-kept"],
      schema: { type: "string", "x-imported-nullable": true },
    });
    expect(importSchema({ type: ["string", "null"], exclusiveMinimum: 1 }, "3.1.0")).toMatchObject({
      codes: [],
      schema: { type: ["string", "null"], exclusiveMinimum: 1 },
    });
  });

  test("a bare object of a definition accepts anything, whether an input or an output comes first", () => {
    const reference = { content: { "application/json": { schema: { $ref: "#/components/schemas/Any" } } } };
    const answer = { responses: { "200": { description: "x", ...reference } } };
    const { shared } = importPaths(
      {
        "/a": { get: { operationId: "a", description: "x", ...answer } },
        "/b": { post: { operationId: "b", description: "x", requestBody: reference, ...answer } },
      },
      { components: { schemas: { Any: { type: "object" } } } },
    );
    expect(shared?.["$defs"]).toEqual({ Any: { type: "object", additionalProperties: true } });
  });

  test("bare and open objects are asked about", () => {
    expect(importSchema({ type: "object" }).codes).toEqual(["import/bare-object"]);
    expect(importSchema({ type: "object", additionalProperties: true }).codes).toEqual(["import/open-object"]);
  });
});

test("turns each operation of any document into a spec or refuses it by name, and never throws", () => {
  const junk = fc.oneof(
    fc.constant(null),
    fc.boolean(),
    fc.integer(),
    fc.string(),
    fc.constant([]),
    fc.constant({}),
    fc.constant({ $ref: "#" }),
    fc.constant({ $ref: "#/paths" }),
  );
  const schema = fc.oneof(
    junk,
    fc.record(
      {
        type: fc.constantFrom("string", "object", "array", "money"),
        properties: junk,
        items: junk,
        allOf: junk,
        nullable: junk,
        required: junk,
      },
      { requiredKeys: [] },
    ),
  );
  const parameter = fc.oneof(
    junk,
    fc.record(
      {
        name: fc.oneof(fc.string(), junk),
        in: fc.constantFrom("query", "path", "header", "cookie", "x"),
        schema,
        content: junk,
      },
      { requiredKeys: [] },
    ),
  );
  const operation = fc.oneof(
    junk,
    fc.record(
      {
        operationId: junk,
        parameters: fc.oneof(junk, fc.array(parameter, { maxLength: 3 })),
        requestBody: fc.oneof(
          junk,
          fc.record({
            content: fc.dictionary(fc.constantFrom("application/json", "text/plain"), fc.record({ schema })),
          }),
        ),
        responses: junk,
        security: junk,
        tags: junk,
        servers: junk,
      },
      { requiredKeys: [] },
    ),
  );
  fc.assert(
    fc.property(
      fc.dictionary(
        fc.constantFrom("/a", "/a/{id}", "/b"),
        fc.oneof(junk, fc.record({ get: operation, post: operation, parameters: junk }, { requiredKeys: [] })),
      ),
      junk,
      (paths, components) => {
        const { specs, refused, diagnostics } = importPaths(paths as JsonObject, {
          components: components as JsonValue,
        });
        for (const name of refused) {
          expect(
            diagnostics.some(({ tool, severity }) => severity === "error" && (tool === name || tool === undefined)),
          ).toBe(true);
        }
        for (const spec of specs.values()) expect((spec["input"] as JsonObject)["type"]).toBe("object");
      },
    ),
  );
});
