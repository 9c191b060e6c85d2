import { describe, expect, test } from "vitest";
import { inBoundedTime } from "../in-bounded-time.testing.js";
import type { JsonSchema } from "../vocabulary/json-schema.js";
import { createValidator } from "../validate/index.js";
import { flatten, type FlattenOptions } from "./flatten.js";
import { hasShared, judge, listShared, readShared } from "./judge.testing.js";

function errors(
  schema: unknown,
  options: FlattenOptions = {},
): { readonly code: string; readonly pointer: string; readonly message: string }[] {
  return flatten(schema, options)
    .diagnostics.filter(({ severity }) => severity === "error")
    .map(({ code, origin, message }) => ({ code, pointer: origin.pointer, message }));
}

function compiles(schema: JsonSchema): boolean {
  try {
    createValidator(schema);
    return true;
  } catch {
    return false;
  }
}

describe("small results", () => {
  test.each<[string, unknown, unknown]>([
    [
      "a union of one branch is that branch",
      { type: "object", anyOf: [{ properties: { a: {} } }] },
      { type: "object", properties: { a: {} } },
    ],
    [
      "duplicate branches collapse",
      { anyOf: [{ type: "string" }, { type: "string" }, { type: "null" }] },
      { anyOf: [{ type: "string" }, { type: "null" }] },
    ],
    [
      "nested unions become one",
      { anyOf: [{ anyOf: [{ type: "string" }, { type: "null" }] }, { type: "integer" }] },
      { anyOf: [{ type: "string" }, { type: "null" }, { type: "integer" }] },
    ],
    [
      "branches of other types go",
      { type: "string", anyOf: [{ type: "string", minLength: 1 }, { type: "null" }] },
      { type: "string", minLength: 1 },
    ],
    ["a union with an empty branch says nothing", { title: "t", anyOf: [{ type: "string" }, {}] }, { title: "t" }],
    [
      "keywords of other types go",
      { allOf: [{ type: ["object", "string"], minLength: 1, properties: { a: {} } }, { type: "object" }] },
      { type: "object", properties: { a: {} } },
    ],
    [
      "a branch that alone is possible brings its words",
      {
        const: 1,
        oneOf: [
          { const: 1, title: "One" },
          { const: 2, title: "Two" },
        ],
      },
      { title: "One", const: 1 },
    ],
    [
      "a discriminant that is fixed outside picks the branch",
      {
        type: "object",
        properties: { k: { const: "a" } },
        required: ["k"],
        oneOf: [{ properties: { k: { const: "a" }, x: {} } }, { properties: { k: { const: "b" }, y: {} } }],
      },
      { type: "object", properties: { k: { const: "a" }, x: {} }, required: ["k"] },
    ],
    [
      "unions multiply",
      { allOf: [{ anyOf: [{ minimum: 1 }, { maximum: 0 }] }, { anyOf: [{ multipleOf: 2 }, { multipleOf: 3 }] }] },
      {
        anyOf: [
          { minimum: 1, multipleOf: 2 },
          { minimum: 1, multipleOf: 3 },
          { maximum: 0, multipleOf: 2 },
          { maximum: 0, multipleOf: 3 },
        ],
      },
    ],
    [
      "a nested union loses what its surroundings rule out",
      { type: "string", anyOf: [{ minLength: 2 }, { anyOf: [{ type: "null" }, { const: "a" }, { const: 1 }] }] },
      {
        type: "string",
        anyOf: [{ minLength: 2 }, { const: "a" }],
      },
    ],
    ["the same excluded twice", { allOf: [{ not: { const: 1 } }, { not: { const: 1 } }] }, { not: { const: 1 } }],
    [
      "neither-nor with unions",
      { allOf: [{ not: { anyOf: [{ const: 1 }, { const: 2 }] } }, { not: { const: 2 } }] },
      { not: { anyOf: [{ const: 1 }, { const: 2 }] } },
    ],
    [
      "neither-nor",
      { allOf: [{ not: { minimum: 1 } }, { not: { type: "string" } }] },
      { not: { anyOf: [{ minimum: 1 }, { type: "string" }] } },
    ],
    ["multiples", { allOf: [{ multipleOf: 0.4 }, { multipleOf: 0.6 }] }, { multipleOf: 1.2 }],
    [
      "an enum keeps to the bounds",
      { allOf: [{ enum: [1, 5, 9, "x"] }, { type: "number", minimum: 4 }] },
      { type: "number", enum: [5, 9], minimum: 4 },
    ],
    [
      "a dependency on a required name always holds",
      {
        type: "object",
        required: ["a"],
        dependentRequired: { a: ["b"] },
        dependentSchemas: { b: { properties: { b: { const: 1 } } }, z: true },
      },
      {
        type: "object",
        properties: { b: { const: 1 } },
        required: ["a", "b"],
      },
    ],
  ])("flatten gives a small result: %s", (_, schema, expected) => {
    const { schema: flat } = flatten(schema);
    if (JSON.stringify(expected).includes(`"required":["a","b"]`)) expect(flat).toMatchObject({ required: ["a", "b"] });
    else expect(flat).toEqual(expected);
  });

  test("draft-07 words become 2020-12 words", () => {
    const schema = {
      $schema: "http://json-schema.org/draft-07/schema#",
      properties: { t: { items: [{ type: "string" }], additionalItems: false } },
      dependencies: { a: ["b"], b: { required: ["c"] } },
    };
    expect(flatten(schema).schema).toEqual({
      properties: { t: { prefixItems: [{ type: "string" }], items: false } },
      dependentRequired: { a: ["b"] },
      dependentSchemas: { b: { required: ["c"] } },
    });
  });

  test("unevaluatedProperties becomes additionalProperties where nothing depends on the value", () => {
    expect(
      flatten({ allOf: [{ properties: { a: {} } }], properties: { b: {} }, unevaluatedProperties: false }).schema,
    ).toEqual({ properties: { b: {}, a: {} }, additionalProperties: false });
  });
});

