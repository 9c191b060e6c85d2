// Everything that @hasp/runtime needs, behind one entry: each further file costs its start about a millisecond.
export {
  KEYWORDS,
  canonicalText,
  closeSchema,
  eachSubschema,
  findOpenLocations,
  holdsSchemas,
  isKeyword,
  keywordRow,
  linearPattern,
  mapSubschemas,
  pointerTo,
  subschemasOf,
  walkSchema,
} from "./vocabulary.js";
export { createDecoder, inexactInteger } from "./codec/index.js";
export { createValidator } from "./validate/index.js";
export { unlowered } from "./dialects/entries.js";
export { parsePattern, type PatternNode } from "./patterns/parse-pattern.js";
