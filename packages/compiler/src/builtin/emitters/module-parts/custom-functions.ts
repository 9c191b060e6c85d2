import type { CompiledPredicate } from "../../../model/conditions/compiled-predicate.js";
import type { FlatTool } from "../../../model/tool.js";

/** Finds the custom functions that judge (rules and flags) and those that check. */
export function findCustomUses({ rules, flags, checks }: FlatTool): {
  readonly predicates: ReadonlySet<string>;
  readonly checks: ReadonlySet<string>;
} {
  const customNames = (predicates: readonly CompiledPredicate[]): ReadonlySet<string> =>
    new Set(predicates.flatMap((predicate) => (predicate.kind === "custom" ? [predicate.name] : [])));
  return {
    predicates: customNames([...rules.map(({ when }) => when), ...flags.map(({ predicate }) => predicate)]),
    checks: customNames(checks.map(({ that }) => that)),
  };
}

/** Names the types from `@hasp/runtime/codegen/v1` that custom functions need. */
export function listCustomTypes(tool: FlatTool): readonly string[] {
  const { predicates, checks } = findCustomUses(tool);
  return [...(checks.size > 0 ? ["CustomCheck"] : []), ...(predicates.size > 0 ? ["CustomPredicate"] : [])];
}

/** Lists a tool's predicates in the order of its module. */
export function listPredicates({ rules, flags, checks }: FlatTool): readonly CompiledPredicate[] {
  return [
    ...rules.map(({ when }) => when),
    ...flags.map(({ predicate }) => predicate),
    ...checks.map(({ that }) => that),
  ];
}

/** Names the functions from `@hasp/runtime/codegen/v1` that printed expressions call. */
export function listHelpers(tool: FlatTool): readonly string[] {
  return [
    ...new Set(listPredicates(tool).flatMap((predicate) => (predicate.kind === "expression" ? predicate.helpers : []))),
  ];
}
