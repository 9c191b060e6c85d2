import { dependentsOf } from "./dependents.js";
import type { Definition } from "./definition-stock.js";

/**
 * Names definitions after the author's names, with numbers for duplicates. A schema whose output form differs is named
 * `…Result` even without an input, so that names never depend on what else is imported.
 */
export function nameDefinitions(
  definitions: Iterable<Definition>,
  needsOf: ReadonlyMap<Definition, ReadonlySet<Definition>>,
  differByRole: ReadonlySet<Definition>,
): ReadonlyMap<Definition, string> {
  const different = dependentsOf([...differByRole], needsOf);
  const names = new Map<Definition, string>();
  const byMeaning = new Map<string, string>();
  const taken = new Set<string>();
  for (const definition of definitions) {
    const isResult = definition.role === "output" && different.has(definition);
    const meaning = `${isResult ? "result" : "schema"} ${definition.document.uri}#${definition.pointer}`;
    const wanted = isResult ? `${definition.authored}Result` : definition.authored;
    const name = byMeaning.get(meaning) ?? freeOf(wanted, taken);
    byMeaning.set(meaning, name);
    taken.add(name);
    names.set(definition, name);
  }
  return names;
}

function freeOf(wanted: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? wanted : `${wanted}${number}`;
    if (!taken.has(candidate)) return candidate;
  }
}
