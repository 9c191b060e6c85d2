import { createBinder, type BinderOptions } from "../resolve/binder.js";
import type { SchemaDiagnostic } from "../diagnostics/diagnostic.js";
import { flattenRoot } from "./flattener.js";
import type { FlattenOptions, FlattenResult } from "./types.js";

/**
 * Removes `$ref`, `$defs` and `allOf` from a schema without changing which values are valid. What cannot be merged
 * exactly stays in an `allOf`, recursion stays in `$defs`, and both are said in the diagnostics. The result is always
 * draft 2020-12. Pure: the input is never changed, and the result shares nothing with it. Where an error leaves open
 * what the schema means, the result is `false`: who overlooks the diagnostics lets nothing through.
 */
export function flatten(schema: unknown, options: FlattenOptions = {}): FlattenResult {
  const binding: Omit<BinderOptions, "dynamicScopes"> = {
    baseUri: options.baseUri ?? "",
    pointer: options.pointer ?? "",
    resolve: options.resolve,
    draft: options.draft ?? "2020-12",
    unknownKeywords: options.unknownKeywords ?? "keep",
  };
  const budgets = { nodes: options.nodeBudget ?? 50_000, branches: options.branchBudget ?? 64 };
  let binder = createBinder(schema, { ...binding, dynamicScopes: false });
  let flattened = binder.isUsable() ? flattenRoot(binder, budgets) : undefined;
  if (binder.needsDynamicScopes()) {
    binder = createBinder(schema, { ...binding, dynamicScopes: true });
    flattened = binder.isUsable() ? flattenRoot(binder, budgets) : undefined;
  }
  const { diagnostics, origin } = binder;
  binder.release();
  const sitesOf = flattened?.sitesOf;
  return {
    schema: diagnostics.some(leavesMeaningOpen) ? false : (flattened?.schema ?? false),
    diagnostics,
    originsOf: (node) => (sitesOf?.get(node) ?? []).map((node) => origin(node)),
  };
}

/** A dead property is its author's mistake, but the schema says exactly what it says. */
function leavesMeaningOpen({ severity, code }: SchemaDiagnostic): boolean {
  return severity === "error" && code !== "schema/dead-property";
}
