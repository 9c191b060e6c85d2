// The parts that makers of tools need beside the keywords: unused code costs the start of a program milliseconds.

export { pointerTo } from "./vocabulary/walk-schema.js";
export { readReference, writeReference } from "@hasp/base/json";
export { allDecoders, createDecoderWith, plainDecoders } from "./codec/decode.js";
export { findDefaultFaults } from "./validate/default-faults.js";
export { allKeywords } from "./validate/keywords/combinations.js";
export { createValidatorWith } from "./validate/validator.js";
export { unlowered } from "./dialects/unlowered.js";
