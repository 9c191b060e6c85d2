import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { OutputFile } from "../../model/output.js";
import { takeBuildLock } from "./build-lock.js";
import { checkFiles } from "./check-files.js";
import { digestOfText } from "../../emitters/digest.js";
import { writeFiles } from "./write-files.js";

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "hasp-write-"));
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

const outDir = "src/generated";
const owned = (path: string, text: string): OutputFile => ({ path: `${outDir}/${path}`, owner: "hasp", text });
const stub: OutputFile = { path: "src/tools/a.ts", owner: "user", text: "export const execute = 1;\n" };

/** The files with a manifest as the emitter makes it. */
function build(...files: readonly OutputFile[]): readonly OutputFile[] {
  const outputs = Object.fromEntries(
    files.filter(({ owner }) => owner === "hasp").map(({ path, text }) => [path, digestOfText(text)]),
  );
  return [...files, owned("manifest.json", `${JSON.stringify({ outputs })}\n`)];
}

const write = (files: readonly OutputFile[]): ReturnType<typeof writeFiles> => writeFiles(files, { root, outDir });
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const codes = (found: { readonly diagnostics: readonly { readonly code: string }[] }): readonly string[] =>
  found.diagnostics.map(({ code }) => code);

describe("writing", () => {
  test("makes every file, and the second time touches none", async () => {
    const files = build(owned("a.json", "{}\n"), stub);
    expect((await write(files)).value.created).toEqual([
      `${outDir}/a.json`,
      "src/tools/a.ts",
      `${outDir}/manifest.json`,
    ]);
    utimesSync(join(root, outDir, "a.json"), 1, 1);
    const again = await write(files);
    expect(again.value).toMatchObject({ created: [], updated: [], deleted: [], kept: ["src/tools/a.ts"] });
    expect(statSync(join(root, outDir, "a.json")).mtimeMs).toBe(1000);
    expect(readdirSync(join(root, outDir))).toEqual(["a.json", "manifest.json"]);
  });

  test("never touches a file of the user's", async () => {
    await write(build(stub));
    writeFileSync(join(root, stub.path), "mine\n");
    await write(build({ ...stub, text: "export const execute = 2;\n" }));
    expect(read(stub.path)).toBe("mine\n");
  });

  test("writes through no link that leads out of the project", async () => {
    const outside = mkdtempSync(join(tmpdir(), "hasp-outside-"));
    const before = build(owned("list.json", "[]\n"));
    await write(before);
    rmSync(join(root, outDir), { recursive: true });
    symlinkSync(outside, join(root, outDir));
    const found = await writeFiles(build(owned("list.json", "[1]\n")), { root, outDir });
    expect(codes(found)).toEqual(["write/outside-project", "write/outside-project"]);
    expect(readdirSync(outside)).toEqual([]);
    rmSync(outside, { recursive: true });
  });

  test("leaves a checkout with CRLF as it is", async () => {
    const files = build(owned("a.json", "{\n}\n"));
    await write(files);
    writeFileSync(join(root, outDir, "a.json"), "{\r\n}\r\n");
    expect((await write(files)).value.updated).toEqual([]);
    expect(checkFiles(files, { root, outDir }).value).toEqual([]);
  });

  test("deletes what no spec makes any longer, and the empty folder with it", async () => {
    await write(build(owned("tools/old.ts", "// Made by hasp from x\n"), owned("a.json", "{}\n")));
    const found = await write(build(owned("a.json", "{}\n")));
    expect(found.value.deleted).toEqual([`${outDir}/tools/old.ts`]);
    expect(existsSync(join(root, outDir, "tools"))).toBe(false);
  });

  test("keeps a leftover that somebody edited, and says so", async () => {
    await write(build(owned("old.ts", "// Made by hasp from x\n")));
    writeFileSync(join(root, outDir, "old.ts"), "precious\n");
    const found = await write(build());
    expect(codes(found)).toEqual(["write/edited-leftover"]);
    expect(read(`${outDir}/old.ts`)).toBe("precious\n");
  });

  test("obeys a manifest only inside its own folder", async () => {
    writeFileSync(join(root, "precious.txt"), "mine\n");
    mkdirSync(join(root, outDir), { recursive: true });
    const digest = digestOfText("mine\n");
    const outputs = { "precious.txt": digest, [`${outDir}/../../precious.txt`]: digest, "../x": digest };
    writeFileSync(join(root, outDir, "manifest.json"), JSON.stringify({ outputs }));
    expect((await write(build())).value.deleted).toEqual([]);
    expect(read("precious.txt")).toBe("mine\n");
  });

  test("writes nothing over a file that it did not make", async () => {
    mkdirSync(join(root, outDir), { recursive: true });
    writeFileSync(join(root, outDir, "a.json"), "[1]\n");
    const found = await write(build(owned("a.json", "{}\n"), owned("b.json", "{}\n")));
    expect(codes(found)).toEqual(["write/foreign-file"]);
    expect(readdirSync(join(root, outDir))).toEqual(["a.json"]);
  });

  test("writes nothing into another program's folder, whatever the link to it is called", async () => {
    mkdirSync(join(root, ".git/hooks"), { recursive: true });
    mkdirSync(join(root, "node_modules/a"), { recursive: true });
    symlinkSync(".git/hooks", join(root, "hooks"));
    symlinkSync("node_modules", join(root, "modules"));
    const found = await write([
      { path: "hooks/a.json", owner: "hasp", text: "" },
      { path: "modules/a/b/c.json", owner: "hasp", text: "" },
    ]);
    expect(codes(found)).toEqual(["write/outside-project", "write/outside-project"]);
    expect([...readdirSync(join(root, ".git/hooks")), ...readdirSync(join(root, "node_modules/a"))]).toEqual([]);
  });

  test("writes nothing outside the project, through `..` or through a link", async () => {
    const elsewhere = mkdtempSync(join(tmpdir(), "hasp-elsewhere-"));
    symlinkSync(elsewhere, join(root, "link"));
    const found = await write([
      owned("a.json", "{}\n"),
      { path: "../b.json", owner: "hasp", text: "" },
      { path: "link/c.json", owner: "hasp", text: "" },
    ]);
    expect(codes(found)).toEqual(["write/outside-project", "write/outside-project"]);
    expect([...readdirSync(elsewhere), ...readdirSync(root)]).toEqual(["link"]);
    rmSync(elsewhere, { recursive: true });
  });

  test("puts everything back when one file cannot be written", async () => {
    await write(build(owned("a.json", "{}\n")));
    const before = read(`${outDir}/manifest.json`);
    // A folder where a file should be: found only when the file is put in its place.
    mkdirSync(join(root, outDir, "z.json"));
    const found = await write(build(owned("a.json", "[]\n"), owned("new/b.json", "{}\n"), owned("z.json", "{}\n")));
    expect(codes(found)).toEqual(["write/not-a-file"]);
    expect(found.diagnostics[0]?.message).toContain(`"${outDir}/z.json"`);
    expect(read(`${outDir}/a.json`)).toBe("{}\n");
    expect(read(`${outDir}/manifest.json`)).toBe(before);
    expect(readdirSync(join(root, outDir))).toEqual(["a.json", "manifest.json", "z.json"]);
  });

  test("undoes what it did when the last step fails", async () => {
    await write(build(owned("a.json", "{}\n"), owned("old.json", "{}\n")));
    const before = read(`${outDir}/manifest.json`);
    // A file where the handlers' folder should be: found after the other files were written aside.
    writeFileSync(join(root, "src/tools"), "mine\n");
    const found = await write(build(owned("a.json", "[]\n"), owned("deep/new/b.json", "{}\n"), stub));
    expect(codes(found)).toEqual(["write/failed"]);
    expect(found.value.updated).toEqual([]);
    expect([read(`${outDir}/a.json`), read(`${outDir}/manifest.json`), read("src/tools")]).toEqual([
      "{}\n",
      before,
      "mine\n",
    ]);
    expect(readdirSync(join(root, outDir))).toEqual(["a.json", "manifest.json", "old.json"]);
  });

  test.skipIf(process.getuid?.() === 0)("says that it may not write, and changes nothing", async () => {
    mkdirSync(join(root, outDir), { recursive: true });
    chmodSync(join(root, outDir), 0o500);
    expect(codes(await write(build(owned("a.json", "{}\n"))))).toEqual(["write/no-permission"]);
    chmodSync(join(root, outDir), 0o700);
  });

  test("a dry run says what it would do", async () => {
    const found = await writeFiles(build(owned("a.json", "{}\n")), { root, outDir, isDryRun: true });
    expect(found.value.created).toEqual([`${outDir}/a.json`, `${outDir}/manifest.json`]);
    expect(readdirSync(root)).toEqual([]);
  });

  test("what another build wrote while this one waited for it is no longer what was planned for", async () => {
    const [one, two] = [build(owned("a.json", "[1]\n")), build(owned("a.json", "[2]\n"), owned("b.json", "{}\n"))];
    await write(one);
    const lock = await takeBuildLock(root);
    const waiting = write(one);
    for (const { path, text } of two) writeFileSync(join(root, path), text);
    if ("release" in lock) lock.release();
    expect((await waiting).value).toMatchObject({
      updated: [`${outDir}/a.json`, `${outDir}/manifest.json`],
      deleted: [`${outDir}/b.json`],
    });
    expect(checkFiles(one, { root, outDir }).value).toEqual([]);
  });

  test("knows what a build that was killed had made, by the manifest that it left, and takes the rest away", async () => {
    const before = build(owned("a.json", "[1]\n"), owned("b.json", "{}\n"));
    await write(before);
    const killed = build(owned("a.json", "[2]\n"), owned("c.json", "{}\n"), owned("deep/d.json", "{}\n"));
    const manifest = killed.at(-1)?.text ?? "";
    mkdirSync(join(root, outDir, "deep"));
    for (const [path, text] of [
      ["a.json", "[2]\n"],
      ["c.json", "{}\n"],
      ["deep/d.json.7.hasp-tmp", "{}"],
      ["manifest.json.7.hasp-tmp", manifest],
      ["mine.hasp-tmp", "mine"],
    ] as const) {
      writeFileSync(join(root, outDir, path), text);
    }
    const after = build(owned("b.json", "{}\n"));
    expect(checkFiles(after, { root, outDir }).value.filter(({ kind }) => kind === "leftover")).toMatchObject([
      { path: `${outDir}/a.json` },
      { path: `${outDir}/c.json` },
    ]);
    expect(codes(await write(build(owned("c.json", "[]\n"), owned("b.json", "{}\n"))))).toEqual([]);
    expect(readdirSync(join(root, outDir))).toEqual(["b.json", "c.json", "manifest.json", "mine.hasp-tmp"]);
  });

  test("formats a stub with the user's own prettier configuration", async () => {
    writeFileSync(join(root, ".prettierrc"), '{ "semi": false, "singleQuote": true }');
    await write(build({ path: "src/tools/b.ts", owner: "user", text: 'export const name = "b";\n' }));
    expect(read("src/tools/b.ts")).toBe("export const name = 'b'\n");
  });
});

