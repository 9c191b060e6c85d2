import type { JsonValue } from "@hasp/schema";
import type { Location } from "../diagnostics/diagnostic.js";
import type { LoweredTool } from "../model/lowered.js";
import { cutToWidth, measuredCharacters, padToWidth } from "../reporters/display-width.js";
import type { Paint } from "../reporters/paint.js";
import { visibleText } from "../reporters/visible-text.js";

/** One line of the provider's entry, and its origin in the spec. */
export interface EntryLine {
  readonly text: string;
  readonly location?: Location;
}

/**
 * Formats the provider's entry as JSON, line by line, with the spec location of each lowered schema object, of the name
 * and of the description.
 */
export function entryLines({ tool, definition, lowering }: LoweredTool): readonly EntryLine[] {
  const lines: EntryLine[] = [];
  const { schema } = lowering;
  // Above the schema are the provider's own keys and these of the author, each once.
  const authored = new Set(["name", "title", "description"].filter((key) => tool.spec[key as "name"] !== undefined));
  const schemaLocation = (node: object): Location | undefined => {
    const pointer = lowering.sourceOf(node);
    return pointer === undefined ? undefined : tool.input.locate(pointer, "key");
  };
  // A dialect may respell the schema when it wraps it (Gemini capitalizes types), so `twin` is the counterpart of
  // `value` in the lowered schema.
  const print = (value: JsonValue, key: string | undefined, depth: number, end: string, twin: unknown): void => {
    const indent = "  ".repeat(depth);
    const label = key === undefined ? "" : `${JSON.stringify(key)}: `;
    const entries = childrenOf(value);
    const own = twin ?? (isLike(value, schema) ? schema : undefined);
    const isAuthored = own === undefined && typeof value === "string" && key !== undefined && authored.delete(key);
    const location = isAuthored ? tool.locate(`/${key}`) : isObject(own) ? schemaLocation(own) : undefined;
    const push = (text: string): void => void lines.push({ text, ...(location === undefined ? {} : { location }) });
    if (entries === undefined || isShort(value)) {
      push(`${indent}${label}${entries === undefined ? JSON.stringify(value) : spaced(value)}${end}`);
      return;
    }
    const [open, close] = Array.isArray(value) ? "[]" : "{}";
    push(`${indent}${label}${open}`);
    for (const [index, [name, item]] of entries.entries()) {
      const inner =
        isObject(own) && Object.hasOwn(own, name) ? (own as { readonly [key: string]: unknown })[name] : undefined;
      print(
        item,
        Array.isArray(value) ? undefined : name,
        depth + 1,
        index === entries.length - 1 ? "" : ",",
        inner ?? (own === undefined ? undefined : null),
      );
    }
    lines.push({ text: `${indent}${close}${end}` });
  };
  print(definition, undefined, 0, "", undefined);
  return lines;
}

/** Whether a value is the schema or a respelt copy: an object with the same keys. */
function isLike(value: JsonValue, schema: unknown): boolean {
  return (
    value === schema ||
    (isObject(value) &&
      isObject(schema) &&
      Object.keys(schema).length > 0 &&
      Object.keys(value).join("\0") === Object.keys(schema).join("\0"))
  );
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** Formats two columns: the entry, and the spec line of each of its parts. */
export function sideBySide(
  entry: readonly EntryLine[],
  sources: ReadonlyMap<string, string>,
  mainUri: string,
  columns: number,
  paint: Paint,
): string {
  const left = Math.max(30, Math.floor(columns * 0.55));
  const right = Math.max(20, columns - left - 3);
  const lines: string[] = [];
  const specLines = new Map<string, readonly string[]>();
  for (const { text, location } of entry) {
    const [first = "", ...rest] = wrapped(visibleText(text), left);
    const from = location === undefined ? "" : specLine(location, sources, mainUri, specLines);
    lines.push(
      `${padToWidth(first, left)} ${paint("faint", "│")} ${paint("faint", cutToWidth(from, right))}`.trimEnd(),
    );
    for (const more of rest) lines.push(`${padToWidth(more, left)} ${paint("faint", "│")}`);
  }
  return `${lines.join("\n")}\n`;
}

function specLine(
  { uri, range }: Location,
  sources: ReadonlyMap<string, string>,
  mainUri: string,
  known: Map<string, readonly string[]>,
): string {
  let texts = known.get(uri);
  if (texts === undefined) {
    texts = (sources.get(uri) ?? "").split(/\r\n|\n/);
    known.set(uri, texts);
  }
  const { line } = range.start;
  const file = uri === mainUri ? "" : `${uri.split("/").at(-1) ?? uri}:`;
  return visibleText(`${file}${line}  ${(texts[line - 1] ?? "").trimStart().slice(0, 1000).trimEnd()}`);
}

function childrenOf(value: JsonValue): readonly (readonly [string, JsonValue])[] | undefined {
  return typeof value === "object" && value !== null ? (Object.entries(value) as [string, JsonValue][]) : undefined;
}

/** Short string lists and empty objects go on one line. */
function isShort(value: JsonValue): boolean {
  if (!Array.isArray(value)) return typeof value === "object" && value !== null && Object.keys(value).length === 0;
  return value.every((item) => typeof item !== "object" || item === null) && JSON.stringify(value).length <= 60;
}

function spaced(value: JsonValue): string {
  return Array.isArray(value) ? `[${value.map((item) => JSON.stringify(item)).join(", ")}]` : JSON.stringify(value);
}

/** Splits a long line into pieces that fit; indents all but the first. */
function wrapped(text: string, columns: number): readonly string[] {
  const indent = `${/^ */.exec(text)?.[0] ?? ""}    `.slice(0, Math.floor(columns / 2));
  const pieces: string[] = [];
  let piece = "";
  let used = 0;
  for (const character of measuredCharacters(text)) {
    if (used + character.width > columns) {
      const at = piece.lastIndexOf(" ");
      const cutAt = at > piece.length * 0.6 ? at : piece.length;
      pieces.push(piece.slice(0, cutAt));
      piece = indent + piece.slice(cutAt).trimStart();
      used = piece.length;
    }
    piece += character.text;
    used += character.width;
  }
  return [...pieces, piece];
}