describe("references", () => {
  const documents: Record<string, unknown> = {
    "specs/common/types.json": {
      $defs: { Id: { type: "string" }, Ref: { $ref: "other.json#/definitions/x", maxLength: 3 } },
    },
    "specs/common/other.json": {
      $schema: "http://json-schema.org/draft-07/schema#",
      definitions: { x: { items: [{ type: "null" }] } },
    },
  };
  const options: FlattenOptions = { baseUri: "specs/tool.yaml", pointer: "/input", resolve: (uri) => documents[uri] };

  test("flatten resolves references between documents, each in its own draft", () => {
    const { schema, diagnostics, originsOf } = flatten(
      { properties: { id: { $ref: "./common/types.json#/$defs/Id" }, r: { $ref: "common/types.json#/$defs/Ref" } } },
      options,
    );
    expect(diagnostics).toEqual([]);
    expect(schema).toEqual({
      properties: { id: { type: "string" }, r: { maxLength: 3, prefixItems: [{ type: "null" }] } },
    });
    const id = typeof schema === "object" ? schema.properties?.["id"] : undefined;
    expect(originsOf(id as object)).toEqual([
      { uri: "specs/tool.yaml", pointer: "/input/properties/id" },
      { uri: "specs/common/types.json", pointer: "/$defs/Id" },
    ]);
  });

  test("flatten suggests the nearest name for a dangling reference", () => {
    const [diagnostic] = errors({ properties: { a: { $ref: "#/$defs/Scop" } }, $defs: { Scope: {} } }, options);
    expect(diagnostic).toMatchObject({ code: "schema/reference-not-found", pointer: "/input/properties/a/$ref" });
    expect(diagnostic?.message).toContain(`"#/$defs/Scope"`);
  });

  test("flatten suggests the spelling of a reference whose percent escapes are broken", () => {
    const [diagnostic] = errors({ $ref: "#/$defs/%zz", $defs: { "%zz": {} } });
    expect(diagnostic?.message).toBe(
      'The percent escapes of "#/$defs/%zz" are broken. Write "%" as "%25" in a reference. Did you mean "#/$defs/%25zz"?',
    );
  });

  test("flatten resolves a reference to the schema's own file", () => {
    const file = {
      input: {
        properties: { a: { $ref: "tool.yaml#/shared/Id" }, b: { $ref: "#/$defs/B" } },
        $defs: { B: { type: "null" } },
      },
      shared: { Id: { type: "string" } },
    };
    const { schema, diagnostics } = flatten(file.input, {
      baseUri: "specs/tool.yaml",
      pointer: "/input",
      resolve: (uri) => (uri === "specs/tool.yaml" ? file : undefined),
    });
    expect(diagnostics).toEqual([]);
    expect(schema).toEqual({ properties: { a: { type: "string" }, b: { type: "null" } } });
  });

  test("flatten reports a reference to an unknown document", () => {
    expect(errors({ $ref: "missing.json" }, options)).toMatchObject([
      { code: "schema/reference-not-found", pointer: "/input/$ref" },
    ]);
  });

  test("flatten refuses references that never reach a verdict", () => {
    expect(errors({ $ref: "#" })).toMatchObject([{ code: "schema/reference-loop" }]);
    expect(
      errors({ $ref: "#/$defs/a", $defs: { a: { anyOf: [{ type: "string" }, { $ref: "#/$defs/a" }] } } }),
    ).toMatchObject([{ code: "schema/reference-loop" }]);
    expect(
      errors({ $ref: "#/$defs/a", $defs: { a: { allOf: [{ $ref: "#/$defs/b" }] }, b: { $ref: "#/$defs/a" } } })[0],
    ).toMatchObject({ code: "schema/reference-loop" });
  });

  test("recursion through contentSchema ends", () => {
    expect(flatten({ contentSchema: { $ref: "#" } }).schema).toEqual({
      contentSchema: { $ref: "#/$defs/Root" },
      $defs: { Root: { contentSchema: { $ref: "#/$defs/Root" } } },
    });
  });

  test("recursion through allOf keeps one definition for each conjunction", () => {
    const schema = {
      type: "object",
      properties: { tree: { $ref: "#/$defs/Special" } },
      $defs: {
        Base: { type: "object", properties: { children: { type: "array", items: { $ref: "#/$defs/Base" } } } },
        Special: {
          allOf: [
            { $ref: "#/$defs/Base" },
            {
              properties: { children: { items: { $ref: "#/$defs/Special" } }, kind: { const: "s" } },
              required: ["kind"],
            },
          ],
        },
      },
    };
    const { schema: flat, diagnostics } = flatten(schema);
    expect(diagnostics.map(({ code }) => code)).toEqual(["schema/recursive"]);
    const judges = [judge(schema), judge(flat)];
    for (const value of [
      { tree: { kind: "s", children: [{ kind: "s" }] } },
      { tree: { kind: "s", children: [{}] } },
      { tree: {} },
    ]) {
      expect(judges[1]?.(value)).toBe(judges[0]?.(value));
    }
  });
});

