/** Prints the line and column of an offset in a text, such as `3:20`. */
export function placeAt(text: string, offset: number): string {
  const before = text.slice(0, offset);
  return `${before.split("\n").length}:${offset - before.lastIndexOf("\n")}`;
}
