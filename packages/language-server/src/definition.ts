import type { FeaturePlace } from "./place/place.js";
import type { FileSpan } from "./model/file-span.js";
import { occurrencesOf } from "./symbols/occurrences.js";
import { symbolAt } from "./symbols/symbol.js";
import { nodeAt } from "./syntax/cursor.js";
import { syntaxOf } from "./syntax/syntax-tree.js";
import { pointerTokens } from "../../compiler/src/model/json-pointer.js";

/** Finds the declaration of the tool or definition named at a place. */
export function definition(place: FeaturePlace): readonly FileSpan[] {
  const { project } = place;
  const symbol = symbolAt(place);
  if (symbol === undefined) return [];
  const declared = occurrencesOf(symbol, project).filter(({ isDeclaration }) => isDeclaration);
  if (declared.length > 0 || symbol.kind === "tool") return declared.map(({ span }) => span);
  // A reference to a whole file, or to something without a name.
  const source = project.sources.find(({ uri }) => uri === symbol.uri);
  const node = source && nodeAt(syntaxOf(source, project.cache), pointerTokens(symbol.pointer));
  return node === undefined ? [] : [{ uri: symbol.uri, start: node.start, end: node.start }];
}
