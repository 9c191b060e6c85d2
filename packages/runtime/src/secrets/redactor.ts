import type { JsonValue } from "@hasp/schema";
import { toPlainJson, type Rewrite } from "@hasp/base/json";
import { findSecrets } from "./secrets-in.js";

/** Shorter texts are found in too many others, and no service takes them for a secret. */
const SHORTEST = 4;

const REDACTED_TEXT = "[redacted]";

declare const REDACTED: unique symbol;

/** A value without secrets, as only a {@link Redactor} makes it. Everything that leaves a declared handler is one. */
export type Redacted<Value> = Value & { readonly [REDACTED]: true };

/** An object that reads or receives secrets: a source of tokens, a database, a client. */
export interface SecretHolder {
  readonly secrets?: readonly string[];
}

/** The patterns of the secrets that a connection has used, which take longer to make than to match. */
export class SecretPatterns {
  readonly #patterns = new Map<string, SecretPattern>();

  find(secret: string): SecretPattern {
    const known = this.#patterns.get(secret);
    if (known !== undefined) return known;
    if (this.#patterns.size >= MOST_PATTERNS) this.#patterns.clear();
    const pattern = new SecretPattern(secret);
    this.#patterns.set(secret, pattern);
    return pattern;
  }
}

/** Limits the patterns: a connection may have another secret for each context. */
const MOST_PATTERNS = 200;

/** Replaces secrets by `[redacted]`, or another mark. Add each secret once it is read or received. */
export class Redactor {
  readonly #patterns: SecretPatterns;
  readonly #most: number;
  readonly #mark: string;
  readonly #secrets = new Map<string, SecretPattern>();
  readonly #holders = new Set<SecretHolder>();

  /** Creates a redactor. `most` limits the remembered secrets of a long-lived connection; the oldest go first. */
  constructor(patterns: SecretPatterns = new SecretPatterns(), most: number = Infinity, mark: string = REDACTED_TEXT) {
    this.#patterns = patterns;
    this.#most = most;
    this.#mark = mark;
  }

