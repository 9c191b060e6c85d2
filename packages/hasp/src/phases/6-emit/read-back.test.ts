import { describe, expect, test } from "vitest";
import { anthropicToolset, flatTool, plan } from "../../emitters/flat-tool.testing.js";
import { type EmittedTool, emitTool } from "./assemble.js";
import { emit, proofOfBuild } from "./index.js";
import { prepare } from "./prepare.js";
import { proveFiles } from "./prove-files.js";
import { proveTool } from "./prove-tool.js";
import { readBackAll } from "./read-back-all.js";

const tools = [
  flatTool({
    name: "pay",
    description: 'Pay "now" */ `${x}` \u2028 </script>.',
    input: {
      type: "object",
      properties: { ["__proto__"]: { const: "constructor" }, amount: { type: "number", default: -0 } },
      additionalProperties: false,
    },
    output: { type: "object", properties: { id: { type: "string" } } },
    display: { running: "Paying {amount}" },
    concurrency: {
      rules: [{ when: "has(input.amount) && input.amount < 1.0", class: "WRITE_EXCLUSIVE", isDestructive: false }],
    },
    validate: [{ custom: "known" }],
    needs: { env: ["PATH"] },
    handler: { isolation: { memoryMb: 64, cpuSeconds: 1.5 } },
  }),
];
const input = { tools, toolsets: [anthropicToolset(tools)], plan };
const files = (await emit(input)).value;
const changed = (path: string, from: string, to: string): typeof files =>
  files.map((file) => (file.path === path ? { ...file, text: file.text.replace(from, to) } : file));
const module = "src/generated/tools/pay.ts";
const prepared = prepare(input);
const toEmit = prepared.tools;
const proof = proofOfBuild();
const emitted = await Promise.all(toEmit.map((tool) => emitTool(tool, proof)));

test("toolsets whose names differ in case alone are an error, for some disks know no case", async () => {
  const toolset = anthropicToolset(tools);
  const { diagnostics } = await emit({
    ...input,
    toolsets: [
      { ...toolset, name: "Support" },
      { ...toolset, name: "support" },
    ],
  });
  expect(diagnostics.map(({ code }) => code)).toEqual(["emit/same-path", "emit/same-path"]);
});

describe("reading back what was emitted", () => {
  test("finds it to say what the model says", () => {
    proveFiles(prepared, emitted, files);
    readBackAll(input, files);
  });

  test.each([
    [module, "isDestructive: true", "isDestructive: false"],
    [module, "requiresPermission: true,", ""],
    [module, "timeoutSeconds: 60", "timeoutSeconds: 600"],
    ["src/generated/providers/anthropic.json", '"strict": false', '"strict": true'],
  ])("in every build: %s with %j as %j stops it", (path, from, to) => {
    expect(() => proveFiles(prepared, emitted, changed(path, from, to))).toThrow(`hasp generated ${path}`);
    const parts = JSON.parse(
      JSON.stringify(emitted[0]).replaceAll(JSON.stringify(from).slice(1, -1), JSON.stringify(to).slice(1, -1)),
    ) as EmittedTool;
    expect(parts).not.toEqual(emitted[0]);
    for (const tool of toEmit) expect(() => proveTool(tool, parts, proof)).toThrow("hasp generated");
  });

  test.each([
    [module, 'member(input, "amount") < 1', 'member(input, "amount") < 2'],
    [module, "hasMember(input", "!hasMember(input"],
    [module, 'class: "WRITE_EXCLUSIVE"', 'class: "READ_ONLY"'],
    [module, "additionalProperties: false", "additionalProperties: true"],
    [module, '{ const: "constructor" }', "{ const: 1 }"],
    [module, 'running: "Paying {amount}"', 'running: "Paying"'],
    [module, "export const paySpec", "export const paySpec ="],
    [module, "strict: false", "strict: true"],
    ["src/generated/providers/anthropic.ts", "[payTool()]", "[]"],
    ["src/generated/providers/anthropic.ts", "{ anthropic as", "{ mcp as"],
    ["src/generated/registry.ts", "unlocked: false", "unlocked: true"],
    ["src/generated/registry.ts", "pay: bindTool", "pays: bindTool"],
    [module, "isolation: { memoryMb: 64", "isolation: { memoryMb: 640"],
    ["src/generated/registry.ts", "memoryMb: 64", "memoryMb: 640"],
    ["src/generated/registry.ts", "timeoutSeconds: 60", 'timeoutSeconds: "unlimited"'],
    ["src/generated/registry.ts", 'env: ["PATH"],', 'env: ["PATH", "HOME"],'],
    ["src/generated/registry.ts", "isolate({", "isolated({"],
    ["src/generated/registry.ts", "import.meta.url", '"file:///"'],
    ["src/generated/registry.ts", '"@hasp/runtime/node"', '"@hasp/runtime"'],
    ["src/generated/registry.ts", '"../tools/pay.js", import', '"../tools/pays.js", import'],
  ])("with TypeScript's parser: %s with %j as %j is a fault", (path, from, to) => {
    const altered = changed(path, from, to);
    expect(altered).not.toEqual(files);
    expect(() => readBackAll(input, altered)).toThrow(`hasp generated ${path}`);
  });
});
