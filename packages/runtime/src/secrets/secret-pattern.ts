/** The most backslashes in front of an escape: JSON text within JSON text doubles them. */
const BACKSLASHES = String.raw`\\{1,3}`;

/** Matches what may stand between two characters of base64: a line break of MIME, or its escape. */
const BREAK = String.raw`(?:\r?\n|\\r\\n|\\n)?`;

const ENTITIES: { readonly [character: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

const CONTROLS: { readonly [character: string]: string } = { "\n": "n", "\r": "r", "\t": "t", "\b": "b", "\f": "f" };

/** Matches a secret in every common form: escaped in any mixture, in hexadecimal, or inside base64. */
export function secretPattern(secret: string): RegExp {
  const bytes = new TextEncoder().encode(secret);
  const forms = [
    (secret.match(/\\+|[^\\]/gsu) ?? []).map((part) => (part.startsWith("\\") ? backslashes(part) : character(part))),
    Array.from(bytes, hexByte),
    ...base64Forms(bytes),
  ];
  return new RegExp([...new Set(forms.map((form) => form.join("")))].join("|"), "gu");
}

function character(text: string): string {
  const codePoint = text.codePointAt(0) ?? 0;
  return either([
    // Nobody escapes a letter or a digit by a backslash; `\n` is another character.
    /[\p{L}\p{N}]/u.test(text) ? escape(text) : `${String.raw`\\{0,3}`}${escape(text)}`,
    ...encoded(text, codePoint),
    ...(codePoint < 128 ? [] : [escape(mistaken(text)), escape(mistaken(mistaken(text)))]),
    ...(text === " " ? [String.raw`\+`] : []),
    ...(text in CONTROLS ? [`${BACKSLASHES}${CONTROLS[text]}`] : []),
    ...(text in ENTITIES ? [ENTITIES[text] ?? ""] : []),
  ]);
}

/**
 * Backslashes in a row, each of which may be escaped. A match begins where a row does, and of many either all or none are
 * written by another escape: a text of nothing else would take too long otherwise.
 */
function backslashes({ length }: string): string {
  const other = encoded("\\", 92);
  const row = String.raw`(?<!\\)\\{${length},${4 * length}}`;
  return length <= 2
    ? either([row, `${either([...other, String.raw`\\{1,4}`])}{${length}}`])
    : either([row, `${either(other)}{${length}}`]);
}

function encoded(text: string, codePoint: number): readonly string[] {
  const units = Array.from({ length: text.length }, (_, index) => text.charCodeAt(index));
  return [
    units.map((unit) => `${BACKSLASHES}u${hex(unit, 4)}`).join(""),
    ...(codePoint < 256 ? [`${BACKSLASHES}x${hex(codePoint, 2)}`] : []),
    Array.from(new TextEncoder().encode(text), (byte) => `%(?:25)?${hexByte(byte)}`).join(""),
    `&#0{0,6}(?:${codePoint}|[xX]0{0,6}${hex(codePoint, 1)});`,
  ];
}

/** Returns the base64 of the bytes at each offset, without the characters that depend on the text around them. */
function base64Forms(bytes: Uint8Array): readonly (readonly string[])[] {
  return [0, 1, 2].map((offset) => {
    const whole = btoa("\0".repeat(offset) + latin1(bytes)).replaceAll("=", "");
    const isDivided = (offset + bytes.length) % 3 !== 0;
    // Characters at the ends depend on what is around the secret, too.
    const inner = whole.slice(offset === 0 ? 0 : offset + 1, isDivided ? -1 : undefined);
    return Array.from(inner, (each, index) => (index === 0 ? "" : BREAK) + base64Character(each));
  });
}

function base64Character(text: string): string {
  if (text === "+") return either([character(text), "-"]);
  return text === "/" ? either([character(text), "_"]) : text;
}

function either(alternatives: readonly string[]): string {
  return `(?:${alternatives.join("|")})`;
}

function escape(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`);
}

function hexByte(byte: number): string {
  return hex(byte, 2);
}

function hex(value: number, length: number): string {
  return value
    .toString(16)
    .padStart(length, "0")
    .replaceAll(/[a-f]/gu, (digit) => `[${digit}${digit.toUpperCase()}]`);
}

/** UTF-8 that was taken for Latin-1. */
function mistaken(text: string): string {
  return latin1(new TextEncoder().encode(text));
}

function latin1(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
}
