import type { JsonValue } from "@hasp/schema";
import { isStructured, isList } from "@hasp/base/json";

const WIDTH = 80;

/** Prints indented JSON: inner lists and objects on one line if they fit, the outermost broken, whatever its key. */
export function printJson(value: JsonValue, indent: number): string {
  return isComposite(value) ? brokenText(value, indent) : scalarText(value);
}

/** Joins texts that {@link printJson} printed at an indentation of 2. */
export function listOfTexts(texts: readonly string[]): string {
  return texts.length === 0 ? "[]\n" : `[\n  ${texts.join(",\n  ")}\n]\n`;
}

/** Joins texts that {@link printJson} printed two columns deeper than `indent`. */
export function recordOfTexts(entries: readonly (readonly [key: string, text: string])[], indent: number): string {
  if (entries.length === 0) return "{}";
  const margin = " ".repeat(indent + 2);
  const lines = entries.map(([key, text]) => `${margin}${JSON.stringify(key)}: ${text}`);
  return `{\n${lines.join(",\n")}\n${" ".repeat(indent)}}`;
}

function brokenText(value: object, indent: number): string {
  const margin = " ".repeat(indent + 2);
  const end = `\n${" ".repeat(indent)}`;
  if (isList(value as JsonValue)) {
    const items = (value as readonly JsonValue[]).map((item) => margin + textAt(item, indent + 2, 0));
    return `[\n${items.join(",\n")}${end}]`;
  }
  const entries = Object.entries(value as { readonly [key: string]: JsonValue }).map(([key, item]) => {
    const start = `${JSON.stringify(key)}: `;
    return margin + start + textAt(item, indent + 2, start.length);
  });
  return `{\n${entries.join(",\n")}${end}}`;
}

/** Prints a value `offset` columns after the indentation, with room for a comma. */
function textAt(value: JsonValue, indent: number, offset: number): string {
  if (!isComposite(value)) return scalarText(value);
  return flatText(value, WIDTH - indent - offset - 1) ?? brokenText(value, indent);
}

/** Prints on one line of at most `room` columns, if possible. */
function flatText(value: JsonValue, room: number): string | undefined {
  if (!isComposite(value)) return fitting(scalarText(value), room);
  const isInList = isList(value);
  if (isInList && holdsSeveralRecords(value)) return undefined;
  const parts: string[] = [];
  let left = room - (isInList ? 2 : 4);
  for (const [key, item] of Object.entries(value as { readonly [key: string]: JsonValue })) {
    const start = isInList ? "" : `${JSON.stringify(key)}: `;
    const text = flatText(item, left - start.length);
    if (text === undefined) return undefined;
    parts.push(start + text);
    left -= start.length + text.length + 2;
  }
  const text = parts.join(", ");
  return fitting(isInList ? `[${text}]` : `{ ${text} }`, room);
}

function scalarText(value: JsonValue): string {
  return Object.is(value, -0) ? "-0" : JSON.stringify(value);
}

function fitting(text: string, room: number): string | undefined {
  return text.length <= room ? text : undefined;
}

/** True for several objects or lists, which read better with one item per line. */
function holdsSeveralRecords(items: readonly JsonValue[]): boolean {
  return (
    items.length > 1 &&
    (items.every((item) => isList(item) && item.length > 1) ||
      items.every((item) => isComposite(item) && !isList(item) && Object.keys(item).length > 1))
  );
}

function isComposite(value: JsonValue): value is Exclude<JsonValue, string | number | boolean | null> {
  return isStructured(value) && Object.keys(value).length > 0;
}
