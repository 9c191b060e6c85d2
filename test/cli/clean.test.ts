import { writeFileSync, symlinkSync, rmSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { hasp, haspJson, minimalSpec, project, put, tree } from "./command-line.js";

const files = { "hasp.config.yaml": "specs: [specs]\ndialects: [anthropic]\n", "specs/a.tool.yaml": minimalSpec("a") };

async function built(): Promise<string> {
  const folder = project(files);
  expect((await hasp(folder, ["build"])).code).toBe(0);
  return folder;
}

describe("hasp build --clean", () => {
  test("takes away what hasp made, and leaves specs, ledger and handlers", async () => {
    const folder = await built();
    const run = await hasp(folder, ["build", "--clean"]);
    expect(run.code).toBe(0);
    expect(run.out).toMatch(
      /^\d+ generated files and no cache files deleted\.\nHandlers in src\/tools are yours; none was touched\.\n$/,
    );
    expect(Object.keys(tree(folder))).toEqual([...Object.keys(files), "src/tools/a.ts"]);
    expect((await hasp(folder, ["build", "--clean"])).out).toContain("no generated files");
  });

  test("edited files of a tool stay and are named; a build afterwards is whole", async () => {
    const folder = await built();
    const before = tree(folder);
    put(folder, { "src/generated/tools/a.ts": `${before["src/generated/tools/a.ts"] ?? ""}// mine\n` });
    const { code, diagnostics, summary } = await haspJson(folder, ["build", "--clean"]);
    expect(code).toBe(0);
    expect(diagnostics.map(({ code: id }) => id)).toEqual(["cli/edited-kept"]);
    expect(summary["kept"]).toEqual(["src/generated/tools/a.ts"]);
    expect(readFileSync(join(folder, "src/generated/tools/a.ts"), "utf8")).toContain("// mine");
    expect((await hasp(folder, ["build"])).code).toBe(0);
    expect(tree(folder)).toEqual(before);
  });

  test("deletes the cache of this project and of no other", async () => {
    const environment = { XDG_CACHE_HOME: project() };
    const folder = await built();
    const other = await built();
    const kept = (): number => Object.keys(tree(environment.XDG_CACHE_HOME)).length;
    await hasp(folder, ["check"], environment);
    const own = kept();
    await hasp(other, ["check"], environment);
    const both = kept();
    expect((await hasp(folder, ["build", "--clean"], environment)).out).toContain(`${own} cache file`);
    expect(kept()).toBe(both - own);
    expect(own).toBeGreaterThan(0);
  });

  test("--dry-run says what it would do and does nothing", async () => {
    const folder = await built();
    const before = tree(folder);
    const run = await hasp(folder, ["build", "--clean", "--dry-run"]);
    expect(run.out).toContain("delete  src/generated/registry.ts\n");
    expect(tree(folder)).toEqual(before);
  });

  test("a manifest that names files elsewhere, or stands behind a link, deletes nothing there", async () => {
    const folder = await built();
    const elsewhere = project({ "secret.txt": "mine" });
    const manifest = join(folder, "src/generated/manifest.json");
    const digests = JSON.parse(readFileSync(manifest, "utf8")) as { outputs: Record<string, string> };
    const [digest = ""] = Object.values(digests.outputs);
    const paths = [
      "specs/a.tool.yaml",
      "src/generated/../../specs/a.tool.yaml",
      join(elsewhere, "secret.txt"),
      "src/tools/a.ts",
    ];
    writeFileSync(
      manifest,
      JSON.stringify({ hasp: 1, outputs: Object.fromEntries(paths.map((path) => [path, digest])) }),
    );
    await hasp(folder, ["build", "--clean"]);
    expect(Object.keys(tree(folder))).toEqual(expect.arrayContaining(["specs/a.tool.yaml", "src/tools/a.ts"]));
    expect(tree(elsewhere)).toEqual({ "secret.txt": "mine" });

    const linked = await built();
    rmSync(join(linked, "src/generated"), { recursive: true });
    put(elsewhere, { "generated/manifest.json": JSON.stringify({ hasp: 1, outputs: {} }) });
    symlinkSync(join(elsewhere, "generated"), join(linked, "src/generated"));
    await hasp(linked, ["build", "--clean"]);
    expect(Object.keys(tree(elsewhere))).toContain("generated/manifest.json");
  });

  test("without a usable configuration it does not guess where to delete", async () => {
    const folder = await built();
    put(folder, { "hasp.config.yaml": "outDir: ../elsewhere\n" });
    const before = tree(folder);
    expect((await hasp(folder, ["build", "--clean"])).code).toBe(2);
    expect(tree(folder)).toEqual(before);
  });
});
