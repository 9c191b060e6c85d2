import { cloneJson, equalJson } from "../../bind/json-value.js";
import { ANY_TYPE, NUMBER, STRING, maskOfTypes, maskOfValue, typesOfMask, type TypeMask } from "../../bind/type-mask.js";
import { FAMILY, type Bound } from "../../bind/types.js";
import type { JsonValue } from "../../json.js";
import type { Cause } from "../diagnostics.js";
import type { Merge, MutableSchema } from "./merge.js";

/** `type`, `enum` and `const` intersect. Runs last: other families may have excluded types, and bounds drop values. */
export function mergeValues(merge: Merge): void {
  const { out } = merge;
  const parts = merge.parts.filter(({ families }) => (families & FAMILY.values) !== 0);
  const typed = parts.filter(({ keywords }) => keywords.type !== undefined);
  if (merge.types === 0) return merge.never(causesOf(merge, TYPES));
  const order = typed.flatMap(({ keywords }) => keywords.type ?? []);
  if (typed.length > 0) {
    const types = typesOfMask(statedTypes(merge, typed), order);
    const [single] = types;
    const spelled = typed.length === 1 ? typed[0]?.place.value : undefined;
    const asList = types.length > 1 || (typeof spelled === "object" && spelled !== null && "type" in spelled && Array.isArray(spelled.type));
    if (single !== undefined) out.type = asList ? types : single;
  }
  const listing = parts.filter(({ keywords }) => keywords.enum !== undefined || keywords.const !== undefined);
  const [first] = listing;
  if (first === undefined) return;
  let values: readonly JsonValue[] | undefined;
  for (const { keywords } of listing) {
    if (keywords.enum !== undefined) values = values === undefined ? keywords.enum : intersection(values, keywords.enum);
    if (keywords.const !== undefined) values = values === undefined ? [keywords.const] : intersection(values, [keywords.const]);
  }
  const common = values ?? [];
  const kept = common.filter((value) => (maskOfValue(value) & merge.types) !== 0 && fits(value, out));
  if (kept.length === 0) {
    return merge.never(causesOf(merge, common.length === 0 ? LISTS : BOUNDS));
  }
  const [only] = kept;
  if (kept.length === 1 && only !== undefined && listing.some(({ keywords }) => keywords.const !== undefined)) out.const = cloneJson(only);
  else out.enum = kept.map(cloneJson);
}

/** The given words wherever a part has them. An empty `enum` refuses everything on purpose. */
function causesOf(merge: Merge, keywords: readonly ValueKeyword[]): Cause[] {
  return merge.parts.flatMap((part) =>
    keywords
      .filter((keyword) => part.keywords[keyword] !== undefined)
      .map((keyword) => cause(merge, part, keyword)),
  );
}

function cause(merge: Merge, part: Bound, keyword: ValueKeyword): Cause {
  return { ...merge.because(part, keyword), deliberate: keyword === "enum" && part.keywords.enum?.length === 0 };
}

/** What the `type` words leave, less what else is excluded. A listed 1 does not turn the author's `number` into `integer`. */
function statedTypes(merge: Merge, typed: readonly Bound[]): TypeMask {
  const stated = typed.reduce((mask, { keywords }) => mask & maskOfTypes(keywords.type ?? []), ANY_TYPE);
  return (merge.types & NUMBER) === 0 ? merge.types & stated : (merge.types | NUMBER) & stated;
}

const LISTS = ["enum", "const"] as const;
const TYPES = ["type", ...LISTS] as const;
const BOUNDS = [...TYPES, "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength"] as const;

type ValueKeyword = (typeof BOUNDS)[number];

function intersection(left: readonly JsonValue[], right: readonly JsonValue[]): readonly JsonValue[] {
  const scalars = new Set(right);
  return left.filter((value) => scalars.has(value) || (typeof value === "object" && right.some((other) => equalJson(value, other))));
}

/** Whether a listed value keeps to the merged bounds of its type. */
function fits(value: JsonValue, out: MutableSchema): boolean {
  if ((maskOfValue(value) & NUMBER) !== 0) {
    const number = Number(value);
    return (
      number >= (out.minimum ?? -Infinity) &&
      number <= (out.maximum ?? Infinity) &&
      (out.exclusiveMinimum === undefined || number > out.exclusiveMinimum) &&
      (out.exclusiveMaximum === undefined || number < out.exclusiveMaximum)
    );
  }
  if (maskOfValue(value) === STRING && (out.minLength !== undefined || out.maxLength !== undefined)) {
    const { length } = Array.from(String(value));
    return length >= (out.minLength ?? 0) && length <= (out.maxLength ?? Infinity);
  }
  return true;
}
