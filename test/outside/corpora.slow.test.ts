// Tools of other people, as far as ../shared is there: imported, built, and compiled as the first page says.
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createOutside, type Outside } from "./outside-folder.testing.js";
import { findTypeErrors } from "./type-errors.testing.js";

const corpus = resolve(import.meta.dirname, "../../../shared/corpus/tools");
const files = existsSync(corpus) ? readdirSync(corpus) : [];

let outside: Outside;
beforeAll(async () => {
  outside = await createOutside();
});
afterAll(() => outside.remove());

test.skipIf(files.length === 0)(
  "the tools of the corpora compile as the first page says (skipped where ../shared/corpus is not there)",
  { timeout: 300_000 },
  async () => {
    outside.write("corpora", { "package.json": '{ "type": "module", "private": true }' });
    for (const file of files) {
      const folder = `corpora/src/${basename(file, ".json")}`;
      mkdirSync(join(outside.root, folder), { recursive: true });
      copyFileSync(join(corpus, file), join(outside.root, folder, file));
      outside.write(folder, { "hasp.config.yaml": "specs: [specs]\noutDir: generated\nhandlers: tools\n" });
      await outside.hasp(folder, ["import", "mcp-list", file]);
      // It leaves out what an author must decide, and exits with 1 if there is any.
      const { out } = await outside.hasp(folder, ["build", "--unlocked", "--keep-going", "--quiet"]);
      expect(existsSync(join(outside.root, folder, "generated/registry.ts")), out).toBe(true);
      const manifest = readFileSync(join(outside.root, folder, "generated/manifest.json"), "utf8");
      expect(Object.keys((JSON.parse(manifest) as { readonly tools: object }).tools), file).not.toEqual([]);
    }
    expect(Object.fromEntries(await findTypeErrors(outside, "corpora", "7.0", ["start"]))).toEqual({ start: "" });
  },
);
