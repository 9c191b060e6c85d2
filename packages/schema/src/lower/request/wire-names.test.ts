import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { NameRule } from "../../dialects/definition/dialect.js";
import { dialects } from "../../dialects/index.js";
import { fitNames, computeShortDigest, createNamePattern, wireNames } from "./wire-names.js";

const rule = dialects.anthropic.toolName;

test("a name that fits keeps itself, whatever else is in the list", () => {
  expect([...wireNames(["find_orders", "find orders", "find-orders"], "anthropic")]).toEqual([
    ["find_orders", "find_orders"],
    ["find orders", expect.stringMatching(/^find_orders_[0-9a-f]{8}$/)],
    ["find-orders", "find-orders"],
  ]);
});

test("a name is cleaned, and cut to the length with a digest of the whole", () => {
  const long = "a".repeat(80);
  const names = wireNames(["a.b", long, `${long}b`], "openai-chat");
  expect(names.get("a.b")).toBe("a_b");
  expect(names.get(long)).toBe(`${"a".repeat(55)}_${computeShortDigest(long)}`);
  expect(names.get(long)).not.toBe(names.get(`${long}b`));
});

test("Gemini's names begin with a letter or an underscore; MCP's may hold dots", () => {
  expect(wireNames(["2fa.reset"], "gemini").get("2fa.reset")).toBe("_2fa.reset");
  expect(wireNames(["a.b"], "mcp").get("a.b")).toBe("a.b");
});

test.each<readonly [string, Partial<NameRule>, readonly string[], readonly string[]]>([
  [
    "where no capital fits",
    { first: "[a-z]", further: "[a-z0-9_]" },
    ["getMe", "GetHTTPResponse2", "get_me2", "GET-IT"],
    ["get_me", "get_http_response2", "get_me2", "get_it"],
  ],
  ["only if one must", { first: "[a-z]", further: "[a-z0-9-]" }, ["get-me"], ["get-me"]],
  ["and names that meet keep apart", { further: "[a-z_]" }, ["getMe", "get_me"], ["get_me_ee88a645", "get_me"]],
  [
    "where the rule says so",
    { case: "snake" },
    ["getMe", "find-it", "x.y", "find_it2"],
    ["get_me", "find_it", "x_y", "find_it2"],
  ],
])("names become snake case %s", (_, changes, names, expected) => {
  expect([...fitNames(names, { ...rule, ...changes }).values()]).toEqual(expected);
});

describe("for any list of names", () => {
  test("each result fits the rule, no two are alike, and the order of the list does not matter to those that fit", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(
          fc.oneof(
            fc.string({ maxLength: 8 }),
            fc.string({ minLength: 60, maxLength: 90 }),
            fc.constantFrom("a b", "a_b", "a.b", "__proto__"),
          ),
        ),
        (names) => {
          const fit = fitNames(names, rule);
          expect([...fit.keys()].toSorted()).toEqual(names.toSorted());
          expect(new Set(fit.values()).size).toBe(names.length);
          for (const [name, wire] of fit) {
            expect(wire).toMatch(createNamePattern(rule));
            if (createNamePattern(rule).test(name)) expect(wire).toBe(name);
          }
          expect(fitNames(names, rule)).toEqual(fit);
        },
      ),
    );
  });
});
