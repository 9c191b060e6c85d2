import { applyEdits, modify } from "jsonc-parser";
import { isMap, isNode, isScalar, isSeq, parseDocument, type Document, type Node, type Pair, type YAMLMap } from "yaml";
import { isStructured, canonicalText } from "@hasp/base/json";
import type { JsonValue } from "@hasp/schema";

/** A value to set, or to remove if `undefined`. */
export interface SpecEdit {
  readonly path: readonly (string | number)[];
  readonly value: JsonValue | undefined;
}

/** Edits a spec and keeps comments and layout. Reprints the text if a value cannot be set on its own. */
export function editSpecText(uri: string, text: string, edits: readonly SpecEdit[]): string {
  return edits.reduce(
    (current, edit) => (uri.endsWith(".json") ? editJson(current, edit) : editYaml(current, edit)),
    text,
  );
}

function editJson(text: string, { path, value }: SpecEdit): string {
  const indent = /^[ \t]+/mu.exec(text)?.[0] ?? "  ";
  const formattingOptions = {
    insertSpaces: !indent.startsWith("\t"),
    tabSize: indent.startsWith("\t") ? 1 : indent.length,
    eol: text.includes("\r\n") ? "\r\n" : "\n",
  };
  return applyEdits(text, modify(text, [...path], value, { formattingOptions }));
}

function editYaml(text: string, { path, value }: SpecEdit): string {
  const document = parseDocument(text);
  const changed = parseDocument(text);
  if (value === undefined) changed.deleteIn(path);
  else changed.setIn(path, value);
  const wanted = canonicalText(changed.toJS());
  const spliced = value === undefined ? withoutPair(text, document, path) : withPair(text, document, path, value);
  if (spliced !== undefined && means(spliced, wanted)) return spliced;
  return changed.toString({ lineWidth: 0 });
}

function means(text: string, wanted: string): boolean {
  const document = parseDocument(text);
  return document.errors.length === 0 && canonicalText(document.toJS()) === wanted;
}

function mapAt(document: Document.Parsed, path: readonly (string | number)[]): YAMLMap | undefined {
  let node: unknown = document.contents;
  for (const step of path) {
    if (isMap(node)) node = node.get(step, true);
    else if (isSeq(node)) node = node.get(step, true);
    else return undefined;
  }
  return isMap(node) ? node : undefined;
}

/** Inserts a new key; `undefined` if that takes more than an insertion. */
function withPair(
  text: string,
  document: Document.Parsed,
  path: readonly (string | number)[],
  value: JsonValue,
): string | undefined {
  const holder = mapAt(document, path.slice(0, -1));
  const key = path.at(-1);
  if (holder === undefined || holder.has(key)) return undefined;
  const written = `${String(key)}: ${flowText(value)}`;
  if (holder.flow === true) {
    const at = (holder.range?.[0] ?? 0) + 1;
    return insert(text, at, holder.items.length > 0 ? ` ${written},` : ` ${written} `);
  }
  const last = holder.items.at(-1);
  const span = last === undefined ? undefined : spanOfPair(text, last);
  if (span === undefined) return undefined;
  const lineBreak = text.includes("\r\n") ? "\r\n" : "\n";
  const before = text.slice(0, span.end);
  const gap = before.endsWith("\n") ? "" : lineBreak;
  return [before, gap, " ".repeat(span.column), written, lineBreak, text.slice(span.end)].join("");
}

/** Removes a pair with lines of its own; `undefined` if it shares them. */
function withoutPair(text: string, document: Document.Parsed, path: readonly (string | number)[]): string | undefined {
  const holder = mapAt(document, path.slice(0, -1));
  const key = path.at(-1);
  const pair = holder?.items.find((each) => isScalar(each.key) && each.key.value === key);
  if (holder === undefined || holder.flow === true || pair === undefined) return undefined;
  const span = spanOfPair(text, pair);
  return span?.isAlone === true ? text.slice(0, span.start) + text.slice(span.end) : undefined;
}

interface PairSpan {
  readonly start: number;
  readonly end: number;
  readonly column: number;
  /** True if only white space precedes the key. */
  readonly isAlone: boolean;
}

function spanOfPair(text: string, pair: Pair): PairSpan | undefined {
  if (!isNode(pair.key) || pair.key.range == null) return undefined;
  const [keyStart] = pair.key.range;
  const start = text.lastIndexOf("\n", keyStart - 1) + 1;
  const lineEnd = text.indexOf("\n", lastOffset(pair));
  const isAlone = text.slice(start, keyStart).trim() === "";
  return { start, end: lineEnd === -1 ? text.length : lineEnd + 1, column: keyStart - start, isAlone };
}

function lastOffset(pair: Pair): number {
  const { key, value } = pair;
  if (isNode(value)) return endOf(value);
  return isNode(key) ? endOf(key) : 0;
}

function endOf(node: Node): number {
  const end = (node.range?.[1] ?? 1) - 1;
  if (isMap(node) && node.flow !== true) {
    const last = node.items.at(-1);
    return last === undefined ? end : lastOffset(last);
  }
  if (isSeq(node) && node.flow !== true) {
    const last = node.items.at(-1);
    return isNode(last) ? endOf(last) : end;
  }
  return end;
}

function insert(text: string, at: number, inserted: string): string {
  return text.slice(0, at) + inserted + text.slice(at);
}

function flowText(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(flowText).join(", ")}]`;
  if (isStructured(value)) {
    return `{ ${Object.entries(value)
      .map(([key, each]) => `${key}: ${flowText(each as JsonValue)}`)
      .join(", ")} }`;
  }
  return typeof value === "string" &&
    /^[A-Za-z][\w-]*$/u.test(value) &&
    !/^(?:true|false|null|yes|no|on|off)$/iu.test(value)
    ? value
    : JSON.stringify(value);
}
