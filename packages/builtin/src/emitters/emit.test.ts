import { dirname, join } from "node:path/posix";
import type { JsonSchema } from "@hasp/schema";
import { format } from "prettier";
import type { FlowSetting } from "@hasp/runtime";
import { describe, expect, test } from "vitest";
import { emitFiles } from "../../../../test/compiler/built-in.testing.js";
import { anthropicToolset, flatTool, plan } from "../../../../test/compiler/flat-tool.testing.js";
import { Node, parseModules } from "../typescript/parser.js";

const executeSql = flatTool({
  name: "execute_sql",
  title: "Execute SQL",
  description: "Run one SQL statement against the application database. Use it to look up or change records.",
  owner: "data-platform",
  tags: ["database"],
  aliases: ["run_sql"],
  input: {
    type: "object",
    required: ["query", "mode"],
    properties: {
      query: {
        type: "string",
        minLength: 1,
        contentMediaType: "application/sql",
        description: "One statement, no trailing semicolon.",
      },
      mode: { enum: ["read", "write"], description: "read runs in a read-only transaction." },
      maxRows: { type: "integer", minimum: 1, maximum: 1000, default: 100, description: "Most rows to return." },
      since: { type: "string", format: "date-time" },
    },
    additionalProperties: false,
  },
  output: {
    type: "object",
    required: ["rows"],
    properties: { rows: { type: "array", items: { type: "object", additionalProperties: true } } },
    additionalProperties: false,
  },
  display: { running: "Running {query}", failed: "Query failed" },
  examples: [{ input: { query: "SELECT 1", mode: "read" } }],
  concurrency: {
    rules: [
      { when: "input.mode == 'read'", class: "READ_ONLY" },
      { custom: "isScratch", class: "WRITE_EXCLUSIVE", isDestructive: false },
    ],
  },
  behavior: {
    requiresPermission: {
      unless: "input.mode == 'read' && has(input.maxRows) && input.maxRows < 10 && size(input.query) < 1000",
    },
  },
  validate: [{ that: "!has(input.maxRows) || input.maxRows <= 1000", message: "too many rows" }],
});
const tree = flatTool({
  name: "draw-tree",
  description: "Draw a tree.",
  visibility: { load: "deferred", featureGate: "trees" },
  input: {
    type: "object",
    properties: { root: { $ref: "#/$defs/Node" } },
    additionalProperties: false,
    $defs: {
      Node: {
        type: "object",
        required: ["label"],
        properties: {
          label: { type: "string" },
          weight: { type: "number", default: 1 },
          children: { type: "array", items: { $ref: "#/$defs/Node" } },
        },
        additionalProperties: false,
      },
    },
  },
});
const ping = flatTool({
  name: "ping",
  description: "Answer.",
  input: { type: "object", properties: {}, additionalProperties: false },
});

const tools = [tree, executeSql, ping];
const files = (
  await emitFiles({
    tools,
    toolsets: [anthropicToolset(tools)],
    plan: { ...plan, context: { file: "src/context.ts", type: "AgentContext" } },
  })
).value;

test.each(["js", "ts"] as const)(
  "relative imports with the extension %s name files of the build, or of the user",
  async (importExtension) => {
    const context = { file: "src/context.ts", type: "AgentContext" };
    const { value } = await emitFiles({
      tools,
      toolsets: [anthropicToolset(tools)],
      plan: { ...plan, context, importExtension },
    });
    const modules = [context.file, ...value.map(({ path }) => path)];
    const known = new Set(modules.map((path) => path.replace(/\.ts$/u, `.${importExtension}`)));
    const imported = value.flatMap(({ path, text }) =>
      Array.from(text.matchAll(/"(\.{1,2}\/[^"]+)"/gu), ([, specifier = ""]) => join(dirname(path), specifier)),
    );
    expect(new Set(imported).size).toBeGreaterThan(6);
    expect(imported.filter((path) => !known.has(path))).toEqual([]);
  },
);

