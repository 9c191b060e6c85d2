import { createDispatcher } from "@hasp/runtime";
import { bindTool } from "@hasp/runtime/codegen/v1";
import { expect, test } from "vitest";
import { builtInPlugins, compile } from "./built-in.js";
import type { LoweredTool } from "@hasp/compiler";
import { completePlan, type PluginPlan } from "@hasp/compiler/model";
import type { PluginDialect } from "@hasp/compiler/plugin";
import { withPlugins } from "../config/dialects.js";
import { testDialect } from "./plugin-testing.js";
import { createSpec, createRunnableTool } from "@hasp/compiler/run";

const DIALECT: PluginDialect = {
  id: "acme/chat",
  title: "Acme's chat API.",
  entry: { kind: "function", name: "$name", title: "$title", about: { text: "$description" }, args: "$input" },
  toolName: { first: "[a-z]", further: "[a-z0-9_]", maxLength: 48 },
  keywords: { not: "refuse", minLength: "words" },
  shapes: { optional: "null" },
};

const SPEC = `hasp: 1
name: find_order
description: Find one order.
input:
  type: object
  required: [id]
  properties: { id: { type: string, minLength: 3 }, limit: { type: integer } }
concurrency: { class: READ_ONLY }
`;

const source = { uri: "specs/a.tool.yaml", text: SPEC, role: "spec" as const };
const plan = completePlan({
  dialects: [{ id: DIALECT.id, strict: false, onUncarried: "error", foreign: DIALECT }],
  unlocked: true,
});

test("a dispatcher decodes the calls of a plugin's dialect", async () => {
  const { tools, toolsets } = await compile([source], plan, { emits: false });
  const [tool] = tools;
  const [lowered] = toolsets[0]?.lists[0]?.tools ?? [];
  const codec = lowered?.lowering.codec;
  if (tool === undefined || codec === undefined) throw new Error("the tool is not lowered");
  const { definition } = lowered as LoweredTool;
  const entries = { [DIALECT.id]: { definition, codec } };
  const spec = createSpec({ ...createRunnableTool(tool, "", plan, builtInPlugins.handlerKinds), entries });
  const dispatcher = createDispatcher({
    tools: [bindTool(spec, { execute: (input: unknown) => input })],
    permissions: { rules: [{ tool: "find_order", decision: "allow" }] },
  });
  expect(dispatcher.definitions(DIALECT.id)).toEqual([definition]);
  const call = { id: "1", name: "find_order", input: { id: "abc", limit: null }, dialect: DIALECT.id };
  expect((await dispatcher.dispatch([call]))[0]).toMatchObject({ isError: false, output: { id: "abc" } });
  const short = { ...call, id: "2", input: { id: "a", limit: null } };
  expect((await dispatcher.dispatch([short]))[0]?.error).toMatchObject({ phase: "schema" });
});

test("withPlugins reports dialects that generated code would name alike", () => {
  const twin = { ...DIALECT, id: "acme-chat/a" as const };
  const other = { ...DIALECT, id: "acme/chat-a" as const };
  const plugins = [DIALECT, twin, other].map(
    (dialect) => ({ name: "p", dialects: [dialect] }) as unknown as PluginPlan,
  );
  const named = (...ids: readonly PluginDialect["id"][]) => {
    const dialects = ids.map((id) => ({ id, strict: false, onUncarried: "error" }) as const);
    return withPlugins({ ...completePlan({}), dialects }, plugins);
  };
  expect(named(DIALECT.id, twin.id).diagnostics).toEqual([]);
  expect(named(twin.id, other.id).diagnostics).toMatchObject(
    Array.from({ length: 2 }, () => ({ code: "config/similar-dialects", severity: "error" })),
  );
});

test("testDialect returns the entries of the specs", async () => {
  expect(await testDialect(DIALECT, [SPEC])).toEqual({
    find_order: {
      kind: "function",
      name: "find_order",
      about: { text: "Find one order." },
      args: {
        type: "object",
        properties: {
          id: { description: "At least 3 characters.", type: "string" },
          limit: { type: ["integer", "null"] },
        },
        required: ["id", "limit"],
        additionalProperties: false,
      },
    },
  });
});

