import { comparePatterns, type JsonValue } from "@hasp/schema";
import { duration, timestamp } from "@hasp/base/conditions";
import { attempt } from "@hasp/base/diagnostics";
import { type Expression, listOperands } from "../../model/conditions.js";
import { pickMembers, toObject, isList } from "@hasp/base/json";
import { findItemType, findKinds, findMemberType, type InputType } from "../check/input-type.js";
import { sampleType } from "./places.js";

/** Values on which a test may answer differently, the likeliest first. */
interface NearValues {
  readonly texts: readonly string[];
  readonly numbers: readonly number[];
  /** Lengths of lists, and numbers of keys. */
  readonly sizes: readonly number[];
}

/** Lists the texts and numbers that a test names, or that its parts have. */
export function listNamedValues(
  test: Expression,
  valueOf: (part: Expression) => unknown,
  textsOf: (pattern: string) => readonly string[],
): readonly (string | number)[] {
  const found = new Set<string | number>();
  const visit = (part: Expression): void => {
    const value = part.kind === "literal" ? part.value : valueOf(part);
    if (typeof value === "string" || typeof value === "number") found.add(value);
    if (part.kind === "matches") for (const text of textsOf(part.pattern)) found.add(text);
    // Items of a loop are no part of the input yet.
    for (const operand of listOperands(part)) visit(operand);
  };
  visit(test);
  // Variants in case and surrounding white space matter only to a test that normalises a text.
  const forms = hasTextForm(test)
    ? [...found].flatMap((value) => (typeof value === "string" ? otherForms(value) : []))
    : [];
  return [...found, ...forms];
}

function hasTextForm(test: Expression): boolean {
  return test.kind === "text-form" || listOperands(test).some(hasTextForm);
}

/** Returns texts that differ in case and in white space, and in letters that have one case in common with another. */
function otherForms(text: string): readonly string[] {
  const alike = text.replaceAll(/k/giu, "\u212a").replaceAll(/s/giu, "\u017f");
  return [text.toUpperCase(), text.toLowerCase(), ` ${text}\u00a0`, ...(alike === text ? [] : [alike])];
}

/** Returns texts that a pattern matches, and its own characters. */
export function listTextsLike(pattern: string): readonly string[] {
  const first = comparePatterns(pattern, NOTHING);
  if (typeof first !== "object") return [pattern.replaceAll(/\\(.)|[$()*+.?[\]^{|}]/gu, "$1")];
  const second = comparePatterns(pattern, `^${escapePattern(first.witness)}$`);
  return [
    first.witness,
    ...(typeof second === "object" ? [second.witness] : []),
    `${first.witness}${first.witness.slice(-1)}`,
  ];
}

/** A pattern that matches nothing. */
const NOTHING = "[]";

function escapePattern(text: string): string {
  return text.replaceAll(/[$()*+./?[\\\]^{|}]/gu, "\\$&");
}

export function listValuesNear(named: readonly (string | number)[]): NearValues {
  const texts = named.filter((value) => typeof value === "string");
  const numbers = named.filter((value) => typeof value === "number" && Number.isFinite(value)) as number[];
  // A long list of values is not combined with itself.
  const [fewNumbers, fewTexts] = [numbers.slice(0, MOST_COMBINED), texts.slice(0, MOST_COMBINED)];
  const amounts = unique([
    ...numbers,
    ...numbers.flatMap((number) => [number - 1, number + 1, number - 0.5, number + 0.5]),
    ...fewNumbers.flatMap((number) => [
      -number,
      number * 2,
      ...fewNumbers.flatMap((other) => [number + other, number - other, number * other, number / other]),
    ]),
    ...COMMON_NUMBERS,
  ]).filter(Number.isFinite);
  const sizes = unique(fewNumbers.flatMap((number) => [number, number + 1, number - 1])).filter(
    (size) => Number.isInteger(size) && size >= 0 && size <= LARGEST_SIZE,
  );
  return {
    texts: unique([
      ...texts,
      ...timesLike(texts),
      ...texts.flatMap(beside),
      ...sizes.map((size) => "x".repeat(size)),
      ...COMMON_TEXTS,
      ...texts.flatMap((text) => [text.toUpperCase(), text.toLowerCase(), ` ${text} `, ...halves(text)]),
      ...fewTexts.flatMap((text) => fewTexts.map((other) => text + other)),
    ]),
    numbers: amounts,
    sizes,
  };
}

const MOST_COMBINED = 6;
const LARGEST_SIZE = 2000;
const COMMON_NUMBERS = [0, 1, 2, 3, 0.5, -7, -0.5, Number.MAX_SAFE_INTEGER];
const COMMON_TEXTS = ["", "a", "ab", "\u{1F600}", "constructor"];

