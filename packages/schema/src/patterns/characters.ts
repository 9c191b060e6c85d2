const CHARACTERS: readonly string[] = [
  ..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./ :@#+,;=!?$%&*()[]{}<>|\\\"'`~^\n\t\réß漢",
];

/** Lists characters that one part of a pattern reads, readable ones first. */
export function listCharacters(source: string): readonly string[] {
  const pattern = new RegExp(`^(?:${source})$`, "su");
  const found = CHARACTERS.filter((each) => pattern.test(each));
  if (found.length > 0) return found.slice(0, 40);
  for (let code = 0; code < 0x3000; code += 1) {
    if (pattern.test(String.fromCodePoint(code))) return [String.fromCodePoint(code)];
  }
  return [];
}
