import { readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join, resolve } from "node:path";
import { rolldown } from "rolldown";
import { expect, test } from "vitest";
import { NOT_FOR_SERVING } from "./installed-packages.js";

const hasp = resolve(import.meta.dirname, "../..");

/** Files that a bundle never runs: it compiles nothing, and speaks over standard input and output. */
const NOT_RUN = /\/(?:cli\/project\/(?:ensure-up-to-date|simulate-tests)|mcp-server\/over-http\/\w[\w-]*)\.ts$/u;

test("a bundle leaves out no package that serving it may load", async () => {
  const bundled = await rolldown({
    cwd: hasp,
    input: "src/cli/commands/serve.ts",
    platform: "node",
    external: (id) => isBuiltin(id) || /^[@\w]/u.test(id) || NOT_RUN.test(id),
    resolve: { extensionAlias: { ".js": [".ts"] } },
  });
  const { output } = await bundled.generate({ format: "esm" });
  await bundled.close();
  const imported = output.flatMap((chunk) =>
    chunk.type === "chunk" ? [...chunk.imports, ...chunk.dynamicImports] : [],
  );
  const reached = (name: string): boolean => imported.some((id) => id === name || id.startsWith(`${name}/`));
  expect(reached("@hasp/runtime")).toBe(true);
  expect([...NOT_FOR_SERVING].filter(reached)).toEqual([]);
});

test("leaves only dependencies of hasp out of a bundle", () => {
  const { dependencies } = JSON.parse(readFileSync(join(hasp, "package.json"), "utf8")) as {
    dependencies: Record<string, string>;
  };
  expect([...NOT_FOR_SERVING].filter((name) => !Object.hasOwn(dependencies, name))).toEqual([]);
});
