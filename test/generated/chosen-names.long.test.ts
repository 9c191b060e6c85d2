import type { JsonObject } from "@hasp/schema";
import { compile, type CompilePlan, type CompileResult } from "hasp";
import { Node, Project } from "ts-morph";
import { beforeAll, describe, expect, test } from "vitest";
import { createProject, plan } from "./generated-project.js";

// Names that users choose meet names that emitters choose. Every identifier that an emitter writes becomes, in turn, the
// name of everything that a user may name, and TypeScript finds no fault with what is generated.

const common: JsonObject = {
  hasp: 1,
  description: "Picks a thing. Use it for tests. Do not use it for anything else.",
};

type Plan = Partial<CompilePlan>;

/** Compiles specs into a folder of their own; the context has a member for each kind of connection. */
async function compileIn(
  folder: string,
  specs: readonly JsonObject[],
  { definitions = {}, policy, ...changes }: Plan & { definitions?: JsonObject; policy?: JsonObject } = {},
): Promise<CompileResult> {
  const result = await compile(
    [
      { uri: "specs/shared.yaml", role: "shared", text: JSON.stringify({ $defs: definitions }) },
      ...specs.map((spec, index) => ({
        uri: `specs/${index}.tool.yaml`,
        role: "spec" as const,
        text: JSON.stringify({ ...common, ...spec }),
      })),
      ...(policy === undefined
        ? []
        : [{ uri: "policies/all.yaml", role: "policy" as const, text: JSON.stringify({ hasp: 1, ...policy }) }]),
    ],
    {
      ...plan,
      // The others take no lists of hundreds of tools.
      dialects: plan.dialects.filter(({ id }) => id === "anthropic" || id === "mcp"),
      outDir: `src/${folder}/generated`,
      handlersDir: `src/${folder}/handlers`,
      ...(policy === undefined
        ? {}
        : { toolsets: [{ name: "all", include: "all" as const, exclude: [], policy: "policies/all.yaml" }] }),
      ...changes,
    },
  );
  const errors = result.diagnostics.filter(({ severity }) => severity === "error");
  expect(errors.map(({ location, message }) => `${location?.uri ?? ""}${location?.pointer ?? ""}: ${message}`)).toEqual(
    [],
  );
  return result;
}

/** A tool whose author names everything alike: a property, definitions here and elsewhere, a function, a loop's variable. */
function toolWith(tool: string, chosen: string): JsonObject {
  const elsewhere = { $ref: `./shared.yaml#/$defs/${chosen}` };
  const here = { $ref: `#/$defs/${chosen}` };
  const custom = NO_FUNCTION.test(chosen) ? "isOpen" : chosen;
  return {
    name: tool,
    input: {
      type: "object",
      required: ["tags", chosen],
      properties: {
        tags: { type: "array", maxItems: 9, items: { type: "string", maxLength: 9 } },
        [chosen]: { type: "string" },
        first: elsewhere,
        second: elsewhere,
        tree: here,
      },
      $defs: {
        [chosen]: {
          type: "object",
          required: ["leaf"],
          properties: { leaf: { type: "string" }, more: { type: "array", default: [], items: here } },
        },
      },
    },
    output: { type: "object", required: ["thing"], properties: { thing: elsewhere } },
    concurrency: {
      rules: [
        {
          when: `input.tags.exists(${variable(chosen)}, ${variable(chosen)} == 'a' && has(input.first))`,
          class: "READ_ONLY",
        },
        { custom, class: "READ_ONLY" },
      ],
    },
    validate: [{ custom: `${custom}Too` }],
  };
}

/** A definition that is long enough for a constant of its own. */
function thing(chosen: string): JsonObject {
  return {
    type: "object",
    description: "A thing, told at such a length that it is worth a constant of its own in generated code.",
    required: [chosen],
    properties: {
      [chosen]: { type: "string", description: "A label of a thing, told at some length too." },
      size: { type: "integer", default: 1, description: "How large it is." },
    },
  };
}

/** Names that the format reserves: those of the members of every handler, of what a stub imports, and words of JavaScript. */
const NO_FUNCTION = /^(?:execute|checkPermissions|NotExecuted|function|arguments|undefined|default|class|.*Handler)$/u;

/** Words of CEL, which no loop can name its item. */
function variable(chosen: string): string {
  return /\$|^(?:in|as|break|const|continue|else|for|function|if|import|let|loop|package|namespace|return|var|void|while|true|false|null|input|bool|bytes|double|duration|dyn|int|list|map|null_type|string|timestamp|type|uint|has|size|all|exists|present|undefined)$/u.test(
    chosen,
  )
    ? "each"
    : chosen;
}

function connectionsOf(names: readonly string[], settings: JsonObject): Plan {
  return { connections: Object.fromEntries(names.map((each) => [each, settings])) } as Plan;
}

const http: JsonObject = { http: { baseUrl: "https://a.example", auth: { context: "token" } } };
const sql: JsonObject = { sql: { context: "db" } };
const mcp: JsonObject = {
  mcp: {
    url: "https://a.example/mcp",
    auth: {
      oauth2: {
        flow: "deviceCode",
        clientId: "a",
        tokenUrl: "https://a.example/t",
        deviceAuthorizationUrl: "https://a.example/d",
      },
    },
  },
};
const contextFile = (folder: string, type: string): Plan => ({ context: { file: `src/${folder}/context.ts`, type } });
const contextModule = (type: string): string =>
  `interface _Own { readonly token: string; readonly db: any }\nexport type { _Own as ${type} };\n`;
const policy: JsonObject = {
  context: { token: { type: "string" } },
  rules: [{ tool: "*", when: "has(context.token) && context.token == 'a'", decision: "deny" }],
};

