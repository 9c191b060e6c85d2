import { findLineStart, readLineBreak } from "@hasp/base/diagnostics";
import type { FormattingOptions } from "jsonc-parser";
import { isMap, isNode, isScalar, isSeq, type Node, type Pair, parseDocument, type YAMLMap, type YAMLSeq } from "yaml";

/** The steps to a value in a document. */
export type ValuePath = readonly (string | number)[];

/** Finds the smallest replacement that turns one text into another. */
export function findReplacement(
  before: string,
  after: string,
): { readonly start: number; readonly end: number; readonly text: string } {
  const { start, end } = countShared(before, after);
  return { start, end: before.length - end, text: after.slice(start, after.length - end) };
}

/** Counts what two texts or lists share at the start, and what of the rest at the end. */
export function countShared(
  before: ArrayLike<unknown>,
  after: ArrayLike<unknown>,
): { readonly start: number; readonly end: number } {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  return { start, end };
}

/** Reads how a JSON text is laid out. */
export function readJsonLayout(text: string): FormattingOptions {
  const indent = /^[ \t]+(?=\S)/mu.exec(text)?.[0] ?? "  ";
  const insertSpaces = !indent.startsWith("\t");
  return { insertSpaces, tabSize: insertSpaces ? indent.length : 1, eol: readLineBreak(text) };
}

/** Removes the value at a path. Returns `undefined` if it shares its lines with content that stays. */
export function removeFromYaml(text: string, path: ValuePath): string | undefined {
  const root = parseDocument(text).contents;
  const holder = nodeAt(root, path.slice(0, -1));
  const entries = isMap(holder) || isSeq(holder) ? listEntries(holder) : [];
  const step = path.at(-1);
  const index = isMap(holder) ? entries.findIndex(({ key }) => key === step) : Number(step);
  const entry = entries[index];
  if (entry === undefined || !isNode(holder)) return undefined;
  if (entries.length === 1) return emptied(text, root, path.slice(0, -1), holder);
  if (isFlow(holder)) return withoutFlowEntry(text, entries, index);
  const lines = linesOf(text, entry);
  return lines && text.slice(0, lines.start) + text.slice(lines.end);
}

/** Inserts a new key, whose value is written in one line; `undefined` if that takes more than an insertion. */
export function insertIntoYaml(text: string, path: ValuePath, value: string): string | undefined {
  const holder = nodeAt(parseDocument(text).contents, path.slice(0, -1));
  const key = path.at(-1);
  if (!isMap(holder) || holder.has(key)) return undefined;
  const written = `${String(key)}: ${value}`;
  if (isFlow(holder)) {
    const at = startOf(holder) + 1;
    return text.slice(0, at) + (holder.items.length > 0 ? ` ${written},` : ` ${written} `) + text.slice(at);
  }
  const last = listEntries(holder).at(-1);
  if (last === undefined) return undefined;
  const lines = findLines(text, last);
  const lineBreak = readLineBreak(text);
  const before = text.slice(0, lines.end);
  const gap = before.endsWith("\n") ? "" : lineBreak;
  return [before, gap, " ".repeat(last.start - lines.start), written, lineBreak, text.slice(lines.end)].join("");
}

/** An entry of a map or list, with its place in the text. */
interface YamlEntry {
  readonly key: unknown;
  readonly start: number;
  readonly end: number;
}

function listEntries(holder: YAMLMap | YAMLSeq): readonly YamlEntry[] {
  if (isSeq(holder)) return holder.items.map((item, key) => ({ key, start: startOf(item), end: endOf(item) }));
  return holder.items.map((pair) => ({
    key: isScalar(pair.key) ? pair.key.value : undefined,
    start: startOf(pair.key),
    end: endOfPair(pair),
  }));
}

export function nodeAt(root: unknown, path: ValuePath): unknown {
  return path.reduce((node: unknown, step) => (isMap(node) || isSeq(node) ? node.get(step, true) : undefined), root);
}

function isFlow(node: Node): boolean {
  return (isMap(node) || isSeq(node)) && node.flow === true;
}

function startOf(node: unknown): number {
  return isNode(node) ? (node.range?.[0] ?? 0) : 0;
}

/** Finds the end of a node's text; the range of a block extends to the next node. */
function endOf(node: unknown): number {
  if (!isNode(node)) return 0;
  if (isMap(node) && !isFlow(node)) return endOfPair(node.items.at(-1));
  if (isSeq(node) && !isFlow(node)) return endOf(node.items.at(-1));
  return node.range?.[1] ?? 0;
}

function endOfPair(pair: Pair | undefined): number {
  return isNode(pair?.value) && endOf(pair.value) > 0 ? endOf(pair.value) : endOf(pair?.key);
}

/** Finds the lines of an entry, with the line break after it. */
function findLines(text: string, { start, end }: YamlEntry): { readonly start: number; readonly end: number } {
  // A block scalar ends after its last line break.
  const lineEnd = text.indexOf("\n", end - 1);
  return { start: findLineStart(text, start), end: lineEnd === -1 ? text.length : lineEnd + 1 };
}

/** Finds the lines of a block-style entry with its trailing comment; `undefined` if something precedes it. */
function linesOf(text: string, entry: YamlEntry): ReturnType<typeof findLines> | undefined {
  const lines = findLines(text, entry);
  return /^[ \t]*(?:-[ \t]+)?$/u.test(text.slice(lines.start, entry.start)) ? lines : undefined;
}

function withoutFlowEntry(text: string, entries: readonly YamlEntry[], index: number): string | undefined {
  const [entry, next, previous] = [entries[index], entries[index + 1], entries[index - 1]];
  if (entry === undefined) return undefined;
  if (next !== undefined) return text.slice(0, entry.start) + text.slice(next.start);
  // Remove the comma before the entry and keep the one after it.
  return previous && text.slice(0, previous.end) + text.slice(entry.end);
}

/** Empties the holder of the last entry, since a key without a value means null. */
function emptied(text: string, root: unknown, path: ValuePath, holder: Node): string | undefined {
  const empty = isMap(holder) ? "{}" : "[]";
  if (isFlow(holder)) return text.slice(0, startOf(holder)) + empty + text.slice(endOf(holder));
  const parent = nodeAt(root, path.slice(0, -1));
  const pair = isMap(parent) ? parent.items.find(({ value }) => value === holder) : undefined;
  const colon = pair === undefined ? -1 : text.indexOf(":", endOf(pair.key));
  const lines = linesOf(text, { key: undefined, start: startOf(holder), end: endOf(holder) });
  return colon === -1 || lines === undefined
    ? undefined
    : `${text.slice(0, colon + 1)} ${empty}${text.slice(colon + 1, lines.start)}${text.slice(lines.end)}`;
}
