export {
  KEYWORDS,
  describesAnyValue,
  draftOf,
  holdsSchemas,
  isAnnotation,
  isKeyword,
  keywordIn,
  keywordNames,
  keywordRow,
} from "./vocabulary/keywords.js";
export type {
  AnnotationKeyword,
  ApplicatorKeyword,
  AssertionKeyword,
  Draft,
  IdentifierKeyword,
  ValidationKeyword,
  ValidationKeywordOf,
  Keyword,
  KeywordRow,
  KeywordValue,
  SchemaKeyword,
  UntypedKeyword,
} from "./vocabulary/keywords.js";
export { eachSubschema, mapSubschemas, pointerTo, subschemasOf, walkSchema } from "./vocabulary/walk-schema.js";
export type { Subschema, Visit } from "./vocabulary/walk-schema.js";
export { linearPattern } from "./patterns/linear-pattern.js";
export { comparePatterns, findMatch, type PatternDifference } from "./patterns/pattern-inclusion.js";
export type { LinearPattern } from "./patterns/linear-pattern.js";
export { canonicalText } from "@hasp/base/json";
export { closeSchema } from "./close/close-schema.js";
export type { CloseOptions, CloseResult } from "./close/close-schema.js";
export { findOpenLocations } from "./close/open-locations.js";
export type { OpenLocation } from "./close/open-locations.js";
