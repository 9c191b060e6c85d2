/** Finds the known name that a mistyped one most likely meant; `undefined` if none is close. */
export function findNearestName(
  name: string,
  known: Iterable<string>,
  reach: number = Math.floor(normalizeWord(name).length / 3),
): string | undefined {
  const wanted = normalizeWord(name);
  let nearest: string | undefined;
  let least = reach + 1;
  if (wanted.length > 64) return undefined;
  for (const candidate of known) {
    const distance = editDistance(wanted, normalizeWord(candidate), least);
    if (distance < least) [nearest, least] = [candidate, distance];
  }
  return nearest;
}

/** Finds the nearest word of JSON Schema. Its words are well known, so that one more slip is forgiven. */
export function findNearestWord(word: string, known: Iterable<string>): string | undefined {
  return findNearestName(word, known, word.length < 4 ? 1 : Math.max(2, Math.floor(word.length / 3)));
}

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
  return word.toLowerCase().replaceAll(/[-_\s]/gu, "");
}

/** Computes the Levenshtein distance; any number not below `limit` if it is not below `limit`. */
function editDistance(from: string, to: string, limit: number): number {
  if (Math.abs(from.length - to.length) >= limit) return limit;
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? limit;
}
