import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { writePieces } from "./write-pieces.js";

let path = "";
beforeEach(() => {
  path = join(mkdtempSync(join(tmpdir(), "hasp-pieces-")), "file");
});
afterEach(() => {
  rmSync(join(path, ".."), { recursive: true, force: true });
});

test.each<[string, readonly string[]]>([
  ["nothing", []],
  ["one piece", ["one\n"]],
  ["many small ones", Array.from({ length: 5000 }, (_, index) => `${index} é ✓ 🙂\n`)],
  ["ones that fill what is gathered to the byte", Array.from({ length: 9 }, () => "x".repeat(1 << 16))],
  ["ones of which each character takes three bytes", Array.from({ length: 9 }, () => "✓".repeat(1 << 15))],
  ["ones larger than all that is gathered", ["a", "é".repeat(1 << 19), "b", "x".repeat(1 << 20), "c"]],
])("writes %s as the text that they are", (_, pieces) => {
  writePieces(path, pieces);
  expect(readFileSync(path, "utf8") === pieces.join("")).toBe(true);
});

test("writes over nothing", () => {
  writeFileSync(path, "mine\n");
  for (const pieces of [["a"], ["a", "b"]]) expect(() => writePieces(path, pieces)).toThrow("EEXIST");
  expect(readFileSync(path, "utf8")).toBe("mine\n");
});