/** Every construct for which an emitter writes a name. */
function compileEverything(folder: string): Promise<CompileResult> {
  const input = { type: "object", required: ["a"], properties: { a: { type: "string" } } };
  return compileIn(
    folder,
    [
      toolWith("pick", "Thing"),
      { name: "gated", input, visibility: { featureGate: "beta" } },
      { name: "isolated", input, handler: { isolation: {} } },
      {
        name: "sent",
        input,
        handler: { http: { connection: "shop", method: "POST", path: "/", headers: { b: "input.a" } } },
      },
      { name: "asked", input, handler: { sql: { connection: "db", statement: "SELECT $a::text" } } },
      { name: "run", input, handler: { command: { argv: ["ls", "--", "{a}"] } } },
      { name: "passed", input, handler: { mcp: { connection: "server", tool: "a" } } },
    ],
    {
      definitions: { Thing: thing("label") },
      policy,
      dialects: plan.dialects,
      ...contextFile(folder, "Caller"),
      connections: { shop: http, db: sql, server: mcp } as NonNullable<CompilePlan["connections"]>,
    },
  );
}

/** Finds every identifier in the modules that emitters wrote. */
function identifiersIn(result: CompileResult): readonly string[] {
  const modules = new Project({ useInMemoryFileSystem: true });
  const names = new Set<string>();
  for (const { path, text } of result.files.filter((file) => file.path.endsWith(".ts"))) {
    modules.createSourceFile(path, text).forEachDescendant((node) => {
      if (Node.isIdentifier(node)) names.add(node.getText());
    });
  }
  return [...names].toSorted();
}

/** An identifier, and what is left of it without its last words: `http` of `httpConnection`. No two differ in case only. */
function beginningsOf(identifiers: readonly string[]): readonly string[] {
  const beginnings = identifiers.flatMap((identifier) => {
    const words = identifier.split(/(?<=[a-z0-9])(?=[A-Z_])/u);
    return words.map((_, count) =>
      words
        .slice(0, count + 1)
        .join("")
        .replace(/^_+/u, ""),
    );
  });
  const byFold = new Map(beginnings.map((each) => [each.replaceAll(/[_-]/gu, "").toLowerCase(), each]));
  return [...byFold.values()].filter((each) => /^[A-Za-z][A-Za-z0-9_-]{0,40}$/u.test(each));
}

let everything: CompileResult;
let identifiers: readonly string[];
let beginnings: readonly string[];
beforeAll(async () => {
  everything = await compileEverything("everything");
  identifiers = identifiersIn(everything);
  beginnings = beginningsOf(identifiers);
});

/** Type-checks builds in a project of their own, with the type of the context that each of them imports. */
function typeErrorsOf(builds: readonly (readonly [folder: string, result: CompileResult, type?: string])[]): string {
  const project = createProject({ files: [] });
  try {
    for (const [folder, { files }, type] of builds) {
      for (const { path, text } of files) if (path.endsWith(".ts")) project.write(path, text);
      if (type !== undefined) project.write(`src/${folder}/context.ts`, contextModule(type));
    }
    return project.typeErrors();
  } finally {
    project.remove();
  }
}

// Each kind of name is type-checked by itself: together they would take the better part of a minute.
describe("generated code compiles when users choose the names that emitters chose", () => {
  test("collects every identifier of the emitted modules", () => {
    expect(identifiers).toEqual(
      expect.arrayContaining(["httpConnection", "PickInput", "NotExecuted", "policy", "member"]),
    );
    expect(typeErrorsOf([["everything", everything, "Caller"]])).toBe("");
  });

  test("for the type of their context", async () => {
    const tool = {
      name: "read",
      input: { type: "object" as const, properties: {} },
      handler: { http: { connection: "shop", method: "GET", path: "/" } },
    };
    const builds = identifiers.map(async (type, index) => {
      const folder = `context-${index}`;
      const changes = { ...contextFile(folder, type), ...connectionsOf(["shop"], http) };
      return [folder, await compileIn(folder, [tool], { dialects: [], policy, ...changes }), type] as const;
    });
    expect(typeErrorsOf(await Promise.all(builds))).toBe("");
  });

  test.each(Object.entries({ http, sql, mcp }))("for connections of the kind %s", async (kind, settings) => {
    const folder = `connections-${kind}`;
    const changes = { ...contextFile(folder, "Context"), ...connectionsOf(beginnings, settings) };
    expect(typeErrorsOf([[folder, await compileIn(folder, [], changes), "Context"]])).toBe("");
  });

  test("generated code compiles when tools have the names that emitters choose", async () => {
    const input = { type: "object", properties: { a: { type: "string", default: "b" } } };
    const tools = beginnings.filter((each) => !/^(?:tool_search|read_result|mcp__.*)$/u.test(each));
    const result = await compileIn(
      "tools",
      tools.map((name, index) => ({
        name,
        input,
        ...(index % 3 === 0 ? { visibility: { featureGate: name } } : {}),
        ...(index % 3 === 1 ? { handler: { command: { argv: ["ls"] } } } : {}),
      })),
    );
    expect(typeErrorsOf([["tools", result]])).toBe("");
  });

  test("for everything within a tool", async () => {
    const within = identifiers.filter((each) => each !== "tags");
    const named = within.map((each, index) => ({
      tool: `pick_${index}`,
      chosen: each.replace(/^([Pp])ick/u, `$1ick${index}`),
    }));
    const result = await compileIn(
      "within",
      named.map(({ tool, chosen }) => toolWith(tool, chosen)),
      { definitions: Object.fromEntries(named.map(({ chosen }) => [chosen, thing(chosen)])) },
    );
    expect(typeErrorsOf([["within", result]])).toBe("");
  });
});
