import { readFileSync } from "node:fs";
import { join } from "node:path";
import { blocksOf } from "./guides/guide.js";

/** Reads the `tsconfig.json` that a user copies from the page "Get started". */
export function readDocumentedTsconfig(): string {
  const page = readFileSync(join(import.meta.dirname, "../packages/hasp/docs/start.md"), "utf8");
  const block = blocksOf(page).find(({ path }) => path === "tsconfig.json");
  if (block === undefined) throw new Error("start.md shows no tsconfig.json.");
  return block.text;
}
