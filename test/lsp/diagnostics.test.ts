import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { project, put } from "../cli/command-line.js";
import { check, editorIn, withoutPaths, workedExample } from "./projects.testing.js";

const seeded = join(import.meta.dirname, "../seeded-faults");

describe.each(readdirSync(seeded))("the editor shows the faults of %s", (name) => {
  test("as check does", async () => {
    const folder = join(seeded, name);
    const editor = await editorIn(folder);
    await editor.settle("hasp.config.yaml");
    expect(editor.findings.length).toBeGreaterThan(0);
    expect(editor.findings).toEqual(await check(folder));
  });
});

const GREET = `hasp: 1
name: greet
description: Say hello to one person. Use it to greet; do not use it to part.
input: { type: object, required: [who], properties: { who: { type: string, maxLength: 80, description: The person. } } }
`;

describe("a finding", () => {
  test("comes with its page, its related places and the remedy", async () => {
    const folder = project({
      "hasp.config.yaml": "specs: [specs]\n",
      "specs/a.tool.yaml": GREET,
      "specs/b.tool.yaml": GREET,
    });
    const editor = await editorIn(folder);
    await editor.settle("specs/a.tool.yaml");
    const finding = editor.shown("specs/b.tool.yaml").find(({ code }) => code === "resolve/duplicate-name");
    expect(finding).toMatchObject({ source: "hasp", severity: 1 });
    expect(finding?.relatedInformation?.[0]?.location.uri).toBe(editor.uriOf("specs/a.tool.yaml"));
    const page = new URL(finding?.codeDescription?.href ?? "");
    expect(readFileSync(page, "utf8")).toContain("| `resolve/duplicate-name` |");
  });
});

test("a plugin's rule is shown in the editor", async () => {
  const folder = project({
    "hasp.config.yaml": "specs: [specs]\nplugins: [./plugins/acme.js]\n",
    "specs/greet.tool.yaml": GREET,
    "plugins/acme.js": `export default { name: "acme", rules: [{
      id: "acme/needs-owner", severity: "warning", summary: "Every tool has an owner.", why: "Somebody must answer.",
      messages: { missing: "Name the owner of {tool}." },
      examples: { bad: [{ spec: "a", reports: ["missing"] }], good: ["b"] },
      checkTool(tool, { report }) { report("missing", { location: tool.locate("/name") }, { tool: tool.name }); },
    }] };`,
  });
  const editor = await editorIn(folder);
  await editor.open("specs/greet.tool.yaml");
  await editor.settle("specs/greet.tool.yaml");
  expect(editor.shown("specs/greet.tool.yaml")).toMatchObject([
    { code: "acme/needs-owner", message: expect.stringContaining("Name the owner of greet.") as string, severity: 2 },
  ]);
});

describe("what is typed", () => {
  test("counts before it is saved, and no longer once the document is closed", async () => {
    const folder = project({ "hasp.config.yaml": "specs: [specs]\n", "specs/greet.tool.yaml": GREET });
    const editor = await editorIn(folder);
    await editor.open("specs/greet.tool.yaml");
    await editor.settle("specs/greet.tool.yaml");
    expect(withoutPaths(editor.findings)).toEqual([]);
    await editor.edit("specs/greet.tool.yaml", 0, 7, "hasp: 2");
    await editor.settle("specs/greet.tool.yaml");
    expect(editor.findings.join()).toContain("specs/greet.tool.yaml:1:7");
    await editor.close("specs/greet.tool.yaml");
    await editor.settle("specs/greet.tool.yaml");
    expect(withoutPaths(editor.findings)).toEqual([]);
  });

  test.each([
    ["CRLF", (text: string) => text.replaceAll("\n", "\r\n")],
    ["a byte order mark", (text: string) => `\uFEFF${text}`],
    ["characters of two units", (text: string) => text.replace("Say hello", "Say 👋🏽 hello")],
  ])("has the places of check with %s", async (_name, changed) => {
    const text = changed(GREET.replace("hello", "hello 👋🏽").replace("maxLength", "maximumLength"));
    const folder = project({ "hasp.config.yaml": "specs: [specs]\n", "specs/greet.tool.yaml": text });
    const editor = await editorIn(folder);
    await editor.open("specs/greet.tool.yaml");
    await editor.settle("specs/greet.tool.yaml");
    expect(editor.findings).toEqual(await check(folder));
    expect(editor.findings.join()).toContain("maximumLength");
  });

  test("may be a configuration, and may be half of a document", async () => {
    const folder = project({ "hasp.config.yaml": "specs: [specs]\n", "specs/greet.tool.yaml": GREET });
    const editor = await editorIn(folder);
    await editor.open("hasp.config.yaml");
    await editor.edit("hasp.config.yaml", 0, 15, "specs: [spec");
    await editor.settle("hasp.config.yaml");
    expect(editor.findings.join()).toContain("load/yaml-syntax");
    await editor.edit(
      "hasp.config.yaml",
      0,
      12,
      "specs: [specs]\nfindings: [{ rule: naming/vague-nam, severity: error }]",
    );
    await editor.settle("hasp.config.yaml");
    expect(editor.findings.join()).toContain("naming/vague-name");
  });
});

