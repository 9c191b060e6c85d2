import type { Dialect } from "../../dialects/definition/dialect.js";
import type { Keyword } from "../../dialects/definition/keyword-table.js";
import { assertedFormats } from "../../validate/checks/formats.js";
import { findAction, type LoweringContext } from "../context/context.js";
import {
  applyTable,
  dropKeyword,
  isCarriedBound,
  type NodeBuilder,
  finish,
  type HandlerResult,
} from "../context/node-builder.js";
import { declaredTypes, isScalar } from "../context/schema-facts.js";
import type { JsonValue } from "@hasp/base/json";
import { printValuesSentence } from "../context/sentences.js";

export function lowerAssertions(context: LoweringContext, builder: NodeBuilder, own: readonly Keyword[]): undefined {
  for (const keyword of own) {
    switch (keyword) {
      case "pattern":
        lowerPattern(context, builder);
        break;
      case "format":
        lowerFormat(context, builder);
        break;
      case "exclusiveMinimum":
      case "exclusiveMaximum":
        break;
      default:
        applyTable(context, builder, keyword, builder.source[keyword]);
    }
  }
  // These come last: they may tighten an inclusive bound.
  if (own.includes("exclusiveMinimum")) lowerExclusive(context, builder, "exclusiveMinimum", "minimum", 1);
  if (own.includes("exclusiveMaximum")) lowerExclusive(context, builder, "exclusiveMaximum", "maximum", -1);
}

function lowerPattern(context: LoweringContext, builder: NodeBuilder): void {
  const { pattern = "" } = builder.source;
  if (isPatternCarried(pattern, context.dialect.patterns)) applyTable(context, builder, "pattern", pattern);
  else dropKeyword(context, builder, "pattern");
}

function lowerFormat(context: LoweringContext, builder: NodeBuilder): void {
  const { formats } = context.dialect;
  const { format = "" } = builder.source;
  if (isFormatCarried(format, formats)) applyTable(context, builder, "format", format);
  else if (assertedFormats.has(format)) dropKeyword(context, builder, "format");
  else builder.sentences.push(`Format: ${format}.`); // a note: no value is refused for it
}

/** Lowers an exclusive bound. An inclusive one is exact for integers and one value too wide for numbers. */
function lowerExclusive(
  context: LoweringContext,
  builder: NodeBuilder,
  keyword: "exclusiveMinimum" | "exclusiveMaximum",
  inclusive: "minimum" | "maximum",
  inward: 1 | -1,
): void {
  const { source } = builder;
  const bound = source[keyword];
  if (bound === undefined) return;
  if (!isCarriedBound(keyword, bound)) {
    dropKeyword(context, builder, keyword);
    return;
  }
  if (findAction(context, keyword, builder.isRoot) !== "rewrite") {
    applyTable(context, builder, keyword, bound);
    return;
  }
  const types = declaredTypes(source) ?? [];
  const isInteger = types.includes("integer") && !types.includes("number");
  const inside = inward === 1 ? Math.floor(bound) + 1 : Math.ceil(bound) - 1;
  const candidate = isInteger && Number.isSafeInteger(inside) ? inside : bound;
  const present = source[inclusive];
  const tighter =
    present === undefined ? candidate : inward === 1 ? Math.max(present, candidate) : Math.min(present, candidate);
  builder.kept.set(inclusive, tighter);
  const isExact = candidate !== bound || (present !== undefined && (inward === 1 ? present > bound : present < bound));
  if (!isExact) dropKeyword(context, builder, keyword);
}

export function isFormatCarried(format: string, formats: Dialect["formats"]): boolean {
  return formats === "any" || formats.includes(format);
}

/** True if a dialect supports a regular expression; false in doubt. */
export function isPatternCarried(pattern: string, patterns: Dialect["patterns"]): boolean {
  switch (patterns) {
    case "any":
      return true;
    case "no-lookaround":
      return !lookaround.test(pattern);
    case "simple":
      return (
        !lookaround.test(pattern) &&
        !/\\[1-9bBk]/.test(pattern) &&
        !/\\[pPuxc]|\(\?/.test(pattern) &&
        !hasLargeRepeat(pattern)
      );
    case "unanchored":
      return !/[$^]|\(\?/.test(pattern);
    case "anchored":
      return /^\^.*\$$/su.test(pattern) && !/\(\?(?!:)|\\[bBDSWpPk1-9]/u.test(pattern);
  }
}

const lookaround = /\(\?<?[=!]/;

/** Limits repetition counts. The actual limit is not published. */
const LARGEST_REPEAT = 100;

function hasLargeRepeat(pattern: string): boolean {
  return [...pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g)].some(
    ([, least, most]) => Math.max(Number(least), Number(most ?? 0)) > LARGEST_REPEAT,
  );
}

export function lowerValues(context: LoweringContext, builder: NodeBuilder): HandlerResult {
  const { source } = builder;
  const keyword = source.const === undefined ? "enum" : "const";
  const values = source.const === undefined ? source.enum : [source.const];
  if (values === undefined) return undefined;
  if (values.length === 0) return "impossible";
  const action = findAction(context, keyword, builder.isRoot);
  if (action === "words" || action === "drop" || action === "refuse") {
    applyTable(context, builder, keyword, values);
    return undefined;
  }
  switch (context.dialect.shapes.enums) {
    case "any":
      return list(context, builder, values);
    case "scalars":
      return values.every((value) => isScalar(value))
        ? list(context, builder, values)
        : listTexts(context, builder, values);
    case "strings":
      if (!values.every((value) => typeof value === "string")) return listTexts(context, builder, values);
      if (values.every((value) => value !== "")) return list(context, builder, values);
      dropKeyword(context, builder, keyword, printValuesSentence(values)); // "" is refused in such an enum
      return undefined;
  }
}

/** Keeps `const` if the author wrote it and the dialect supports it, and `enum` otherwise. */
function list(context: LoweringContext, builder: NodeBuilder, values: readonly JsonValue[]): undefined {
  if (builder.source.const !== undefined && findAction(context, "const", builder.isRoot) === "keep") {
    builder.kept.set("const", builder.source.const);
  } else {
    builder.kept.set("enum", values);
  }
}

/** Lists values as JSON text if an enum of this dialect cannot hold them. Decoding parses the text. */
function listTexts(context: LoweringContext, builder: NodeBuilder, values: readonly JsonValue[]): HandlerResult {
  if (context.dialect.shapes.nodes === "free") {
    dropKeyword(context, builder, builder.source.const === undefined ? "enum" : "const", printValuesSentence(values));
    return undefined;
  }
  builder.kept.set("type", "string");
  builder.kept.set(
    "enum",
    values.map((value) => JSON.stringify(value)),
  );
  return { schema: finish(context, builder), codec: { kind: "text" } };
}
