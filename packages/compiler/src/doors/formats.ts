export { findFieldHelp } from "../model/field-schemas.js";
export { configSchemaForEditors, createLedgerSchema } from "../spec/editor-schemas.js";
export { formatFindings } from "../spec/format-problems.js";
export { connectionDefinitions } from "../spec/handler-definitions.js";
export { createConfigSchema, EARLIER_KEYS } from "../spec/hasp-config-schema.js";
export { createFormatCheck, type FormatCheck } from "../spec/own-schema.js";
export { policySchema } from "../spec/policy-schema.js";
export { createToolSpecSchema } from "../spec/tool-spec-schema.js";
