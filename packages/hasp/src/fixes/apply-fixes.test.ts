import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { JsonValue } from "@hasp/schema";
import { describe, expect, test } from "vitest";
import { compile } from "../compile.js";
import type { SourceText } from "../model/document.js";
import { parseSource } from "../phases/1-load/index.js";
import { specSource } from "../rules/check-specs.testing.js";
import { rules } from "../rules/index.js";
import { mend, type Mended } from "./apply-fixes.js";

const compiled = (files: readonly SourceText[]): ReturnType<typeof compile> =>
  compile(
    files.filter(({ role }) => role !== "config"),
    { unlocked: true },
    { emits: false },
  );

async function mended(files: readonly SourceText[]): Promise<Mended> {
  return mend({ files, diagnostics: (await compiled(files)).diagnostics, compile: compiled });
}

const spec = (text: string, uri = "specs/one.tool.yaml"): SourceText => ({ uri, role: "spec", text });

/**
 * Every value that is neither a list nor an object, with its place; the index in a list counts for nothing, since lists
 * shrink.
 */
function leaves(value: JsonValue, pointer = ""): readonly string[] {
  if (typeof value !== "object" || value === null) {
    return [`${pointer} ${JSON.stringify(typeof value === "string" ? visible(value) : value)}`];
  }
  if (Array.isArray(value)) return (value as readonly JsonValue[]).flatMap((item) => leaves(item, `${pointer}/*`));
  return Object.entries(value).flatMap(([key, item]) => leaves(item as JsonValue, `${pointer}/${key}`));
}

const visible = (text: string): string => text.replaceAll(/[^\x20-\x7e\n]/gu, "");

/** Nothing is in the specs that was not there before, and no tool claims what it did not. */
async function expectNothingAdded(before: readonly SourceText[], after: readonly SourceText[]): Promise<void> {
  for (const [index, file] of after.entries()) {
    const [old, now] = [before[index], file].map((each) =>
      each === undefined ? undefined : parseSource(each).value?.value,
    );
    if (old === undefined || now === undefined) {
      expect(file.text).toBe(before[index]?.text);
      continue;
    }
    const known = new Set(leaves(old));
    expect(leaves(now).filter((leaf) => !known.has(leaf))).toEqual([]);
  }
  const claims = async (files: readonly SourceText[]): Promise<readonly string[]> =>
    (await compiled(files)).tools.flatMap(({ name, relaxations }) =>
      relaxations.map(({ claim }) => `${name} ${claim}`),
    );
  const had = new Set(await claims(before));
  const usable = new Set((await compiled(before)).tools.map(({ name }) => name));
  expect((await claims(after)).filter((claim) => usable.has(claim.split(" ")[0] ?? "") && !had.has(claim))).toEqual([]);
}

describe("no fix adds anything, a claim above all", () => {
  test.each(rules.map((rule) => [rule.id, rule] as const))("%s", async (_, rule) => {
    for (const { spec: text } of rule.examples.bad) {
      const before = [specSource(text)];
      await expectNothingAdded(before, (await mended(before)).files);
    }
  });

  test("in a project full of faults", async () => {
    const root = join(import.meta.dirname, "../../../../test/seeded-faults/tools");
    expect(existsSync(root)).toBe(true);
    const files = readdirSync(join(root, "specs"), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path): SourceText => ({
        uri: relative(root, path),
        role: /\.tools?\./u.test(path) ? "spec" : "shared",
        text: readFileSync(path, "utf8"),
      }));
    const { files: after, findings } = await mended(files);
    await expectNothingAdded(files, after);
    expect([...new Set(findings.map(({ code }) => code))].toSorted()).toEqual([
      "check/silence-of-fixed-rule",
      "check/unused-silence",
      "schema/repeated-item",
      "schema/unused-definition",
      "supply-chain/hidden-text",
    ]);
    // What has a remedy is gone; a second run finds nothing to do.
    expect((await mended(after)).findings).toEqual([]);
  });
});

const START = "hasp: 1\nname: find\ndescription: Use it to find. Do not use it to lose.\n";