describe("what was meant to refuse everything", () => {
  test.each([
    [{ not: {} }],
    [{ allOf: [true, false] }],
    [{ enum: [] }],
    [{ anyOf: [false, false] }],
    [{ $ref: "#/$defs/no", $defs: { no: false } }],
  ])("flatten warns about %j without refusing it", (schema) => {
    expect(flatten(schema)).toMatchObject({
      schema: false,
      diagnostics: [{ code: "schema/unsatisfiable", severity: "warning" }],
    });
  });

  test("the end of a tuple, and forbidden names, are not mentioned", () => {
    expect(flatten({ prefixItems: [{}], items: false, properties: { a: false, b: { not: {} } } }).diagnostics).toEqual(
      [],
    );
  });

  test("flatten reports an item that two schemas contradict", () => {
    expect(flatten({ items: { type: "string" }, allOf: [{ items: { type: "null" } }] }).diagnostics).toMatchObject([
      { code: "schema/dead-item", severity: "warning", origin: { pointer: "/items" } },
    ]);
  });
});

describe("errors", () => {
  test.each<[string, unknown, string, string, RegExp]>([
    [
      "a foreign type",
      { properties: { a: { type: "dict" } } },
      "schema/unknown-type",
      "/properties/a/type",
      /write "object"/,
    ],
    ["a misspelt type", { type: "strng" }, "schema/unknown-type", "/type", /Did you mean "string"/],
    [
      "a reference for a map",
      { properties: { $ref: "x.json" } },
      "schema/invalid-keyword",
      "/properties/$ref",
      /whole "properties" map/,
    ],
    ["a bad pattern", { pattern: "[" }, "schema/invalid-pattern", "/pattern", /not a valid regular expression/],
    ["a pattern that no validator runs", { pattern: "^(a|b)\\1$" }, "schema/slow-pattern", "/pattern", /linear time/],
    [
      "names by a pattern that no validator runs",
      { patternProperties: { "(a)\\1": {} } },
      "schema/slow-pattern",
      "/patternProperties/(a)\\1",
      /without back references/,
    ],
    [
      "a bad pattern of names",
      { patternProperties: { "(": {} } },
      "schema/invalid-pattern",
      "/patternProperties/(",
      /not a valid regular expression/,
    ],
    ["a draft-04 bound", { exclusiveMinimum: true }, "schema/invalid-keyword", "/exclusiveMinimum", /must be a number/],
    ["a negative length", { minLength: -1 }, "schema/invalid-keyword", "/minLength", /whole number/],
    [
      "a schema that is none",
      { properties: { a: "string" } },
      "schema/invalid-schema",
      "/properties/a",
      /object, true or false/,
    ],
    [
      "required: true",
      { properties: { a: { required: true } } },
      "schema/invalid-keyword",
      "/properties/a/required",
      /list of property names/,
    ],
    ["a list under items", { items: [{}] }, "schema/invalid-keyword", "/items", /prefixItems/],
    ["a function", { default: () => 1 }, "schema/not-json", "/default", /function/],
    ["NaN deep in an enum", { enum: [{ a: [Number.NaN] }] }, "schema/not-json", "/enum/0/a/0", /NaN/],
    [
      "a class instance",
      { properties: { a: { const: new Date(0) } } },
      "schema/not-json",
      "/properties/a/const",
      /class/,
    ],
    ["not a schema at all", "string", "schema/invalid-schema", "", /object, true or false/],
  ])("flatten reports %s", (_, schema, code, pointer, message) => {
    const found = errors(schema);
    expect(found).toMatchObject([{ code, pointer }]);
    expect(found[0]?.message).toMatch(message);
  });

  test("unknown keywords: an error with a suggestion in authored schemas, an annotation in foreign ones", () => {
    const schema = { type: "string", maxLenght: 3, "x-note": 1 };
    expect(errors(schema, { unknownKeywords: "error" })).toMatchObject([
      { code: "schema/unknown-keyword", pointer: "/maxLenght", message: expect.stringContaining(`"maxLength"`) },
    ]);
    expect(flatten(schema)).toMatchObject({ schema, diagnostics: [] });
    expect(errors({ nullable: true }, { unknownKeywords: "error" })[0]?.message).toContain(`Add "null" to "type"`);
  });

  test("a word of another draft does not come alive", () => {
    const schema = {
      $schema: "http://json-schema.org/draft-07/schema#",
      prefixItems: [false],
      dependentRequired: { a: ["b"] },
    };
    const { schema: flat, diagnostics } = flatten(schema);
    expect(flat).toEqual({});
    expect(diagnostics.map(({ code, severity }) => [code, severity])).toEqual([
      ["schema/ignored-keyword", "warning"],
      ["schema/ignored-keyword", "warning"],
    ]);
  });

  test("errors in unused definitions are reported too", () => {
    expect(errors({ $defs: { a: { type: "int" }, b: { $ref: "#/nowhere" } } }).map(({ code }) => code)).toEqual([
      "schema/unknown-type",
      "schema/reference-not-found",
    ]);
  });
});

