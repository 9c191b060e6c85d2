import { isMap, isNode, isScalar, isSeq, parseDocument, type Node, type Pair, type YAMLMap, type YAMLSeq } from "yaml";
import { withoutCharacters } from "./strip-text.js";
import type { ValuePath } from "./value-path.js";

/** Removes the value at a path. Returns `undefined` if it shares its lines with content that stays. */
export function removeFromYaml(text: string, path: ValuePath): string | undefined {
  const root = parseDocument(text).contents;
  const holder = nodeAt(root, path.slice(0, -1));
  const entries = isMap(holder) || isSeq(holder) ? entriesOf(holder) : [];
  const step = path.at(-1);
  const index = isMap(holder) ? entries.findIndex(({ key }) => key === step) : Number(step);
  const entry = entries[index];
  if (entry === undefined || !isNode(holder)) return undefined;
  if (entries.length === 1) return emptied(text, root, path.slice(0, -1), holder);
  if (isFlow(holder)) return withoutFlowEntry(text, entries, index);
  const lines = linesOf(text, entry);
  return lines === undefined ? undefined : text.slice(0, lines.start) + text.slice(lines.end);
}

export function stripInYaml(text: string, path: ValuePath, characters: readonly string[]): string | undefined {
  const node = nodeAt(parseDocument(text).contents, path);
  if (!isScalar(node) || typeof node.value !== "string" || node.range == null) return undefined;
  const [start, end] = node.range;
  const written = withoutCharacters(
    text.slice(start, end),
    characters,
    node.type === "QUOTE_DOUBLE" ? "yaml" : "plain",
  );
  return text.slice(0, start) + written + text.slice(end);
}

interface Entry {
  readonly key: unknown;
  readonly start: number;
  readonly end: number;
}

function entriesOf(holder: YAMLMap | YAMLSeq): readonly Entry[] {
  if (isSeq(holder)) return holder.items.map((item, key) => ({ key, start: startOf(item), end: endOf(item) }));
  return holder.items.map((pair) => ({
    key: isScalar(pair.key) ? pair.key.value : undefined,
    start: startOf(pair.key),
    end: endOfPair(pair),
  }));
}

function nodeAt(root: unknown, path: ValuePath): unknown {
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

/** Finds the lines of a block-style entry with its trailing comment; `undefined` if something precedes it. */
function linesOf(text: string, { start, end }: Entry): { readonly start: number; readonly end: number } | undefined {
  const lineStart = text.lastIndexOf("\n", start - 1) + 1;
  if (!/^[ \t]*(?:-[ \t]+)?$/u.test(text.slice(lineStart, start))) return undefined;
  // A block scalar ends after its last line break.
  const lineEnd = text.indexOf("\n", end - 1);
  return { start: lineStart, end: lineEnd === -1 ? text.length : lineEnd + 1 };
}

function withoutFlowEntry(text: string, entries: readonly Entry[], index: number): string | undefined {
  const [entry, next, previous] = [entries[index], entries[index + 1], entries[index - 1]];
  if (entry === undefined) return undefined;
  if (next !== undefined) return text.slice(0, entry.start) + text.slice(next.start);
  // Remove the comma before the entry and keep the one after it.
  return previous === undefined ? undefined : text.slice(0, previous.end) + text.slice(entry.end);
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
