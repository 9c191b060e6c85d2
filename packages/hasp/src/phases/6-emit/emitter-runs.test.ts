import { expect, test } from "vitest";
import { anthropicToolset, flatTool, plan } from "../../emitters/flat-tool.testing.js";
import type { OutputFile } from "../../model/output.js";
import type { FlatTool } from "../../model/tool.js";
import { emit } from "./index.js";

const tool = (name: string, description: string): FlatTool =>
  flatTool({ name, description, input: { type: "object", properties: {}, additionalProperties: false } });
const [a, b] = [tool("a", "First."), tool("b", "Second.")];
const files = (...tools: readonly FlatTool[]): readonly OutputFile[] =>
  emit({ tools, toolsets: [anthropicToolset(tools)], plan: { ...plan } }).value;
const changed = (before: readonly OutputFile[], after: readonly OutputFile[]): readonly string[] =>
  after.filter((file) => !before.includes(file)).map(({ path }) => path.replace("src/generated/", ""));

test("a file of which nothing changed is the same object, one that changed is another", () => {
  const before = files(a, b);
  expect(changed(before, files(a, b))).toEqual(["manifest.json"]);
  expect(changed(before, files(a, tool("b", "Other.")))).toEqual([
    "manifest.json",
    "providers/anthropic.json",
    "tools/b.ts",
    "src/tools/b.ts",
  ]);
});

test("another toolset, another name and another plan are other files", () => {
  const before = files(a, b);
  expect(changed(before, files(a))).toEqual([
    "manifest.json",
    "providers/anthropic.json",
    "providers/anthropic.ts",
    "registry.ts",
  ]);
  expect(changed(files(a, b), files(a, tool("c", "Second.")))).toEqual([
    "manifest.json",
    "providers/anthropic.json",
    "providers/anthropic.ts",
    "registry.ts",
    "tools/c.ts",
    "src/tools/c.ts",
  ]);
  const unlocked = emit({
    tools: [a, b],
    toolsets: [anthropicToolset([a, b])],
    plan: { ...plan, unlocked: true },
  }).value;
  expect(unlocked.find(({ path }) => path.endsWith("registry.ts"))?.text).toContain("unlocked: true");
});

test("what comes back is as it was", () => {
  const texts = (made: readonly OutputFile[]): readonly string[] => made.map(({ path, text }) => `${path}\n${text}`);
  const before = texts(files(a, b));
  files(a);
  files(tool("a", "Third."), b);
  expect(texts(files(a, b))).toEqual(before);
});
