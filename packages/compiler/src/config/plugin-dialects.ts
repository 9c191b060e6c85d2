import { findSuggestions } from "../diagnostics/closest.js";
import type { Diagnostic, Found } from "../diagnostics/diagnostic.js";
import type { CompilePlan, DialectPlan, PluginPlan } from "../model/plan.js";
import { escapeToken } from "../model/json.js";
import { dialectOf, isOwnDialect, nameDialect } from "../model/dialect.js";
import { configDiagnostics } from "./diagnostics.js";
import { findTakenFields } from "./extra-fields.js";

/** Adds plugins to a plan, and their facts to each dialect that the plan names. */
export function withPlugins(plan: CompilePlan, plugins: readonly PluginPlan[]): Found<CompilePlan> {
  const known = plugins.flatMap((plugin) => plugin.dialects);
  const diagnostics: Diagnostic[] = [];
  const { locations = {} } = plan;
  const dialects = plan.dialects.map((dialect, index): DialectPlan => {
    const { id, extra = {} } = dialect;
    if (isOwnDialect(id)) return dialect;
    const location = locations[`/dialects/${index}`] ?? locations[`/dialects/${escapeToken(id)}`];
    const foreign = known.find((each) => each.id === id);
    if (foreign === undefined) {
      const nearest = findSuggestions(
        id,
        known.map((each) => each.id),
      );
      diagnostics.push(configDiagnostics("unknown-dialect", location, { dialect: id, nearest }));
      return dialect;
    }
    // Generated code names dialects without their hyphens and slashes.
    const twin = plan.dialects.find((each) => each.id !== id && nameDialect(each.id) === nameDialect(id));
    if (twin !== undefined) {
      diagnostics.push(configDiagnostics("similar-dialects", location, { dialect: id, twin: twin.id }));
    }
    const joined = { ...dialect, foreign };
    for (const field of findTakenFields(dialectOf(joined), extra)) {
      diagnostics.push(configDiagnostics("taken-field", location, { field, dialect: id }));
    }
    return joined;
  });
  return { value: { ...plan, dialects, ...(plugins.length === 0 ? {} : { plugins }) }, diagnostics };
}
