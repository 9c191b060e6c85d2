import { isAlias, isMap, isNode, isScalar, isSeq, type Node, parseDocument } from "yaml";
import type { JsonValue } from "@hasp/schema";
import type { TextSpan } from "@hasp/base/diagnostics";
import { type SourceText, type CompileCache, digestOfText } from "@hasp/compiler";
import { DEPTH_LIMIT, BYTE_ORDER_MARK } from "@hasp/compiler/source";
import { appendToPointer, escapeToken } from "@hasp/base/json";

/** A YAML or JSON value, possibly half typed. Offsets count a byte order mark. */
export type SyntaxNode = TextSpan &
  (
    | { readonly kind: "map"; readonly entries: readonly SyntaxEntry[] }
    | { readonly kind: "list"; readonly items: readonly SyntaxNode[] }
    | { readonly kind: "scalar"; readonly value: JsonValue }
  );

interface SyntaxEntry {
  readonly key: TextSpan & { readonly name: string };
  readonly value: SyntaxNode;
}

export function readSyntax(source: SourceText, cache: CompileCache): SyntaxNode {
  return cache.run("Reading syntax", source, ({ text }) => parseSyntax(text), digestOfText(source));
}

/** Parses YAML, or JSON as a subset of it. Keeps the readable parts of a text with errors. */
export function parseSyntax(text: string): SyntaxNode {
  const skipped = text.startsWith(BYTE_ORDER_MARK) ? 1 : 0;
  if (isTooDeep(text)) return { start: skipped, end: text.length, kind: "scalar", value: null };
  const document = parseDocument(text.slice(skipped), { version: "1.2", uniqueKeys: false, logLevel: "silent" });
  return toSyntax(document.contents, skipped, { start: skipped, end: skipped });
}

/** The library takes seconds for many open brackets; hasp refuses such a text anyway. */
const OPEN_BRACKETS_LIMIT = 2 * DEPTH_LIMIT;

function isTooDeep(text: string): boolean {
  let open = 0;
  for (const [bracket] of text.matchAll(/[[\]{}]/gu)) {
    open = bracket === "[" || bracket === "{" ? open + 1 : Math.max(0, open - 1);
    if (open > OPEN_BRACKETS_LIMIT) return true;
  }
  return false;
}

function toSyntax(node: Node | null, by: number, fallback: TextSpan): SyntaxNode {
  const span = spanOf(node, by, fallback);
  if (isMap<unknown, unknown>(node)) {
    const entries = node.items.flatMap((pair): readonly SyntaxEntry[] => {
      if (!isScalar(pair.key)) return [];
      const key = spanOf(pair.key, by, span);
      const value = isNode(pair.value) ? pair.value : null;
      return [
        { key: { ...key, name: String(pair.key.value) }, value: toSyntax(value, by, { start: key.end, end: key.end }) },
      ];
    });
    return { ...span, kind: "map", entries };
  }
  if (isSeq(node)) {
    return { ...span, kind: "list", items: node.items.map((item) => toSyntax(isNode(item) ? item : null, by, span)) };
  }
  if (isAlias(node) || !isScalar(node)) return { ...span, kind: "scalar", value: null };
  const { value } = node;
  const isPlain = typeof value === "string" || typeof value === "number" || typeof value === "boolean";
  return { ...span, kind: "scalar", value: isPlain ? value : null };
}

function spanOf(node: unknown, by: number, fallback: TextSpan): TextSpan {
  if (!isNode(node) || node.range == null) return fallback;
  const [start, end] = node.range;
  return { start: start + by, end: end + by };
}

/** The key or the value at an offset. */
export interface Cursor {
  readonly part: "key" | "value";
  /** JSON Pointer of the value, or of the value that the key belongs to. */
  readonly pointer: string;
  readonly span: TextSpan;
  readonly node: SyntaxNode;
  readonly around: readonly SyntaxNode[];
}

/** Finds the node at an offset; a map or list is found between its members. */
export function findCursor(root: SyntaxNode, offset: number): Cursor {
  let node = root;
  let pointer = "";
  const around: SyntaxNode[] = [];
  for (;;) {
    const step = stepInto(node, offset);
    if (step === undefined) return { part: "value", pointer, span: node, node, around };
    around.push(node);
    pointer += `/${escapeToken(step.token)}`;
    node = step.node;
    if (step.key !== undefined) return { part: "key", pointer, span: step.key, node, around };
  }
}

interface Descent {
  readonly token: string;
  readonly node: SyntaxNode;
  readonly key?: TextSpan;
}

function stepInto(node: SyntaxNode, offset: number): Descent | undefined {
  if (node.kind === "list") {
    const index = node.items.findLastIndex((item) => holds(item, offset));
    const item = node.items[index];
    return item && { token: String(index), node: item };
  }
  if (node.kind === "scalar") return undefined;
  for (const { key, value } of node.entries) {
    if (holds(key, offset)) return { token: key.name, node: value, key };
    if (holds(value, offset)) return { token: key.name, node: value };
  }
  return undefined;
}

function holds({ start, end }: TextSpan, offset: number): boolean {
  return start <= offset && offset <= end && start < end;
}

export function findNode(root: SyntaxNode, tokens: readonly string[]): SyntaxNode | undefined {
  let node: SyntaxNode | undefined = root;
  for (const token of tokens) {
    if (node?.kind === "map") node = findEntry(node, token)?.value;
    else node = node?.kind === "list" ? node.items[Number(token)] : undefined;
  }
  return node;
}

export function findEntry(node: SyntaxNode | undefined, name: string): SyntaxEntry | undefined {
  return node?.kind === "map" ? node.entries.find(({ key }) => key.name === name) : undefined;
}

export function readString(node: SyntaxNode | undefined): string | undefined {
  return node?.kind === "scalar" && typeof node.value === "string" ? node.value : undefined;
}

export function* stringsIn(
  node: SyntaxNode,
  pointer = "",
): Generator<{ readonly pointer: string; readonly node: SyntaxNode; readonly value: string }> {
  if (node.kind === "map") {
    for (const { key, value } of node.entries) yield* stringsIn(value, appendToPointer(pointer, key.name));
  } else if (node.kind === "list") {
    for (const [index, item] of node.items.entries()) yield* stringsIn(item, `${pointer}/${index}`);
  } else if (typeof node.value === "string") yield { pointer, node, value: node.value };
}

export function escapeRegExp(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`);
}
