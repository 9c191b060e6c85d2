import type { JsonValue } from "@hasp/schema";

/**
 * The constants of a generated module whose values are data, read from its text. A reader of its own, which shares
 * nothing with the printer: what one of them gets wrong, the other does not repeat.
 */
export function readConstants(
  text: string,
  isWanted: (name: string) => boolean = () => true,
): ReadonlyMap<string, JsonValue> {
  const constants = new Map<string, JsonValue>();
  for (const declaration of text.matchAll(/^(?:export )?const (?<name>\w+): [^=]+ =\s+/gmu)) {
    const name = declaration.groups?.["name"] ?? "";
    if (!isWanted(name)) continue;
    const reader: Reader = { text, position: declaration.index + declaration[0].length, constants };
    const value = readValue(reader);
    if (value !== undefined && text.startsWith(";", reader.position)) constants.set(name, value);
  }
  return constants;
}

interface Reader {
  readonly text: string;
  position: number;
  readonly constants: ReadonlyMap<string, JsonValue>;
}

/** The value at the reader's place; `undefined` where it is no data. */
function readValue(reader: Reader): JsonValue | undefined {
  switch (reader.text[reader.position]) {
    case "{":
      return readObject(reader);
    case "[":
      return readList(reader);
    case '"':
    case "'":
      return readString(reader);
    default:
      return readWord(reader);
  }
}

function readObject(reader: Reader): JsonValue | undefined {
  const entries: (readonly [string, JsonValue])[] = [];
  reader.position += 1;
  for (skipSpace(reader); reader.text[reader.position] !== "}"; skipSpace(reader)) {
    const key = readKey(reader);
    if (key === undefined) return undefined;
    const value = take(reader, ":") ? readValue(reader) : reader.constants.get(key);
    if (value === undefined) return undefined;
    take(reader, "as const");
    entries.push([key, value]);
    if (!take(reader, ",") && !isAt(reader, "}")) return undefined;
  }
  reader.position += 1;
  return Object.fromEntries(entries);
}

function readList(reader: Reader): JsonValue | undefined {
  const items: JsonValue[] = [];
  reader.position += 1;
  for (skipSpace(reader); reader.text[reader.position] !== "]"; skipSpace(reader)) {
    const item = readValue(reader);
    if (item === undefined) return undefined;
    items.push(item);
    if (!take(reader, ",") && !isAt(reader, "]")) return undefined;
  }
  reader.position += 1;
  return items;
}

function readKey(reader: Reader): string | undefined {
  if (take(reader, "[")) {
    const key = readString(reader);
    return take(reader, "]") ? key : undefined;
  }
  if (isAt(reader, '"') || isAt(reader, "'")) return readString(reader);
  return match(reader, /[$\p{ID_Start}_][$\p{ID_Continue}]*/uy);
}

function readString(reader: Reader): string | undefined {
  const quote = reader.text[reader.position];
  const body = match(reader, quote === '"' ? /"(?:[^"\\\n]|\\.)*"/uy : /'(?:[^'\\\n]|\\.)*'/uy);
  return body
    ?.slice(1, -1)
    .replaceAll(/\\(?:u(?<unit>[0-9a-f]{4})|(?<letter>.))/gu, (_, unit: string | undefined, letter: string) =>
      unit === undefined ? (escapes.get(letter) ?? letter) : String.fromCharCode(Number.parseInt(unit, 16)),
    );
}

const escapes: ReadonlyMap<string, string> = new Map([
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
]);

function readWord(reader: Reader): JsonValue | undefined {
  const word = match(reader, /-?[\w.$-]+/uy);
  if (word === undefined) return undefined;
  if (word === "null") return null;
  if (word === "true" || word === "false") return word === "true";
  return /^-?\d/u.test(word) ? Number(word) : reader.constants.get(word);
}

function match(reader: Reader, pattern: RegExp): string | undefined {
  pattern.lastIndex = reader.position;
  const found = pattern.exec(reader.text)?.[0];
  if (found !== undefined) reader.position += found.length;
  return found;
}

function isAt(reader: Reader, mark: string): boolean {
  skipSpace(reader);
  return reader.text.startsWith(mark, reader.position);
}

function take(reader: Reader, mark: string): boolean {
  if (!isAt(reader, mark)) return false;
  reader.position += mark.length;
  skipSpace(reader);
  return true;
}

function skipSpace(reader: Reader): void {
  match(reader, /\s+/uy);
}
