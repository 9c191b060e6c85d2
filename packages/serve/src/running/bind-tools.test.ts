import { expect, test } from "vitest";
import { mayLoadLater } from "./bind-tools.js";
import type { RunnableTool } from "@hasp/compiler/run";

const tool: RunnableTool = {
  spec: {} as RunnableTool["spec"],
  rules: [],
  flags: [],
  checks: [],
  isLoadedOnFirstCall: false,
};
const execute = "export const execute = () => 1;\n";

test.each([
  execute,
  "export async function execute({ id }, options) { return `a ${id}`; }",
  'import * as files from "node:fs";\nimport type { XHandler } from "../generated/tools/x.js";\nconst execute = () => 1;\nexport { execute };',
  `${execute}export const permit = () => ({ decision: "ask" });\nexport function prepare(raw) { return raw; }\nexport const display = { running: () => "…" };`,
  `import { a as b } from "./a.js";\n${execute}const pattern = /\\d+\\n/;`,
])("a handler waits for its first call: %j", (text) => {
  expect(mayLoadLater(tool, text)).toBe(true);
});

test.each([
  `${execute}export const isEnabled = () => false;`,
  `${execute}export { on as isEnabled };`,
  `${execute}export * from "./base.js";`,
  `${execute}export /* all */ * from "./base.js";`,
  String.raw`${execute}export const is\u0045nabled = () => false;`,
  String.raw`${execute}export { on as "is\x45nabled" };`,
  `${execute}export { on as 'is' };`,
  `${execute}export = { execute, ...base };`,
  `${execute}module.exports = base;`,
  `${execute}Object.assign(exports, base);`,
  "export const run = () => 1;",
  "",
])("a handler is imported at once: %j", (text) => {
  expect(mayLoadLater(tool, text)).toBe(false);
});

test("a function that a condition or a check names is imported at once; what the spec lets wait always waits", () => {
  const custom = { custom: "isPaid" };
  const tools: readonly RunnableTool[] = [
    { ...tool, rules: [{ when: custom, class: "READ_ONLY" }] },
    { ...tool, flags: [{ flag: "isDestructive", polarity: "when", predicate: custom }] },
    { ...tool, checks: [{ that: custom, message: "" }] },
  ];
  expect(tools.map((each) => mayLoadLater(each, execute))).toEqual([false, false, false]);
  expect(mayLoadLater({ ...tool, isLoadedOnFirstCall: true }, "")).toBe(true);
});
