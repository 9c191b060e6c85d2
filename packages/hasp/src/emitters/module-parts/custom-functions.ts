import type { FlatTool } from "../../model/tool.js";
import type { CompiledPredicate } from "../../cel/compiled-predicate.js";

/** Whether custom functions judge (rules and flags) or check. */
export function customUses(tool: FlatTool): {
  readonly predicates: ReadonlySet<string>;
  readonly checks: ReadonlySet<string>;
} {
  const customNames = (predicates: readonly CompiledPredicate[]): ReadonlySet<string> =>
    new Set(predicates.flatMap((predicate) => (predicate.kind === "custom" ? [predicate.name] : [])));
  return {
    predicates: customNames([...tool.rules.map(({ when }) => when), ...tool.flags.map(({ predicate }) => predicate)]),
    checks: customNames(tool.checks.map(({ that }) => that)),
  };
}

/** The types of `@hasp/runtime/codegen/v1` that they need. */
export function customTypes(tool: FlatTool): readonly string[] {
  const { predicates, checks } = customUses(tool);
  return [...(checks.size > 0 ? ["type CustomCheck"] : []), ...(predicates.size > 0 ? ["type CustomPredicate"] : [])];
}

/** The functions of `@hasp/runtime/codegen/v1` that printed expressions call. */
export function helpersOf(tool: FlatTool): readonly string[] {
  const predicates = [
    ...tool.rules.map(({ when }) => when),
    ...tool.flags.map(({ predicate }) => predicate),
    ...tool.checks.map(({ that }) => that),
  ];
  return [...new Set(predicates.flatMap((predicate) => (predicate.kind === "expression" ? predicate.helpers : [])))];
}