describe("checking", () => {
  test("tells what is missing, old, edited and left over, with the difference", async () => {
    await write(
      build(
        owned("a.json", '{\n  "a": 1\n}\n'),
        owned("b.json", "{}\n"),
        owned("c.json", "{}\n"),
        owned("d.json", "{}\n"),
      ),
    );
    rmSync(join(root, outDir, "b.json"));
    writeFileSync(join(root, outDir, "c.json"), "[]\n");
    const files = build(owned("a.json", '{\n  "a": 2\n}\n'), owned("b.json", "{}\n"), owned("c.json", "{}\n"));
    const { value } = checkFiles(files, { root, outDir });
    expect(
      value.filter(({ path }) => !path.endsWith("manifest.json")).map(({ path, kind }) => `${kind} ${path}`),
    ).toEqual([
      `outdated ${outDir}/a.json`,
      `missing ${outDir}/b.json`,
      `edited ${outDir}/c.json`,
      `leftover ${outDir}/d.json`,
    ]);
    expect(value[0]?.diff).toBe(
      `--- ${outDir}/a.json\n+++ ${outDir}/a.json\n@@ -1,3 +1,3 @@\n {\n-  "a": 1\n+  "a": 2\n }`,
    );
  });

  test("is silent after a build", async () => {
    const files = build(owned("a.json", "{}\n"), stub);
    await write(files);
    expect(checkFiles(files, { root, outDir })).toEqual({ value: [], diagnostics: [] });
  });
});
