import { expect, test } from "vitest";
import { compile } from "../../compile.js";
import { boundedValidator, hasSlowPattern } from "./bounded-validator.js";

const endless = { type: "string", pattern: "^(a+)+\\1$", maxLength: 100 } as const;
const text = `${"a".repeat(60)}!`;

test("a pattern that can be attacked is found wherever it stands", () => {
  expect(hasSlowPattern({ type: "object", properties: { name: { anyOf: [endless] } } })).toBe(true);
  expect(hasSlowPattern({ type: "object", patternProperties: { "^(a+)+\\1$": true } })).toBe(true);
  expect(hasSlowPattern({ type: "string", pattern: "^[a-z]+$" })).toBe(false);
  expect(hasSlowPattern(true)).toBe(false);
});

test("a pattern that backtracks is matched in linear time", () => {
  const validate = boundedValidator({ type: "string", pattern: "^(a+)+$" });
  expect(validate(text).valid).toBe(false);
  expect(validate("aaa").valid).toBe(true);
});

test("it is not run, and the rest of the schema holds", () => {
  const validate = boundedValidator(endless);
  expect(validate(text).valid).toBe(true);
  expect(validate(`${"a".repeat(100)}!`).valid).toBe(false);
});

test("a spec that brings the text, too, is refused in bounded time", async () => {
  const spec = {
    hasp: 1,
    name: "find",
    description: "Find.",
    input: {
      type: "object",
      required: ["name"],
      properties: { name: { ...endless, default: text, examples: [text] } },
    },
    concurrency: { rules: [{ when: "input.name == 'a'", class: "READ_ONLY" }] },
    examples: [{ input: { name: text } }],
    tests: [{ input: { name: text }, expect: { class: "UNSAFE" } }],
  };
  const { diagnostics, files } = await compile(
    [{ uri: "specs/find.tool.json", role: "spec", text: JSON.stringify(spec) }],
    {
      unlocked: true,
    },
  );
  expect(diagnostics.filter(({ severity }) => severity === "error").map(({ code }) => code)).toContain(
    "schema/slow-pattern",
  );
  expect(files).toEqual([]);
});