test("a dialect without capitals gets names in snake case, and a finding says so", async () => {
  const dialect = { ...DIALECT, propertyName: { ...DIALECT.toolName, scope: "root" } } as PluginDialect;
  const text = SPEC.replace("find_order", "findOrder").replace("limit:", "maxRows:");
  const folding = { ...plan, dialects: [{ ...plan.dialects[0], foreign: dialect }] } as typeof plan;
  const { toolsets, diagnostics } = await compile([{ ...source, text }], folding, { emits: false });
  expect(toolsets[0]?.lists[0]?.tools[0]?.definition).toMatchObject({
    name: "find_order",
    args: { properties: { id: {}, max_rows: {} } },
  });
  expect(diagnostics.filter(({ code }) => /renamed/u.test(code)).map(({ message }) => message)).toEqual([
    'In the list for acme/chat, the tool is called "find_order", as the dialect demands.',
    '"maxRows" is sent under another name to acme/chat ("max_rows"). Use lower-case letters, digits and "_", and begin with a letter.',
  ]);
});

test("testDialect keeps lists in an entry as they are", async () => {
  const entry = { ...DIALECT.entry, tags: [["a", "b"], "$output", ["$name"]] };
  expect(await testDialect({ ...DIALECT, entry }, [SPEC])).toMatchObject({
    find_order: { tags: [["a", "b"], ["find_order"]] },
  });
});

test.each<[what: string, changes: object, message: string]>([
  ["a keyword that JSON Schema lacks", { keywords: { nott: "refuse" } }, 'The key "nott" is not known'],
  ["a function", { entry: () => ({}) }, '"dialects[0].entry" must b'],
  ["an entry without the input", { entry: { name: "$name", about: "$description" } }, 'has no "$input"'],
  ["a part that no tool has", { entry: { ...DIALECT.entry, x: "$secret" } }, 'names "$secret"'],
  ["an entry that says what the tool does", { entry: { ...DIALECT.entry, readOnlyHint: true } }, '"readOnlyHint"'],
  ["a name that could hang", { toolName: { first: "(a+)+", further: "[a-z]", maxLength: 20 } }, "a class of letters"],
  ["a range that ends first", { toolName: { first: "[z-a]", further: "[a-z]", maxLength: 20 } }, "a range ends"],
  [
    "names of parameters that cannot be fitted",
    { propertyName: { first: "[a-z_]", further: "[a-z_]", maxLength: 20, scope: "everywhere" } },
    'has no "0" in the class "[a-z_]"',
  ],
  ["a name of another plugin", { id: "acme" }, "acme"],
])("testDialect refuses %s", async (_, changes, message) => {
  await expect(testDialect({ ...DIALECT, ...changes } as PluginDialect, [SPEC])).rejects.toThrow(message);
});

test("testDialect names a tool that the dialect refuses", async () => {
  const spec = SPEC.replace("minLength: 3", "not: { const: x }");
  await expect(testDialect(DIALECT, [spec])).rejects.toThrow('acme/chat does not support "not" here');
});

test.each([
  ["isReadOnly", true, "isReadOnly", "true"],
  ["destructive", false, "destructive", "false"],
  ["requiresPermission", false, "requiresPermission", "false"],
  ["require_approval", "never", "require_approval", '"never"'],
  ["safety", { auto_approve: 1 }, "safety.auto_approve", "1"],
  ["flags", ["trusted"], "flags.0", '"trusted"'],
  ["kind", "read_only", "kind", '"read_only"'],
  ["title", "function", "title", '"function"'],
  ["note", null, "note", "null"],
  ["limits", {}, "limits", "{}"],
])("withPlugins reports the constant %s: %j in a dialect's entry with its value", (key, constant, field, value) => {
  const foreign: PluginDialect = { ...DIALECT, entry: { ...DIALECT.entry, [key]: constant } };
  const { diagnostics } = withPlugins(plan, [{ name: "acme", dialects: [foreign] } as unknown as PluginPlan]);
  expect(diagnostics).toMatchObject([{ code: "config/constant-in-entry", severity: "warning" }]);
  expect(diagnostics[0]?.message).toContain(`"${field}": ${value}`);
});

test.each(["function", "tool", "custom"])("withPlugins takes the kind %s for no claim about a tool", (kind) => {
  const entry = { ...DIALECT.entry, kind, inner: { type: kind } };
  const plugins = [{ name: "acme", dialects: [{ ...DIALECT, entry }] } as unknown as PluginPlan];
  expect(withPlugins(plan, plugins).diagnostics).toEqual([]);
});
