export { createJudge, createValidator } from "./validator.js";
export type { ValidationError, ValidationResult, Validator, ValidatorOptions } from "./validator.js";
export { assertedFormats } from "./formats.js";
export type { AssertedFormat } from "./formats.js";
