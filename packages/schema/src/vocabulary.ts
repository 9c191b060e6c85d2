export {
  KEYWORDS,
  describesAnyValue,
  holdsSchemas,
  isAnnotation,
  isKeyword,
  keywordNames,
  keywordRow,
} from "./vocabulary/keywords.js";
export type { ValidationKeyword, Keyword, KeywordRow, SchemaKeyword } from "./vocabulary/keywords.js";
export { eachSubschema, mapSubschemas, listSubschemas, walkSchema } from "./vocabulary/walk-schema.js";
export type { Subschema } from "./vocabulary/walk-schema.js";
export { linearPattern } from "./patterns/linear-pattern.js";
export { comparePatterns } from "./patterns/pattern-inclusion.js";
export type { LinearPattern } from "./patterns/linear-pattern.js";
export { closeSchema } from "./close/close-schema.js";
export type { CloseOptions, CloseResult } from "./close/close-schema.js";
export { findOpenLocations } from "./close/open-locations.js";
export type { OpenLocation } from "./close/open-locations.js";
