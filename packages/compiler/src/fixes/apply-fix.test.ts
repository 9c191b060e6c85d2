import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parse, stringify } from "yaml";
import type { Fix } from "@hasp/base/diagnostics";
import { applyFix } from "./apply-fix.js";

function remove(text: string, pointer: string, uri = "a.tool.yaml"): string | undefined {
  return applyFix({ uri, role: "spec", text }, { kind: "remove", uri, pointer })?.text;
}

function strip(text: string, pointer: string, characters: readonly string[], uri = "a.tool.yaml"): string | undefined {
  return applyFix({ uri, role: "spec", text }, { kind: "strip", uri, pointer, characters })?.text;
}

describe("a key that has moved", () => {
  const move = (text: string, pointer = "", uri = "a.tool.yaml"): string | undefined =>
    applyFix({ uri, role: "spec", text }, { kind: "move", uri, pointer, from: "/hint", to: "/view/hint" })?.text;

  test.each([
    ["a new group", "a: 1\n# why\nhint: b c # words\nd: 2\n", 'a: 1\n# why\n# words\nd: 2\nview: { hint: "b c" }\n'],
    ["a flow group", "hint: b\nview: { x: 1 } # v\n", "view: { hint: b, x: 1 } # v\n"],
    ["a block group", "view:\n  x: 1 # v\nhint:\n  # in\n  b: [c]\n", "view:\n  x: 1 # v\n  hint: { b: [c] }\n# in\n"],
    ["a new group, over lines", "{\n  a: 1,\n  hint: b, # c\n}\n", "{ view: { hint: b },\n  a: 1, # c\n}\n"],
    ["a group of flow style", "{ a: 1, hint: b, view: {} }\n", "{ a: 1, view: { hint: b } }\n"],
  ])("moves into %s, and its comments stay", (_what, text, expected) => {
    expect(move(text)).toBe(expected);
  });

  test("a key moves in a list of tools, and in JSON", () => {
    const list = "tools:\n  - name: a\n    hint: |\n      b\n      c\n    d: >-\n      e\n      f\n  - hint: g\n";
    expect(move(list, "/tools/0")).toBe(
      'tools:\n  - name: a\n    d: >-\n      e\n      f\n    view: { hint: "b\\nc\\n" }\n  - hint: g\n',
    );
    const json = '{\n  "hint": "b",\n  "c": 1\n}\n';
    expect(move(json, "", "a.tool.json")).toBe('{\n  "c": 1,\n  "view": {\n    "hint": "b"\n  }\n}\n');
  });

  test.each([
    ["v:\n  late: true # c\n  x: 1\n", "/v/load", "v:\n  # c\n  x: 1\n  load: later\n"],
    ["v: { late:  true, x: 1 } # c\n", "/v/load", "v: { load: later, x: 1 } # c\n"],
    ["v:\n  late: true # c\n  x: 1\n", undefined, "v:\n  # c\n  x: 1\n"],
  ])("a flag becomes a word, or nothing: %j, %s", (text, to, expected) => {
    const uri = "a.yaml";
    const fix: Fix = { kind: "move", uri, pointer: "", from: "/v/late", word: "later", ...(to && { to }) };
    expect(applyFix({ uri, role: "spec", text }, fix)?.text).toBe(expected);
  });

  test("a key stays where an alias needs it", () => {
    expect(move("hint: &x b\nd: *x\n")).toBeUndefined();
  });
});

