import { findNearestName } from "./nearest-name.js";

/** Finds the known word that was most likely meant. */
export function findClosest(word: string, known: Iterable<string>): string | undefined {
  return findNearestName(word, known, Math.max(1, Math.floor(word.length / 3)));
}

/** Finds the closest known word, or a few with the given word as prefix. */
export function findSuggestions(word: string, known: Iterable<string>): readonly string[] {
  const words = [...new Set(known)];
  const suggestion = findClosest(word, words);
  if (suggestion !== undefined) return [suggestion];
  const longer = words.filter((each) => word.length > 2 && normalizeWord(each).startsWith(normalizeWord(word)));
  return longer.length > 5 ? [] : longer;
}

/** Removes what spellings of one word differ in: `is_destructive` and `IsDestructive` are `isDestructive`. */
export function normalizeWord(word: string): string {
  return word.toLowerCase().replaceAll(/[-_ ]/gu, "");
}
