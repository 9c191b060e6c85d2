import type { JsonObject, JsonValue } from "@hasp/schema";
import fc from "fast-check";
import { expect, test } from "vitest";
import { parseDocument } from "yaml";
import { printCanonical } from "./imported-part.js";
import { applyMerge, mergeImports } from "./merge-import.js";

const merged = (base: JsonObject | undefined, ours: JsonObject, theirs: JsonObject) =>
  mergeImports({ base, ours, theirs });

test("changes of one side are kept, and the same change of both is no conflict", () => {
  const base = { description: "Old.", input: { properties: { a: { type: "string" }, b: { type: "string" } } } };
  const ours = { description: "Mine.", input: { properties: { a: { type: "string", maxLength: 9 } } } };
  const theirs = {
    description: "Old.",
    input: { properties: { a: { type: "integer" }, b: { type: "string" }, c: { type: "null" } } },
  };
  expect(merged(base, ours, theirs)).toMatchObject({
    value: {
      description: "Mine.",
      input: { properties: { a: { type: "integer", maxLength: 9 }, c: { type: "null" } } },
    },
    conflicts: [],
  });
});

test.each(["constructor", "toString", "hasOwnProperty", "__proto__"])(
  "a property named %s comes and goes like any other",
  (name) => {
    const [without, having] = [{ a: {} }, { a: {}, [name]: {} }];
    const both: readonly (readonly [JsonObject, JsonObject])[] = [
      [without, having],
      [having, without],
    ];
    for (const [before, after] of both) {
      expect(merged(before, before, after)).toMatchObject({ value: after, conflicts: [] });
      expect(merged(before, after, before)).toEqual({ value: after, edits: [], conflicts: [] });
      expect(Object.keys(merged(before, before, after).value)).toEqual(Object.keys(after));
    }
  },
);

test("reports a conflict where both sides changed a value, and keeps the author's", () => {
  const { value, conflicts } = merged({ title: "A", x: { y: 1 } }, { title: "B", x: { y: 2 } }, { title: "C" });
  expect(value).toEqual({ title: "B", x: { y: 2 } });
  expect(conflicts).toEqual([
    { pointer: "/title", base: "A", ours: "B", theirs: "C" },
    { pointer: "/x", base: { y: 1 }, ours: { y: 2 }, theirs: undefined },
  ]);
  expect(mergeImports({ base: { a: 1 }, ours: { a: 2 }, theirs: { a: 3 } }, () => "theirs").value).toEqual({ a: 3 });
});

test("sets lose what either side removed and gain what either added", () => {
  const { value, conflicts } = merged(
    { required: ["a", "b"], enum: [1, 2] },
    { required: ["b", "mine"], enum: [2, 1] },
    { required: ["a", "b", "new"], enum: [1] },
  );
  expect({ value, conflicts }).toEqual({ value: { required: ["b", "mine", "new"], enum: [1] }, conflicts: [] });
});

test("a list in another order is not merged item by item", () => {
  const [a, b] = [{ const: "a" }, { const: "b" }];
  expect(merged({ anyOf: [a, b] }, { anyOf: [b, a] }, { anyOf: [{ const: "c" }, b] }).conflicts).toHaveLength(1);
  expect(merged({ anyOf: [a, b] }, { anyOf: [{ ...a, title: "A" }, b] }, { anyOf: [a, { const: "c" }] })).toMatchObject(
    {
      value: { anyOf: [{ const: "a", title: "A" }, { const: "c" }] },
      conflicts: [],
    },
  );
});

test("without a record of the last import, every difference is a conflict", () => {
  expect(merged(undefined, { a: 1, b: 1 }, { b: 2, c: 3 }).conflicts.map(({ pointer }) => pointer)).toEqual([
    "/a",
    "/b",
    "/c",
  ]);
});

const key = fc.constantFrom("type", "description", "required", "properties", "items", "a", "b", "x-y");
const leaf = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.constantFrom("s", "t"), fc.boolean(), fc.constant(null));
const { tree } = fc.letrec<{ tree: JsonValue; object: JsonObject }>((tie) => ({
  object: fc.dictionary(key, tie("tree"), { maxKeys: 4 }),
  tree: fc.oneof(
    { maxDepth: 4, depthSize: "small" },
    leaf,
    fc.array(leaf, { maxLength: 3 }),
    fc.array(tie("tree"), { maxLength: 3 }),
    tie("object"),
  ),
}));
const object = fc.dictionary(key, tree, { maxKeys: 5 });
/** Random edits: a few own keys replaced, added or removed, at the top or below. */
const edited = (value: JsonObject): fc.Arbitrary<JsonObject> =>
  fc.array(fc.tuple(key, fc.option(key), fc.option(tree, { nil: undefined })), { maxLength: 3 }).map((edits) => {
    const copy = structuredClone(value) as { [name: string]: JsonValue };
    for (const [outer, inner, next] of edits) {
      const held = copy[outer];
      const isBelow = inner !== null && typeof held === "object" && held !== null && !Array.isArray(held);
      const target = (isBelow ? held : copy) as { [name: string]: JsonValue };
      const name = isBelow ? inner : outer;
      if (next === undefined) delete target[name];
      else target[name] = structuredClone(next);
    }
    return copy;
  });
