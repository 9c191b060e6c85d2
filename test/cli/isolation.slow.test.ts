import { symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { put, project, startHasp } from "./command-line.js";
import { sampleOf } from "../sample.js";

const spec = (name: string, more: string): string => `hasp: 1
name: ${name}
description: Counts. Use it to count. Do not use it to add.
input: { type: object, properties: { spend: { type: string, maxLength: 9, description: What to spend. } } }
behavior: { interruptBehavior: cancel }
needs: { env: [GIVEN] }
handler: { isolation: { memoryMb: 200, cpuSeconds: 5, outputMb: 1 } }
limits: { maxResultSizeChars: 1000 }
${more}`;

/** Says where it runs and what it sees there; its check runs in the host and sees the context. */
const handler = (name: string): string => `import { pid } from "../process.js";
import type { ${name}Handler } from "../generated/tools/${name.toLowerCase()}.js";

export const execute: ${name}Handler["execute"] = async ({ spend }, { context }) => {
  if (spend === "memory") Buffer.alloc(4e8, 1);
  if (spend === "time") for (;;);
  if (spend === "output") process.stdout.write("x".repeat(2e6));
  if (spend !== undefined) await new Promise((done) => setTimeout(done, 20_000));
  const { GIVEN, HIDDEN } = process.env;
  return { isChild: pid !== Number(GIVEN), context: typeof context, given: GIVEN !== undefined, hidden: typeof HIDDEN };
};
export const permit: NonNullable<${name}Handler["permit"]> = ({ context }) => {
  process.env["GIVEN"] = String(pid);
  return context.isHost ? "allow" : "deny";
};
`;

const folder = project({
  "package.json": '{ "type": "module" }',
  "hasp.config.yaml": "context: ./src/context.ts#Context\ndialects: [mcp]\n",
  "src/context.ts":
    "export interface Context { readonly isHost: boolean }\nexport const createContext = (): Context => ({ isHost: true });\n",
  "src/process.ts": "export const pid: number = process.pid;\n",
  "specs/early.tool.yaml": spec("early", ""),
  "specs/late.tool.yaml": spec("late", "visibility: { featureGate: LATE }\n"),
});
const scope = join(folder, "node_modules/@hasp");
put(scope, { "README.md": "" });
symlinkSync(dirname(dirname(fileURLToPath(import.meta.resolve("@hasp/runtime")))), join(scope, "runtime"));
const environment = { GIVEN: "0", HIDDEN: "1" };
const built = startHasp(folder, ["build"]);
put(folder, { "src/tools/early.ts": handler("Early"), "src/tools/late.ts": handler("Late") });

const registry = ["--registry", "src/generated/registry.ts", "--context", "src/context.ts"];

const call = (tool: string, input: object, ...more: string[]): string => {
  const words = ["call", tool, JSON.stringify(input), "--allow", "--format", "json", ...more];
  return startHasp(folder, words, environment).out;
};

const ways: readonly (readonly [tool: string, more: readonly string[]])[] = [
  ["early", []],
  ["late", [...registry, "--feature", "LATE"]],
  ["late", ["--feature", "LATE"]],
  ["early", registry],
];

test.each(sampleOf(ways, (index) => index < 2))(
  "%s %j: execute runs in a process of its own that reads TypeScript, and permit in the host",
  (tool, more) => {
    expect(built.code, built.out).toBe(0);
    const { call: called } = JSON.parse(call(tool, {}, ...more)) as { call: { result: { output?: unknown } } };
    expect(called.result.output, JSON.stringify(called)).toEqual({
      isChild: true,
      context: "undefined",
      given: true,
      hidden: "undefined",
    });
  },
);

test.each([
  ["memory", "memory-limit"],
  ["time", "cpu-limit"],
  ["output", "output-limit"],
])("a call that spends too much %s is killed, and the error says so", (spend, code) => {
  expect(call("early", { spend })).toContain(`"code": "${code}"`);
});
