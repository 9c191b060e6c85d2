import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import PACKAGES from "../../packages/hasp/scripts/packages.json" with { type: "json" };
import { NODE_SUBPATHS } from "../node-subpaths.js";
import { keepPublished } from "../published-entries.js";

interface Manifest {
  readonly name: string;
  readonly dependencies?: object;
  readonly peerDependencies?: object;
  readonly exports: { readonly [path: string]: { readonly types: string; readonly default: string } };
}

const entries = PACKAGES.filter((name) => name !== "hasp").flatMap((folder) => {
  const root = resolve(import.meta.dirname, "../../packages", folder);
  const manifest = JSON.parse(readFileSync(resolve(root, "package.json"), "utf8")) as Manifest;
  const { name, exports, dependencies, peerDependencies } = manifest;
  const declared = [name, ...Object.keys({ ...dependencies, ...peerDependencies })];
  const published = Object.entries(keepPublished(exports));
  return published.map(([path, files]) => ({ name: name + path.slice(1), root, files, declared }));
});

/** The modules that a built file loads, with those that they load. */
function loaded(file: string, found = new Map<string, readonly string[]>()): ReadonlyMap<string, readonly string[]> {
  if (found.has(file)) return found;
  const imports = [
    ...readFileSync(file, "utf8").matchAll(/^(?:import|export)\b[^"';]*?(?:\sfrom\s*)?"([^"]+)";$/gm),
  ].map((match) => match[1] ?? "");
  found.set(file, imports);
  for (const specifier of imports) if (specifier.startsWith(".")) loaded(resolve(dirname(file), specifier), found);
  return found;
}

describe.each(entries)("$name, as it is built", ({ name, root, files, declared }) => {
  const modules = loaded(resolve(root, files.default));
  const outside = [...new Set([...modules.values()].flat())].filter((specifier) => !specifier.startsWith("."));

  test("has its types, and can be imported", async () => {
    const types = readFileSync(resolve(root, files.types), "utf8");
    const hasValues = /^export (?!type|interface|\{(?: type \w+,?)* \}|\{\})/m.test(types);
    expect(Object.keys((await import(name)) as object).length > 0).toBe(hasValues);
    expect(types).toMatch(/^export /m);
  });

  test("is a few files", () => expect(modules.size).toBeLessThanOrEqual(10));

  test("needs of others only what its package declares, and of Node nothing but in the subpaths for it", () => {
    // Programs run in a worker of Node, and tapes are files.
    const isNode =
      ["@hasp/programs", "@hasp/testing"].includes(name) ||
      NODE_SUBPATHS.some((folder) => files.default.startsWith(`./dist/${folder}/`));
    const isAllowed = (specifier: string): boolean =>
      declared.some((other) => specifier === other || specifier.startsWith(`${other}/`)) ||
      (isNode && specifier.startsWith("node:"));
    expect(outside.filter((specifier) => !isAllowed(specifier))).toEqual([]);
  });

  test("loads nothing for its effects alone, of which bundlers would warn", () => {
    for (const file of modules.keys()) expect(readFileSync(file, "utf8")).not.toMatch(/^import "/m);
  });
});
