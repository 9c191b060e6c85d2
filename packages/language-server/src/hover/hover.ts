import type { FeaturePlace } from "../place/place.js";
import type { FileSpan } from "../model/file-span.js";
import { syntaxAt, type PlaceSyntax } from "../place/place.js";
import { describeField } from "./field.js";
import { describeKeywordFate } from "./keyword-fate.js";
import { describePermissionRule } from "./permission-rule.js";
import { describePlace } from "./format.js";
import { describeTool } from "./tool.js";

interface Hover {
  readonly markdown: string;
  readonly span: FileSpan;
}

/** Returns Markdown about a place; `undefined` if there is nothing to say. */
export type Describe = (place: FeaturePlace, syntax: PlaceSyntax) => string | undefined;

/** In the order in which they are shown. */
const DESCRIPTIONS: readonly Describe[] = [
  describeTool,
  describePermissionRule,
  describePlace,
  describeField,
  describeKeywordFate,
];

export function hover(place: FeaturePlace): Hover | undefined {
  const syntax = syntaxAt(place);
  if (syntax.part === "value" && syntax.node.kind !== "scalar") return undefined;
  const paragraphs = DESCRIPTIONS.flatMap((describe) => describe(place, syntax) ?? []);
  if (paragraphs.length === 0) return undefined;
  return { markdown: paragraphs.join("\n\n"), span: { uri: place.document.uri, ...syntax.span } };
}