const history = object.chain((base) => fc.tuple(fc.constant(base), edited(base), edited(base)));

/** Lists every scalar, list and empty map by its pointer. */
function leaves(value: JsonValue | undefined, pointer = ""): ReadonlyMap<string, string> {
  if (value === undefined) return new Map();
  const isMapValue = typeof value === "object" && value !== null && !Array.isArray(value);
  const entries = isMapValue ? Object.entries(value) : [];
  if (entries.length === 0) return new Map([[pointer, printCanonical(value)]]);
  return new Map(entries.flatMap(([name, child]) => [...leaves(child, `${pointer}/${name}`)]));
}

const isAtOrAround = (outer: string, inner: string): boolean => inner === outer || inner.startsWith(`${outer}/`);

test("no edit of either side is lost unless it is reported as a conflict", () => {
  fc.assert(
    fc.property(history, ([base, ours, theirs]) => {
      const { value, conflicts } = merged(base, ours, theirs);
      const [was, result] = [leaves(base), leaves(value)];
      const isReported = (pointer: string): boolean =>
        conflicts.some((each) => isAtOrAround(each.pointer, pointer) || isAtOrAround(pointer, each.pointer));
      for (const [side, other] of [
        [leaves(ours), leaves(theirs)],
        [leaves(theirs), leaves(ours)],
      ] as const) {
        for (const pointer of new Set([...side.keys(), ...was.keys()])) {
          const isEdit = side.get(pointer) !== was.get(pointer);
          if (!isEdit || isReported(pointer)) continue;
          // Lists may hold the edits of both sides.
          const hasBoth = side.get(pointer)?.startsWith("[") === true && other.get(pointer) !== was.get(pointer);
          // An emptied map is no leaf once the other side fills it.
          const isEmptied = side.get(pointer) === "{}" || was.get(pointer) === "{}";
          if (!hasBoth && !isEmptied) expect([pointer, result.get(pointer)]).toEqual([pointer, side.get(pointer)]);
        }
      }
    }),
  );
});

test("a side that changed nothing loses nothing to the other", () => {
  fc.assert(
    fc.property(history, ([base, ours, theirs]) => {
      expect(merged(base, base, theirs)).toMatchObject({ value: {}, conflicts: [] });
      expect(printCanonical(merged(base, base, theirs).value)).toBe(
        printCanonical(reordered(merged(base, base, theirs).value, theirs)),
      );
      expect(merged(base, ours, base)).toEqual({ value: ours, edits: [], conflicts: [] });
      expect(merged(base, ours, ours)).toEqual({ value: ours, edits: [], conflicts: [] });
    }),
  );
});

/** Returns the other value, with the first one's order of lists that are sets. */
function reordered(value: JsonObject, other: JsonObject): JsonObject {
  return sorted(value) === sorted(other) ? value : other;
}

function sorted(value: JsonValue): string {
  return JSON.stringify(value, (_, each: unknown) =>
    Array.isArray(each)
      ? each.map((item) => JSON.stringify(item)).toSorted()
      : typeof each === "object" && each !== null
        ? Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1)))
        : each,
  );
}

test("the edits make the merged value of the author's document", () => {
  fc.assert(
    fc.property(history, ([base, ours, theirs]) => {
      const merge = merged(base, ours, theirs);
      const document = parseDocument(JSON.stringify(ours));
      applyMerge(document, merge);
      expect(printCanonical(document.toJS() as JsonValue)).toBe(printCanonical(merge.value));
    }),
  );
});

test("comments and order of the author survive", () => {
  const text = `# the head
input:
  type: object # always
  properties:
    # the second first
    b: { type: string } # of b
    a: { type: string, maxLength: 9 } # of a
  required: [b, a] # both
description: Mine. # own words
`;
  const base = {
    description: "Old.",
    input: { type: "object", properties: { a: { type: "string" }, b: { type: "string" } }, required: ["a", "b"] },
  };
  const theirs = {
    description: "Old.",
    input: {
      type: "object",
      properties: { a: { type: "integer" }, b: { type: "string" }, c: { type: "boolean" } },
      required: ["a"],
    },
  };
  const document = parseDocument(text);
  applyMerge(document, mergeImports({ base, ours: document.toJS() as JsonObject, theirs }));
  expect(document.toString({ flowCollectionPadding: false })).toBe(`# the head
input:
  type: object # always
  properties:
    # the second first
    b: {type: string} # of b
    a: {type: integer, maxLength: 9} # of a
    c:
      type: boolean
  required: [a] # both
description: Mine. # own words
`);
});
