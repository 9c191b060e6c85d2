import type { JsonValue } from "@hasp/schema";
import { canonical } from "../specs/imported-part.js";
import type { Definition } from "./definition-stock.js";
import { dependentsOf } from "./dependents.js";
import { mapReferences } from "./map-references.js";

/**
 * A name for each definition: the author's own, with a number where two are called alike. A schema that is read as input
 * and as output is one definition if it says the same in both roles, to the end of its references; else the output is
 * called `…Result`.
 */
export function nameDefinitions(
  values: ReadonlyMap<Definition, JsonValue>,
  needsOf: ReadonlyMap<Definition, ReadonlySet<Definition>>,
): ReadonlyMap<Definition, string> {
  const inputs = new Map([...values.keys()].filter(({ role }) => role === "input").map((definition) => [placeOf(definition), definition]));
  const twins = sameInBothRoles(values, needsOf, inputs);
  const names = new Map<Definition, string>();
  const taken = new Set<string>();
  const inputsFirst = [...values.keys()].toSorted((left, right) => (left.role === right.role ? 0 : left.role === "input" ? -1 : 1));
  for (const definition of inputsFirst) {
    const twin = twins.get(definition);
    const twinName = twin === undefined ? undefined : names.get(twin);
    const isOtherOutput = definition.role === "output" && inputs.has(placeOf(definition));
    const wanted = isOtherOutput ? `${definition.authored}Result` : definition.authored;
    let name = twinName ?? wanted;
    for (let number = 2; twinName === undefined && taken.has(name); number += 1) name = `${wanted}${number}`;
    taken.add(name);
    names.set(definition, name);
  }
  return names;
}

/** Pairs of an output and the input that says the same, by output. */
function sameInBothRoles(
  values: ReadonlyMap<Definition, JsonValue>,
  needsOf: ReadonlyMap<Definition, ReadonlySet<Definition>>,
  inputs: ReadonlyMap<string, Definition>,
): ReadonlyMap<Definition, Definition> {
  const byPlaceholder = new Map([...values.keys()].map((definition) => [definition.placeholder, definition]));
  // With places for placeholders, the same words are the same text in both roles.
  const textOf = (definition: Definition): string =>
    canonical(
      mapReferences(values.get(definition) ?? null, (reference) => {
        const end = reference.indexOf("#") + 1;
        const target = byPlaceholder.get(reference.slice(0, end));
        return target === undefined ? reference : `${placeOf(target)} ${reference.slice(end)}`;
      }),
    );
  const outputs = [...values.keys()].filter(({ role }) => role === "output");
  const unlike = outputs.filter((output) => {
    const input = inputs.get(placeOf(output));
    return input === undefined || textOf(output) !== textOf(input);
  });
  const unlikeInTheEnd = dependentsOf(unlike, needsOf);
  return new Map(
    outputs.flatMap((output): [Definition, Definition][] => {
      const input = inputs.get(placeOf(output));
      return input === undefined || unlikeInTheEnd.has(output) ? [] : [[output, input]];
    }),
  );
}

const placeOf = ({ document, pointer }: Definition): string => `${document.uri}#${pointer}`;
