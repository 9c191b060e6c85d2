import type { TypeMask } from "../json/type-mask.js";
import { keywordNames, typesConcerned } from "../vocabulary/keywords.js";
import type { MutableSchema } from "./merge/merge.js";

const RANKS: ReadonlyMap<string, number> = new Map(keywordNames.map((keyword, index) => [keyword, index]));

function rank([keyword]: readonly [string, unknown]): number {
  return RANKS.get(keyword) ?? RANKS.size;
}

/** Keywords with their values, on the way to a node. */
export type Entries = readonly (readonly [keyword: string, value: unknown])[];

/** Creates a node with its keywords in the order of the vocabulary, unknown ones last. Sorts the list in place. */
export function inOrder(entries: (readonly [string, unknown])[]): MutableSchema {
  // They are few and nearly in order: insertion beats a general sort.
  for (let index = 1; index < entries.length; index++) {
    const entry = entries[index] as readonly [string, unknown];
    const own = rank(entry);
    let free = index;
    for (let before = entries[free - 1]; before !== undefined && rank(before) > own; before = entries[free - 1]) {
      entries[free--] = before;
    }
    entries[free] = entry;
  }
  return Object.fromEntries(entries);
}

/** Keeps the keywords that concern the types that are left. */
export function applicable(entries: Entries, types: TypeMask): Entries {
  return entries.filter(([keyword]) => (typesConcerned(keyword) & types) !== 0);
}
