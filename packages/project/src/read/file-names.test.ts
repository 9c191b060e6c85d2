import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findAllConfigs } from "./file-names.js";

test("finds the configurations of a folder in every format, and nothing else", () => {
  const folder = mkdtempSync(join(tmpdir(), "hasp-file-names-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const found = ["hasp.config.yaml", "hasp.apple.yaml", "hasp.data.json", "hasp.pear.mjs", "hasp.web.ts"];
  const others = ["hasp.json", "hasp.conf.json", "hasp.config.toml", "hasp.d.ts", "hasp.test.ts", "hasp.a.b.yaml"];
  for (const name of [...found, ...others]) writeFileSync(join(folder, name), "");
  expect(findAllConfigs(folder)).toEqual(found);
});
