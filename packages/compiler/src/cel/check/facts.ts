import { once } from "@hasp/base/json";
import type { JsonValue } from "@hasp/schema";
import { type InputType, narrowFrom, narrowTo, filterByMember } from "./input-type.js";
import { findLiteral, type Facts, type TypedExpression, type InputPath } from "./typed-expression.js";

export const NO_FACTS: Facts = { present: new Set(), types: new Map() };

export function withPresent(facts: Facts, key: string): Facts {
  return { present: new Set([...facts.present, key]), types: facts.types };
}

function withType(facts: Facts, key: string, type: InputType): Facts {
  return { present: facts.present, types: new Map([...facts.types, [key, type]]) };
}

/** A fact with more alternatives than this is forgotten; forgetting never makes a judgement unsound. */
const MOST_ALTERNATIVES = 256;

/** Computes the facts that hold after either of two branches, but only when they are needed. */
export function joinFacts(left: () => Facts, right: () => Facts): () => Facts {
  return once(() => joined(left(), right()));
}

function joined(left: Facts, right: Facts): Facts {
  const present = new Set([...left.present].filter((key) => right.present.has(key)));
  const types = new Map<string, InputType>();
  for (const [key, type] of left.types) {
    const other = right.types.get(key);
    if (other === undefined) continue;
    const alternatives = [...new Set([...type.alternatives, ...other.alternatives])];
    if (alternatives.length <= MOST_ALTERNATIVES) types.set(key, { root: type.root, alternatives });
  }
  return { present, types };
}

/** Adds the facts that follow once `narrow` holds for a place, also about the union around it. */
export function addFacts(facts: Facts, at: InputPath, narrow: (type: InputType) => InputType): Facts {
  const known = withType(facts, at.key, narrow(facts.types.get(at.key) ?? at.type));
  if (at.holder === undefined) return known;
  const { path, name } = at.holder;
  const holder = facts.types.get(path.key) ?? path.type;
  return withType(
    known,
    path.key,
    filterByMember(holder, name, (member) => narrow(member).alternatives.length > 0),
  );
}

interface Comparison {
  readonly at: InputPath;
  readonly value: JsonValue;
}

/** Returns the place and the literal that two sides compare, in either order; `undefined` if they do not. */
export function readComparison(left: TypedExpression, right: TypedExpression): Comparison | undefined {
  for (const [field, other] of [
    [left, right],
    [right, left],
  ] as const) {
    const value = findLiteral(other);
    if (field.path !== undefined && value !== undefined) return { at: field.path, value };
  }
  return undefined;
}

export function narrowToOne(facts: Facts, at: InputPath, values: readonly JsonValue[]): () => Facts {
  return once(() => addFacts(facts, at, (type) => narrowTo(type, values)));
}

export function narrowToNone(facts: Facts, at: InputPath, values: readonly JsonValue[]): () => Facts {
  return once(() => addFacts(facts, at, (type) => narrowFrom(type, values)));
}
