import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, expect, test } from "vitest";

const compiler = resolve(import.meta.dirname, "../packages/compiler");
const temporary = mkdtempSync(join(tmpdir(), "hasp-spec-keys-"));
const copy = join(temporary, "packages/compiler");
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

test("the compiler names every file that a new spec key needs, beside the tables of hasp and of the runtime", () => {
  cpSync(join(compiler, "src"), join(copy, "src"), { recursive: true });
  cpSync(join(compiler, "package.json"), join(copy, "package.json"));
  symlinkSync(join(compiler, "node_modules"), join(copy, "node_modules"));
  for (const used of ["../runtime", "../schema"]) symlinkSync(resolve(compiler, used), resolve(copy, used));
  const table = join(copy, "src/model/spec-keys.ts");
  const rows = `
  costHint: { schema: { description: "What a call costs.", type: "string" } as SchemaOf<string>, in: ["module"] },
  reviewer: { schema: { type: "string" } as SchemaOf<string>, in: ["model"], diff: { not: "people read it" } },
`;
  const text = readFileSync(table, "utf8");
  const added = text.replace("export const SPEC_KEYS = {", (start) => start + rows);
  expect(added).not.toBe(text);
  writeFileSync(table, added);
  const { compilerOptions, include, exclude } = JSON.parse(readFileSync(join(compiler, "tsconfig.json"), "utf8")) as {
    readonly [setting: string]: object;
  };
  const config = {
    extends: resolve(compiler, "../../tsconfig.base.json"),
    compilerOptions: {
      ...compilerOptions,
      typeRoots: [resolve(compiler, "../../node_modules/@types")],
      rootDir: "..",
      composite: false,
      incremental: false,
      noEmit: true,
      emitDeclarationOnly: false,
    },
    include,
    exclude,
  };
  writeFileSync(join(copy, "tsconfig.json"), JSON.stringify(config));
  const tsc = resolve(compiler, "../../node_modules/typescript/bin/tsc");
  const { stdout } = spawnSync(process.execPath, [tsc, "-p", copy, "--pretty", "false"], {
    encoding: "utf8",
    cwd: copy,
  });
  const faults = stdout.split("\n").filter((line) => /^\S/u.test(line));
  expect(faults.map((line) => line.replace(/\(.*/u, "")).toSorted()).toEqual([
    // The comparison of two versions, unless the row says why there is none.
    "src/diff/compare-tool.ts",
    // The runtime's own row, since the generated module holds the key.
    "src/run/spec-data.ts",
  ]);
  expect(stdout).toContain("costHint");
  expect(stdout).not.toContain("reviewer");
});
