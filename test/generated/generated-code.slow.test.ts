import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { rolldown } from "rolldown";
import { check } from "prettier";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { compileSpecs, createProject, type GeneratedProject, type SpecFiles } from "./generated-project.js";

const specs: SpecFiles = {
  "specs/list_orders.tool.json": {
    hasp: 1,
    name: "list_orders",
    title: "List orders",
    description: "List the orders of a customer. Use it to look up orders. Do not use it to change one.",
    aliases: ["find_orders"],
    input: {
      type: "object",
      required: ["customer"],
      properties: {
        customer: { type: "string", format: "uuid", description: "The customer's id." },
        status: { type: ["string", "null"], enum: ["open", "paid", null], description: "Only orders of this status." },
        limit: { type: "integer", minimum: 1, maximum: 100, default: 20, description: "Most orders to return." },
        labels: {
          type: "object",
          additionalProperties: { type: "string" },
          description: "Only orders with these labels.",
        },
        window: {
          description: "Only orders of this time.",
          oneOf: [
            {
              type: "object",
              required: ["kind", "days"],
              properties: { kind: { const: "last" }, days: { type: "integer" } },
            },
            {
              type: "object",
              required: ["kind", "from"],
              properties: { kind: { const: "since" }, from: { type: "string", format: "date" } },
            },
          ],
        },
      },
    },
    output: {
      type: "object",
      required: ["orders"],
      properties: {
        orders: { type: "array", items: { type: "object", required: ["id"], properties: { id: { type: "string" } } } },
      },
    },
    concurrency: { class: "READ_ONLY" },
    validate: [{ that: "input.limit <= 50 || !has(input.status)", message: "ask for at most 50 orders of one status" }],
    examples: [{ input: { customer: "6f1c6f0e-8f57-4f4c-9e2e-0c1e1c3b8a11", limit: 5 } }],
    display: { running: "Looking up orders of {customer}" },
  },
  "specs/cancel_order.tool.json": {
    hasp: 1,
    name: "cancel_order",
    description: "Cancel an order. Use it when the customer asks for it. Do not use it to change an order.",
    input: {
      type: "object",
      required: ["id", "mode"],
      properties: { id: { type: "string" }, mode: { enum: ["dry-run", "real"] }, note: { type: "string" } },
    },
    concurrency: {
      class: "UNSAFE",
      rules: [
        { when: "input.mode == 'dry-run'", class: "READ_ONLY" },
        { custom: "isHarmless", class: "WRITE_EXCLUSIVE", isDestructive: false },
      ],
    },
    validate: [{ custom: "isKnown" }],
    visibility: { load: "always" },
  },
  "specs/draw_tree.tool.json": {
    hasp: 1,
    name: "draw_tree",
    description: "Draw a tree of labels. Use it to show a hierarchy. Do not use it for plain lists.",
    input: {
      type: "object",
      required: ["root"],
      properties: { root: { $ref: "#/$defs/Node" } },
      $defs: {
        Node: {
          type: "object",
          required: ["label"],
          properties: { label: { type: "string" }, children: { type: "array", items: { $ref: "#/$defs/Node" } } },
        },
      },
    },
    visibility: { load: "deferred", featureGate: "DRAWING", searchHint: "tree hierarchy picture" },
  },
};

const handlers = {
  "src/tools/list-orders.ts": `import type { ListOrdersHandler } from "../generated/tools/list-orders.js";

export const execute: ListOrdersHandler["execute"] = ({ customer, limit, window }) => {
  const most: number = limit;
  const days: number = window?.kind === "last" ? window.days : 0;
  return { orders: [{ id: \`\${customer}-\${most}-\${days}\` }] };
};
`,
  "src/tools/cancel-order.ts": `import type { CancelOrderHandler } from "../generated/tools/cancel-order.js";

export const execute: CancelOrderHandler["execute"] = async ({ id }) => \`cancelled \${id}\`;
export const isHarmless: CancelOrderHandler["isHarmless"] = ({ note }) => note === "draft";
export const isKnown: CancelOrderHandler["isKnown"] = ({ id }) => id !== "unknown" || "there is no such order";
`,
  "src/tools/draw-tree.ts": `import type { DrawTreeHandler } from "../generated/tools/draw-tree.js";

export const execute: DrawTreeHandler["execute"] = ({ root }) => \`DRAWING-HANDLER \${root.label} \${root.children?.length ?? 0}\`;
`,
};

