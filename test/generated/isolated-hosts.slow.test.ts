import { cpSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { compileSpecs, createProject, type GeneratedProject } from "./generated-project.js";

const tool = (name: string, more: object): object => ({
  hasp: 1,
  name,
  description: `Answers ${name}. Use it for tests. Do not use it for anything else.`,
  input: { type: "object", properties: {} },
  output: { type: "object", required: ["answer"], properties: { answer: { type: "string" } } },
  behavior: { requiresPermission: false, isDestructive: false, isOpenWorld: false },
  ...more,
});

const handler = (
  type: string,
): string => `import type { ${type}Handler } from "../generated/tools/${type.toLowerCase()}.js";
export const execute: ${type}Handler["execute"] = () => ({ answer: process.argv[1]?.endsWith("main.js") ? "here" : "elsewhere" });
`;

const main = `import { createDispatcher } from "@hasp/runtime";
import { registry } from "./generated/registry.js";
const dispatcher = createDispatcher({ tools: registry.tools });
const calls = registry.names.map((name) => ({ id: name, name, input: {} }));
void dispatcher.dispatch(calls).then((results) => {
  console.log(JSON.stringify(results.map(({ output, error }) => output ?? error)));
});
`;

let project: GeneratedProject;
beforeAll(async () => {
  project = createProject(
    await compileSpecs({
      "apart.tool.yaml": tool("apart", { handler: { isolation: { memoryMb: 300 } } }),
      "plain.tool.yaml": tool("plain", {}),
    }),
  );
  project.write("src/tools/apart.ts", handler("Apart"));
  project.write("src/tools/plain.ts", handler("Plain"));
  project.write("src/main.ts", main);
});
afterAll(() => project.remove());

const run = (path: string): unknown => JSON.parse(project.run(path));
const answers = [{ answer: "elsewhere" }, { answer: "here" }];

const bundle = (from: string, to: string): Promise<unknown> =>
  build({
    entryPoints: [join(project.root, from)],
    outfile: join(project.root, to),
    bundle: true,
    platform: "node",
    format: "cjs",
    logLevel: "error",
    logOverride: { "empty-import-meta": "silent" },
  });

describe("a registry with an isolated tool", () => {
  test.each(["module", "commonjs"])("compiles and runs in a package of type %s", (type) => {
    project.write("package.json", JSON.stringify({ type, private: true }));
    project.write(
      "tsconfig.json",
      JSON.stringify({
        compilerOptions: { target: "es2023", module: "nodenext", types: ["node"], rootDir: "src", outDir: "dist" },
        include: ["src"],
      }),
    );
    expect(project.typeErrors()).toBe("");
    expect(run("dist/main.js")).toEqual(answers);
  });

  test("bundled as CommonJS, fails for that tool alone until the bundle has the two files that a process needs", async () => {
    project.write("package.json", '{ "private": true }');
    await bundle("src/main.ts", "bundle/main.js");
    const without = (what: string): unknown => [
      { phase: "execute", code: "not-executed", effect: "none", message: expect.stringContaining(what) as string },
      answers[1],
    ];
    expect(run("bundle/main.js")).toMatchObject(without(join("bundle", "isolated-child.mjs")) as object);
    const program = join(dirname(fileURLToPath(import.meta.resolve("@hasp/handlers/isolation"))), "isolated-child.js");
    cpSync(program, join(project.root, "bundle/isolated-child.mjs"));
    expect(run("bundle/main.js")).toMatchObject(without("keep the handler as a file of its own") as object);
    await bundle("src/tools/apart.ts", "tools/apart.js");
    expect(run("bundle/main.js")).toEqual(answers);
  });
});