test("the registry lists the tools of each configured toolset", async () => {
  const toolsetOf = (name: string, ...members: readonly (typeof ping)[]) => ({ ...anthropicToolset(members), name });
  const [left = "", right = ""] = await Promise.all(
    [
      [anthropicToolset(tools)],
      [toolsetOf("on-call", ping, tree), toolsetOf("support", ping), toolsetOf("all", tree, executeSql, ping)],
    ].map(async (toolsets) => {
      const { value } = await emitFiles({ tools, toolsets, plan });
      return value.find(({ path }) => path.endsWith("/registry.ts"))?.text;
    }),
  );
  expect(left).not.toContain("toolsets");
  const [members = ""] = right.slice(right.indexOf("export const toolsets")).split("\n\n");
  expect(`${members}\n`).toBe(`export const toolsets = {
  "on-call": [
    // One line each, so that Git merges branches.
    "draw-tree",
    "ping",
  ],
  support: [
    // One line each, so that Git merges branches.
    "ping",
  ],
  all: [
    // One line each, so that Git merges branches.
    "draw-tree",
    "execute_sql",
    "ping",
  ],
} as const;
`);
  expect(right).toBe(await format(right, { filepath: "registry.ts" }));
});

test.each<[string, readonly (readonly [name: string, flow: FlowSetting | undefined, members: number])[], string]>([
  [
    "the default",
    [["all", undefined, 3]],
    '{ unlocked: false, flow: "note", extensions: [informationFlow, toolSearch, storedResults()] }',
  ],
  [
    "that of the one toolset",
    [["all", "ask", 3]],
    '{ unlocked: false, flow: "ask", extensions: [informationFlow, toolSearch, storedResults()] }',
  ],
  [
    "that of the toolset with every tool",
    [
      ["whole", "off", 3],
      ["part", "off", 1],
    ],
    '{ unlocked: false, flow: "off", extensions: [toolSearch, storedResults()] }',
  ],
  [
    "that of the toolset with every tool, beside others",
    [
      ["whole", "note", 3],
      ["part", "ask", 1],
    ],
    '{ unlocked: false, flow: "note", toolsetFlows: [["ask", toolsets["part"]]], extensions: [informationFlow, toolSearch, storedResults()] }',
  ],
  [
    "the strictest, if no toolset has every tool",
    [
      ["one", "note", 1],
      ["two", "ask", 2],
    ],
    '{ unlocked: false, flow: "ask", toolsetFlows: [["note", toolsets["one"]]], extensions: [informationFlow, toolSearch, storedResults()] }',
  ],
])("the registry carries the setting of information flow: %s", async (_, sets, options) => {
  const toolsets = sets.map(([name, , members]) => ({ ...anthropicToolset(tools.slice(0, members)), name }));
  const planned = sets.map(([name, flow]) => ({
    name,
    include: "all" as const,
    exclude: [],
    ...(flow !== undefined && { flow }),
  }));
  const { value } = await emitFiles({ tools, toolsets, plan: { ...plan, toolsets: planned } });
  const registry = value.find(({ path }) => path.endsWith("/registry.ts"))?.text ?? "";
  const written = /createRegistry<Tools>\(\s*\{[^]*\},\s*(\{[^]*\}),?\s*\);/u.exec(registry)?.[1];
  expect(written?.replaceAll(/\s+/gu, " ").replaceAll(/,( [}\]])/gu, "$1")).toBe(options);
});

