export {
  KEYWORDS,
  describesAnyValue,
  holdsSchemas,
  isAnnotation,
  isKeyword,
  keywordNames,
  keywordRow,
  type ValidationKeyword,
  type Keyword,
  type KeywordRow,
  type SchemaKeyword,
} from "./vocabulary/keywords.js";
export { type Subschema, eachSubschema, mapSubschemas, listSubschemas, walkSchema } from "./vocabulary/walk-schema.js";
export { linearPattern, type LinearPattern } from "./patterns/linear-pattern.js";
