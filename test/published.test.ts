import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, posix, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import PACKAGES from "../packages/hasp/scripts/packages.json" with { type: "json" };
import { readDocumentedTsconfig } from "./documented-tsconfig.js";
import { packages as packPackages } from "./from-nothing/packed.testing.js";

const packages = resolve(import.meta.dirname, "../packages");

/** The script that a release runs first. */
const { repositoryFields } = (await import(`${packages}/hasp/scripts/name-repository.js`)) as {
  repositoryFields(address: string, name: string): object;
};

/** The top of every package, and what `hasp` has beside it. */
const CONTENTS = ["CHANGELOG.md", "LICENSE", "README.md", "dist", "package.json"];
const FURTHER: { readonly [name: string]: readonly string[] } = {
  hasp: ["bin", "docs", "presets", "schema", "templates"],
};

/** Every file that an entry of `exports` or `bin` names. */
function namedFiles(entry: unknown): readonly string[] {
  if (typeof entry === "string") return [posix.normalize(entry)];
  return typeof entry === "object" && entry !== null ? Object.values(entry).flatMap(namedFiles) : [];
}

const packed = await packPackages();

describe.each(PACKAGES)("packages/%s as it is published", (name) => {
  // The folder that is packed: in the workspace, the declarations of private packages are in other folders.
  const folder = packed[name]?.folder ?? "";
  const published = new Set(packed[name]?.files);
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { exports: object; bin?: object };
  const entries = [...namedFiles(manifest.exports), ...namedFiles(manifest.bin)];

  test("has its README and every file that package.json names", () => {
    expect(entries.length).toBeGreaterThan(1);
    expect(["README.md", ...entries].filter((path) => !published.has(path))).toEqual([]);
  });

  test("has every type that an exported type leads to", () => {
    const reached = new Set(entries.filter((path) => path.endsWith(".d.ts")));
    // A set that grows while it is walked is walked to its new end.
    for (const path of reached) {
      const text = readFileSync(join(folder, path), "utf8");
      for (const [, target = ""] of text.matchAll(/(?:\bfrom|\bimport\()\s*["'](\.[^"']+)\.js["']/gu)) {
        reached.add(posix.join(posix.dirname(path), `${target}.d.ts`));
      }
    }
    expect(reached.size).toBeGreaterThan({ hasp: 1, programs: 2, testing: 5 }[name] ?? 10);
    expect([...reached].filter((path) => !published.has(path))).toEqual([]);
  });

  test("has no test, nothing that only tests use, and no record of a build", () => {
    expect([...published].filter((path) => /\.test\.|\.testing\.|\.tsbuildinfo$|tsconfig/.test(path))).toEqual([]);
  });

  test("holds these folders and files, and nothing else beside them", () => {
    expect([...new Set([...published].map((path) => path.split("/")[0]))].toSorted()).toEqual(
      [...CONTENTS, ...(FURTHER[name] ?? [])].toSorted(),
    );
    expect([...published].filter((path) => path.endsWith(".map"))).toEqual([]);
  });

  test("has no script and no declaration that leads to a map", () => {
    const files = [...published].filter((path) => path.startsWith("dist/") && /\.(?:js|d\.ts)$/u.test(path));
    expect(files.length).toBeGreaterThan(2);
    expect(files.filter((path) => readFileSync(join(folder, path), "utf8").includes("//# sourceMappingURL="))).toEqual(
      [],
    );
  });

  test("has a README whose links work wherever it is shown", () => {
    const links = [...readFileSync(join(folder, "README.md"), "utf8").matchAll(/\]\(([^)\s]+)\)/gu)].map(
      ([, link = ""]) => link,
    );
    expect(links.filter((link) => !link.startsWith("https://"))).toEqual([]);
    const ours = links.flatMap((link) => /^https:\/\/unpkg\.com\/hasp\/([^#]+)/u.exec(link)?.[1] ?? []);
    expect(ours.filter((path) => !existsSync(join(packages, "hasp", path)))).toEqual([]);
  });

  test("says where it comes from as it is released", () => {
    expect(repositoryFields("https://github.com/owner/name", name)).toEqual({
      homepage: `https://github.com/owner/name/tree/main/packages/${name}#readme`,
      bugs: { url: "https://github.com/owner/name/issues" },
      repository: { type: "git", url: "git+https://github.com/owner/name.git", directory: `packages/${name}` },
    });
    expect(() => repositoryFields("http://example.com", name)).toThrow("owner/name");
    const fields = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as object;
    expect(Object.keys(fields).filter((field) => ["repository", "homepage", "bugs"].includes(field))).toEqual([]);
    const release = readFileSync(join(packages, "../.github/workflows/release.yml"), "utf8");
    expect(release).toMatch(/name-repository\.js "\$GITHUB_SERVER_URL\/\$GITHUB_REPOSITORY"[^]*changeset publish/u);
  });

  test("has what its pages link to", () => {
    const pages = [...published].filter((path) => path.endsWith(".md"));
    const links = pages.flatMap((page) => {
      const text = readFileSync(join(folder, page), "utf8").replaceAll(/^```[\s\S]*?^```$/gm, "");
      return [...text.matchAll(/\]\(([^)\s#]+)[^)]*\)/g)].map(([, link = ""]) => [page, link] as const);
    });
    const dead = links.filter(
      ([page, link]) => !link.startsWith("https://") && !published.has(posix.join(dirname(page), link)),
    );
    expect(dead).toEqual([]);
  });
});

test("a library of somebody else may export what our functions return, with declarations", () => {
  const folder = mkdtempSync(join(tmpdir(), "hasp-declared-"));
  try {
    mkdirSync(join(folder, "node_modules"));
    symlinkSync(join(import.meta.dirname, "node_modules/@hasp"), join(folder, "node_modules/@hasp"));
    symlinkSync(join(packages, "../node_modules/@types"), join(folder, "node_modules/@types"));
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    writeFileSync(join(folder, "tsconfig.json"), readDocumentedTsconfig());
    mkdirSync(join(folder, "src"));
    writeFileSync(
      join(folder, "src/library.ts"),
      `import type { ToolResult } from "@hasp/runtime";
import { toToolResultBlocks } from "@hasp/runtime/anthropic";
import { toFunctionResponses } from "@hasp/runtime/gemini";
import { toFunctionCallOutputs, toToolMessages } from "@hasp/runtime/openai";
import { findOpenLocations } from "@hasp/schema";
import { keywordRow, listSubschemas } from "@hasp/schema/vocabulary";
type Results = readonly ToolResult[];
export const blocks = (results: Results) => toToolResultBlocks(results);
export const parts = (results: Results) => toFunctionResponses(results);
export const outputs = (results: Results) => toFunctionCallOutputs(results);
export const messages = (results: Results) => toToolMessages(results);
export const locations = () => findOpenLocations({});
export const row = () => keywordRow("type");
export const subschemas = () => listSubschemas({});
`,
    );
    const tsc = join(import.meta.dirname, "../node_modules/.bin/tsc");
    const { status, stdout } = spawnSync(tsc, ["--declaration"], { cwd: folder, encoding: "utf8" });
    expect({ status, stdout }).toEqual({ status: 0, stdout: "" });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
