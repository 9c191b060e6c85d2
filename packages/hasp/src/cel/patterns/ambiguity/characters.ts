import type { PatternNode } from "./pattern-tree.js";

/** One character of the expression: which of the representative characters it takes. */
export type Position = ReadonlySet<string>;

/** What stands for the end of the text: `$` takes it, nothing else does. */
export const END: string = "end";

/**
 * Characters that stand for all others: what the expression names, what lies just beside it, and a few of every kind.
 */
export function representatives(tree: PatternNode): readonly string[] {
  const codes = new Set([..."aAzZ0_9 -.!é字😀\n\0"].map((character) => character.codePointAt(0) ?? 0));
  const visit = (node: object): void => {
    if ("codePoint" in node && typeof node.codePoint === "number") {
      for (const code of [node.codePoint - 1, node.codePoint, node.codePoint + 1]) codes.add(code);
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

/** A character that a position takes; none where it takes the end of the text only. */
export function characterOf(taken: Position | undefined): string | undefined {
  for (const character of taken ?? []) if (character !== END) return character;
  return undefined;
}

/** A character that both positions take. */
export function commonCharacter(left: Position | undefined, right: Position | undefined): string | undefined {
  for (const character of left ?? []) if (character !== END && right?.has(character) === true) return character;
  return undefined;
}
