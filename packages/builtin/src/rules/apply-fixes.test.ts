import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import fc from "fast-check";
import type { JsonValue } from "@hasp/schema";
import { describe, expect, test } from "vitest";
import { compile } from "../../../../test/compiler/built-in.testing.js";
import { specSource } from "../../../../test/compiler/flat-tools.testing.js";
import type { FixResult } from "@hasp/compiler/edit";
import type { Diagnostic } from "@hasp/base/diagnostics";
import type { SourceText } from "@hasp/compiler";
import { escapeToken } from "@hasp/base/json";
import { parseSource } from "@hasp/compiler/source";
import { rules } from "./index.js";
import { applyFixes } from "@hasp/compiler/edit";

const compiled = (files: readonly SourceText[]): ReturnType<typeof compile> =>
  compile(
    files.filter(({ role }) => role !== "config"),
    { unlocked: true },
    { emits: false },
  );

async function fixed(files: readonly SourceText[]): Promise<FixResult> {
  return applyFixes({ files, diagnostics: (await compiled(files)).diagnostics, compile: compiled });
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
  test.each(rules.map((rule) => [rule.id, rule] as const))(
    "adds nothing to the bad examples of %s",
    async (_, rule) => {
      for (const { spec: text } of rule.examples.bad) {
        const before = [specSource(text)];
        await expectNothingAdded(before, (await fixed(before)).files);
      }
    },
  );

  test("adds nothing to a project full of faults", async () => {
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
    const { files: after, findings } = await fixed(files);
    await expectNothingAdded(files, after);
    expect([...new Set(findings.map(({ code }) => code))].toSorted()).toEqual([
      "check/silence-of-fixed-rule",
      "check/unused-silence",
      "schema/repeated-item",
      "schema/unused-definition",
      "supply-chain/hidden-text",
    ]);
    // What has a remedy is gone; a second run finds nothing to do.
    expect((await fixed(after)).findings).toEqual([]);
  });
});

const START = "hasp: 1\nname: find\ndescription: Use it to find. Do not use it to lose.\n";

