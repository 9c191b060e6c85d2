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
export { type Subschema, eachSubschema, mapSubschemas, listSubschemas, walkSchema } from "./vocabulary/walk-schema.js";
export { linearPattern } from "./patterns/linear-pattern.js";
export type { LinearPattern } from "./patterns/linear-pattern.js";
