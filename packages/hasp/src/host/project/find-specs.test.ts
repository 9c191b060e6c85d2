import fc from "fast-check";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findSpecFiles } from "./find-specs.js";
import { plainFolder } from "../fs/plain-folder.js";

const IGNORE = ["**/node_modules/**", "**/.git/**", "src/out/**", "hasp-ledger/**"];

test("one folder is walked as the library of globs would, whatever stands in it", async () => {
  const name = fc.constantFrom(
    "specs",
    "src",
    "out",
    "a",
    ".hidden",
    "node_modules",
    ".git",
    "hasp-ledger",
    "x.tool.yaml",
  );
  const file = fc.constantFrom("a.tool.yaml", "b.tools.json", ".c.tool.yaml", "note.txt", "node_modules", "d.tool.yml");
  const path = fc.tuple(fc.array(name, { maxLength: 3 }), file).map(([folders, last]) => [...folders, last].join("/"));
  const link = fc.tuple(
    fc.array(name, { maxLength: 2 }),
    fc.constantFrom("l", "l.tool.yaml"),
    fc.constantFrom("specs", "src/a", "nowhere", "."),
  );
  const tree = fc.record({
    files: fc.array(path, { maxLength: 12 }),
    links: fc.array(link, { maxLength: 3 }),
    start: fc.array(name, { maxLength: 2 }),
  });
  await fc.assert(
    fc.asyncProperty(tree, async ({ files, links, start }) => {
      const root = mkdtempSync(join(tmpdir(), "hasp-find-"));
      try {
        for (const each of files) {
          quietly(
            () => (mkdirSync(join(root, dirname(each)), { recursive: true }), writeFileSync(join(root, each), "")),
          );
        }
        for (const [folders, last, target] of links) {
          const folder = join(root, ...folders);
          quietly(() => (mkdirSync(folder, { recursive: true }), symlinkSync(join(root, target), join(folder, last))));
        }
        const pattern = start.length === 0 ? "**" : `${start.join("/")}/**`;
        expect(plainFolder([pattern], IGNORE)).toBeDefined();
        // The same pattern twice is more than one folder, and left to the library.
        expect(plainFolder([pattern, pattern], IGNORE)).toBeUndefined();
        const { paths, oddities, neighbours } = await findSpecFiles(root, [pattern, pattern], IGNORE);
        // The library finds nothing in hidden folders and enters them all the same, so that it comes upon links there.
        const isHidden = (place: string): boolean =>
          place.slice(start.join("/").length).includes("/.") || (start.length === 0 && place.startsWith("."));
        expect(await findSpecFiles(root, [pattern], IGNORE)).toEqual({
          paths,
          oddities: oddities.filter((oddity) => !isHidden(oddity.path)),
          neighbours,
        });
      } finally {
        rmSync(root, { recursive: true });
      }
    }),
    { numRuns: 300 },
  );
});

test.each([
  ["specs/*"],
  ["sp?cs/**"],
  ["{a,b}/**"],
  ["!specs/**"],
  ["specs"],
  [String.raw`sp\(ecs/**`],
  ["a/**", "b/**"],
  [],
])("%j is no plain folder", (...patterns) => {
  expect(plainFolder(patterns, IGNORE)).toBeUndefined();
});

test("a folder is found once, in order, and what is left out is not entered", async () => {
  const root = mkdtempSync(join(tmpdir(), "hasp-find-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const path of [
    "specs/b.tool.yaml",
    "specs/a/c.tools.json",
    "specs/a/shared.yaml",
    "specs/a/.hidden.yaml",
    "specs/a/notes.md",
    "specs/far/shared.yaml",
    "specs/node_modules/x.tool.yaml",
    "specs/.d.tool.yaml",
    "other/e.tool.yaml",
  ]) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), "");
  }
  expect(await findSpecFiles(root, ["specs/**"], IGNORE)).toEqual({
    paths: ["specs/a/c.tools.json", "specs/b.tool.yaml"],
    oddities: [],
    neighbours: ["specs/a/shared.yaml"],
  });
});

/** A tree whose parts contradict each other is made as far as it goes. */
function quietly(step: () => unknown): void {
  try {
    step();
  } catch {
    // Another part of the tree stands there.
  }
}
