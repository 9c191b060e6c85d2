export {
  standardOf,
  type StandardIssue,
  type StandardProperties,
  type StandardResult,
  type StandardSchema,
  type StandardTarget,
} from "./standard-schema.js";
