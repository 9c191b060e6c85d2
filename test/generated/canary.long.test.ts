import type { JsonObject, JsonValue } from "@hasp/schema";
import { compile, type CompilePlan, type CompileResult } from "hasp";
import { Node, ts } from "ts-morph";
import { describe, expect, test } from "vitest";
import { toPlan } from "@hasp/project/config";
import { RESERVED_WORDS } from "@hasp/compiler/layout";
import { parseModules } from "@hasp/builtin/modules";
import { parseSource } from "@hasp/compiler/source";
import { haspConfigSchema, toolSpecSchema } from "@hasp/project/built-in";
import { KEYWORDS } from "@hasp/schema/vocabulary";
import { plan as wholePlan } from "./generated-project.js";

const plan: CompilePlan = {
  ...wholePlan,
  dialects: wholePlan.dialects.filter(({ id }) => id === "anthropic" || id === "mcp"),
  connections: {
    api: { http: { baseUrl: "https://api.example.com" } },
    db: { sql: { url: { env: "DATABASE_URL" } } },
    server: { mcp: { command: ["server"] } },
  },
};

/** Handlers in which a text can be planted. */
const HANDLERS: JsonObject = {
  http: {
    connection: "api",
    method: "POST",
    path: "/",
    body: { multipart: { a: 1 } },
    pagination: { cursor: { from: "/a", query: "b" }, maxPages: 2 },
  },
  sql: { connection: "db", statement: "SELECT 1" },
  command: { argv: ["a"] },
  mcp: { connection: "server", tool: "a" },
};

/**
 * Texts that have ended a string, a comment, a line, a script or a review; all but the last few would run `pwned()`.
 */
const canaries: readonly string[] = [
  `"; pwned(); "`,
  `a#b'; pwned(); '`,
  "`; pwned(); `${pwned()}",
  "*/ pwned(); /*</script><script>pwned()</script>",
  "\n// x\r\npwned();",
  "\u2028pwned();\u2029pwned();//",
  "\\\"; pwned(); \\'",
  "\u202e\u2066pwned()\u2069",
  "__proto__",
  "delete",
];
const harmless = "canary";

type Path = readonly (string | number)[];

/** Finds the texts of an instance of one of our formats by its JSON Schema, so that a new field is found by itself. */
function textPlaces(root: JsonObject): readonly Path[] {
  const places = new Map<string, Path>();
  const visit = (schema: unknown, path: Path, visited: ReadonlySet<unknown>): void => {
    if (typeof schema !== "object" || schema === null || visited.has(schema)) return;
    const seen = new Set([...visited, schema]);
    const { $ref, properties, items, additionalProperties, patternProperties, ...rest } = schema as Record<
      string,
      unknown
    >;
    if (typeof $ref === "string") {
      const target = $ref
        .slice(2)
        .split("/")
        .reduce<unknown>((at, key) => Reflect.get(at as object, key), root);
      visit(target, path, seen);
    }
    for (const word of ["anyOf", "oneOf", "allOf"]) {
      for (const each of (rest[word] ?? []) as unknown[]) visit(each, path, seen);
    }
    for (const word of ["if", "then", "else"]) visit(rest[word], path, seen);
    for (const [key, each] of Object.entries(properties ?? {})) visit(each, [...path, key], seen);
    visit(items, [...path, 0], seen);
    visit(additionalProperties, [...path, harmless], seen);
    if (patternProperties !== undefined) places.set(`${path.join("/")}/x-`, [...path, "x-canary"]);
    if (rest["type"] === "string" && rest["enum"] === undefined) places.set(path.join("/"), path);
    const isFree = rest["type"] === "object" && properties === undefined && typeof additionalProperties !== "object";
    if (isFree && path.length > 0) places.set(`${path.join("/")}/*`, [...path, harmless]);
  };
  visit(root, [], new Set());
  return [...places.values()];
}

/** The value with a text at a place; a key that stands for any key is the text as well. */
function planted(base: JsonValue, path: Path, text: string): JsonValue {
  const [key, ...rest] = path;
  if (key === undefined) return text;
  if (typeof key === "number") {
    const items = Array.isArray(base) ? (base as readonly JsonValue[]) : [];
    return [planted(items[key] ?? {}, rest, text), ...items.slice(1)];
  }
  const record = typeof base === "object" && base !== null && !Array.isArray(base) ? (base as JsonObject) : {};
  const name = key === harmless ? text : key;
  return Object.fromEntries([...Object.entries(record), [name, planted(record[name] ?? {}, rest, text)]]);
}

