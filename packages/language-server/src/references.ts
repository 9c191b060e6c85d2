import type { FeaturePlace } from "./place/place.js";
import type { FileSpan } from "./model/file-span.js";
import { projectFiles } from "./place/project-files.js";
import { occurrencesOf } from "./symbols/occurrences.js";
import { symbolAt } from "./symbols/symbol.js";

/** Finds every place that names the tool or definition at a place. */
export function references(
  place: FeaturePlace,
  { includeDeclaration }: { readonly includeDeclaration: boolean },
): readonly FileSpan[] {
  const symbol = symbolAt(place);
  if (symbol === undefined) return [];
  return occurrencesOf(symbol, place.project, projectFiles(place))
    .filter(({ isDeclaration }) => includeDeclaration || !isDeclaration)
    .map(({ span }) => span);
}
