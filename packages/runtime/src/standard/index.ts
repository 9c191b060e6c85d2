export { standardInput, standardOf, type StandardIssue, type StandardResult, type StandardSchema, type StandardTarget } from "./standard-schema.js";
