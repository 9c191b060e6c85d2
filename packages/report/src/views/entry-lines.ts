import { dropUndefined, isStructured, type JsonObject, type JsonValue } from "@hasp/base/json";

/** A printed JSON line, and the value that begins on it; a closing bracket has none. */
interface JsonLine {
  readonly text: string;
  readonly depth: number;
  readonly key?: string;
  readonly value?: JsonValue;
}

/** Prints a value as JSON, line by line. Short lists of texts and numbers go on one line. */
export function printJsonLines(value: JsonValue): readonly JsonLine[] {
  const lines: JsonLine[] = [];
  const print = (each: JsonValue, key: string | undefined, depth: number, end: string): void => {
    const indent = "  ".repeat(depth);
    const label = key === undefined ? "" : `${JSON.stringify(key)}: `;
    const push = (text: string): void =>
      void lines.push({ text: `${indent}${label}${text}`, depth, value: each, ...dropUndefined({ key }) });
    if (!isStructured(each) || isShort(each)) {
      push(`${oneLine(each)}${end}`);
      return;
    }
    const isList = Array.isArray(each);
    push(isList ? "[" : "{");
    const members = Object.entries(each) as [string, JsonValue][];
    for (const [index, [name, inner]] of members.entries()) {
      print(inner, isList ? undefined : name, depth + 1, index === members.length - 1 ? "" : ",");
    }
    lines.push({ text: `${indent}${isList ? "]" : "}"}${end}`, depth });
  };
  print(value, undefined, 0, "");
  return lines;
}

/** The source of a line: a text of the author's, or a line of a schema in the entry. */
export type LineOrigin =
  | { readonly kind: "text"; readonly key: AuthoredText }
  | { readonly kind: "schema"; readonly schema: number; readonly line: number };

type AuthoredText = (typeof AUTHORED_TEXTS)[number];

export const AUTHORED_TEXTS = ["name", "title", "description"] as const;

interface EntryLine {
  readonly text: string;
  readonly origin?: LineOrigin;
}

/**
 * Prints a tool's entry in a provider's list, line by line. `schemas` are objects inside the entry; their lines equal
 * {@link printJsonLines} of the schema alone. Only the first text under each of the author's keys is the author's.
 */
export function printEntryLines(definition: JsonObject, schemas: readonly object[]): readonly EntryLine[] {
  const texts = new Set<string>(AUTHORED_TEXTS);
  let inside: { readonly schema: number; readonly first: number; readonly depth: number } | undefined;
  return printJsonLines(definition).map(({ text, depth, key, value }, index): EntryLine => {
    if (inside !== undefined && (depth < inside.depth || (depth === inside.depth && value !== undefined))) {
      inside = undefined;
    }
    const begun = isStructured(value) ? schemas.indexOf(value) : -1;
    if (inside === undefined && begun >= 0) inside = { schema: begun, first: index, depth };
    if (inside !== undefined) {
      return { text, origin: { kind: "schema", schema: inside.schema, line: index - inside.first } };
    }
    if (typeof value !== "string" || key === undefined || !texts.delete(key)) return { text };
    return { text, origin: { kind: "text", key: key as AuthoredText } };
  });
}

function isShort(value: JsonValue & object): boolean {
  if (!Array.isArray(value)) return Object.keys(value).length === 0;
  return value.every((item) => !isStructured(item)) && JSON.stringify(value).length <= 60;
}

function oneLine(value: JsonValue): string {
  return Array.isArray(value) ? `[${value.map((item) => JSON.stringify(item)).join(", ")}]` : JSON.stringify(value);
}
