import { fail } from "../checks/check.js";
import {
  readCount,
  readList,
  readNumber,
  compilePattern,
  readText,
  refuse,
  refuseWithout,
  type KeywordCompiler,
  type KeywordCompilers,
} from "../checks/compiler.js";
import { print, join, printQuantity } from "../checks/describe.js";
import { ValueMap } from "../checks/equality.js";
import { plainFormats } from "../checks/formats.js";
import type { ValidationKeywordOf } from "../../vocabulary/keywords.js";
import { isMultipleOf, own } from "@hasp/base/json";

const atLeast = (measure: number, limit: number): boolean => measure >= limit;
const atMost = (measure: number, limit: number): boolean => measure <= limit;

function bound(words: string, isWithin: (value: number, limit: number) => boolean): KeywordCompiler<number> {
  return (site) => {
    const limit = readNumber(site);
    return (value, run) => isWithin(value, limit) || fail(run, site, value, `${words} ${limit}`);
  };
}

/** Creates a keyword that limits the size of a value from below or from above. */
export function compileSizeLimit<Value>(
  side: "least" | "most",
  measure: (value: Value) => number,
  words: (size: string) => string,
  unit: string,
): KeywordCompiler<Value> {
  const isWithin = side === "least" ? atLeast : atMost;
  return (site) => {
    const limit = readCount(site);
    return (value, run) =>
      isWithin(measure(value), limit) || fail(run, site, value, words(`at ${side} ${printQuantity(limit, unit)}`));
  };
}

export const numberKeywords: KeywordCompilers<number, ValidationKeywordOf<"number">> = {
  minimum: bound("at least", atLeast),
  maximum: bound("at most", atMost),
  exclusiveMinimum: bound("more than", (value, limit) => value > limit),
  exclusiveMaximum: bound("less than", (value, limit) => value < limit),
  multipleOf(site, compiler) {
    if (readNumber(site) <= 0) throw refuse(site, "must be more than 0");
    return bound("a multiple of", isMultipleOf)(site, compiler);
  },
};

function countCodePoints(text: string): number {
  let count = text.length;
  for (let index = 1; index < text.length; index += 1) {
    const isPair = (text.charCodeAt(index) & 0xfc00) === 0xdc00 && (text.charCodeAt(index - 1) & 0xfc00) === 0xd800;
    if (isPair) count -= 1;
  }
  return count;
}

const long = (size: string): string => `${size} long`;

export const stringKeywords: KeywordCompilers<string, ValidationKeywordOf<"string">> = {
  minLength: compileSizeLimit("least", countCodePoints, long, "character"),
  maxLength: compileSizeLimit("most", countCodePoints, long, "character"),
  pattern(site, compiler) {
    const text = readText(site);
    if (compiler.skipsPatterns) {
      compiler.isUndecided = true;
      return undefined;
    }
    const expression = compilePattern(text, site, compiler);
    return (value, run) => expression.test(value) || fail(run, site, value, `text that matches the pattern ${text}`);
  },
  format(site, compiler) {
    const name = readText(site);
    if (!compiler.assertsFormats) return undefined;
    const format = own(plainFormats, name) ?? own((compiler.keywords ?? refuseWithout(site)).formats, name);
    if (format === undefined) return undefined;
    return (value, run) => format.accepts(value) || fail(run, site, value, `a valid ${name} such as ${format.example}`);
  },
};

const listedValues: KeywordCompiler<unknown> = (site) => {
  const { node } = site;
  const values = site.keyword === "const" ? [site.argument] : readList(site);
  const allowed = new ValueMap<true>();
  for (const value of values) allowed.set(value, true);
  node.values = node.values?.filter((value) => allowed.get(value)) ?? values;
  return (value, run) =>
    allowed.get(value) || (run.findings !== undefined && fail(run, site, value, join(values.map(print)) || "absent"));
};

export const valueKeywords: KeywordCompilers<unknown, "enum" | "const"> = { enum: listedValues, const: listedValues };
