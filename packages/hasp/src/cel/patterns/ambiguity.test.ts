import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findAttack } from "./ambiguity.js";

describe("found", () => {
  test.each([
    ["^(a+)+$", { prefix: "a", pump: "a" }],
    ["^(a*)*$", { pump: "a" }],
    ["^(a|a)*$", { pump: "aa" }],
    ["(x+x+)+y", { pump: "xx" }],
    ["^(?:ab|a|b)+$", {}],
    ["^(\\w|\\d)+$", {}],
    ["^([\\w.]+)*@x$", {}],
    ["^([a-z]{1,20}){1,20}$", {}],
    ["^(?:\\s*\\w+\\s*,?)+$", {}],
    ["^(([a-z])+.)+[A-Z]([a-z])+$", {}],
    ["^(?=a)(b+)+$", {}],
    ["^(?:\\p{L}|é)+$", {}],
  ])("%s", (pattern, expected) => {
    expect(findAttack(pattern)).toMatchObject(expected);
  });
});

describe("not found", () => {
  test.each([
    "^[a-z]+$",
    "^(?:[a-z]+-)*[a-z]+$",
    "^[a-z0-9]+(?:-[a-z0-9]+)*$",
    "^(?:(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9][0-9]|[0-9])\\.){3}(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9][0-9]|[0-9])$",
    '^(?:[^"\\\\]|\\\\.)*"$',
    "^.*foo.*$",
    "^\\S+@\\S+$",
    "^(?:a|b)*$",
    // A match is found at once: nothing is ever tried again.
    "^(a+)+",
    // Undecided, and nothing is claimed.
    "(a+)\\1+$",
    "(",
    "(?:(?:(?:(?:a{8}){8}){8}){8}){8}",
  ])("%s", (pattern) => {
    expect(findAttack(pattern)).toBeUndefined();
  });
});

/** A small expression over a and b, and a matcher that counts what a backtracking engine tries. */
type Tree =
  | string
  | { readonly kind: "sequence" | "choice"; readonly parts: readonly Tree[] }
  | { readonly kind: "star" | "plus" | "optional"; readonly part: Tree };

const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom("a", "b"),
    fc.record({
      kind: fc.constantFrom("sequence", "choice"),
      parts: fc.array(tie("tree"), { minLength: 2, maxLength: 3 }),
    }),
    fc.record({ kind: fc.constantFrom("star", "plus", "optional"), part: tie("tree") }),
  ),
}));

function printed(node: Tree): string {
  if (typeof node === "string") return node;
  if ("parts" in node) return `(?:${node.parts.map(printed).join(node.kind === "choice" ? "|" : "")})`;
  return `(?:${printed(node.part)})${{ star: "*", plus: "+", optional: "?" }[node.kind]}`;
}

function stepsToFail(root: Tree, text: string): number {
  let steps = 0;
  const matches = (node: Tree, at: number, rest: (at: number) => boolean): boolean => {
    steps += 1;
    if (steps > 2_000_000) return true;
    if (typeof node === "string") return text[at] === node && rest(at + 1);
    if ("parts" in node) {
      if (node.kind === "choice") return node.parts.some((part) => matches(part, at, rest));
      const from = (index: number, here: number): boolean => {
        const part = node.parts[index];
        return part === undefined ? rest(here) : matches(part, here, (next) => from(index + 1, next));
      };
      return from(0, at);
    }
    if (node.kind === "optional") return matches(node.part, at, rest) || rest(at);
    const again = (here: number): boolean =>
      matches(node.part, here, (next) => next !== here && again(next)) || rest(here);
    return node.kind === "star" ? again(at) : matches(node.part, at, again);
  };
  matches(root, 0, (at) => at === text.length);
  return steps;
}

test("whatever is found doubles the work of a backtracking engine, again and again", () => {
  let found = 0;
  fc.assert(
    fc.property(tree, (node) => {
      const attack = findAttack(`^${printed(node)}$`);
      if (attack === undefined) return;
      found += 1;
      const steps = (count: number): number =>
        stepsToFail(node, attack.prefix + attack.pump.repeat(count) + attack.suffix);
      expect(steps(9), printed(node)).toBeGreaterThan(Math.min(steps(5) * 8, 1_999_999));
    }),
    { numRuns: 1000, seed: 7 },
  );
  expect(found).toBeGreaterThan(20);
});
