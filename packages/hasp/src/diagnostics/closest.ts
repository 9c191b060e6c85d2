import { distance } from "fastest-levenshtein";
import { excerpt } from "./excerpt.js";

/** The known word that was most likely meant, or `undefined` if none is near enough to be suggested. */
export function closest(word: string, known: Iterable<string>): string | undefined {
  const plain = normalised(word);
  let best: { readonly word: string; readonly distance: number } | undefined;
  for (const candidate of known) {
    const away = distance(plain, normalised(candidate));
    if (best === undefined || away < best.distance) best = { word: candidate, distance: away };
  }
  const tolerance = Math.max(1, Math.floor(word.length / 3));
  return best !== undefined && best.distance <= tolerance ? best.word : undefined;
}

/** ` Did you mean "word"?`, with all words that the given one begins; nothing where no known word is near. */
export function didYouMean(word: string, known: Iterable<string>): string {
  const words = [...known];
  const suggestion = closest(word, words);
  if (suggestion !== undefined) return ` Did you mean "${excerpt(suggestion)}"?`;
  const longer = words.filter((each) => word.length > 2 && normalised(each).startsWith(normalised(word)));
  if (longer.length === 0 || longer.length > 5) return "";
  return ` Did you mean ${longer.map((each) => `"${excerpt(each)}"`).join(" or ")}?`;
}

// `is_destructive` and `IsDestructive` are spellings of `isDestructive`, not different words.
function normalised(word: string): string {
  return word.toLowerCase().replaceAll(/[-_ ]/gu, "");
}
