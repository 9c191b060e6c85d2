// Everything that @hasp/runtime needs, and nothing else, behind one entry: unused code costs its start milliseconds.
export { KEYWORDS, holdsSchemas, isKeyword, keywordRow } from "./vocabulary/keywords.js";
export { eachSubschema, mapSubschemas, pointerTo, subschemasOf, walkSchema } from "./vocabulary/walk-schema.js";
export { canonicalText } from "./json/json-value.js";
export { inexactInteger } from "./json/exact-number.js";
export { closeSchema } from "./close/close-schema.js";
export { findOpenLocations } from "./close/open-locations.js";
export { createDecoder } from "./codec/decode.js";
export { createValidator } from "./validate/validator.js";
export {
  type UnhintedTool,
  unlowered,
  wrapForAiSdk,
  wrapForAnthropic,
  wrapForBedrock,
  wrapForCohere,
  wrapForGeminiJsonSchema,
  wrapForMcp,
  wrapForMcp2025,
  wrapForOpenaiChat,
  wrapForOpenaiResponses,
} from "./dialects/definition/wire-entries.js";
export { linearPattern } from "./patterns/linear-pattern.js";
export { parsePattern, type PatternNode } from "./patterns/parse-pattern.js";
