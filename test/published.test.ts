import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, posix, resolve } from "node:path";
import { describe, expect, test } from "vitest";

const packages = resolve(import.meta.dirname, "../packages");

/** What `npm publish` would upload, without running the build scripts. */
function publishedFiles(folder: string): ReadonlySet<string> {
  const listing = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    cwd: folder,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
    shell: process.platform === "win32",
  });
  const [packed] = JSON.parse(listing) as [{ files: readonly { path: string }[] }];
  return new Set(packed.files.map(({ path }) => path));
}

/** Every file that an entry of `exports` or `bin` names. */
function namedFiles(entry: unknown): readonly string[] {
  if (typeof entry === "string") return [posix.normalize(entry)];
  return typeof entry === "object" && entry !== null ? Object.values(entry).flatMap(namedFiles) : [];
}

describe.each(["schema", "runtime", "hasp"])("packages/%s as it is published", (name) => {
  const folder = join(packages, name);
  const published = publishedFiles(folder);
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { exports: object; bin?: object };
  const entries = [...namedFiles(manifest.exports), ...namedFiles(manifest.bin)];

  test("has its README and every file that package.json names", () => {
    expect(entries.length).toBeGreaterThan(3);
    expect(["README.md", ...entries].filter((path) => !published.has(path))).toEqual([]);
  });

  test("has no test, nothing that only tests use, and no record of a build", () => {
    expect([...published].filter((path) => /\.test\.|\.testing\.|\.tsbuildinfo$|tsconfig/.test(path))).toEqual([]);
  });

  test("has the sources that the maps of its entries lead to", () => {
    const maps = entries.map((path) => `${path}.map`).filter((path) => existsSync(join(folder, path)));
    expect(maps.length).toBeGreaterThan(1);
    const sources = maps.flatMap((path) => {
      const map = JSON.parse(readFileSync(join(folder, path), "utf8")) as { sources: readonly string[] };
      return map.sources.map((source) => posix.join(posix.dirname(path), source));
    });
    expect(sources.filter((path) => !path.startsWith("../") && !published.has(path))).toEqual([]);
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