describe("what happens on disk", () => {
  test("is seen: a file saved by another program, half of it first, renamed and deleted", async () => {
    const folder = project({ "hasp.config.yaml": "specs: [specs]\n", "specs/greet.tool.yaml": GREET });
    const editor = await editorIn(folder);
    await editor.settle("hasp.config.yaml");
    const path = join(folder, "specs/greet.tool.yaml");
    const shows = (text: string): Promise<void> =>
      vi.waitFor(() => expect(editor.findings.join()).toContain(text), { timeout: 10_000 });
    const showsNothing = (): Promise<void> =>
      vi.waitFor(() => expect(withoutPaths(editor.findings)).toEqual([]), { timeout: 10_000 });
    writeFileSync(path, GREET.slice(0, -20));
    await shows("load/yaml-syntax");
    writeFileSync(path, GREET);
    await showsNothing();
    mkdirSync(join(folder, "specs/deep/er"), { recursive: true });
    writeFileSync(join(folder, "specs/deep/er/greet.tool.yaml"), GREET);
    await shows("specs/greet.tool.yaml:2:7 resolve/duplicate-name");
    renameSync(path, join(folder, "specs/deep/er/hello.yaml"));
    await shows("project/spec-misnamed");
    rmSync(join(folder, "specs/deep/er/hello.yaml"));
    await showsNothing();
    rmSync(join(folder, "specs"), { recursive: true });
    await shows("project/specs-not-found");
    put(folder, { "specs/greet.tool.yaml": GREET });
    await showsNothing();
  });

  test("two editors see what the other saves, and not what it types", async () => {
    const folder = project({ "hasp.config.yaml": "specs: [specs]\n", "specs/greet.tool.yaml": GREET });
    const [one, two] = [await editorIn(folder), await editorIn(folder)];
    for (const editor of [one, two]) {
      await editor.open("specs/greet.tool.yaml");
      await editor.settle("specs/greet.tool.yaml");
    }
    await two.close("specs/greet.tool.yaml");
    const broken = GREET.replace("hasp: 1", "hasp: 2");
    await one.edit("specs/greet.tool.yaml", 0, 7, "hasp: 2");
    await one.settle("specs/greet.tool.yaml");
    await two.settle("specs/greet.tool.yaml");
    expect([one, two].map(({ findings }) => withoutPaths(findings).length)).toEqual([1, 0]);
    writeFileSync(join(folder, "specs/greet.tool.yaml"), broken);
    await vi.waitFor(() => expect(two.findings).toEqual(one.findings), { timeout: 10_000 });
  });
});

describe("a workspace", () => {
  test("a workspace of three projects shows each by itself", async () => {
    const folder = project();
    for (const name of ["one", "two", "three"]) {
      put(join(folder, name), {
        "hasp.config.yaml": "specs: [specs]\n",
        "specs/greet.tool.yaml": GREET.replace("hasp: 1", name === "two" ? "hasp: 2" : "hasp: 1"),
      });
    }
    const editor = await editorIn(folder, [join(folder, "one"), join(folder, "two"), join(folder, "three")]);
    for (const name of ["one", "two", "three"]) await editor.settle(`${name}/hasp.config.yaml`);
    expect(withoutPaths(editor.findings).map((finding) => finding.split(":")[0])).toEqual([
      "two/specs/greet.tool.yaml",
    ]);
    await editor.open("three/specs/greet.tool.yaml");
    await editor.edit("three/specs/greet.tool.yaml", 0, 7, "hasp: 3");
    await editor.settle("three/specs/greet.tool.yaml");
    expect(withoutPaths(editor.findings).map((finding) => finding.split(":")[0])).toEqual([
      "three/specs/greet.tool.yaml",
      "two/specs/greet.tool.yaml",
    ]);
  });

  test("without a project is left alone", async () => {
    const folder = project({ "compose.yaml": "services: {}\n", "a.tool.yaml": "hasp: 2\n" });
    const editor = await editorIn(folder);
    await editor.open("compose.yaml");
    await editor.settle("compose.yaml");
    expect(editor.findings).toEqual([]);
    expect(editor.errors).toBe("");
  });

  test("with a spec of 2 MB follows what is typed", async () => {
    const values = Array.from({ length: 60_000 }, (_, index) => `          - value_number_${index}_of_many\n`).join("");
    const large = `hasp: 1\nname: pick\ndescription: Pick one value of many.\ninput:\n  type: object\n  properties:\n    value:\n      description: The value.\n      enum:\n${values}`;
    expect(large.length).toBeGreaterThan(2_000_000);
    const folder = project({ "hasp.config.yaml": "specs: [specs]\n", "specs/pick.tool.yaml": large });
    const editor = await editorIn(folder);
    await editor.open("specs/pick.tool.yaml");
    await editor.edit("specs/pick.tool.yaml", 6, 7, "2");
    await editor.settle("specs/pick.tool.yaml");
    expect(editor.findings.join()).toContain("specs/pick.tool.yaml:1:7");
    await editor.edit("specs/pick.tool.yaml", 6, 7, "1");
    await editor.settle("specs/pick.tool.yaml");
    expect(editor.findings.join()).not.toContain("specs/pick.tool.yaml:1:7");
  });
});

test("the worked example is clean", async () => {
  const folder = workedExample();
  const editor = await editorIn(folder);
  await editor.settle("hasp.config.yaml");
  expect(editor.findings).toEqual(await check(folder));
  expect(editor.findings.join()).not.toMatch(/resolve|ledger|schema/u);
});
