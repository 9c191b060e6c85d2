import { ARRAY } from "../../json/type-mask.js";
import type { Bound, SchemaNode } from "../../resolve/types.js";
import { residual } from "../conjunction/diagnostics.js";
import { mergeCounts } from "./counts.js";
import type { Merge, MutableSchema } from "./merge.js";

/** Conjoins tuples position by position; `items` of one part meets the longer `prefixItems` of another. */
export function mergeArrays(merge: Merge): void {
  const { parts, out } = merge;
  const length = Math.max(0, ...parts.map(({ keywords }) => keywords.prefixItems?.length ?? 0));
  if (length > 0) {
    out.prefixItems = Array.from({ length }, (_, index) => {
      const declared = placesOf(parts, ({ keywords }) => keywords.prefixItems?.[index]);
      const terms = placesOf(parts, ({ keywords }) => keywords.prefixItems?.[index] ?? keywords.items);
      return item(merge, terms, declared);
    });
  }
  const rest = placesOf(parts, ({ keywords }) => keywords.items);
  if (rest.length > 0) {
    out.items = item(
      merge,
      rest,
      placesOf(parts, (part) => (part.synthetic ? undefined : part.keywords.items)),
    );
  }
  mergeCounts(merge, "minItems", "maxItems", ARRAY);
  excludeMissingItems(merge);
  mergeContains(merge);
  if (parts.some(({ keywords }) => keywords.uniqueItems === true)) out.uniqueItems = true;
}

function placesOf(parts: readonly Bound[], pick: (part: Bound) => SchemaNode | undefined): SchemaNode[] {
  return parts.flatMap((part) => pick(part) ?? []);
}

function item(merge: Merge, terms: readonly SchemaNode[], declared: readonly SchemaNode[]): ReturnType<Merge["build"]> {
  const schema = merge.build(terms, "child");
  // `items: false` ends a tuple on purpose.
  const written = declared.filter(({ value }) => value !== false);
  merge.declare(written, undefined, schema === false ? merge.causes() : undefined);
  return schema;
}

/** Excludes arrays if `minItems` asks for an item that no value can be. */
function excludeMissingItems(merge: Merge): void {
  const { prefixItems = [], items, minItems = 0 } = merge.out;
  const dead = prefixItems.indexOf(false);
  const possible = dead !== -1 ? dead : items === false ? prefixItems.length : Infinity;
  const asking = merge.parts.find(({ keywords }) => (keywords.minItems ?? 0) > possible);
  if (minItems <= possible || asking === undefined) return;
  const keyword = dead === -1 ? "items" : "prefixItems";
  const forbidding = merge.parts.find(({ keywords }) => keywords[keyword] !== undefined);
  merge.exclude(ARRAY, [
    merge.because(asking, "minItems"),
    ...(forbidding === undefined
      ? []
      : [merge.because(forbidding, keyword, { variant: "impossibleItem", keyword, index: possible })]),
  ]);
}

/** Merges `contains`. A schema has room for one; two of them count different items and stay two. */
function mergeContains(merge: Merge): void {
  const found = new Map<string, Bound>();
  for (const part of merge.parts) {
    const { contains, minContains, maxContains } = part.keywords;
    if (contains !== undefined) found.set(`${contains.id} ${minContains} ${maxContains}`, part);
  }
  for (const { keywords } of found.values()) {
    const target: MutableSchema = found.size === 1 ? merge.out : {};
    const { contains, minContains, maxContains } = keywords;
    if (contains !== undefined) target.contains = merge.build([contains], "child");
    if (minContains !== undefined) target.minContains = minContains;
    if (maxContains !== undefined) target.maxContains = maxContains;
    if (found.size > 1) merge.residual(target);
  }
  if (found.size < 2) return;
  const origins = Array.from(found.values(), (part) => merge.origin(part, "contains"));
  merge.report(residual("contains", origins));
}