describe("what is fixed", () => {
  test("removes a chain of definitions in several passes, and the empty holder with them", async () => {
    const text = `${START}input:\n  type: object\n  properties: {}\n  $defs:\n    A: { $ref: "#/$defs/B" }\n    B: { $ref: "#/$defs/C" }\n    C: { type: string }\n`;
    const { files, findings } = await fixed([spec(text)]);
    expect(files[0]?.text).toBe(`${START}input:\n  type: object\n  properties: {}\n`);
    expect(findings).toHaveLength(3);
  });

  test("removes one definition among others, and keeps the text around it", async () => {
    const text = `${START}input:\n  type: object\n  properties: { at: { $ref: "#/$defs/Place" } }\n  $defs:\n    # where\n    Place: { type: string } # a place\n    Plaice: { type: string } # a fish\n`;
    expect((await fixed([spec(text)])).files[0]?.text).toBe(
      text.replace("    Plaice: { type: string } # a fish\n", ""),
    );
  });

  test("keeps a definition to which another file refers", async () => {
    const shared = spec(
      `${START}input:\n  type: object\n  properties: {}\n  $defs: { Place: { type: string } }\n`,
      "specs/a.tool.yaml",
    );
    const user = spec(
      `${START.replace("find\n", "seek\n")}input:\n  type: object\n  properties: { at: { $ref: "./a.tool.yaml#/input/$defs/Place" } }\n`,
      "specs/b.tool.yaml",
    );
    expect((await fixed([shared, user])).findings).toEqual([]);
  });

  test("keeps a definition that a reference names in another spelling", async () => {
    // One reference among those that mean the same: percent-encoded or not, in either case, with ~0 and ~1.
    const spelled = (name: string): fc.Arbitrary<string> =>
      fc
        .array(fc.constantFrom("plain", "upper", "lower"), { minLength: name.length * 2, maxLength: name.length * 2 })
        .map((styles) =>
          [...escapeToken(name)]
            .map((character, index) => {
              const style = /[^\w~!$&'()*+,;=:@.-]/u.test(character) ? "upper" : styles[index];
              const bytes = [...new TextEncoder().encode(character)].map((byte) => byte.toString(16).padStart(2, "0"));
              if (style === undefined || style === "plain") return character;
              return bytes.map((byte) => `%${style === "upper" ? byte.toUpperCase() : byte}`).join("");
            })
            .join(""),
        );
    const name = fc.string({
      unit: fc.constantFrom("a", "B", " ", "/", "~", "%", "#", "?", "é", "0", "1", "😀", "{"),
      minLength: 1,
      maxLength: 4,
    });
    const prefix = fc.constantFrom("#/", "#%2F", "#%2f");
    const suffix = fc.constantFrom("", "/properties/x", "%2fproperties/x");
    const reference = fc
      .record({ name, prefix, suffix, holder: fc.constantFrom("$defs", "%24defs", "definitions") })
      .chain(({ name: key, ...rest }) => spelled(key).map((token) => ({ ...rest, key, token })));
    await fc.assert(
      fc.asyncProperty(reference, async ({ key, token, prefix: start, suffix: end, holder }) => {
        const text = `${START}input: ${JSON.stringify({
          type: "object",
          properties: { at: { $ref: `${start}${holder}/${token}${end}` } },
          [holder === "definitions" ? "definitions" : "$defs"]: {
            [key]: { type: "object", properties: { x: { type: "string" } } },
            unused: { type: "string" },
          },
        })}\n`;
        const [file] = (await fixed([spec(text)])).files;
        expect((await compiled([spec(text)])).diagnostics.filter(({ code }) => code.startsWith("resolve/"))).toEqual(
          [],
        );
        expect(file?.text).not.toContain("unused");
        expect((await compiled(file === undefined ? [] : [file])).tools).toEqual([
          expect.objectContaining({ name: "find" }),
        ]);
      }),
      { numRuns: Number(process.env["HASP_FUZZ_RUNS"] ?? 20) },
    );
  });

  test.each([
    ["an anchor inside it", "#here", "{ properties: { x: { $anchor: here, type: string } } }", ""],
    ["the $id of the schema", "https://example.com/s#/$defs/A", "{ type: string }", "  $id: https://example.com/s\n"],
    ["a path next to the $id", "s.json#/$defs/A", "{ type: string }", "  $id: https://example.com/s.json\n"],
  ])("keeps a definition that is referenced by %s", async (_what, reference, definition, id) => {
    const text = `${START}input:\n${id}  type: object\n  properties: { at: { $ref: "${reference}" } }\n  $defs:\n    A: ${definition}\n`;
    expect((await fixed([spec(text)])).files[0]?.text).toBe(text);
  });

  test("skips a removal that would cause an error, and makes the others", async () => {
    const source = spec(
      `${START}input:\n  type: object\n  properties: { at: { $ref: "#/$defs/A" } }\n  $defs: { A: { type: string }, B: { type: string } }\n`,
    );
    const removal = (pointer: string): Diagnostic => ({
      code: "x/y",
      severity: "warning",
      message: pointer,
      fix: { kind: "remove", uri: source.uri, pointer },
    });
    const diagnostics = ["/input/$defs/A", "/input/$defs/B"].map(removal);
    const { files, findings } = await applyFixes({ files: [source], diagnostics, compile: compiled });
    expect(findings[0]?.message).toBe("/input/$defs/B");
    expect(files[0]?.text).toBe(source.text.replace(", B: { type: string }", ""));
  });

  test("strips hidden characters from texts for models, in all their spellings, and nowhere else", async () => {
    const text = `hasp: 1\nname: find\ntitle: "Fi\\u200bnd"\ndescription: >-\n  Use it to fi\u200bnd.\n  Do not use\u202e it to lose.\ninput: { type: object, properties: { "a": { type: string, description: "\\U000e0041x", const: "y\u200b" } } }\n`;
    const { files } = await fixed([spec(text)]);
    expect(files[0]?.text).toBe(
      text.replace("\\u200b", "").replace("fi\u200bnd", "find").replace("\u202e", "").replace("\\U000e0041", ""),
    );
  });

  test("keeps emoji, flags and scripts that need their joiners", async () => {
    const text = `hasp: 1\nname: find\ndescription: "\u{1f469}\u200d\u{1f680} a\u200db می\u200cخواهم"\ninput: { type: object, properties: {} }\n`;
    expect((await fixed([spec(text)])).files[0]?.text).toBe(text);
    const flag = `hasp: 1\nname: find\ndescription: "\u{1f3f4}\u{e0067}\u{e0062}\u{e007f}"\ninput: { type: object, properties: {} }\n`;
    expect((await fixed([spec(flag)])).files[0]?.text).toBe(flag);
  });

  test("removes duplicate items, and suppressions that suppress nothing", async () => {
    const text = `${START}tags: [a, b, a] # tags\ninput: { type: object, properties: {} }\n`;
    expect((await fixed([spec(text)])).files[0]?.text).toBe(text.replace(", a]", "]"));
    const suppressed = `${START}# hasp-ignore naming/vague-name -- why\n# another comment\ninput: { type: object, properties: {} } # hasp-ignore size/over-budget -- why\n`;
    expect((await fixed([spec(suppressed)])).files[0]?.text).toBe(
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
      applyFixes({ files: [source], diagnostics: [finding], compile: async () => results.shift() ?? claiming }),
    ).rejects.toThrow("A fix added a claim: find behavior.isReadOnly: true.");
  });
});
