/** Escapes such as `\u200b` have a meaning only in JSON and in YAML's double quotes. */
type Writing = "json" | "yaml" | "plain";

export function withoutCharacters(written: string, characters: readonly string[], writing: Writing): string {
  const stripped = characters.reduce((text, character) => text.replaceAll(character, ""), written);
  if (writing === "plain") return stripped;
  const codePoints = new Set(characters.map((character) => character.codePointAt(0)));
  // Read from the left, so that the second half of `\\` starts no escape.
  return stripped.replaceAll(ESCAPES[writing], (escape: string) => (codePoints.has(codePointOf(escape)) ? "" : escape));
}

const ESCAPES: Readonly<Record<"json" | "yaml", RegExp>> = {
  json: /\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\[^u]/gu,
  yaml: /\\x[0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\U[0-9a-fA-F]{8}|\\[^]/gu,
};

/** A JSON surrogate pair is one character. */
function codePointOf(escape: string): number | undefined {
  const units = [...escape.matchAll(/\\[xuU]([0-9a-fA-F]+)/gu)].map(([, digits = ""]) => Number.parseInt(digits, 16));
  const [first, second] = units;
  return first === undefined || second === undefined ? first : String.fromCharCode(first, second).codePointAt(0);
}
