import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readText } from "./read-text.js";

test("reads a file without its byte order mark, or says why it cannot", async () => {
  const root = mkdtempSync(join(tmpdir(), "hasp-read-text-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  writeFileSync(join(root, "marked.txt"), "\uFEFFgrün");
  writeFileSync(join(root, "binary"), Buffer.from([0xff, 0xfe]));
  expect(await readText(join(root, "marked.txt"))).toEqual({ text: "grün" });
  expect(await readText(join(root, "binary"))).toEqual({
    reason: "it is not UTF-8 text: byte 1 of line 1 is 0xFF (offset 0)",
    at: { offset: 0, line: 1, column: 1 },
  });
  expect(await readText(join(root, "none"))).toEqual({ reason: "there is no such file" });
  expect(await readText(root)).toEqual({ reason: "it is a folder" });
});

test.skipIf(process.platform === "win32")("gives up on endless files", async () => {
  expect(await readText("/dev/zero")).toEqual({ reason: "it has more than 64 MB, and hasp reads no further" });
});
