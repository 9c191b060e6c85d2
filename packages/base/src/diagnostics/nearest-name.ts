/** Finds the known name that a mistyped one most likely meant; `undefined` if none is close. */
export function findNearestName(
  name: string,
  known: Iterable<string>,
  reach: number = Math.floor(folded(name).length / 3),
): string | undefined {
  const wanted = folded(name);
  let nearest: string | undefined;
  let least = reach + 1;
  if (wanted.length > 64) return undefined;
  for (const candidate of known) {
    const distance = editDistance(wanted, folded(candidate), least);
    if (distance < least) [nearest, least] = [candidate, distance];
  }
  return nearest;
}

/** Finds the nearest word of JSON Schema. Its words are well known, so that one more slip is forgiven. */
export function findNearestWord(word: string, known: Iterable<string>): string | undefined {
  return findNearestName(word, known, word.length < 4 ? 1 : Math.max(2, Math.floor(word.length / 3)));
}

/** Folds `max_rows`, `max-rows` and `maxRows` into one name. */
function folded(name: string): string {
  return name.replaceAll(/[-_\s]/g, "").toLowerCase();
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
