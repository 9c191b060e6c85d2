export {
  createMatcher,
  createValidator,
  type ValidationError,
  type ValidationResult,
  type Validator,
  type ValidatorOptions,
} from "./validator.js";
export { assertedFormats } from "./checks/formats.js";
