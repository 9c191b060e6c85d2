// Everything that @hasp/runtime needs, and nothing else, behind one entry: unused code costs its start milliseconds.

export { KEYWORDS, describesAnyValue, holdsSchemas, isKeyword, keywordRow } from "./vocabulary/keywords.js";
export { eachSubschema, mapSubschemas, pointerTo, subschemasOf, walkSchema } from "./vocabulary/walk-schema.js";
export { canonicalText } from "@hasp/base/json";
export { findValueAt, followReference, readReference, writeReference } from "@hasp/base/json";
export { inexactInteger } from "@hasp/base/json";
export { findNearestName } from "@hasp/base/diagnostics";
export { allDecoders, createDecoderWith, type Decoders, plainDecoders } from "./codec/decode.js";
export { findDefaultFaults } from "./validate/default-faults.js";
export { createValidator, createValidatorWith } from "./validate/validator.js";
export { linearPattern, type PatternEngine } from "./patterns/linear-pattern.js";
export { unlowered } from "./dialects/unlowered.js";
