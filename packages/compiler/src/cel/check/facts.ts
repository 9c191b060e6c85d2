import type { InputType } from "./input-type.js";

/** Facts about the input at one point of a predicate, learned from earlier tests. Keys name places. */
export interface Facts {
  /** Places that are present although the schema lets them be absent. */
  readonly present: ReadonlySet<string>;
  /** Places where fewer values can be than the schema allows. */
  readonly types: ReadonlyMap<string, InputType>;
}

/** Nothing is known beyond the schema. */
export const NO_FACTS: Facts = { present: new Set(), types: new Map() };

/** `facts`, and that something is at `key`. */
export function withPresent(facts: Facts, key: string): Facts {
  return { present: new Set([...facts.present, key]), types: facts.types };
}

/** `facts`, and that `key` holds what `place` says. */
export function withType(facts: Facts, key: string, type: InputType): Facts {
  return { present: facts.present, types: new Map([...facts.types, [key, type]]) };
}

/** A fact with more alternatives than this is forgotten; forgetting never makes a judgement unsound. */
const MOST_ALTERNATIVES = 256;

/** Returns the facts that hold after either of two branches. */
export function either(left: Facts, right: Facts): Facts {
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