  /** `parts`: what is hidden, if not all that {@link findSecrets} finds in it. */
  add(secret: string, parts: readonly string[] = findSecrets(secret)): string {
    for (const part of parts) {
      if (part.length < SHORTEST) continue;
      this.#secrets.delete(part);
      this.#secrets.set(part, this.#patterns.find(part));
      if (this.#secrets.size > this.#most) this.#secrets.delete(this.#secrets.keys().next().value ?? "");
    }
    return secret;
  }

  /** Registers a holder of secrets, including secrets that it reads or receives later. */
  addAll(holder: SecretHolder): void {
    this.#holders.add(holder);
  }

  get secrets(): readonly string[] {
    return [...this.#secrets.keys(), ...[...this.#holders].flatMap(secretsOf)];
  }

  /** Removes secrets from a text. Redact before cutting: no pattern matches a part of a secret. */
  text(text: string): Redacted<string> {
    return this.#rewrite().text(text) as Redacted<string>;
  }

  /** Converts a value to JSON without secrets, even in its keys and numbers. */
  value(value: unknown): Redacted<JsonValue> | undefined {
    return toPlainJson(value, this.#rewrite()) as Redacted<JsonValue> | undefined;
  }

  #rewrite(): Rewrite {
    for (const holder of this.#holders) for (const secret of secretsOf(holder)) this.add(secret);
    // Longer secrets first: one may be a part of another.
    const secrets = [...this.#secrets].toSorted(([left], [right]) => right.length - left.length);
    const shortest = secrets.at(-1)?.[0].length ?? Infinity;
    const mark = this.#mark;
    const replace = (text: string, [secret, pattern]: readonly [string, SecretPattern]): string =>
      // A secret such as `secret` is not taken out of the mark itself.
      mark.includes(secret)
        ? text
            .split(mark)
            .map((part) => pattern.replaceIn(part, mark))
            .join(mark)
        : pattern.replaceIn(text, mark);
    const redact = (text: string): string => (text.length < shortest ? text : secrets.reduce(replace, text));
    return {
      text: (text) => (text.length < shortest || !isBase64(text) ? redact(text) : redactBase64(text, redact)),
      number: (value) => (this.#secrets.has(String(value)) ? mark : value),
      bytes: (bytes) => (bytes.length < shortest ? bytes : redactBytes(bytes, redact)),
    };
  }
}

function secretsOf(holder: SecretHolder): readonly string[] {
  try {
    return (holder.secrets ?? []).filter((secret) => typeof secret === "string");
  } catch {
    return [];
  }
}

/** Redacts the bytes of base64, so that a picture or a file with a secret in it remains valid base64. */
function redactBase64(text: string, redact: (text: string) => string): string {
  const bytes = atob(text);
  const clean = redact(bytes);
  if (clean === bytes) return redact(text);
  const encoded = btoa(clean);
  return redact(encoded) === encoded ? encoded : redact(text);
}

/** Redacts a list of bytes: the mark takes the place of those of a secret. */
function redactBytes(bytes: readonly number[], redact: (text: string) => string): readonly JsonValue[] {
  const text = bytes.join(",");
  const clean = redact(text);
  return clean === text ? bytes : clean.split(",").map((part) => (/^\d+$/u.test(part) ? Number(part) : part));
}

function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/u.test(text);
}

/** Gives access tokens, and renews them. */
export interface TokenSource {
  /** Returns a token for this origin that is valid now. Rejects with `NotExecuted` and a remedy if there is none. */
  token(signal: AbortSignal, origin: string): Promise<string>;
  /** Records that the service refused a token: the next token must differ. */
  refused(token: string): void;
  /** Further secrets that it has read or received, such as the client's: no result may hold one. */
  readonly secrets?: readonly string[];
}

/** The most backslashes in front of an escape: JSON text within JSON text doubles them. */
const BACKSLASHES = String.raw`\\{1,3}`;

/** Matches what may stand between two characters of a text that is wrapped: a line break or its escape, and an indent. */
const BREAK = String.raw`(?:(?:\r?\n|\\r\\n|\\n)[ \t]{0,40})?`;

/** Matches what stands between two bytes: blanks, punctuation and their escapes. */
const BETWEEN_BYTES = String.raw`(?:[\s,:;"'_-]|\\[rnt]?)`;
const BEFORE_HEX = `${BETWEEN_BYTES}{0,20}(?:0?[xX])?`;
/** Also the key of a byte, in an object whose keys are 0, 1, 2 and so on. */
const BEFORE_DECIMAL = String.raw`${BETWEEN_BYTES}{1,20}(?:\d{1,5}\\{0,3}"\s?:\s?)?`;

const ENTITIES: { readonly [character: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

const CONTROLS: { readonly [character: string]: string } = { "\n": "n", "\r": "r", "\t": "t", "\b": "b", "\f": "f" };

/** The patterns of a longer one, such as a file, would take all memory. */
export const LONGEST_SECRET = 10_000;
const TELLING_END = 500;

/**
 * Matches a secret in every common form: as it is, escaped in any mixture and wrapped, as bytes in hexadecimal or decimal,
 * or inside base64.
 */
class SecretPattern {
  readonly #asItIs: RegExp;
  readonly #isLong: boolean;
  readonly #forms: readonly FormPattern[];

  constructor(secret: string) {
    this.#isLong = secret.length > LONGEST_SECRET;
    const sought = this.#isLong ? secret.slice(-TELLING_END) : secret;
    // Beside a backslash, it may be escaped.
    const end = sought.endsWith("\\") ? String.raw`(?!\\)` : "";
    this.#asItIs = new RegExp(String.raw`(?<!\\)` + escape(sought) + end, "u");
    this.#forms = formsOf(sought).map((form) => new FormPattern(form));
  }

  /** Replaces a secret; of a text in which a very long one ends, all. */
  replaceIn(text: string, mark: string): string {
    const pieces = this.#forms.reduce<readonly string[]>(
      (before, form) => before.flatMap((piece) => form.split(piece)),
      text.split(this.#asItIs),
    );
    return this.#isLong && pieces.length > 1 ? mark : pieces.join(mark);
  }
}

/** The parts at a form's end that rule out texts without it: to compile the whole pattern blocks for long. */
const TELLING_PARTS = 8;

/** Matches a secret in one form: one pattern for all forms takes several times as long to compile. */
class FormPattern {
  readonly #form: readonly SecretPart[];
  readonly #end: RegExp;
  #whole: RegExp | undefined;

  constructor(form: readonly SecretPart[]) {
    this.#form = form;
    this.#end = toPattern(form.slice(-TELLING_PARTS));
  }

  /** Returns what is before, between and after the places where a text has the secret. */
  split(text: string): readonly string[] {
    return this.#end.test(text) ? text.split((this.#whole ??= toPattern(this.#form))) : [text];
  }
}

/** A part of a secret, as a pattern. */
interface SecretPart {
  /** Matches what may stand between the part before and this one. No pattern begins with it, which would be slow. */
  readonly before: string;
  readonly itself: string;
}

/** Lists the parts of a secret in each form. */
function formsOf(secret: string): readonly (readonly SecretPart[])[] {
  const bytes = new TextEncoder().encode(secret);
  return [
    wrappedForm(secret.match(/\\+|[^\\]/gsu) ?? []),
    Array.from(bytes, (byte) => ({ before: BEFORE_HEX, itself: hexByte(byte) })),
    Array.from(bytes, (byte) => ({ before: BEFORE_DECIMAL, itself: `${byte}(?!\\d)` })),
    ...base64Forms(bytes),
  ];
}

function wrappedForm(parts: readonly string[]): readonly SecretPart[] {
  return parts.map((part, index) => ({
    // Beside a blank or a backslash, a break would match in several ways, and take too long.
    before: /[\s\\]/u.test(`${parts[index - 1] ?? ""}${part}`) ? "" : BREAK,
    itself: part.startsWith("\\") ? backslashes(part) : character(part),
  }));
}

function toPattern(form: readonly SecretPart[]): RegExp {
  return new RegExp(form.map(({ before, itself }, index) => (index === 0 ? itself : before + itself)).join(""), "u");
}

function character(text: string): string {
  const codePoint = text.codePointAt(0) ?? 0;
  return either([
    // Nobody escapes a letter or a digit with a backslash; `\n` is another character.
    /[\p{L}\p{N}]/u.test(text) ? escape(text) : `${String.raw`\\{0,3}`}${escape(text)}`,
    ...encoded(text, codePoint),
    ...(codePoint < 128 ? [] : [escape(mistaken(text)), escape(mistaken(mistaken(text)))]),
    ...(text === " " ? [String.raw`\+`] : []),
    ...(text in CONTROLS ? [`${BACKSLASHES}${CONTROLS[text]}`] : []),
    ...(text in ENTITIES ? [ENTITIES[text] ?? ""] : []),
  ]);
}

/**
 * Matches a row of backslashes, each of which may be escaped. A match begins where a row does, and in a long row all or
 * none are written by another escape: a text of backslashes would take too long otherwise.
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
function base64Forms(bytes: Uint8Array): readonly (readonly SecretPart[])[] {
  return [0, 1, 2].map((offset) => {
    const whole = btoa("\0".repeat(offset) + latin1(bytes)).replaceAll("=", "");
    const isDivided = (offset + bytes.length) % 3 !== 0;
    // The characters at both ends depend on the text around the secret, too.
    const inner = whole.slice(offset === 0 ? 0 : offset + 1, isDivided ? -1 : undefined);
    return Array.from(inner, (each) => ({ before: BREAK, itself: base64Character(each) }));
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

/** Returns the UTF-8 bytes of a text as if they were Latin-1. */
function mistaken(text: string): string {
  return latin1(new TextEncoder().encode(text));
}

function latin1(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
}
