import type { PatternNode } from "./pattern-tree.js";

/** One character of the expression: which of the representative characters it takes. */
export type CharacterSet = ReadonlySet<string>;

/** Where `\w`, `\d`, `\s` and `.` begin to take characters, and where they stop. */
// prettier-ignore
const CLASS_BOUNDARIES = [
  0x00, 0x09, 0x0a, 0x0b, 0x0d, 0x0e, 0x20, 0x21, 0x30, 0x3a, 0x41, 0x5b, 0x5f, 0x60, 0x61, 0x7b, 0x80, 0xa0, 0xa1,
  0x1680, 0x1681, 0x2000, 0x200b, 0x2028, 0x202a, 0x202f, 0x2030, 0x205f, 0x2060, 0x3000, 0x3001, 0xfeff, 0xff00,
  0x1f600,
];

/**
 * Characters that represent all others: whatever the expression tells apart, one of them is on each side. A class
 * changes its answer only at the boundaries of its ranges, so the first character after each boundary suffices.
 */
export function representatives(tree: PatternNode): readonly string[] {
  const codes = new Set(CLASS_BOUNDARIES);
  const visit = (node: object): void => {
    if ("codePoint" in node && typeof node.codePoint === "number") {
      for (const code of [node.codePoint, node.codePoint + 1]) codes.add(code);
    }
    if ("type" in node && node.type === "unicodePropertyEscape") {
      for (let code = 0; code < 0x80; code += 1) codes.add(code);
    }
    for (const key of ["body", "min", "max"]) {
      const inner: unknown = Reflect.get(node, key);
      for (const each of [inner].flat()) if (typeof each === "object" && each !== null) visit(each);
    }
  };
  visit(tree);
  const isCharacter = (code: number): boolean => code >= 0 && code <= 0x10_ffff && (code < 0xd800 || code > 0xdfff);
  return [...codes].filter(isCharacter).map((code) => String.fromCodePoint(code));
}

/**
 * The representatives that a single character of the expression takes. The boundaries of Unicode properties are not
 * known here, so a property is taken to match every character beyond ASCII.
 */
export function takenBy(raw: string, alphabet: readonly string[]): CharacterSet {
  const form = new RegExp(`^(?:${raw})$`, "u");
  const hasProperty = /\\p/iu.test(raw);
  return new Set(
    alphabet.filter((character) => form.test(character) || (hasProperty && (character.codePointAt(0) ?? 0) > 0x7f)),
  );
}
