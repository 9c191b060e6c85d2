// The part of the matrix that runs with every `pnpm test`: two compilers, three settings, one bundle. The rest is slow.
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CODEGEN_ENTRIES } from "@hasp/compiler/layout";
import { builtInPlugins } from "@hasp/project/built-in";
import { SMALLEST_TYPESCRIPT } from "../../packages/project/src/output/check-typescript.js";
import { printPage } from "./matrix.js";
import { createOutside, type Outside } from "./outside-folder.testing.js";
import { copyKitchen, narrowDialects } from "./projects.testing.js";
import { COMPILERS, readStartOptions } from "./tsconfigs.js";
import { findTypeErrors } from "./type-errors.testing.js";

const repository = join(import.meta.dirname, "../..");

interface Manifest {
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta: Readonly<Record<string, object>>;
}

let outside: Outside;

beforeAll(async () => {
  outside = await createOutside(["oauth4webapi", "@modelcontextprotocol/client"]);
  copyKitchen(outside, "kitchen");
  narrowDialects(outside, "kitchen", ["anthropic", "mcp", "openai-responses-strict"]);
  const { code, out } = await outside.hasp("kitchen", ["build", "--unlocked", "--quiet"]);
  expect(code, out).toBe(0);
});
afterAll(() => outside.remove());

test("everything that is generated compiles as the first page says, and with every strict option", async () => {
  const errors = await findTypeErrors(outside, "kitchen", "7.0", ["start", "exact"]);
  expect(Object.fromEntries(errors)).toEqual({ start: "", exact: "" });
});

test("everything that is generated compiles with the smallest compiler", async () => {
  expect(Object.fromEntries(await findTypeErrors(outside, "kitchen", "5.6", ["next"]))).toEqual({ next: "" });
});

test("everything that is generated compiles in a host whose files are CommonJS", async () => {
  cpSync(join(outside.root, "kitchen"), join(outside.root, "commonjs"), { recursive: true });
  writeFileSync(join(outside.root, "commonjs/package.json"), '{ "private": true }\n');
  expect(Object.fromEntries(await findTypeErrors(outside, "commonjs", "7.0", ["nest"]))).toEqual({ nest: "" });
});

test("a bundle of everything that is generated needs no optional package, and answers", async () => {
  const folder = join(outside.root, "kitchen");
  await build({
    absWorkingDir: folder,
    entryPoints: ["src/main.ts"],
    outfile: "bundle.mjs",
    bundle: true,
    platform: "node",
    format: "esm",
    logLevel: "silent",
  });
  const { code, out } = await outside.run("kitchen", process.execPath, ["bundle.mjs"]);
  expect(code, out).toBe(0);
  expect(out).toContain('judged {"found":10}\n');
});

test("the worked example compiles with the options of the first page", () => {
  const text = readFileSync(join(repository, "tools-spec/tsconfig.json"), "utf8");
  const { compilerOptions } = JSON.parse(text) as { readonly compilerOptions: object };
  const ofBuilds = { incremental: true, tsBuildInfoFile: "dist/tsconfig.tsbuildinfo" };
  // The declarations of two packages that its handlers use do not compile.
  expect(compilerOptions).toEqual({ ...readStartOptions(), ...ofBuilds, skipLibCheck: true });
});

test("the smallest compiler of the matrix is the one that a build, the packages and the page name", () => {
  const [smallest] = Object.keys(COMPILERS);
  expect(SMALLEST_TYPESCRIPT).toBe(smallest);
  const names = new Set(
    [...Object.values(CODEGEN_ENTRIES), ...Object.keys(builtInPlugins.handlerKinds.entries)].map(
      (entry) => /^@hasp\/(?<name>[^/]+)/u.exec(entry)?.groups?.["name"],
    ),
  );
  const peers = Array.from(names, (name) => {
    const text = readFileSync(join(repository, `packages/${name}/package.json`), "utf8");
    const { peerDependencies, peerDependenciesMeta } = JSON.parse(text) as Manifest;
    return [name, peerDependencies["typescript"], peerDependenciesMeta["typescript"]];
  });
  expect(peers).toEqual(Array.from(names, (name) => [name, `>=${smallest}`, { optional: true }]));
  const versions = readFileSync(join(repository, "packages/hasp/docs/versions.md"), "utf8");
  expect(versions).toContain(`[TypeScript ${smallest}](reference/where-hasp-runs.md#typescript) or newer`);
});

test("the page about it shows the whole matrix", () => {
  const path = join(import.meta.dirname, "../../packages/hasp/docs/reference/where-hasp-runs.md");
  if (process.env["UPDATE"] === "1") writeFileSync(path, printPage());
  expect(readFileSync(path, "utf8")).toBe(printPage());
});