const base: JsonObject = {
  hasp: 1,
  name: "base",
  description: "Do it.",
  input: {
    type: "object",
    required: ["mode", "note"],
    properties: { note: { type: "string" }, mode: { enum: ["read", "write"] }, size: { type: "integer", default: 1 } },
  },
  output: { type: "object", properties: { id: { type: "string" } } },
  concurrency: { rules: [{ when: "input.mode == 'read'", class: "READ_ONLY" }] },
  validate: [{ that: "input.size > 0", message: "no" }],
  examples: [{ input: { mode: "read", note: "" } }],
};

/** One planted text: a spec, or a schema in it. */
interface Planting {
  readonly place: string;
  readonly spec: (text: string) => JsonValue;
}

/** A custom function stands for itself: what it takes the place of goes. */
const withoutSiblings = (path: Path): JsonObject => {
  const key = path.at(-1);
  const [first, kind = ""] = path;
  const handler = first === "handler" ? HANDLERS[kind] : undefined;
  if (first === "tests") return { ...base, tests: [{ input: { mode: "read", note: "" }, expect: { valid: true } }] };
  // A request that sends something is no READ_ONLY call.
  if (handler !== undefined) return { ...base, concurrency: {}, handler: { [kind]: handler } };
  if (key !== "custom" && key !== "unless") return base;
  if (path[0] === "validate") return { ...base, validate: [{}] };
  if (path[0] === "concurrency") return { ...base, concurrency: { rules: [{ class: "READ_ONLY" }] } };
  return base;
};

/** Keywords whose values our format leaves open, and maps, whose keys are text. */
const keywordsOf = (...values: readonly string[]): readonly string[] =>
  Object.entries(KEYWORDS).flatMap(([keyword, { value }]) => (values.includes(value) ? [keyword] : []));

/** Puts the text into an expression where the format wants one. */
function textAt(path: Path, text: string): string {
  const key = String(path.at(-1));
  if (key === "destination") return `input.note + ${JSON.stringify(text)}`;
  return ["when", "unless", "that"].includes(key) ? `input.note != ${JSON.stringify(text)}` : text;
}

const specPlaces: readonly Planting[] = [
  ...textPlaces(toolSpecSchema)
    .filter(([first]) => first !== "tools" && first !== "name")
    .map((path) => ({
      place: path.join("/"),
      spec: (text: string) => planted(withoutSiblings(path), path, textAt(path, text)),
    })),
  ...["input", "output"].flatMap((side) => [
    ...keywordsOf("schemaMap", "schemaOrNamesMap").map((keyword) => ({
      place: `${side}/${keyword}/*`,
      spec: (text: string) => planted(base, [side, keyword, harmless, "title"], text),
    })),
    ...keywordsOf("value", "values").map((keyword) => ({
      place: `${side}/properties/a/${keyword}`,
      spec: (text: string) =>
        planted(
          base,
          [side, "properties", "a", keyword, ...(KEYWORDS[keyword as "enum"].value === "values" ? [0] : [])],
          text,
        ),
    })),
  ]),
];

interface Source {
  readonly uri: string;
  readonly role: "spec";
  readonly text: string;
}

