import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { digestText } from "@hasp/builtin";
import { checkFiles } from "./check-files.js";

const root = realpathSync(mkdtempSync(join(tmpdir(), "hasp-check-files-")));
afterAll(() => {
  rmSync(root, { recursive: true, force: true });
});

function write(path: string, text = ""): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

test("reports a file in hasp's folder that no build made, with a remedy", () => {
  const files = [
    { path: "out/registry.ts", owner: "hasp", text: "x" },
    { path: "out/tools/read.ts", owner: "user", text: "y" },
  ] as const;
  for (const { path, text } of files) write(path, text);
  for (const compiled of ["registry.js.map", "registry.d.ts", "tools/read.d.ts.map"]) {
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

test("tells a file of another version of hasp from an edited one", () => {
  const manifestOf = (version: string): string =>
    `{\n"hasp": 1,\n"version": "${version}",\n"outputs": {\n  "built/a.ts": "${digestText("old a")}",\n  "built/b.ts": "${digestText("old b")}"\n}\n}\n`;
  const files = [
    { path: "built/a.ts", owner: "hasp", text: "new a" },
    { path: "built/b.ts", owner: "hasp", text: "new b" },
    { path: "built/manifest.json", owner: "hasp", text: manifestOf("0.2.0") },
  ] as const;
  const check = (version: string): readonly unknown[] => {
    write("built/manifest.json", manifestOf(version));
    return checkFiles(files, { root, outDir: "built" }).diagnostics.map(({ code, message }) => [code, message]);
  };
  write("built/a.ts", "old a");
  write("built/b.ts", "edited b");

  expect(check("0.1.0")).toEqual([
    [
      "drift/other-version",
      '2 files ("built/a.ts" and "built/manifest.json") are from hasp 0.1.0; hasp 0.2.0 writes other text.',
    ],
    ["drift/edited", '"built/b.ts" was edited by hand.'],
  ]);
  expect(check("0.2.0").map((found) => (found as readonly string[])[0])).toEqual(["drift/outdated", "drift/edited"]);
});

test("tells an edited file of several tools from an outdated one by the manifest", () => {
  const manifest = '{\n"hasp": 1,\n"version": "0.1.0",\n"outputs": {\n  "shared/list.ts": "shared"\n}\n}\n';
  const check = (written: string): readonly unknown[] => {
    write("shared/manifest.json", written);
    const files = [
      { path: "shared/list.ts", owner: "hasp", text: "[a, b]" },
      { path: "shared/manifest.json", owner: "hasp", text: manifest },
    ] as const;
    return checkFiles(files, { root, outDir: "shared" }).value.map(({ path, kind }) => [path, kind]);
  };
  write("shared/list.ts", "[a]");
  expect(check(manifest)).toEqual([["shared/list.ts", "edited"]]);
  expect(check(manifest.replace("}", '  "shared/old.ts": "shared"\n}'))).toContainEqual(["shared/list.ts", "outdated"]);
});

test("names the inputs of a build that have changed since", () => {
  const manifest = (a: string, inputs: object): string =>
    JSON.stringify({
      hasp: 1,
      tools: { a: { spec: "specs/a.yaml", digest: a }, b: { spec: "specs/b.yaml", digest: "sha256-b" }, c: null },
      inputs,
    });
  const check = (before: string): string | undefined => {
    write("inputs/manifest.json", before);
    const text = manifest("sha256-a", { "ledger/a.yaml": "sha256-l", "hasp.config.yaml": "sha256-c" });
    const files = [{ path: "inputs/manifest.json", owner: "hasp", text }] as const;
    return checkFiles(files, { root, outDir: "inputs" }).diagnostics[0]?.message;
  };
  const changed = manifest("sha256-old", { "ledger/gone.yaml": "sha256-l", "hasp.config.yaml": "sha256-c" });
  expect(check(changed)).toBe(
    '"inputs/manifest.json" is out of date: since the last build, "ledger/a.yaml", "ledger/gone.yaml" and "specs/a.yaml" changed.',
  );
  expect(check("{}")).toBe('"inputs/manifest.json" is out of date with the specs.');
});

test("reports all outdated files as one finding that says to build, and each edited file by itself", () => {
  const manifest = (state: string): string =>
    `{\n"hasp": 1,\n"outputs": {\n${names.map((name) => `  "many/${name}.ts": "${digestText(`${state} ${name}`)}"`).join(",\n")}\n}\n}\n`;
  const names = ["a", "b", "c", "d", "e", "f"];
  const files = names.map((name) => ({ path: `many/${name}.ts`, owner: "hasp" as const, text: `new ${name}` }));
  const check = (): readonly (readonly string[])[] =>
    checkFiles([...files, { path: "many/manifest.json", owner: "hasp", text: manifest("new") }], {
      root,
      outDir: "many",
    }).diagnostics.map(({ code, message, help = "", location }) => [code, message, help, location?.uri ?? ""]);
  write("many/manifest.json", manifest("old"));
  for (const name of names) write(`many/${name}.ts`, `old ${name}`);
  const outdated = "Run `hasp build` and commit what it writes.";

  expect(check()).toEqual([
    [
      "drift/outdated",
      '7 files ("many/a.ts", "many/b.ts", "many/c.ts" and 4 more) are out of date with the specs.',
      outdated,
      "many/a.ts",
    ],
  ]);

  for (const name of ["a", "d"]) write(`many/${name}.ts`, `mine ${name}`);
  expect(check().map(([code, message]) => [code, message])).toEqual([
    ["drift/edited", '"many/a.ts" was edited by hand.'],
    ["drift/outdated", '5 files ("many/b.ts", "many/c.ts", "many/e.ts" and 2 more) are out of date with the specs.'],
    ["drift/edited", '"many/d.ts" was edited by hand.'],
  ]);
});

test("says of files that only a formatter changed that they are laid out differently", () => {
  const folder = "formatted";
  const wanted = {
    "losses.json": '{\n  "mcp": {"losses": [1, "two words"]}\n}\n',
    "registry.ts": 'export const names = ["it\'s", "b"];\nexport const drop = (a: string) => (b) => (a + b) * 2;\n',
  };
  const files = Object.entries(wanted).map(
    ([name, text]) => ({ path: `${folder}/${name}`, owner: "hasp", text }) as const,
  );
  const findingsOf = (present: Readonly<Record<string, string>>): readonly (readonly string[])[] => {
    for (const { path, text } of files) write(path, text);
    for (const [name, text] of Object.entries(present)) write(`${folder}/${name}`, text);
    return checkFiles(files, { root, outDir: folder }).diagnostics.map(({ code, message }) => [code, message]);
  };
  const formatted =
    "export const names = [\n\t'it\\'s',\n\t'b',\n]\nexport const drop = (a: string) => b =>\n\t(a + b) * 2\n";
  expect(
    findingsOf({
      "losses.json": '{\n\t"mcp": {\n\t\t"losses": [\n1,\n"two words"\n]\n}\n}\n',
      "registry.ts": formatted,
    }),
  ).toEqual([
    [
      "drift/reformatted",
      '2 files ("formatted/losses.json" and "formatted/registry.ts") are laid out differently than hasp wrote: a formatter changed that.',
    ],
  ]);
  // A change of meaning is not a change of layout.
  for (const [name, text, before, after] of [
    ["registry.ts", formatted, "'b'", "'c'"],
    ["registry.ts", formatted, "(a + b)", "a + b"],
    ["registry.ts", formatted, "b =>", "c =>"],
    ["losses.json", wanted["losses.json"], "two words", "two  words"],
  ] as const) {
    const changed = text.replace(before, after);
    expect(changed).not.toBe(text);
    expect(findingsOf({ [name]: changed }).map(([code]) => code)).toEqual(["drift/outdated"]);
  }
});