describe("what is mended", () => {
  test("a chain of definitions, in as many passes as it takes, and the empty holder with them", async () => {
    const text = `${START}input:\n  type: object\n  properties: {}\n  $defs:\n    A: { $ref: "#/$defs/B" }\n    B: { $ref: "#/$defs/C" }\n    C: { type: string }\n`;
    const { files, findings } = await mended([spec(text)]);
    expect(files[0]?.text).toBe(`${START}input:\n  type: object\n  properties: {}\n`);
    expect(findings).toHaveLength(3);
  });

  test("one definition among others, and what stands around it stays", async () => {
    const text = `${START}input:\n  type: object\n  properties: { at: { $ref: "#/$defs/Place" } }\n  $defs:\n    # where\n    Place: { type: string } # a place\n    Plaice: { type: string } # a fish\n`;
    expect((await mended([spec(text)])).files[0]?.text).toBe(
      text.replace("    Plaice: { type: string } # a fish\n", ""),
    );
  });

  test("no definition that another file points to", async () => {
    const shared = spec(
      `${START}input:\n  type: object\n  properties: {}\n  $defs: { Place: { type: string } }\n`,
      "specs/a.tool.yaml",
    );
    const user = spec(
      `${START.replace("find\n", "seek\n")}input:\n  type: object\n  properties: { at: { $ref: "./a.tool.yaml#/input/$defs/Place" } }\n`,
      "specs/b.tool.yaml",
    );
    expect((await mended([shared, user])).findings).toEqual([]);
  });

  test("hidden characters in texts for models, in all their spellings, and nowhere else", async () => {
    const text = `hasp: 1\nname: find\ntitle: "Fi\\u200bnd"\ndescription: >-\n  Use it to fi\u200bnd.\n  Do not use\u202e it to lose.\ninput: { type: object, properties: { "a": { type: string, description: "\\U000e0041x", const: "y\u200b" } } }\n`;
    const { files } = await mended([spec(text)]);
    expect(files[0]?.text).toBe(
      text.replace("\\u200b", "").replace("fi\u200bnd", "find").replace("\u202e", "").replace("\\U000e0041", ""),
    );
  });

  test("no emoji, no flag and no script that needs its joiners", async () => {
    const text = `hasp: 1\nname: find\ndescription: "\u{1f469}\u200d\u{1f680} a\u200db می\u200cخواهم"\ninput: { type: object, properties: {} }\n`;
    expect((await mended([spec(text)])).files[0]?.text).toBe(text);
    const flag = `hasp: 1\nname: find\ndescription: "\u{1f3f4}\u{e0067}\u{e0062}\u{e007f}"\ninput: { type: object, properties: {} }\n`;
    expect((await mended([spec(flag)])).files[0]?.text).toBe(flag);
  });

  test("items that stand twice, and silences that silence nothing", async () => {
    const text = `${START}tags: [a, b, a] # tags\ninput: { type: object, properties: {} }\n`;
    expect((await mended([spec(text)])).files[0]?.text).toBe(text.replace(", a]", "]"));
    const silenced = `${START}# hasp-ignore naming/vague-name -- why\n# another comment\ninput: { type: object, properties: {} } # hasp-ignore size/over-budget -- why\n`;
    expect((await mended([spec(silenced)])).files[0]?.text).toBe(
      `${START}# another comment\ninput: { type: object, properties: {} }\n`,
    );
  });

  test("a fix that would make a claim is our bug, and nothing comes of it", async () => {
    const source = spec(`${START}input: { type: object, properties: {} }\nbehavior: { isReadOnly: true }\n`);
    const claiming = await compiled([source]);
    const silent = { ...claiming, tools: claiming.tools.map((tool) => ({ ...tool, relaxations: [] })) };
    const results = [silent, claiming];
    const fix = { kind: "remove", uri: source.uri, pointer: "/input/properties" } as const;
    const finding = { code: "x/y", severity: "error", message: "", fix } as const;
    await expect(
      mend({ files: [source], diagnostics: [finding], compile: async () => results.shift() ?? claiming }),
    ).rejects.toThrow("A fix made a claim: find behavior.isReadOnly: true.");
  });
});