describe("a value that goes", () => {
  test.each([
    [
      "of a block map",
      "# head\na: 1 # one\n\n# about b\nb: 2 # two\nc:   3\n",
      "/b",
      "# head\na: 1 # one\n\n# about b\nc:   3\n",
    ],
    ["with all its lines", "a: 1\nb:\n  - x\n  - y: |\n      text\n\nc: 3\n", "/b", "a: 1\n\nc: 3\n"],
    ["with a block text", "a: >-\n  some\n  words\nb: 1\n", "/a", "b: 1\n"],
    ["the last of a file without a line break at its end", "a: 1\nb: 2", "/b", "a: 1\n"],
    ["of a block list", "a:\n  - x # one\n  - y\n  -   z\n", "/a/1", "a:\n  - x # one\n  -   z\n"],
    ["the only one of a block map", "a: # keep\n  b: 1\nc: 2\n", "/a/b", "a: {} # keep\nc: 2\n"],
    ["the only one of a block list", "a:\n- b\nc: 2\n", "/a/0", "a: []\nc: 2\n"],
    ["of a flow list", "a: [x,  y, z] # three\n", "/a/1", "a: [x,  z] # three\n"],
    ["the last of a flow list", "a: [x, y, z]\n", "/a/2", "a: [x, y]\n"],
    ["the only one of a flow list", "a: [ x ]\n", "/a/0", "a: []\n"],
    ["of a flow map", "a: { x: 1, y: { z: [1] }, 'w': 2 }\n", "/a/y", "a: { x: 1, 'w': 2 }\n"],
    ["the last of a flow map over lines", "a: {\n  x: 1,\n  y: 2,\n}\n", "/a/y", "a: {\n  x: 1,\n}\n"],
    ["a key that needs escapes in a pointer", "'a/b~c': 1\nd: 2\n", "/a~1b~0c", "d: 2\n"],
    ["with Windows' line breaks", "a: 1\r\nb: 2\r\nc: 3\r\n", "/b", "a: 1\r\nc: 3\r\n"],
    ["an empty value", "a:\nb: 1\n", "/a", "b: 1\n"],
  ])("removes a value: %s", (_what, text, pointer, expected) => {
    expect(remove(text, pointer)).toBe(expected);
  });

  test.each([
    ["shares its line with what stays", "- a: 1\n  b: 2\n", "/0/a"],
    ["is anchored and used elsewhere", "a: &x 1\nb: *x\nc: 2\n", "/a"],
    ["stands there by an alias", "a: &x { y: 1, z: 2 }\nb: *x\n", "/b/y"],
    ["is not there", "a: 1\n", "/b"],
    ["is the whole document", "a: 1\n", ""],
    ["stands behind a byte order mark", "\uFEFFa: 1\nb: 2\n", "/b"],
  ])("keeps a value that %s", (_what, text, pointer) => {
    expect(remove(text, pointer)).toBeUndefined();
  });

  test.each([
    ['{\n  "a": 1,\n  "b": [1, 2],\n  "c": 3\n}\n', "/b", '{\n  "a": 1,\n  "c": 3\n}\n'],
    ['{ "a": [1, 2, 3] }', "/a/2", '{ "a": [1, 2] }'],
    ['{\n\t"a": 1,\n\t"b": 2\n}', "/b", '{\n\t"a": 1\n}'],
  ])("removes a value of JSON: %j", (text, pointer, expected) => {
    expect(remove(text, pointer, "a.tool.json")).toBe(expected);
  });

  const anything = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.string(),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.constantFrom("a\nb\n", "x: y", "# no comment", "- z"),
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(fc.stringMatching(/^[a-z~/ -]{1,5}$/), tie("value"), { maxKeys: 4, noNullPrototype: true }),
    ),
  })).value;

  /** Every pointer into a value, with the value as it is without what is there. */
  function* removals(
    value: unknown,
    pointer: string,
    rebuild: (without: unknown) => unknown,
  ): Generator<readonly [string, unknown]> {
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) {
        yield [`${pointer}/${index}`, rebuild(value.toSpliced(index, 1))];
        yield* removals(item, `${pointer}/${index}`, (each) => rebuild(value.with(index, each)));
      }
    } else if (typeof value === "object" && value !== null) {
      for (const [key, item] of Object.entries(value)) {
        const inside = `${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
        yield [inside, rebuild(Object.fromEntries(Object.entries(value).filter(([other]) => other !== key)))];
        yield* removals(item, inside, (each) =>
          rebuild(Object.fromEntries(Object.entries(value).map(([other, old]) => [other, other === key ? each : old]))),
        );
      }
    }
  }

  test("leaves the rest as it was, whatever the layout", () => {
    const count = { done: 0, refused: 0 };
    fc.assert(
      fc.property(
        fc.dictionary(fc.stringMatching(/^[a-z]{1,3}$/), anything, { minKeys: 1, maxKeys: 5, noNullPrototype: true }),
        fc.constantFrom("block", "flow", "json"),
        fc.constantFrom(2, 4),
        (value, layout, indent) => {
          const json = layout === "json";
          const text = json
            ? JSON.stringify(value, undefined, indent)
            : stringify(value, { indent, ...(layout === "flow" ? { collectionStyle: "flow" } : {}) });
          for (const [pointer, expected] of removals(value, "", (each) => each)) {
            const changed = remove(text, pointer, json ? "a.json" : "a.yaml");
            count[changed === undefined ? "refused" : "done"] += 1;
            if (changed !== undefined) expect(parse(changed) ?? null).toEqual(expected);
          }
        },
      ),
    );
    // It is not a proof if everything is refused.
    expect(count.done).toBeGreaterThan(100);
    expect(count.refused).toBeLessThan(count.done / 10);
  });
});

describe("characters that go", () => {
  test.each([
    ["plain", "a: on\u200be\u200b # c\u200b\n", "a: one # c\u200b\n"],
    ["in single quotes", "a: 'it''s\u200b \\u200b'\n", "a: 'it''s \\u200b'\n"],
    [
      "in double quotes, as themselves and as escapes",
      'a: "x\u200b\\u200b\\U0000200B\\\\u200b\\n"\n',
      'a: "x\\\\u200b\\n"\n',
    ],
    ["in a folded block", "a: >-\n  one\u200b two\n  three\n", "a: >-\n  one two\n  three\n"],
  ])("strips characters out of a YAML text: %s", (_what, text, expected) => {
    expect(strip(text, "/a", ["\u200b"])).toBe(expected);
  });

  test("strips both halves of a pair of escapes out of a JSON text", () => {
    expect(strip('{ "a": "x\\uDB40\\uDC41\\u200by\\\\u200b" }', "/a", ["\u{e0041}", "\u200b"], "a.json")).toBe(
      '{ "a": "xy\\\\u200b" }',
    );
  });

  test("strips characters out of strings only", () => {
    expect(strip("a: 1\n", "/a", ["\u200b"])).toBeUndefined();
    expect(strip("a: [x]\n", "/a", ["x"])).toBeUndefined();
  });
});

describe("a comment that goes", () => {
  const cut = (text: string, comment: string): string | undefined => {
    const start = text.indexOf(comment);
    const fix: Fix = { kind: "comment", uri: "a.tool.yaml", start, end: start + comment.length };
    return applyFix({ uri: "a.tool.yaml", role: "spec", text }, fix)?.text;
  };

  test("removes a comment with its line, or with the white space before it", () => {
    expect(cut("a: 1\n  # gone\nb: 2\n", "# gone")).toBe("a: 1\nb: 2\n");
    expect(cut("a: 1   # gone\nb: 2\n", "# gone")).toBe("a: 1\nb: 2\n");
    expect(cut("a: 1\n# gone", "# gone")).toBe("a: 1\n");
  });

  test("keeps a string that looks like a comment", () => {
    expect(cut("a: '# gone'\n", "# gone")).toBeUndefined();
  });
});
