/** Splits a command line at blanks, with quotes and backslash escapes but no shell. `undefined` for an open quote. */
export function splitCommand(line: string): readonly string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  let quote = "";
  for (let index = 0; index < line.length; index += 1) {
    const character = line.charAt(index);
    // On Windows a backslash separates folders; it escapes only a quote or another backslash.
    const isEscape = character === "\\" && quote !== "'" && /["'\\ ]/u.test(line.charAt(index + 1));
    if (isEscape) {
      index += 1;
      word = (word ?? "") + line.charAt(index);
    } else if (quote !== "") {
      if (character === quote) quote = "";
      else word = (word ?? "") + character;
    } else if (character === '"' || character === "'") {
      quote = character;
      word ??= "";
    } else if (/\s/u.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? "") + character;
  }
  if (quote !== "") return undefined;
  return word === undefined ? words : [...words, word];
}
