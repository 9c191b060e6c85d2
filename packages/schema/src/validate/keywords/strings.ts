import { fail } from "../check.js";
import { countArgument, patternOf, textArgument, type Keyword, type KeywordTable } from "../compiler.js";
import { assertedFormats } from "../formats.js";

/** Code points of a text; a lone surrogate counts as one. */
export function countCodePoints(text: string): number {
  let count = text.length;
  for (let index = 1; index < text.length; index += 1) {
    if (isLowSurrogate(text.charCodeAt(index)) && isHighSurrogate(text.charCodeAt(index - 1))) count -= 1;
  }
  return count;
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

const minLength: Keyword<string> = (site) => {
  const limit = countArgument(site);
  return (value, run) =>
    (value.length >= limit && (value.length >= 2 * limit || countCodePoints(value) >= limit)) ||
    fail(run, site, value, `at least ${characters(limit)} long`);
};

const maxLength: Keyword<string> = (site) => {
  const limit = countArgument(site);
  return (value, run) =>
    value.length <= limit ||
    (value.length <= 2 * limit && countCodePoints(value) <= limit) ||
    fail(run, site, value, `at most ${characters(limit)} long`);
};

const characters = (count: number): string => (count === 1 ? "1 character" : `${count} characters`);

const pattern: Keyword<string> = (site, compiler) => {
  const text = textArgument(site);
  if (compiler.skipsPatterns) return undefined;
  const expression = patternOf(text, site);
  return (value, run) => expression.test(value) || fail(run, site, value, `text that matches the pattern ${text}`);
};

const format: Keyword<string> = (site, compiler) => {
  const known = assertedFormats.get(textArgument(site));
  if (known === undefined || !compiler.formats) return undefined;
  return (value, run) => known.accepts(value) || fail(run, site, value, known.words);
};

/** Keywords that judge strings. */
export const stringKeywords: KeywordTable<string> = new Map([
  ["minLength", minLength],
  ["maxLength", maxLength],
  ["pattern", pattern],
  ["format", format],
]);
