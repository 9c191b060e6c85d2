import { expect, test } from "vitest";
import { anthropicToolset, flatTool, plan } from "../../emitters/flat-tool.testing.js";
import type { FlatTool } from "../../model/tool.js";
import { type Prepared, prepare } from "./prepare.js";

const tool = (name: string): FlatTool =>
  flatTool({ name, description: "A tool.", input: { type: "object", properties: {}, additionalProperties: false } });
const [a, b, c] = [tool("a"), tool("b"), tool("c")];
/** The same lowered tools each time, as lowering gives them. */
const [toolset] = [anthropicToolset([a, b, c])];
const prepared = (tools: readonly FlatTool[], others: Partial<typeof plan> = {}): Prepared => {
  const lists = toolset.lists.map((list) => ({
    ...list,
    tools: list.tools.filter((lowered) => tools.includes(lowered.tool)),
  }));
  return prepare({ tools, toolsets: [{ ...toolset, tools, lists }], plan: { ...plan, ...others } });
};

test("a tool of which nothing changed is the same object, whatever other tools come and go", () => {
  const before = prepared([a, b]);
  for (const tools of [[a, b], [a, b, c], [a]]) expect(prepared(tools).tools[0]).toBe(before.tools[0]);
  expect(prepared([a, b]).tools[1]).toBe(before.tools[1]);
});

test("another plan, another name and another form are another object", () => {
  expect(prepared([a, b], { outDir: "made" }).tools[0]).not.toBe(prepared([a, b]).tools[0]);
  const [before] = prepared([a, b]).tools;
  // With a tool of nearly the same name, both carry digits.
  const upper = tool("A");
  const shared = prepare({ tools: [upper, a], toolsets: [toolset], plan }).tools[1];
  expect(shared?.names.kebab).not.toBe(before?.names.kebab);
  expect(shared).not.toBe(before);
  expect(prepare({ tools: [a, b], toolsets: [anthropicToolset([a, b])], plan }).tools[0]).not.toBe(before);
});

test("a build that says the same is the same object, also where something else was read", () => {
  const before = prepared([a, b]);
  const after = prepared([a, b], { configDigests: { "hasp.config.yaml": "sha256-x" } });
  expect(after.build).toBe(before.build);
  expect([...after.inputs.keys()]).toEqual(["hasp.config.yaml", ...before.inputs.keys()]);
  expect(prepared([a]).build).not.toBe(before.build);
  expect(prepared([a, b], { unlocked: true }).build).not.toBe(before.build);
});
