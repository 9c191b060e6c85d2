import { cloneJson, equalJson } from "../../json/json-value.js";
import { ANY_TYPE, NUMBER, maskOfTypes, maskOfValue, typesOfMask } from "../../json/type-mask.js";
import type { Bound } from "../../resolve/types.js";
import type { JsonValue } from "../../json/json.js";
import type { TypeName } from "../../vocabulary/json-schema.js";
import type { Cause } from "../conjunction/diagnostics.js";
import type { Merge, MutableSchema } from "./merge.js";

/** Intersects `type`, `enum` and `const`. Runs last: other families may have excluded types, and bounds drop values. */
export function mergeValues(merge: Merge): void {
  const { out, types } = merge;
  if (types === 0) return merge.never(causesOf(merge, TYPES));
  let order: readonly TypeName[] | undefined;
  let isSpelledAsList = false;
  let stated = ANY_TYPE;
  let values: readonly JsonValue[] | undefined;
  let isConstant = false;
  for (const { node, keywords } of merge.parts) {
    const { type, enum: list, const: constant } = keywords;
    if (type !== undefined) {
      // One author's `["string"]` stays a list.
      isSpelledAsList = order === undefined && Array.isArray((node.value as { readonly type?: unknown }).type);
      order = order === undefined ? type : order.concat(type);
      stated &= maskOfTypes(type);
    }
    if (list !== undefined) values = intersection(values, list);
    if (constant === undefined) continue;
    values = intersection(values, [constant]);
    isConstant = true;
  }
  if (order !== undefined) {
    // A listed 1 does not turn the author's `number` into `integer`.
    const left = typesOfMask(stated & ((types & NUMBER) === 0 ? types : types | NUMBER), order);
    const [single] = left;
    if (single !== undefined) out.type = left.length > 1 || isSpelledAsList ? left : single;
  }
  if (values === undefined) return;
  const kept = values.filter((value) => (maskOfValue(value) & types) !== 0 && fits(value, out));
  const [only] = kept;
  if (only === undefined) return merge.never(causesOf(merge, values.length === 0 ? LISTS : BOUNDS));
  if (kept.length === 1 && isConstant) out.const = cloneJson(only);
  else out.enum = kept.map(cloneJson);
}

/** Gives the listed keywords of all parts as causes. An empty `enum` refuses everything on purpose. */
function causesOf(merge: Merge, keywords: readonly ValueKeyword[]): Cause[] {
  return merge.parts.flatMap((part) =>
    keywords.filter((keyword) => part.keywords[keyword] !== undefined).map((keyword) => cause(merge, part, keyword)),
  );
}

function cause(merge: Merge, part: Bound, keyword: ValueKeyword): Cause {
  return { ...merge.because(part, keyword), deliberate: keyword === "enum" && part.keywords.enum?.length === 0 };
}

const LISTS = ["enum", "const"] as const;
const TYPES = ["type", ...LISTS] as const;
const BOUNDS = [
  ...TYPES,
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "minLength",
  "maxLength",
] as const;

type ValueKeyword = (typeof BOUNDS)[number];

function intersection(left: readonly JsonValue[] | undefined, right: readonly JsonValue[]): readonly JsonValue[] {
  if (left === undefined) return right;
  const scalars = new Set(right);
  return left.filter(
    (value) => scalars.has(value) || (typeof value === "object" && right.some((other) => equalJson(value, other))),
  );
}

/** True if a listed value keeps to the merged bounds of its type. */
function fits(value: JsonValue, out: MutableSchema): boolean {
  if (typeof value === "number") {
    return (
      value >= (out.minimum ?? -Infinity) &&
      value <= (out.maximum ?? Infinity) &&
      (out.exclusiveMinimum === undefined || value > out.exclusiveMinimum) &&
      (out.exclusiveMaximum === undefined || value < out.exclusiveMaximum)
    );
  }
  if (typeof value === "string" && (out.minLength !== undefined || out.maxLength !== undefined)) {
    const { length } = Array.from(value);
    return length >= (out.minLength ?? 0) && length <= (out.maxLength ?? Infinity);
  }
  return true;
}
