export { createMatcher, createValidator } from "./validator.js";
export type { ValidationError, ValidationResult, Validator, ValidatorOptions } from "./validator.js";
export { assertedFormats } from "./checks/formats.js";
