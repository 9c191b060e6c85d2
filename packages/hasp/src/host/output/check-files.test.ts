import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { checkFiles } from "./check-files.js";

const root = realpathSync(mkdtempSync(join(tmpdir(), "hasp-check-files-")));
afterAll(() => {
  rmSync(root, { recursive: true, force: true });
});

function write(path: string, text = ""): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

test("a file in hasp's folder that no build made is reported, with what to do about it", () => {
  const files = [
    { path: "out/registry.ts", owner: "hasp", text: "x" },
    { path: "out/tools/read.ts", owner: "user", text: "y" },
  ] as const;
  for (const { path, text } of files) write(path, text);
  for (const compiled of ["registry.js", "registry.js.map", "registry.d.ts", "tools/read.d.ts.map"]) {
    write(`out/${compiled}`);
  }
  write("out/.DS_Store");
  write("out/node_modules/a/index.js");
  write("src/mine.ts");
  const check = (): readonly unknown[] =>
    checkFiles(files, { root, outDir: "out" }).diagnostics.map(({ code, severity, location }) => [
      code,
      severity,
      location?.uri,
    ]);
  expect(check()).toEqual([]);

  write("out/tools/notes.md");
  write("out/old.js");
  expect(check()).toEqual([
    ["drift/stranger", "warning", "out/old.js"],
    ["drift/stranger", "warning", "out/tools/notes.md"],
  ]);
  expect(checkFiles(files, { root, outDir: "out" }).value).toEqual([]);
});
