// Linters and formatters report nothing in files that hasp writes, and change none of them.
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LINTERS } from "./matrix.js";
import { createOutside, TOOLS, type Outside } from "./outside-folder.testing.js";
import { copySpecs, narrowDialects } from "./projects.testing.js";

let outside: Outside;
beforeAll(async () => {
  outside = await createOutside();
});
afterAll(() => outside.remove());

async function hasp(folder: string, ...words: readonly string[]): Promise<void> {
  const { code, out } = await outside.hasp(folder, words);
  expect(code, out).toBe(0);
}

const ESLINT = `import js from "TOOLS/@eslint/js/src/index.js";
import tseslint from "TOOLS/typescript-eslint/dist/index.js";
export default [
  js.configs.recommended,
  ...tseslint.configs.strict,
  { linterOptions: { reportUnusedDisableDirectives: "error" } },
];
`;

interface Linter {
  /** The path of the program in its package. */
  readonly program: string;
  /** The files by which a user sets it up. */
  readonly files: Readonly<Record<string, string>>;
  /** Formats all files. */
  readonly format?: readonly string[];
  readonly check: readonly string[];
}

const linters: { readonly [Name in keyof typeof LINTERS]: Linter } = {
  eslint: {
    program: "eslint/bin/eslint.js",
    files: { "eslint.config.mjs": ESLINT.replaceAll("TOOLS", TOOLS) },
    check: ["--max-warnings=0", "."],
  },
  prettier: { program: "prettier/bin/prettier.cjs", files: {}, format: ["--write", "."], check: ["--check", "."] },
  biome: {
    program: "@biomejs/biome/bin/biome",
    files: { "biome.json": "{}\n" },
    format: ["check", "--write", "."],
    check: ["ci", "."],
  },
};

describe.each(Object.entries(linters))("%s", (name, { program, files, format, check }) => {
  const run = async (words: readonly string[] = ["--version"]): Promise<void> => {
    const { code, out } = await outside.run(name, process.execPath, [join(TOOLS, program), ...words]);
    expect(code, out).toBe(0);
  };

  beforeAll(async () => {
    copySpecs(outside, name);
    narrowDialects(outside, name, ["anthropic", "mcp", "openai-responses-strict"]);
    outside.write(name, files);
    await hasp(name, "init");
    // The user's own files are theirs to format, specs included.
    await run(format);
    await hasp(name, "build", "--unlocked", "--quiet");
  });

  test("finds nothing in what is generated, and changes none of it", async () => {
    await run(format);
    await run(check);
    await hasp(name, "build", "--check", "--unlocked", "--quiet");
  });
});

test("biome finds no fault but their layout in new handlers", async () => {
  const { code, out } = await outside.run("eslint", process.execPath, [
    join(TOOLS, linters.biome.program),
    "lint",
    "src",
  ]);
  expect(code, out).toBe(0);
});

test("prettier leaves new handlers as they are", async () => {
  const words = [join(TOOLS, linters.prettier.program), "--check", "src/tools"];
  const { code, out } = await outside.run("eslint", process.execPath, words);
  expect(code, out).toBe(0);
});
