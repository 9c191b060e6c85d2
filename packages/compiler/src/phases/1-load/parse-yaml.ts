import type { JsonValue } from "@hasp/schema";
import { isExactNumber } from "@hasp/base/json";
import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Composer,
  Parser,
  type Alias,
  type CST,
  type ErrorCode,
  type Node,
  type Scalar,
} from "yaml";
import type { ReportProblem } from "./diagnostics.js";
import { DEPTH_LIMIT, UNSAFE_KEY } from "./source-text.js";
import { parsePlainYaml } from "./parse-plain-yaml.js";
import { createSpanMapBuilder, type SourceSpan, type SpanMap } from "./span-map.js";

/** Maximum number of values that the aliases of one file may expand to. */
const ALIAS_BUDGET = 100_000;

/** Replacements for the library's messages, which assume knowledge of the YAML grammar. */
const REASONS: { readonly [Code in ErrorCode]?: string } = {
  BLOCK_AS_IMPLICIT_KEY:
    'there is a second ": " on one line, or the indentation is wrong; quote the value if the colon is part of it',
  TAB_AS_INDENT: "tabs are used for indentation; use spaces",
  MISSING_CHAR: "a closing quote or bracket is missing",
  MULTILINE_IMPLICIT_KEY: 'a key must be on one line and be followed by ": "',
  BAD_INDENT: "the indentation does not match the lines above",
};

/** Parses the JSON-compatible subset of YAML 1.2. Reports everything that JSON cannot represent. */
export function parseYaml(text: string, report: ReportProblem): { value: JsonValue | undefined; spans: SpanMap } {
  return parsePlainYaml(text) ?? parseAnyYaml(text, report);
}

export function parseAnyYaml(text: string, report: ReportProblem): { value: JsonValue | undefined; spans: SpanMap } {
  const spans = createSpanMapBuilder();
  const nothing = (): { readonly value: undefined; readonly spans: SpanMap } => {
    spans.open(0);
    return { value: undefined, spans: spans.build() };
  };
  // The library finds collections in a loop, but makes their values by recursion: the limit must hold before that.
  const tokens = [...new Parser().parse(text)];
  const tooDeep = collectionBeyond(tokens, DEPTH_LIMIT);
  if (tooDeep !== undefined) {
    report("too-deep", { start: tooDeep, end: tooDeep + 1 }, { limit: DEPTH_LIMIT });
    return nothing();
  }
  const composer = new Composer({
    version: "1.2",
    schema: "core",
    // Duplicate keys are detected below, in linear time.
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: "error",
  });
  const [document, second] = composer.compose(tokens, true, text.length);
  // The composer is told to make at least one.
  if (document === undefined) return nothing();
  const first = document.errors[0];
  if (first !== undefined) {
    // Later errors usually follow from the first syntax error.
    const [start, end] = first.pos;
    report("yaml-syntax", { start, end }, { reason: REASONS[first.code] ?? first.message });
    return nothing();
  }
  if (second !== undefined) {
    const [start, end] = second.range;
    report("yaml-syntax", { start, end }, { reason: "a second document starts here; write one document per file" });
    return nothing();
  }
  const { yaml } = document.directives ?? {};
  if (yaml?.explicit === true && yaml.version !== "1.2") {
    report("yaml-version", { start: 0, end: text.indexOf("\n") }, { version: yaml.version });
  }

  const anchors = new Map<
    string,
    { readonly value: JsonValue; readonly index: number; readonly size: number } | "open"
  >();
  let size = 0;
  let isOverBudget = false;

  const read = (node: Node | null, name?: string, key?: SourceSpan): JsonValue => {
    const span = placeOf(node, key);
    const index = spans.open(span.start, name, key);
    size += 1;
    const sizeBefore = size - 1;
    const anchor = node !== null && !isAlias(node) ? node.anchor : undefined;
    if (anchor !== undefined) anchors.set(anchor, "open");
    const value = readContent(node, span, index);
    spans.close(index, span.end);
    if (anchor !== undefined) anchors.set(anchor, { value, index, size: size - sizeBefore });
    return value;
  };

  const readContent = (node: Node | null, span: SourceSpan, index: number): JsonValue => {
    if (node === null) return null;
    if (isAlias(node)) return readAlias(node, span, index);
    if (node.tag !== undefined) report("tag", span, { tag: shortTag(node.tag) });
    if (isScalar(node)) return readScalar(node, span, report);
    if (isSeq<Node | null>(node)) return node.items.map((item) => read(item));
    const object: Record<string, JsonValue> = {};
    if (!isMap<Node | null, Node | null>(node)) return object;
    for (const pair of node.items) {
      const keySpan = placeOf(pair.key, span);
      const name = readKey(pair.key, keySpan, report);
      if (name === undefined) continue;
      if (Object.hasOwn(object, name)) report("duplicate-key", keySpan, { key: name });
      else object[name] = read(pair.value, name, keySpan);
    }
    return object;
  };

  const readAlias = (alias: Alias, span: SourceSpan, index: number): JsonValue => {
    const anchor = anchors.get(alias.source);
    if (anchor === undefined) report("unknown-alias", span, { name: alias.source });
    if (anchor === "open") report("recursive-alias", span, { name: alias.source });
    if (anchor === undefined || anchor === "open") return null;
    size += anchor.size;
    if (size > ALIAS_BUDGET && !isOverBudget) {
      isOverBudget = true;
      report("too-many-aliases", span, { limit: ALIAS_BUDGET });
    }
    spans.alias(index, anchor.index);
    return isOverBudget ? null : anchor.value;
  };

  const value = read(document.contents);
  return { value, spans: spans.build() };
}

