/**
 * A text as a message quotes it: on one line, of at most `most` characters, with `…` in place of what is missing. No
 * character is cut in two.
 */
export function excerpt(text: string, most = 120): string {
  const line = text.replaceAll(/[\r\n]\s*/gu, " ");
  // A character has at most two units, so that these hold one more than may stay.
  const characters = Array.from(line.slice(0, 2 * (most + 1)));
  return characters.length <= most ? line : `${characters.slice(0, most - 1).join("")}…`;
}