describe("hostile input", () => {
  test("a chain of definitions that doubles thirty times is refused and named", () => {
    const $defs: Record<string, unknown> = { d0: { type: "string" } };
    for (let level = 1; level <= 30; level++) {
      $defs[`d${level}`] = {
        type: "object",
        properties: { a: { $ref: `#/$defs/d${level - 1}` }, b: { $ref: `#/$defs/d${level - 1}` } },
      };
    }
    const { schema, diagnostics } = inBoundedTime(() => flatten({ $ref: "#/$defs/d30", $defs }));
    expect(schema).toBe(false);
    expect(diagnostics).toMatchObject([{ code: "schema/too-large", message: expect.stringContaining("/$defs/d") }]);
  });

  test.each(["properties", "anyOf", "allOf"])("flatten bounds 50 000 members of %s", (keyword) => {
    const members = Array.from({ length: 50_000 }, (_, index) => [`p${index}`, { const: index }] as const);
    const schema = {
      [keyword]: keyword === "properties" ? Object.fromEntries(members) : members.map(([, member]) => member),
    };
    expect(() => flatten(schema)).not.toThrow();
  });

  test("flatten bounds alternating conjunctions and unions that double at every level", () => {
    const $defs: Record<string, unknown> = { d0: { type: "string" } };
    for (let level = 1; level <= 30; level++) {
      const inner = { $ref: `#/$defs/d${level - 1}` };
      $defs[`d${level}`] = { allOf: [{ anyOf: [inner, { minLength: 2 }] }, { anyOf: [inner, { maxLength: 9 }] }] };
    }
    expect(inBoundedTime(() => flatten({ $ref: "#/$defs/d30", $defs })).diagnostics).toMatchObject([
      { code: "schema/too-large" },
    ]);
  });

  test("products of unions stay apart beyond the budget", () => {
    const union = (name: string): object => ({
      anyOf: Array.from({ length: 40 }, (_, index) => ({ properties: { [name]: { const: index } }, required: [name] })),
    });
    const schema = { allOf: [union("a"), union("b"), union("c")] };
    const { schema: flat, diagnostics } = inBoundedTime(() => flatten(schema));
    expect(diagnostics).toMatchObject([{ code: "schema/too-many-branches", severity: "warning" }]);
    const judged = judge(flat);
    expect(
      [
        { a: 1, b: 2, c: 3 },
        { a: 1, b: 2 },
        { a: 1, b: 2, c: 40 },
      ].map((value) => judged?.(value)),
    ).toEqual([true, false, false]);
  });

  test.each(["properties", "not", "allOf", "anyOf", "items", "$defs", "const", "data"])(
    "flatten bounds 10 000 levels of %s",
    (keyword) => {
      let schema: unknown = { type: "string" };
      for (let level = 0; level < 10_000; level++) {
        schema =
          keyword === "properties" || keyword === "$defs"
            ? { [keyword]: { a: schema } }
            : keyword === "allOf"
              ? { allOf: [schema] }
              : keyword === "anyOf"
                ? { anyOf: [schema, true] }
                : { [keyword === "data" ? "x-deep" : keyword]: schema };
      }
      const { diagnostics } = inBoundedTime(() => flatten(schema));
      expect(diagnostics.map(({ code }) => code)).toContainEqual(expect.stringMatching(/too-deep|not-json/));
    },
  );

  test("flatten bounds 250 levels of conditions", () => {
    let schema: unknown = { type: "string" };
    for (let level = 0; level < 250; level++) schema = { if: { minimum: 1 }, then: schema, else: { minimum: level } };
    expect(inBoundedTime(() => flatten(schema)).diagnostics).toEqual([]);
  });

  test("flatten bounds a chain of 10 000 references", () => {
    const $defs: Record<string, unknown> = { d0: { type: "string" } };
    for (let level = 1; level <= 10_000; level++) $defs[`d${level}`] = { $ref: `#/$defs/d${level - 1}` };
    expect(inBoundedTime(() => flatten({ $ref: "#/$defs/d10000", $defs })).schema).toEqual({ type: "string" });
    for (let level = 1; level <= 10_000; level++) {
      $defs[`d${level}`] = { properties: { a: { $ref: `#/$defs/d${level - 1}` } } };
    }
    expect(inBoundedTime(() => flatten({ $ref: "#/$defs/d10000", $defs })).diagnostics).toMatchObject([
      { code: "schema/too-deep" },
    ]);
  });

  test("flatten refuses an object that contains itself", () => {
    const loop: Record<string, unknown> = {};
    loop["properties"] = { a: loop, b: loop, c: loop };
    expect(inBoundedTime(() => flatten(loop)).diagnostics.some(({ severity }) => severity === "error")).toBe(true);
  });

  test.each<[string, (inner: object, index: number) => object]>([
    ["the same schema again and again", (inner) => ({ allOf: [inner, inner], anyOf: [inner, inner] })],
    [
      "nearly the same schema again and again",
      (inner, index) => ({
        allOf: [inner, { ...inner, title: "x" }],
        anyOf: [
          { ...inner, maxProperties: 90 + index },
          { ...inner, minProperties: 0 },
        ],
      }),
    ],
    [
      "unions of unions",
      (inner, index) => ({
        anyOf: [inner, { ...inner, maxProperties: index }],
        oneOf: [{ ...inner, minProperties: 1 }, inner],
      }),
    ],
  ])("%s costs no more than a bounded amount of work", (_what, compose) => {
    const $defs: Record<string, object> = { R0: { type: "object", properties: { a: { type: "string" } } } };
    for (let index = 1; index <= 40; index++) $defs[`R${index}`] = compose({ $ref: `#/$defs/R${index - 1}` }, index);
    const schema = { type: "object", properties: { x: { $ref: "#/$defs/R40" } }, $defs };
    const { diagnostics } = inBoundedTime(() => flatten(schema, { nodeBudget: 5_000 }));
    expect(diagnostics.filter(({ severity }) => severity === "error").length).toBeLessThanOrEqual(1);
  });

  test.each([
    ["is run in linear time", "^(a+)+$", []],
    ["is refused where that cannot be", "^(a+)+\\1$", [{ code: "schema/slow-pattern" }]],
  ])("a backtracking pattern %s", (_what, pattern, expected) => {
    const name = "a".repeat(40) + "!";
    const schema = {
      allOf: [
        { properties: { [name]: {} }, additionalProperties: false },
        { patternProperties: { [pattern]: { type: "string" } } },
      ],
    };
    const { diagnostics } = inBoundedTime(() => flatten(schema));
    expect(diagnostics).toMatchObject(expected);
  });

  test("__proto__, constructor and toString are names like any other", () => {
    const schema = JSON.parse(
      `{"type":"object","allOf":[{"properties":{"__proto__":{"type":"string"},"constructor":{"type":"integer"}},"required":["__proto__"]},{"properties":{"__proto__":{"minLength":2},"toString":false}}],"$defs":{"__proto__":{"type":"null"}},"x-data":{"__proto__":{"polluted":true}}}`,
    ) as object;
    const { schema: flat } = flatten(schema);
    expect(JSON.stringify(flat)).toBe(
      `{"type":"object","properties":{"__proto__":{"type":"string","minLength":2},"constructor":{"type":"integer"},"toString":false},"required":["__proto__"],"x-data":{"__proto__":{"polluted":true}}}`,
    );
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
    expect(errors({ $ref: "#/$defs/constructor", $defs: {} })).toMatchObject([{ code: "schema/reference-not-found" }]);
  });

  test("the result shares nothing with the input, and frozen input is fine", () => {
    const shared = { type: "object", default: { a: [1] }, enum: [{ a: [1] }], examples: [{ b: {} }], "x-y": { z: [] } };
    const schema = { properties: { a: shared, b: shared } };
    const freeze = (value: unknown): void => {
      if (typeof value !== "object" || value === null) return;
      Object.freeze(value);
      Object.values(value).forEach(freeze);
    };
    freeze(schema);
    const mine = new Set<unknown>();
    const collect = (value: unknown, into: Set<unknown>): void => {
      if (typeof value !== "object" || value === null) return;
      into.add(value);
      for (const inner of Object.values(value)) collect(inner, into);
    };
    collect(schema, mine);
    const theirs = new Set<unknown>();
    collect(flatten(schema).schema, theirs);
    expect([...theirs].filter((value) => mine.has(value))).toEqual([]);
  });
});