/** Finds the start of the first collection that is inside `limit` others. */
function collectionBeyond(tokens: readonly CST.Token[], limit: number): number | undefined {
  let level: readonly CST.Token[] = tokens.flatMap((token) => (token.type === "document" ? (token.value ?? []) : []));
  for (let depth = 0; level.length > 0; depth += 1) {
    const collections = level.filter((token) => "items" in token);
    if (depth === limit) return collections[0]?.offset;
    level = collections.flatMap(({ items }) => items.flatMap((item) => [item.key ?? [], item.value ?? []].flat()));
  }
  return undefined;
}

function placeOf(node: Node | null, fallback: SourceSpan | undefined): SourceSpan {
  const [start, end] = node?.range ?? [fallback?.end ?? 0, fallback?.end ?? 0];
  return { start, end };
}

function readKey(key: Node | null, span: SourceSpan, report: ReportProblem): string | undefined {
  if (!isScalar(key)) {
    report("key-not-string", span, {
      variant: "other",
      what: key === null ? "empty" : isAlias(key) ? "an alias" : "a list or an object",
    });
    return undefined;
  }
  if (key.tag !== undefined) report("tag", span, { tag: shortTag(key.tag) });
  const { value } = key;
  if (typeof value !== "string") {
    const what = value === null ? "null" : `a ${typeof value}`;
    const isQuotable = key.source !== undefined && key.source !== "";
    report(
      "key-not-string",
      span,
      isQuotable ? { variant: "quotable", what, quoted: JSON.stringify(key.source) } : { variant: "other", what },
    );
    return undefined;
  }
  if (value === "<<" && key.type === "PLAIN") {
    report("merge-key", span, undefined);
    return undefined;
  }
  if (value === UNSAFE_KEY) {
    report("unsafe-key", span, { key: value });
    return undefined;
  }
  return value;
}

function readScalar(scalar: Scalar, span: SourceSpan, report: ReportProblem): JsonValue {
  const { value, source = "" } = scalar;
  if (typeof value !== "number") return typeof value === "string" || typeof value === "boolean" ? value : null;
  // `.inf` and `.nan`; also `007`, which YAML reads as 7 although the author meant a string.
  if (!/\d/u.test(source) || /^[-+]?0\d/u.test(source)) {
    report("number-not-json", span, { text: source });
    return null;
  }
  const isExact = /^[-+]?0[xo]/u.test(source) ? Number.isSafeInteger(value) : isExactNumber(source, value);
  if (!isExact) report("number-not-exact", span, { text: source, read: String(value) });
  // JSON output does not distinguish -0 from 0.
  return value === 0 ? 0 : value;
}

function shortTag(tag: string): string {
  return tag.replace("tag:yaml.org,2002:", "!!");
}
