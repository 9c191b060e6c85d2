import { distance } from "fastest-levenshtein";

/** Finds the known word that was most likely meant. */
export function findClosest(word: string, known: Iterable<string>): string | undefined {
  const plain = normalizeWord(word);
  let best: { readonly word: string; readonly distance: number } | undefined;
  for (const candidate of known) {
    const away = distance(plain, normalizeWord(candidate));
    if (best === undefined || away < best.distance) best = { word: candidate, distance: away };
  }
  const tolerance = Math.max(1, Math.floor(word.length / 3));
  return best !== undefined && best.distance <= tolerance ? best.word : undefined;
}

/** Finds the closest known word, or a few with the given word as prefix. */
export function findSuggestions(word: string, known: Iterable<string>): readonly string[] {
  const words = [...known];
  const suggestion = findClosest(word, words);
  if (suggestion !== undefined) return [suggestion];
  const longer = words.filter((each) => word.length > 2 && normalizeWord(each).startsWith(normalizeWord(word)));
  return longer.length > 5 ? [] : longer;
}

/** Removes what spellings of one word differ in: `is_destructive` and `IsDestructive` are `isDestructive`. */
export function normalizeWord(word: string): string {
  return word.toLowerCase().replaceAll(/[-_ ]/gu, "");
}
