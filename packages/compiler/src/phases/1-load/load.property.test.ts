import type { JsonValue } from "@hasp/schema";
import fc from "fast-check";
import { expect, test } from "vitest";
import { stringify } from "yaml";
import type { LoadedDocument } from "../../model/document.js";
import { load } from "./index.js";

const json = fc
  .jsonValue({ maxDepth: 5 })
  .map((value): JsonValue => JSON.parse(JSON.stringify(value)))
  .filter((value) => !JSON.stringify(value).includes('"__proto__":'));

function documentOf(uri: string, text: string): LoadedDocument {
  const { value, diagnostics } = load([{ uri, text, role: "shared" }]);
  expect(diagnostics).toEqual([]);
  const [document] = value;
  if (document === undefined) throw new Error("nothing was loaded");
  return document;
}

function* placesOf(value: JsonValue, pointer = ""): Generator<{ readonly pointer: string; readonly value: JsonValue }> {
  yield { pointer, value };
  if (typeof value !== "object" || value === null) return;
  for (const [key, item] of Object.entries(value)) {
    yield* placesOf(item, `${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`);
  }
}

test.each(["a.json", "a.yaml"])(
  "JSON text is read as JSON.parse reads it, and every place holds its value (%s)",
  (uri) => {
    fc.assert(
      fc.property(json, fc.integer({ min: 0, max: 3 }), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const document = documentOf(uri, text);
        expect(document.value).toEqual(value);
        for (const place of placesOf(value)) {
          const { range, pointer } = document.locate(place.pointer);
          expect(pointer).toBe(place.pointer);
          expect(JSON.parse(text.slice(range.start.offset, range.end.offset))).toEqual(place.value);
          const lines = text.slice(0, range.start.offset).split("\n");
          expect([range.start.line, range.start.column]).toEqual([lines.length, (lines.at(-1) ?? "").length + 1]);
        }
      }),
    );
  },
);

test("YAML in any of its styles is read as what it stands for", () => {
  fc.assert(
    fc.property(
      json,
      fc.constantFrom("PLAIN", "QUOTE_DOUBLE", "QUOTE_SINGLE", "BLOCK_LITERAL", "BLOCK_FOLDED"),
      (value, style) => {
        const text = stringify(value, {
          defaultStringType: style,
          defaultKeyType: "QUOTE_DOUBLE",
          aliasDuplicateObjects: false,
        });
        expect(documentOf("a.yaml", text).value).toEqual(value);
      },
    ),
  );
});

test("returns a value or diagnostics for any file", () => {
  const fragments = fc.constantFrom(
    "a",
    ":",
    " ",
    "\n",
    "- ",
    "[",
    "]",
    "{",
    "}",
    '"',
    "'",
    "&x",
    "*x",
    "|",
    ">",
    "#",
    "!!str",
    "<<",
    "\t",
    "1e999",
    "?",
    ",",
    "%YAML 1.1\n",
    "---\n",
    "\uFEFF",
    "\r\n",
  );
  fc.assert(
    fc.property(fc.array(fragments, { maxLength: 30 }), fc.constantFrom("a.yaml", "a.json"), (parts, uri) => {
      const text = parts.join("");
      const { value, diagnostics } = load([{ uri, text, role: "spec" }]);
      expect(value.length === 0).toBe(diagnostics.length > 0);
      for (const { location } of diagnostics) expect(location?.range.start.offset).toBeLessThanOrEqual(text.length);
    }),
  );
});
