import type { SchemaObject } from "@hasp/schema";
import type { Alternative } from "./alternatives.js";

const UPPER = ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"] as const;
const LOWER = ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"] as const;
type Bound = (typeof UPPER)[number] | (typeof LOWER)[number];

/** Finds the tightest bound among the inner parts. */
export function bound(inner: Alternative, keyword: Bound): number | undefined {
  const bounds = inner.flatMap(({ schema }) => schema[keyword] ?? []);
  if (bounds.length === 0) return undefined;
  return (UPPER as readonly string[]).includes(keyword) ? Math.min(...bounds) : Math.max(...bounds);
}

export function isImplied(keyword: string, inner: Alternative, outer: SchemaObject): boolean {
  const limit = outer[keyword];
  if (typeof limit !== "number") return false;
  switch (keyword) {
    case "maximum":
      return (bound(inner, "maximum") ?? Infinity) <= limit || (bound(inner, "exclusiveMaximum") ?? Infinity) <= limit;
    case "exclusiveMaximum":
      return (bound(inner, "maximum") ?? Infinity) < limit || (bound(inner, "exclusiveMaximum") ?? Infinity) <= limit;
    case "minimum":
      return (
        (bound(inner, "minimum") ?? -Infinity) >= limit || (bound(inner, "exclusiveMinimum") ?? -Infinity) >= limit
      );
    case "exclusiveMinimum":
      return (bound(inner, "minimum") ?? -Infinity) > limit || (bound(inner, "exclusiveMinimum") ?? -Infinity) >= limit;
    case "multipleOf":
      return inner.some(
        ({ schema: { multipleOf } }) => isWhole(multipleOf) && isWhole(limit) && multipleOf % limit === 0,
      );
    case "maxLength":
    case "maxItems":
    case "maxProperties":
      return (bound(inner, keyword) ?? Infinity) <= limit;
    case "minLength":
    case "minItems":
    case "minProperties":
      return (bound(inner, keyword) ?? 0) >= limit;
    default:
      return false;
  }
}

/** Binary fractions do not divide exactly. */
function isWhole(value: number | undefined): value is number {
  return Number.isInteger(value);
}
