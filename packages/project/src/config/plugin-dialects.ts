import type { JsonValue } from "@hasp/schema";
import { findSuggestions, type Diagnostic, type Found } from "@hasp/base/diagnostics";
import {
  type CompilePlan,
  type DialectPlan,
  type PluginPlan,
  dialectOf,
  ENTRY_PARTS,
  isOwnDialect,
  nameDialect,
} from "@hasp/compiler/model";
import { escapeToken } from "@hasp/base/json";
import { configDiagnostics } from "./diagnostics.js";
import { findTakenFields } from "./extra-fields.js";

/** The words by which providers tell kinds of tools apart: they claim nothing about the tool. */
const KINDS: ReadonlySet<JsonValue> = new Set(["custom", "function", "tool"]);

interface FieldConstant {
  readonly field: string;
  readonly value: string;
}

/** Lists what an entry says of every tool alike, except for its kind. Texts such as `$name` stand for parts of the tool. */
function listConstants(value: JsonValue, field = ""): readonly FieldConstant[] {
  const members = typeof value === "object" && value !== null ? Object.entries(value) : [];
  if (members.length > 0) {
    return members.flatMap(([key, inner]) => listConstants(inner, field === "" ? key : `${field}.${key}`));
  }
  const isPart = ENTRY_PARTS.some((part) => value === `$${part}`);
  const isKind = /(?:^|\.)(?:kind|type)$/u.test(field) && KINDS.has(value);
  return isPart || isKind ? [] : [{ field, value: JSON.stringify(value) }];
}

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
    for (const { field, value } of listConstants(foreign.entry)) {
      diagnostics.push(configDiagnostics("constant-in-entry", location, { dialect: id, field, value }));
    }
    const joined = { ...dialect, foreign };
    for (const field of findTakenFields(dialectOf(joined), extra)) {
      diagnostics.push(configDiagnostics("taken-field", location, { field, dialect: id }));
    }
    return joined;
  });
  return { value: { ...plan, dialects, ...(plugins.length === 0 ? {} : { plugins }) }, diagnostics };
}