/** Returns the texts around one: before and after it in order, those that begin or end with it, and a part of it. */
function beside(text: string): readonly string[] {
  const characters = [...text];
  const last = characters.at(-1)?.codePointAt(0);
  const start = characters.slice(0, -1).join("");
  const moved = last === undefined ? [] : [last - 1, last + 1].filter(isCharacter);
  return [`${text}x`, `x${text}`, start, ...moved.map((code) => start + String.fromCodePoint(code)), `${text}\0`];
}

function isCharacter(code: number): boolean {
  return code >= 0 && code <= 0x10_ffff && !(code >= 0xd800 && code <= 0xdfff);
}

function halves(text: string): readonly string[] {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle), text.slice(0, 1), text.slice(1)];
}

/** Returns points and lengths of time near those that a test names, and at the distances that it names. */
function timesLike(texts: readonly string[]): readonly string[] {
  const lengths = texts.flatMap((text) => nanoseconds(duration, text));
  const points = texts.flatMap((text) => nanoseconds(timestamp, text));
  const distances = [0n, 1n, ...lengths].flatMap((length) => [length, -length]);
  const [moments, spans] = [points, lengths].map((all) => all.flatMap((each) => distances.map((by) => each + by)));
  return [
    ...(moments ?? []).flatMap((moment) => attempt(() => new Date(Number(moment / 1_000_000n)).toISOString()) ?? []),
    ...(spans ?? []).map((span) => `${span}ns`),
    ...(points.length === 0 ? [] : ["0001-01-02T00:00:00Z", "1971-01-01T00:00:00Z", "9999-12-30T00:00:00Z"]),
    ...(lengths.length === 0 ? [] : ["87600000h"]),
  ];
}

function nanoseconds(parse: (text: string) => bigint, text: string): readonly bigint[] {
  return attempt(() => [parse(text)]) ?? [];
}

function unique<Value extends string | number>(values: readonly Value[]): readonly Value[] {
  return [...new Set(values)];
}

/** Lists values of a place, on which a test that reads it may answer differently. `now` is its value. */
export function listValuesFor(type: InputType, now: JsonValue | undefined, near: NearValues): readonly JsonValue[] {
  const kinds = findKinds(type);
  return [
    ...(kinds.has("null") ? [null] : []),
    ...(kinds.has("bool") ? [true, false] : []),
    ...(kinds.has("string") ? [...near.texts, ...textsOver(now, near.texts.slice(0, 24))] : []),
    ...(kinds.has("int") ? near.numbers.filter((number) => Number.isInteger(number)) : []),
    ...(kinds.has("double") ? near.numbers : []),
    ...(kinds.has("list") ? listsFor(findItemType(type), now, near) : []),
    ...(kinds.has("map") ? mapsFor(type, now, near) : []),
    ...sampleType(type),
  ];
}

function listsFor(item: InputType, now: JsonValue | undefined, near: NearValues): readonly JsonValue[] {
  const [sample = "x", other = sample] = sampleType(item);
  const items = listValuesFor(item, undefined, { ...near, sizes: [] }).slice(0, 40);
  return [
    [],
    ...items.flatMap((value) => [[value], [sample, value], [value, other]]),
    ...near.sizes.map((size) => Array.from({ length: size }, () => sample)),
    ...(isList(now) ? [now.slice(1), [...now, ...now]] : []),
  ];
}

function mapsFor(type: InputType, now: JsonValue | undefined, near: NearValues): readonly JsonValue[] {
  const whole = toObject(now);
  const keyed = (key: string): JsonValue => {
    const { type: member } = findMemberType(type, key);
    return sampleType(member)[0] ?? "x";
  };
  const keys = near.texts.slice(0, 40);
  return [
    {},
    ...keys.flatMap((key) => [
      Object.fromEntries([...Object.entries(whole).filter(([known]) => known !== key), [key, keyed(key)]]),
      pickMembers(whole, (known) => known !== key),
    ]),
    ...keys.map((key) => Object.fromEntries([[key, keyed(key)]])),
    ...near.sizes.map((size) =>
      Object.fromEntries(Array.from({ length: size }, (_, index) => [`k${index}`, keyed(`k${index}`)])),
    ),
  ];
}

/** Lists texts that keep most of a text that is valid: others at its beginning and its end, over it and beside it. */
function textsOver(now: JsonValue | undefined, texts: readonly string[]): readonly string[] {
  if (typeof now !== "string") return [];
  return texts.flatMap((text) => [
    text + now.slice(text.length),
    now.slice(0, Math.max(0, now.length - text.length)) + text,
    text + now,
    now + text,
  ]);
}