const result = await compileSpecs(specs);
let project: GeneratedProject;
beforeAll(() => {
  project = createProject(result);
});
afterAll(() => project.remove());

function withHandlers(): void {
  for (const [path, text] of Object.entries(handlers)) project.write(path, text);
}

test("every dialect carries every tool", () => {
  expect(result.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  expect(result.toolsets[0]?.lists.map(({ dialect, tools }) => `${dialect} ${tools.length}`)).toEqual([
    "anthropic 3",
    "gemini 3",
    "gemini-json-schema 3",
    "mcp 3",
    "openai-chat 3",
    "openai-responses 3",
    "openai-responses-strict 3",
  ]);
});

test("every file is laid out as prettier lays it out", async () => {
  // The manifest and the losses have lines per tool, so that branches merge.
  const files = result.files.filter(({ path }) => !/\/(?:manifest|losses)\.json$/u.test(path));
  for (const { path, text } of files) expect(await check(text, { filepath: path }), path).toBe(true);
});

describe("the type-checker", () => {
  test.each(["documented", "strictest"] as const)(
    "accepts a fresh build with its stubs, with %s settings",
    (settings) => {
      expect(project.typeErrors(settings)).toBe("");
    },
  );

  test.each(["documented", "strictest"] as const)(
    "accepts written handlers, and sees what they receive, with %s settings",
    (settings) => {
      withHandlers();
      expect(project.typeErrors(settings)).toBe("");
    },
  );

  test("accepts the lists where the providers' own SDKs want tools", () => {
    project.write(
      "src/sdks.ts",
      `import type Anthropic from "@anthropic-ai/sdk";
import type { FunctionDeclaration, GenerateContentConfig } from "@google/genai";
import type { ListToolsResult } from "@modelcontextprotocol/sdk/types.js";
import type OpenAI from "openai";
import { tools as anthropic } from "./generated/providers/anthropic.js";
import { tools as gemini } from "./generated/providers/gemini.js";
import { tools as geminiJsonSchema } from "./generated/providers/gemini-json-schema.js";
import { tools as mcp } from "./generated/providers/mcp.js";
import { tools as chat } from "./generated/providers/openai-chat.js";
import { tools as responses } from "./generated/providers/openai-responses.js";
import { tools as strict } from "./generated/providers/openai-responses-strict.js";

export const forAnthropic: Anthropic.MessageCreateParams["tools"] = anthropic;
export const forChat: OpenAI.Chat.ChatCompletionCreateParams["tools"] = chat;
export const forResponses: OpenAI.Responses.ResponseCreateParams["tools"] = responses;
export const forStrict: OpenAI.Responses.ResponseCreateParams["tools"] = strict;
export const forGemini: FunctionDeclaration[] = gemini;
export const config: GenerateContentConfig = { tools: [{ functionDeclarations: geminiJsonSchema }] };
export const forMcp: ListToolsResult = { tools: mcp };
`,
    );
    expect(project.typeErrors()).toBe("");
    // The SDKs' declarations are checked too, which takes most of the time.
    project.write("src/sdks.ts", "export {};\n");
  });

  test("ties names, arguments and results together", () => {
    project.write(
      "src/uses.ts",
      `import { registry, type ToolName, type Tools } from "./generated/registry.js";

export const names: readonly ToolName[] = ["cancel_order", "draw_tree", "list_orders"];
export const sent: Tools["list_orders"]["arguments"] = { customer: "a" };
export const some = registry.pick(["list_orders"]).get("list_orders").name satisfies "list_orders";
// @ts-expect-error there is no such tool
registry.get("list_order");
// @ts-expect-error the handler's input has its defaults
export const received: Tools["list_orders"]["input"] = { customer: "a" };
// @ts-expect-error the input is closed
export const extra: Tools["list_orders"]["arguments"] = { customer: "a", colour: "red" };
`,
    );
    expect(project.typeErrors()).toBe("");
    project.write("src/uses.ts", "export {};\n");
  });

  test("names a handler that lacks an export, and one of the wrong type, in words", () => {
    project.write(
      "src/tools/cancel-order.ts",
      handlers["src/tools/cancel-order.ts"]
        .replace("export const isHarmless", "const isHarmless")
        .concat("void isHarmless;\n"),
    );
    project.write("src/tools/list-orders.ts", "export const execute = (input: number): number => input;\n");
    project.write(
      "src/tools/draw-tree.ts",
      `${handlers["src/tools/draw-tree.ts"]}export const prepare = (raw: number): unknown => raw;\n`,
    );
    const said = project.typeErrors();
    expect(said).toContain("src/tools/cancel-order.ts must export `isHarmless`: the spec of cancel_order needs it.");
    expect(said).toContain(
      "In src/tools/list-orders.ts, `execute` has a different type than the spec of list_orders needs.",
    );
    expect(said).toContain(
      "In src/tools/draw-tree.ts, `prepare` has a different type than the spec of draw_tree needs.",
    );
    withHandlers();
  });
});

describe("the compiled code", () => {
  const entries = {
    "the registry": 'export { registry } from "./generated/registry.js";\n',
    "a dispatcher": 'import "./main.js";\n',
    "a provider's list": 'export { tools, toolsFor } from "./generated/providers/anthropic.js";\n',
    "every provider's list": ["anthropic", "mcp", "gemini"]
      .map((dialect) => `export * as ${dialect} from "./generated/providers/${dialect}.js";\n`)
      .join(""),
  };
  const fileOf = (name: string): string => `entry-${name.replaceAll(/\W/gu, "-")}`;

  beforeAll(() => {
    withHandlers();
    for (const [name, code] of Object.entries(entries)) project.write(`src/${fileOf(name)}.ts`, code);
    project.write("src/list.ts", 'export { tools } from "./generated/providers/anthropic.js";\n');
    project.write(
      "src/main.ts",
      `import { createDispatcher } from "@hasp/runtime";
import { registry } from "./generated/registry.js";

const cancel = registry.get("cancel_order");
const dispatcher = createDispatcher({
  tools: registry,
  features: (name) => name === "DRAWING",
  permissions: { rules: [{ tool: "list_orders", decision: "allow" }, { tool: "cancel_order", decision: "allow", flow: "allow" }] },
});
const results = await dispatcher.dispatch([
  { id: "1", name: "list_orders", input: { customer: "6f1c6f0e-8f57-4f4c-9e2e-0c1e1c3b8a11", limit: "5" } },
  { id: "2", name: "list_orders", input: { customer: "6f1c6f0e-8f57-4f4c-9e2e-0c1e1c3b8a11", limit: 60, status: "open" } },
  { id: "3", name: "cancel_order", input: { id: "unknown", mode: "real" } },
  { id: "4", name: "cancel_order", input: { id: "7", mode: "real", note: "draft" } },
]);
const report: unknown = {
  names: registry.tools.map(({ name }) => name),
  unlocked: registry.unlocked,
  classes: [
    cancel.classify({ id: "1", mode: "dry-run" }).class,
    cancel.classify({ id: "1", mode: "real", note: "draft" }).class,
    cancel.classify({ id: "1", mode: "real" }).class,
    cancel.classify(undefined).class,
  ],
  running: registry.get("list_orders").display.running?.({ input: { customer: "a\\u001bb", limit: 1 } }),
  frozen: Object.isFrozen(cancel.input) && Object.isFrozen(cancel.metadata.behavior),
  lists: Object.fromEntries(["anthropic", "gemini", "mcp", "openai-responses"].map((dialect) => [dialect, dispatcher.definitions(dialect)])),
  results: results.map(({ content, error }) => [error?.phase ?? "done", JSON.stringify(content)]),
};
declare const process: { stdout: { write(text: string): void } };
process.stdout.write(JSON.stringify(report));
`,
    );
    expect(project.typeErrors()).toBe("");
  });

  test("runs, also where code may not be made from text", () => {
    const report = JSON.parse(project.run("dist/main.js", "--disallow-code-generation-from-strings")) as {
      readonly lists: { readonly [dialect: string]: readonly { readonly name: string }[] };
      readonly results: readonly (readonly [string, string])[];
    };
    expect(report).toMatchObject({
      names: ["cancel_order", "draw_tree", "list_orders"],
      unlocked: true,
      classes: ["READ_ONLY", "WRITE_EXCLUSIVE", "UNSAFE", "UNSAFE"],
      running: "Looking up orders of a b",
      frozen: true,
    });
    expect(report.results[0]?.[0]).toBe("done");
    expect(report.results[0]?.[1]).toContain("-5-0");
    expect(report.results[1]?.[0]).toBe("semantic");
    expect(report.results[1]?.[1]).toContain("ask for at most 50 orders of one status");
    expect(report.results[2]).toEqual(["semantic", expect.stringContaining("there is no such order")]);
    expect(report.results[3]?.[1]).toContain("cancelled 7");
    for (const [dialect, list] of Object.entries(report.lists)) {
      const file = JSON.parse(
        readFileSync(join(project.root, `src/generated/providers/${dialect}.json`), "utf8"),
      ) as readonly { readonly name: string }[];
      // A deferred tool is not listed before it was searched for.
      expect(list.filter(({ name }) => name !== "tool_search")).toEqual(
        file.filter(({ name }) => name !== "draw_tree"),
      );
    }
  });

  /** The bundlers of our users: each returns the text of all files that it writes. */
  const bundlers: { readonly [name: string]: (entry: string, define: Record<string, string>) => Promise<string> } = {
    ...Object.fromEntries(
      [
        ["esbuild", {}],
        ["esbuild --splitting", { splitting: true, outdir: "out" }],
        ["esbuild --splitting --minify", { splitting: true, outdir: "out", minify: true }],
      ].map(([name, options]) => [
        name,
        async (entry: string, define: Record<string, string>) => {
          const { outputFiles } = await build({
            entryPoints: [entry],
            absWorkingDir: project.root,
            bundle: true,
            format: "esm",
            platform: "browser",
            target: "es2022",
            write: false,
            logLevel: "silent",
            define,
            ...(options as object),
          });
          return outputFiles.map(({ text }) => text).join("\n");
        },
      ]),
    ),
    "rolldown, as in Vite": async (entry, define) => {
      const bundle = await rolldown({ input: entry, platform: "browser", logLevel: "silent", transform: { define } });
      const { output } = await bundle.generate({ format: "esm" });
      return output.map((file) => (file.type === "chunk" ? file.code : "")).join("\n");
    },
  };

  describe.each(Object.keys(entries))("%s", (name) => {
    const file = fileOf(name);
    test.each(Object.entries(bundlers))(
      "bundled by %s, has nothing of a tool whose gate is shut",
      async (_, bundle) => {
        const words = ["DRAWING-HANDLER", "Draw a tree of labels"];
        const bundled = async (define: Record<string, string>): Promise<readonly boolean[]> => {
          const text = await bundle(join(project.root, `dist/${file}.js`), define);
          // Compared as booleans: a bundle is nothing to print.
          return words.map((word) => text.includes(word));
        };
        const hasHandler = !name.includes("list");
        expect(await bundled({})).toEqual([hasHandler, true]);
        expect(await bundled({ HASP_FEATURE_DRAWING: "true" })).toEqual([hasHandler, true]);
        expect(await bundled({ HASP_FEATURE_DRAWING: "false" })).toEqual([false, false]);
      },
    );
  });

  test("bundles for a browser", async () => {
    const text = await bundlers["esbuild"]?.(join(project.root, "dist/main.js"), {});
    expect(/["']node:|\brequire\(|new Function\(|\beval\(/u.exec(text ?? "require(")?.[0]).toBe(undefined);
  });
});

test("a constant list has no tool behind a gate; `toolsFor` has those whose gate is open", async () => {
  const list = (await import(join(project.root, "dist/generated/providers/anthropic.js"))) as {
    readonly tools: readonly { readonly name: string }[];
    toolsFor(features: (gate: string) => unknown): readonly { readonly name: string }[];
  };
  const names = (tools: typeof list.tools): readonly string[] => tools.map(({ name }) => name);
  const ungated = names(list.tools);
  expect(ungated).not.toContain("draw_tree");
  expect(names(list.toolsFor((gate) => gate === "DRAWING"))).toEqual([...ungated, "draw_tree"].toSorted());
  for (const features of [
    () => false,
    () => "true",
    () => 1,
    () => Promise.resolve(true),
    () => {
      throw new Error("no answer");
    },
  ]) {
    expect(names(list.toolsFor(features))).toEqual(ungated);
  }
  const json = (file: string): unknown =>
    JSON.parse(readFileSync(join(project.root, `src/generated/providers/${file}`), "utf8"));
  expect(json("anthropic.json")).toEqual(list.tools);
  expect(json("anthropic.gated.json")).toEqual({
    DRAWING: list.toolsFor(() => true).filter(({ name }) => !ungated.includes(name)),
  });
});

test("a bundle of one provider's list holds that list and nothing of the other dialects, specs or handlers", async () => {
  const built = await build({
    entryPoints: [join(project.root, "dist/list.js")],
    absWorkingDir: project.root,
    bundle: true,
    format: "esm",
    platform: "browser",
    write: false,
    minifySyntax: true,
    logLevel: "silent",
  });
  const text = built.outputFiles[0]?.text ?? "";
  expect(["input_schema", "Cancel an order"].map((word) => text.includes(word))).toEqual([true, true]);
  // A constant list has no tool behind a gate.
  expect(text.includes("Draw a tree of labels")).toBe(false);
  expect(
    ["readOnlyHint", "parametersJsonSchema", "requiresPermission", "handlerFile", "DRAWING-HANDLER"].filter((word) =>
      text.includes(word),
    ),
  ).toEqual([]);
});

test.each(["AgentContext", "Execute", "default"])("a context type called %s reaches the handlers", async (type) => {
  const made = createProject(await compileSpecs(specs, { context: { file: "src/context.ts", type } }));
  const declared = type === "default" ? "export default interface Session {" : `export interface ${type} {`;
  made.write("src/context.ts", `${declared}\n  readonly account: string;\n}\n`);
  for (const [path, text] of Object.entries(handlers)) made.write(path, text);
  made.write(
    "src/tools/list-orders.ts",
    `import type { ListOrdersHandler } from "../generated/tools/list-orders.js";

export const execute: ListOrdersHandler["execute"] = (_input, { context }) => ({ orders: [{ id: context.account }] });
`,
  );
  expect(made.typeErrors()).toBe("");
  made.remove();
});

test("the stub says what to do, and that nothing was done", () => {
  const stub = result.files.find(({ path }) => path === "src/tools/cancel-order.ts")?.text ?? "";
  expect(stub).toContain("throw new NotExecuted");
  expect(stub).toContain('export const isHarmless: CancelOrderHandler["isHarmless"]');
  expect(existsSync(project.root)).toBe(true);
});
