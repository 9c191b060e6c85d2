/**
 * A command line as words: blanks part them, quotes keep them together, a backslash takes the next character as it is.
 * Nothing is expanded and no shell is asked. `undefined` if a quote is left open.
 */
export function splitCommand(line: string): readonly string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  let quote = "";
  for (let index = 0; index < line.length; index += 1) {
    const character = line.charAt(index);
    // On Windows a backslash parts folders; only before a quote or another backslash does it mean something else.
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
