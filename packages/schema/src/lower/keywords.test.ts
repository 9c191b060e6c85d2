import { describe, expect, test } from "vitest";
import { defineDialect, freeShapes, typedShapes } from "../dialects/definition/define-dialect.js";
import type { DialectId } from "../dialects/definition/dialect-id.js";
import { subsetVocabulary, wholeVocabulary } from "../dialects/definition/keyword-table.js";
import { dialects } from "../dialects/index.js";
import { createMatcher } from "../validate/index.js";
import type { SchemaObject } from "../vocabulary/json-schema.js";
import { lower } from "./lower.js";
import { findDialectFaults, KEYWORD_SAMPLES, SAMPLED_KEYWORDS, SAMPLE_PLACES } from "./prove-dialect.js";

test.each(SAMPLED_KEYWORDS)("only the keyword %s refuses the value of its sample", (keyword) => {
  const [node, refused] = KEYWORD_SAMPLES[keyword];
  for (const [around, valueAround] of Object.values(SAMPLE_PLACES)) {
    const schema = { ...around(node), $defs: { Text: { type: "string" } } };
    expect(createMatcher(schema)(valueAround(refused))).toBe(false);
  }
});

describe.each(Object.keys(dialects) as DialectId[])("in the dialect %s", (id) => {
  test.each(SAMPLED_KEYWORDS)("keeps %s, says it in another way, or reports that it is lost", (keyword) => {
    expect(findDialectFaults(id, keyword)).toEqual([]);
  });
});

test.each(SAMPLED_KEYWORDS.filter((keyword) => keyword !== "$ref"))(
  "refuses %s, wherever it stands, in a dialect that says so",
  (keyword) => {
    for (const shapes of [freeShapes, typedShapes]) {
      const dialect = defineDialect({
        ...dialects["openai-chat"],
        rootKeywords: {},
        keywords: { ...(shapes === freeShapes ? wholeVocabulary : subsetVocabulary), [keyword]: "refuse" },
        shapes,
      });
      for (const [place, [around]] of Object.entries(SAMPLE_PLACES)) {
        const lowered = lower(around(KEYWORD_SAMPLES[keyword][0]), dialect, { flat: { originsOf: () => [] } });
        expect(lowered.schema, place).toBeUndefined();
        expect(lowered.diagnostics, place).toContainEqual(
          expect.objectContaining({ message: expect.stringContaining(`does not support "${keyword}" here`) as string }),
        );
      }
    }
  },
);

test.each(["additionalItems", "dependencies", "$dynamicRef"])(
  "refuses %s, which only a schema has that is not flat",
  (keyword) => {
    const schema: SchemaObject = { type: "object", properties: { p: { type: "array", [keyword]: {} } } };
    const { schema: lowered, diagnostics } = lower(schema, "mcp", { flat: { originsOf: () => [] } });
    expect(lowered).toBeUndefined();
    expect(diagnostics.map(({ code, origin }) => [code, origin.pointer])).toEqual([
      ["lower/keyword-refused", "/properties/p"],
    ]);
  },
);