describe("emitted files", () => {
  test("emits these files with these owners", () => {
    expect(files.map(({ path, owner }) => `${owner} ${path}`)).toEqual([
      "hasp src/generated/losses.json",
      "hasp src/generated/manifest.json",
      "hasp src/generated/providers/anthropic.ts",
      "hasp src/generated/registry.ts",
      "hasp src/generated/specs/draw-tree.ts",
      "hasp src/generated/specs/execute_sql.ts",
      "hasp src/generated/specs/index.ts",
      "hasp src/generated/specs/ping.ts",
      "hasp src/generated/tools/draw-tree.ts",
      "hasp src/generated/tools/execute-sql.ts",
      "hasp src/generated/tools/ping.ts",
      "user src/tools/draw-tree.ts",
      "user src/tools/execute-sql.ts",
      "user src/tools/ping.ts",
    ]);
  });

  test("every module of hasp's switches linters and formatters off, and is longer than the line that ESLint allows", () => {
    const modules = files.filter(({ path, owner }) => owner === "hasp" && path.endsWith(".ts"));
    expect(modules.length).toBeGreaterThan(5);
    for (const { path, text } of modules) {
      const [first, eslint, biome, ...rest] = text.trimEnd().split("\n");
      expect(first, path).toMatch(/^\/\/ Generated by hasp from .*\. Do not edit: run `hasp build`\.$/u);
      expect([eslint, biome], path).toEqual([
        "/* eslint max-lines:[1,3] */ /* eslint-disable */",
        "// biome-ignore-all lint format assist: hasp",
      ]);
      expect(rest.length, path).toBeGreaterThan(0);
    }
  });

  test("a stub has no parameter that nothing uses", () => {
    expect(files.find(({ path }) => path === "src/tools/ping.ts")?.text).toContain(
      'export const execute: PingHandler["execute"] = () => {',
    );
  });

  test("the module of specs imports only makers of entries and helpers of expressions", () => {
    const { text = "" } = files.find(({ path }) => path === "src/generated/specs/execute_sql.ts") ?? {};
    const [imports = ""] = text.match(/^import (?!type )[^;]*;/mu) ?? [];
    expect(imports.match(/(?<!type )\b\w+(?=,)/gu) ?? []).toEqual([
      "anthropic",
      "complete",
      "failClosed",
      "hasMember",
      "listTool",
      "member",
      "textLength",
    ]);
  });

  test.each([
    [
      "is the caller's type where defaults change only what its type does not name",
      { type: "object", properties: { o: { type: "string" } }, additionalProperties: { $ref: "#/$defs/N" } },
      "export type MapInput = MapArguments;",
    ],
    [
      "extends the caller's type by the map whose values have defaults",
      { type: "object", additionalProperties: { $ref: "#/$defs/N" } },
      `export interface MapInput extends MapArguments {
  readonly [key: string]: NInput;
}`,
    ],
  ])("the handler's input %s", async (_, input, declared) => {
    const node = { type: "object", properties: { a: { type: "integer", default: 1 } }, additionalProperties: false };
    const map = flatTool({ name: "map", description: "Map.", input: { ...input, $defs: { N: node } } as JsonSchema });
    const { value } = await emitFiles({ tools: [map], toolsets: [anthropicToolset([map])], plan });
    expect(value.find(({ path }) => path === "src/generated/tools/map.ts")?.text).toContain(declared);
  });

  test("no literal has an inferred type, which compilers widen, each version in its own way", () => {
    const modules = parseModules(files.filter(({ path }) => path.endsWith(".ts")));
    const inferred = modules.flatMap(({ path, source }) =>
      source
        .getDescendants()
        .filter((node) => Node.isObjectLiteralExpression(node) || Node.isArrayLiteralExpression(node))
        .map((literal) => literal.getParentWhile((parent) => Node.isParenthesizedExpression(parent)) ?? literal)
        .flatMap((literal) => {
          const holder = literal.getParent();
          const isInferred =
            (Node.isArrowFunction(holder) && holder.getReturnTypeNode() === undefined) ||
            (Node.isVariableDeclaration(holder) && holder.getTypeNode() === undefined);
          return isInferred ? [`${path}: ${holder.getText()}`] : [];
        }),
    );
    expect(modules.length).toBeGreaterThan(5);
    expect(inferred).toEqual([]);
  });

  // The manifest and the losses have lines per tool, so that branches merge.
  const laidOut = files.filter(({ path }) => !/\/(?:manifest|losses)\.json$/u.test(path));
  test.each(laidOut.map(({ path, text }) => [path, text]))("formats %s as prettier does", async (path, text) => {
    expect(text).toBe(await format(text, { filepath: path }));
  });
});
