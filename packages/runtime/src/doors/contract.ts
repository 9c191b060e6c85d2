export { hasWildcard, matchesPattern, namesTool } from "../dispatch/permissions/tool-pattern.js";
export { answerNow, guard, loadOnce } from "../tool/callback.js";
export {
  FAIL_CLOSED_DEFAULTS,
  FIELDS,
  FIELD_ENTRIES,
  type Field,
  type FieldEntry,
  type FieldGroup,
  type FieldName,
  type FieldPath,
  type FieldValue,
  type FieldValues,
  type FlagValues,
  OUTPUT_CHECK,
  type OutputCheck,
  VARYING_FLAGS,
  type VaryingFlag,
  entailedBy,
  expectedValue,
  flagsOfRow,
  toHints,
  isLooser,
  createMetadata,
  strictest,
} from "../tool/fields.js";
export { decideFlow, strictestFlow } from "../tool/flow-setting.js";
export { TOOL_KEYS } from "../tool/keys.js";
export { type Contradiction, findContradictions, resolveMetadata } from "../tool/metadata.js";
export { RESOURCE_KEY_PATTERN } from "../tool/resource-key.js";
export { isSecretSchema } from "../tool/secret-schema.js";
export { BUILT_IN_TOOLS, RUN_PROGRAM, SEARCH_TOOLS } from "../tool/tool-names.js";
export { VERSION } from "../tool/version.js";
