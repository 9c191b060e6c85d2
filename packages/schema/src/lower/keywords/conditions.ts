import type { Keyword } from "../../dialects/definition/keyword-table.js";
import { actionFor, type LoweringContext } from "../context/context.js";
import { dropKeyword, type NodeBuilder } from "../context/node-builder.js";
import { isUnevaluatedDynamic } from "../context/schema-facts.js";
import { isVerbatim } from "./verbatim.js";

/**
 * Lowers `not`, `allOf`, `if` and other applicators in place. They are kept only if their subschemas pass unchanged,
 * since a wider schema inside a negation would narrow the whole.
 */
export function lowerConditions(context: LoweringContext, builder: NodeBuilder): void {
  const { source } = builder;
  const hasRenamed =
    source.properties !== undefined && builder.kept.get("properties") !== undefined && hasNewNames(builder);
  const keep = (keyword: Keyword, inner: readonly unknown[]): boolean =>
    actionFor(context, keyword, builder.isRoot) === "keep" &&
    !hasRenamed &&
    inner.every((schema) => isVerbatim(context, schema));
  const single: readonly (readonly [Keyword, readonly unknown[]])[] = [
    ["allOf", source.allOf ?? []],
    ["not", [source.not]],
    ["dependentSchemas", Object.values(source.dependentSchemas ?? {})],
    ["dependentRequired", []],
  ];
  for (const [keyword, inner] of single) {
    if (source[keyword] === undefined) continue;
    if (keep(keyword, inner)) builder.kept.set(keyword, source[keyword]);
    else dropKeyword(context, builder, keyword);
  }
  if (source.if !== undefined && (source.then !== undefined || source.else !== undefined)) {
    if (keep("if", [source.if, source.then ?? true, source.else ?? true])) {
      for (const keyword of ["if", "then", "else"] as const) {
        if (source[keyword] !== undefined) builder.kept.set(keyword, source[keyword]);
      }
    } else {
      dropKeyword(context, builder, "if");
    }
  }
}

function hasNewNames(builder: NodeBuilder): boolean {
  const names = Object.keys(builder.source.properties ?? {});
  const wires = Object.keys((builder.kept.get("properties") ?? {}) as object);
  return wires.some((wire) => !names.includes(wire));
}

/** The keywords of the same node that evaluate some parts of a value, and the one that evaluates all others. */
const EVALUATED_BY = {
  unevaluatedProperties: { evaluators: ["properties", "patternProperties"], covering: "additionalProperties" },
  unevaluatedItems: { evaluators: ["prefixItems", "contains"], covering: "items" },
} as const;

/**
 * Lowers `unevaluated…`. It depends on every applicator in place, so it is kept only if all of them passed unchanged.
 * Without such applicators, objects and arrays have already covered it by `additionalProperties` and `items`.
 */
export function lowerUnevaluated(context: LoweringContext, builder: NodeBuilder, isUnchanged: boolean): void {
  const { source } = builder;
  for (const keyword of ["unevaluatedProperties", "unevaluatedItems"] as const) {
    const value = source[keyword];
    const { evaluators, covering } = EVALUATED_BY[keyword];
    if (value === undefined || value === true || source[covering] !== undefined) continue;
    if (!isUnevaluatedDynamic(source, keyword)) continue;
    const isWhole = isUnchanged && evaluators.every((each) => source[each] === undefined || builder.kept.has(each));
    if (actionFor(context, keyword, builder.isRoot) === "keep" && isWhole && isVerbatim(context, value)) {
      builder.kept.set(keyword, value);
    } else {
      dropKeyword(context, builder, keyword);
    }
  }
}
