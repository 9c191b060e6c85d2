import { isAlias, isMap, isNode, isScalar, isSeq, parseDocument, type Node } from "yaml";
import type { JsonValue } from "@hasp/schema";
import type { TextSpan } from "../../../compiler/src/diagnostics/place-in-text.js";
import type { SourceText } from "../../../compiler/src/model/document.js";
import type { CompileCache, Step } from "../../../compiler/src/context/compile-cache.js";
import { DEPTH_LIMIT } from "../../../compiler/src/phases/1-load/limits.js";
import { BYTE_ORDER_MARK } from "../../../compiler/src/phases/1-load/locator.js";
import { digestOfSource } from "../../../compiler/src/phases/1-load/index.js";

/** A YAML or JSON value, possibly half typed. Offsets count a byte order mark. */
export type SyntaxNode = TextSpan &
  (
    | { readonly kind: "map"; readonly entries: readonly SyntaxEntry[] }
    | { readonly kind: "list"; readonly items: readonly SyntaxNode[] }
    | { readonly kind: "scalar"; readonly value: JsonValue }
  );

export interface SyntaxEntry {
  readonly key: TextSpan & { readonly name: string };
  readonly value: SyntaxNode;
}

const PARSING: Step<SourceText, SyntaxNode> = { name: "syntax", run: ({ text }) => parseSyntax(text) };

/** Parses a file's tree once. */
export function syntaxOf(source: SourceText, cache: CompileCache): SyntaxNode {
  return cache.run(PARSING, source, digestOfSource(source));
}

/** Parses YAML or JSON, a subset of it, and keeps the readable parts of a text with errors. */
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
