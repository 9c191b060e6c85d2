import type { JsonValue } from "@hasp/schema";
import { withType, type Facts } from "./facts.js";
import { literalOf, type TypedExpression, type InputPath } from "./typed-expression.js";
import { narrowedFrom, narrowedTo, whereMember, type InputType } from "./input-type.js";

/**
 * Adds the facts that follow once `narrow` holds for a place: facts about the place itself, and about the union that
 * has it as a field.
 */
export function knowing(facts: Facts, at: InputPath, narrow: (type: InputType) => InputType): Facts {
  const known = withType(facts, at.key, narrow(facts.types.get(at.key) ?? at.type));
  if (at.holder === undefined) return known;
  const { path, name } = at.holder;
  const holder = facts.types.get(path.key) ?? path.type;
  return withType(
    known,
    path.key,
    whereMember(holder, name, (member) => narrow(member).alternatives.length > 0),
  );
}

/** A comparison of a place of the input with a literal. */
interface Comparison {
  readonly at: InputPath;
  readonly value: JsonValue;
}

/** The place and the literal that two sides compare, whichever way round; `undefined` where they are not that. */
export function readComparison(left: TypedExpression, right: TypedExpression): Comparison | undefined {
  for (const [field, other] of [
    [left, right],
    [right, left],
  ] as const) {
    const value = literalOf(other);
    if (field.path !== undefined && value !== undefined) return { at: field.path, value };
  }
  return undefined;
}

/** Adds the facts that follow once a place holds one of `values`. */
export function narrowToOne(facts: Facts, at: InputPath, values: readonly JsonValue[]): Facts {
  return knowing(facts, at, (type) => narrowedTo(type, values));
}

/** Adds the facts that follow once a place holds none of `values`. */
export function narrowToNone(facts: Facts, at: InputPath, values: readonly JsonValue[]): Facts {
  return knowing(facts, at, (type) => narrowedFrom(type, values));
}
