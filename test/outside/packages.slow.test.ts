// Each package as it is published: its manifest, its types, and its entry points without any package that is optional.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import PACKAGES from "../../packages/hasp/scripts/packages.json" with { type: "json" };
import { installPacked, packages } from "../from-nothing/packed.testing.js";
import { keepPublished } from "../published-entries.js";
import { NEED_NODE_TYPES } from "./matrix.js";
import { runProgram } from "./outside-folder.testing.js";

interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, string | object>>;
}

/** The entry points that need an optional package, as its README says, and that package. */
const NEEDS: Readonly<Record<string, string>> = {
  "@hasp/adapters/otel": "@opentelemetry/api",
  "@hasp/handlers/oauth": "oauth4webapi",
  "@hasp/stores/dbos": "@dbos-inc/dbos-sdk",
};

/** Names the entry of which generated code imports a numbered form. */
const unnumbered = (entry: string): string => entry.replace(/\/v\d+$/u, "");

const sources = resolve(import.meta.dirname, "../../packages");

const all = await packages();

describe.each(PACKAGES)("packages/%s, alone in a project", (name) => {
  const folder = mkdtempSync(join(tmpdir(), "hasp-alone-"));
  const home = join(folder, "node_modules", name === "hasp" ? name : `@hasp/${name}`);
  const manifest = JSON.parse(readFileSync(join(sources, name, "package.json"), "utf8")) as Manifest;
  const entries = Object.entries(keepPublished(manifest.exports))
    .filter(([, target]) => typeof target === "object")
    .map(([path]) => manifest.name + path.slice(1));
  const alone = entries.filter((entry) => NEEDS[unnumbered(entry)] === undefined);

  beforeAll(async () => {
    await installPacked(folder, [], [name]);
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test("has a manifest in which publint finds nothing", async () => {
    const { messages, pkg } = await publint({ pkgDir: home, strict: true, pack: false });
    expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([]);
  });

  test("has types that resolve as its modules do", async () => {
    const tarball = new Uint8Array(readFileSync(all[name]?.tarball ?? ""));
    const result = await checkPackage(createPackageFromTarballData(tarball));
    expect(result.types).not.toBe(false);
    // It is ES modules only, and does not support the resolution of Node 10.
    const problems = (result.types === false ? [] : result.problems).filter(
      (each) => each.kind !== "CJSResolvesToESM" && !("resolutionKind" in each && each.resolutionKind === "node10"),
    );
    expect(problems).toEqual([]);
  });

  test("imports and requires its entry points", async () => {
    expect(alone.length).toBeGreaterThan(0);
    const calls = [
      ["mjs", "await import"],
      ["cjs", "require"],
    ] as const;
    for (const [extension, call] of calls) {
      writeFileSync(join(folder, `all.${extension}`), alone.map((entry) => `${call}("${entry}");\n`).join(""));
      const words = ["--disable-warning=ExperimentalWarning", `all.${extension}`];
      expect(await runProgram(folder, process.execPath, words)).toEqual({ code: 0, out: "" });
    }
  });

  test("has declarations that compile, with the types of Node where the page says that they are needed", async () => {
    const needsNode = (entry: string): boolean => NEED_NODE_TYPES.includes(unnumbered(entry));
    for (const [entries, ...types] of [
      [alone.filter(needsNode), "--types", "node"],
      [alone.filter((entry) => !needsNode(entry)), "--lib", "es2023,dom", "--types", ""],
    ] as const) {
      if (entries.length === 0) continue;
      const names = entries.map((_, index) => `entry${index}`);
      const imports = entries.map((entry, index) => `import * as ${names[index]} from "${entry}";\n`);
      writeFileSync(join(folder, "all.ts"), `${imports.join("")}export { ${names.join(", ")} };\n`);
      const options = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2023", ...types, "all.ts"];
      const tsc = join(folder, "node_modules/typescript/bin/tsc");
      expect(await runProgram(folder, process.execPath, [tsc, ...options])).toEqual({ code: 0, out: "" });
    }
  });

  test("names in its README each package that an entry point needs beside it", async () => {
    const readme = readFileSync(join(home, "README.md"), "utf8").split("\n");
    for (const entry of entries.filter((each) => NEEDS[each] !== undefined)) {
      const row = readme.find((line) => line.startsWith(`| \`${entry}\``));
      expect(row).toContain(NEEDS[entry]);
      const { code, out } = await runProgram(folder, process.execPath, ["-e", `import("${entry}")`]);
      expect(code).toBe(1);
      expect(out).toContain(`Cannot find package '${NEEDS[entry]}'`);
    }
  });
});
