import { isMap, isNode, isScalar, isSeq, type Node, type Pair, parseDocument, type YAMLMap, type YAMLSeq } from "yaml";
import { findNodeAtLocation, type Node as JsonNode, parseTree } from "jsonc-parser";
import type { JsonValue } from "@hasp/schema";
import { isObject, own, parsePointer } from "@hasp/base/json";

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

interface YamlEntry {
  readonly key: unknown;
  readonly start: number;
  readonly end: number;
}

function entriesOf(holder: YAMLMap | YAMLSeq): readonly YamlEntry[] {
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
function linesOf(
  text: string,
  { start, end }: YamlEntry,
): { readonly start: number; readonly end: number } | undefined {
  const lineStart = text.lastIndexOf("\n", start - 1) + 1;
  if (!/^[ \t]*(?:-[ \t]+)?$/u.test(text.slice(lineStart, start))) return undefined;
  // A block scalar ends after its last line break.
  const lineEnd = text.indexOf("\n", end - 1);
  return { start: lineStart, end: lineEnd === -1 ? text.length : lineEnd + 1 };
}

function withoutFlowEntry(text: string, entries: readonly YamlEntry[], index: number): string | undefined {
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

export function removeFromJson(text: string, path: ValuePath): string | undefined {
  const found = jsonNodeAt(text, path);
  const entry = found?.parent?.type === "property" ? found.parent : found;
  const entries = entry?.parent?.children ?? [];
  if (entry?.parent === undefined) return undefined;
  const index = entries.indexOf(entry);
  const [previous, next] = [entries[index - 1], entries[index + 1]];
  if (next !== undefined) return text.slice(0, entry.offset) + text.slice(next.offset);
  if (previous !== undefined) return text.slice(0, jsonEnd(previous)) + text.slice(jsonEnd(entry));
  return text.slice(0, entry.parent.offset + 1) + text.slice(jsonEnd(entry.parent) - 1);
}

export function stripInJson(text: string, path: ValuePath, characters: readonly string[]): string | undefined {
  const node = jsonNodeAt(text, path);
  if (node?.type !== "string") return undefined;
  return (
    text.slice(0, node.offset) +
    withoutCharacters(text.slice(node.offset, jsonEnd(node)), characters, "json") +
    text.slice(jsonEnd(node))
  );
}

function jsonNodeAt(text: string, path: ValuePath): JsonNode | undefined {
  const root = parseTree(text);
  return root === undefined ? undefined : findNodeAtLocation(root, [...path]);
}

function jsonEnd({ offset, length }: JsonNode): number {
  return offset + length;
}

/** A way to write text. Escapes such as `\u200b` have a meaning only in JSON and in YAML's double quotes (`yaml`). */
type Writing = "json" | "yaml" | "plain";

function withoutCharacters(written: string, characters: readonly string[], writing: Writing): string {
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

/** Returns the code point of an escape; a JSON surrogate pair is one character. */
function codePointOf(escape: string): number | undefined {
  const units = [...escape.matchAll(/\\[xuU]([0-9a-fA-F]+)/gu)].map(([, digits = ""]) => Number.parseInt(digits, 16));
  const [first, second] = units;
  return first === undefined || second === undefined ? first : String.fromCharCode(first, second).codePointAt(0);
}

type ValuePath = readonly (string | number)[];

export function findValue(
  root: JsonValue,
  pointer: string,
): { readonly path: ValuePath; readonly value: JsonValue } | undefined {
  const path: (string | number)[] = [];
  let value: JsonValue | undefined = root;
  for (const key of parsePointer(pointer)) {
    if (Array.isArray(value) && /^(?:0|[1-9]\d*)$/u.test(key)) {
      path.push(Number(key));
      value = (value as readonly JsonValue[])[Number(key)];
    } else {
      path.push(key);
      value = isObject(value) ? own(value, key) : undefined;
    }
    if (value === undefined) return undefined;
  }
  return { path, value };
}

export function replaceValue(root: JsonValue, path: ValuePath, replacement: JsonValue | undefined): JsonValue {
  const [step, ...rest] = path;
  if (step === undefined) return replacement ?? null;
  const isLast = rest.length === 0;
  if (Array.isArray(root)) {
    const items = root as readonly JsonValue[];
    return items.flatMap((item, index) => {
      if (index !== step) return [item];
      return isLast ? (replacement === undefined ? [] : [replacement]) : [replaceValue(item, rest, replacement)];
    });
  }
  if (!isObject(root)) return root;
  return Object.fromEntries(
    Object.entries(root).flatMap(([key, item]): readonly (readonly [string, JsonValue])[] => {
      if (key !== step) return [[key, item]];
      if (!isLast) return [[key, replaceValue(item, rest, replacement)]];
      return replacement === undefined ? [] : [[key, replacement]];
    }),
  );
}