/** Compiles every source that is accepted; says which those are. */
async function compileAccepted(
  sources: readonly Source[],
  ownPlan: CompilePlan,
): Promise<{ readonly result: CompileResult; readonly accepted: ReadonlySet<string> }> {
  const all = await compile(sources, ownPlan, { emits: false });
  const refused = new Set(
    all.diagnostics.flatMap(({ severity, location }) =>
      severity === "error" && location !== undefined ? [location.uri] : [],
    ),
  );
  const accepted = sources.filter(({ uri }) => !refused.has(uri));
  const result = await compile(accepted, ownPlan);
  expect(result.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  return { result, accepted: new Set(accepted.map(({ uri }) => uri)) };
}

const expectedStatements = new Set([
  "ImportDeclaration",
  "InterfaceDeclaration",
  "TypeAliasDeclaration",
  "VariableStatement",
  "FunctionDeclaration",
  // A module of specs exports its parts, and a tool's module its metadata.
  "ExportDeclaration",
]);

/** Holds that no module parses as more than hasp meant to print. */
function expectNothingAdded(files: CompileResult["files"]): void {
  const modules = parseModules(files.filter(({ path }) => path.endsWith(".ts")));
  expect(modules.length).toBeGreaterThan(0);
  for (const { path, source, syntaxErrors } of modules) {
    expect(syntaxErrors, path).toEqual([]);
    const kinds = source.getStatements().map((statement) => statement.getKindName());
    expect(
      kinds.filter((kind) => !expectedStatements.has(kind)),
      path,
    ).toEqual([]);
    const names = source.getDescendantsOfKind(ts.SyntaxKind.Identifier).map((node) => node.getText());
    expect(
      names.filter((name) => name === "pwned"),
      path,
    ).toEqual([]);
    const templates = source.getDescendants().filter((node) => Node.isTemplateExpression(node));
    expect(templates, path).toEqual([]);
  }
  for (const { path, text } of files) {
    expect(
      /[\u2028\u2029\u202a-\u202e\u2066-\u2069]|<\/script/iu.exec(path.endsWith(".ts") ? text : "")?.[0],
      path,
    ).toBe(undefined);
    if (path.endsWith(".json")) JSON.parse(text);
  }
}

const sourceOf = (spec: JsonValue, name: string): Source => ({
  uri: `specs/${name}.tool.json`,
  role: "spec",
  text: JSON.stringify({ ...(spec as JsonObject), name }),
});

describe("a canary in a spec", () => {
  test("can be in every text that the format has", async () => {
    const named = specPlaces.map(({ spec }, index) => sourceOf(spec(harmless), `t${index}`));
    const { accepted } = await compileAccepted(named, plan);
    const refused = specPlaces.filter((_, index) => !accepted.has(named[index]?.uri ?? "")).map(({ place }) => place);
    expect(specPlaces.length).toBeGreaterThan(70);
    // Their values are of a form that no free text has, or they belong elsewhere.
    expect(refused.toSorted()).toEqual([
      "bind/canary",
      "concurrency/key",
      "examples/0/input/canary",
      "handler/command/publicEnv/0",
      "handler/http/body/mediaType",
      "handler/http/connection",
      "handler/http/pagination/cursor/from",
      "handler/http/parameters/cookies/canary/contentType",
      "handler/http/parameters/headers/canary/contentType",
      "handler/http/parameters/path/canary/contentType",
      "handler/http/parameters/query/canary/contentType",
      "handler/http/path",
      "handler/http/query/0",
      "handler/http/result",
      "handler/mcp/connection",
      "handler/sql/connection",
      "handler/sql/statement",
      "handler/x-canary",
      "input/$dynamicRef",
      "input/$ref",
      "input/$schema",
      "input/dependencies/canary",
      "input/format/definition",
      "input/required/0",
      "output/$dynamicRef",
      "output/$ref",
      "output/$schema",
      "output/dependencies/canary",
      "tests/0/expect/invalid",
      "tests/0/respond/error/code",
      "visibility",
      "visibility/describe/custom",
    ]);
  });

  test.each(canaries)("adds no statement to a module: %j", async (canary) => {
    const sources = specPlaces.map(({ spec }, index) => sourceOf(spec(canary), `t${index}`));
    const { result, accepted } = await compileAccepted(sources, plan);
    expect(accepted.size).toBeGreaterThan(15);
    expectNothingAdded(result.files);
  });

  test.each(canaries)("adds no statement as the name of a file or of a shared definition: %j", async (canary) => {
    const sources = [
      {
        uri: `specs/${canary.replaceAll("/", "")}.tool.json`,
        role: "spec",
        text: JSON.stringify({ ...base, name: "named" }),
      } as const,
    ];
    expectNothingAdded((await compile(sources, plan)).files);
  });
});

describe("a canary in the configuration", () => {
  const places = textPlaces(haspConfigSchema).filter(
    ([first, dialect]) =>
      first !== "extends" &&
      (first !== "dialects" || dialect === "anthropic" || dialect === "mcp" || dialect === "gemini"),
  );
  const planOf = (config: JsonValue): CompilePlan | undefined => {
    const { value: document } = parseSource({ uri: "hasp.config.json", text: JSON.stringify(config), role: "config" });
    if (document === undefined) return undefined;
    const own = { uri: document.uri, value: document.value ?? {}, digest: "", locate: document.locate };
    return toPlan({ own, presets: [], ruleFiles: [], knownRules: [], unlocked: true, today: "2027-01-01" }).value?.plan;
  };
  /** A configuration with the text in every place that takes it, and those places. */
  const configWith = (text: string): readonly [CompilePlan | undefined, readonly string[]] => {
    let config: JsonValue = {};
    const taken: string[] = [];
    for (const [index, path] of places.entries()) {
      const texts = [text, `p${index}/${text}`, `src/${text}.ts#Type`, `src/context.ts#${text}`];
      const next = texts.map((each) => planted(config, path, each)).find((each) => planOf(each) !== undefined);
      if (next === undefined) continue;
      config = next;
      taken.push(path.join("/"));
    }
    // Nothing of a project that a tag or a name of a tool leads to is there.
    const { toolsets: _toolsets, remotes: _remotes, ...rest } = config as JsonObject;
    return [planOf(rest), taken];
  };

  test.each([harmless, ...canaries])("adds no statement to a module: %j", async (canary) => {
    const [own, taken] = configWith(canary);
    if (own === undefined) return expect.fail("the configuration is refused");
    const everywhere = ["dialects/anthropic/extra/canary", "outDir", "handlers", "context"];
    if (canary === harmless) expect(taken).toEqual(expect.arrayContaining(everywhere));
    else expect(taken).not.toEqual([]);
    const { files, diagnostics } = await compile([sourceOf(base, "base")], own);
    expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    expectNothingAdded(files);
  });

  test.each([`"; pwned(); "`, `'; pwned(); '`, "\n// x\npwned();", "*/ pwned(); /*"])(
    "adds no statement where a path or a context holds %j",
    async (canary) => {
      for (const config of [
        { outDir: `a/${canary}` },
        { handlers: `a/${canary}` },
        { context: `./a/${canary}.ts#Type` },
      ]) {
        const own = planOf(config);
        if (own !== undefined) expectNothingAdded((await compile([sourceOf(base, "base")], own)).files);
      }
      expect(planOf({ context: `./a.ts#${canary}` })).toBeUndefined();
    },
  );

  test.each([...RESERVED_WORDS, "string", "Context", "BaseInput", "Execute", "type", "async"])(
    "a context type can be called %s",
    async (type) => {
      const own = planOf({ context: `./src/context.ts#${type}` });
      if (own === undefined) return expect.fail("the configuration is refused");
      expectNothingAdded((await compile([sourceOf(base, "base")], own)).files);
    },
  );
});

test("a custom function of any name makes a stub that parses, or is refused at its place", async () => {
  const keywords = Array.from({ length: ts.SyntaxKind.LastKeyword - ts.SyntaxKind.FirstKeyword + 1 }, (_, index) =>
    ts.tokenToString(ts.SyntaxKind.FirstKeyword + index),
  ).filter((word) => word !== undefined);
  const names = [
    ...new Set([
      ...RESERVED_WORDS,
      ...keywords,
      ...Object.getOwnPropertyNames(Object.prototype),
      "then",
      "NotExecuted",
    ]),
    ..."CustomHandler undefined NaN input execute output description registry".split(" "),
  ];
  const refused: string[] = [];
  for (const custom of names) {
    const source = sourceOf({ ...base, validate: [{ custom }] }, "custom");
    const { files, diagnostics } = await compile([source], plan);
    const error = diagnostics.find(({ severity }) => severity === "error");
    if (error !== undefined) {
      expect(error.location?.pointer, custom).toBe("/validate/0/custom");
      refused.push(custom);
      continue;
    }
    const stub = files.find(({ path }) => path === "src/tools/custom.ts")?.text ?? "";
    const { outputText, diagnostics: found } = ts.transpileModule(stub, {
      reportDiagnostics: true,
      compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022, verbatimModuleSyntax: true },
    });
    expect(found, custom).toEqual([]);
    const runnable = outputText.replaceAll(/^import .*$/gmu, "const NotExecuted = Error;");
    const module = (await import(`data:text/javascript,${encodeURIComponent(runnable)}`)) as object;
    expect(Object.keys(module).toSorted(), custom).toEqual(["execute", custom].toSorted());
  }
  expect(refused).toEqual(expect.arrayContaining(["delete", "class", "await", "then", "__proto__", "CustomHandler"]));
  expect(refused).not.toContain("async");
});