test.skipIf(!hasShared("corpus/tools"))(
  "the corpus: every schema is flattened or diagnosed, and our validator takes the result",
  () => {
    const counts = { schemas: 0, clean: 0, found: 0, refused: 0 };
    const bad: string[] = [];
    const unstable: string[] = [];
    for (const folder of ["tools", "schemas"]) {
      for (const file of listShared(`corpus/${folder}`)) {
        const content = readShared(`corpus/${folder}/${file}`) as {
          readonly tools?: object[];
          readonly schemas?: object[];
        };
        for (const entry of (content.tools ?? content.schemas ?? []) as {
          readonly name: string;
          readonly [key: string]: unknown;
        }[]) {
          for (const key of ["schema", "inputSchema", "outputSchema"]) {
            const schema = entry[key];
            if (schema === undefined) continue;
            counts.schemas++;
            const { schema: flat, diagnostics } = inBoundedTime(() => flatten(schema));
            const severities = new Set(diagnostics.map(({ severity }) => severity));
            if (severities.has("error")) counts.refused++;
            else if (diagnostics.length > 0) counts.found++;
            else counts.clean++;
            if (file === "bfcl-live-raw-dialect.json" && key === "inputSchema") expect(severities).toContain("error");
            if (severities.has("error")) continue;
            if (!compiles(flat)) bad.push(`${file} ${entry.name} ${key}`);
            // Flattening again changes nothing.
            if (JSON.stringify(flatten(flat).schema) !== JSON.stringify(flat)) {
              unstable.push(`${file} ${entry.name} ${key}`);
            }
          }
        }
      }
    }
    process.stdout.write(`corpus: ${JSON.stringify(counts)}\n`);
    expect(bad).toEqual([]);
    expect(unstable).toEqual([]);
    expect(counts.schemas).toBeGreaterThan(600);
  },
);

test.each<[string, unknown]>([
  ["a reference to nowhere", { type: "object", properties: { a: { $ref: "#/$defs/Gone" } } }],
  ["a loop of references", { $defs: { A: { $ref: "#/$defs/A" } }, properties: { a: { $ref: "#/$defs/A" } } }],
  ["a type that does not exist", { type: "dict", properties: {} }],
  ["a keyword of the wrong form", { properties: { a: { minimum: "1" } } }],
])("who overlooks the diagnostics lets nothing through: %s", (_name, schema) => {
  const result = flatten(schema);
  expect(result.diagnostics.some(({ severity }) => severity === "error")).toBe(true);
  expect(result.schema).toBe(false);
});
