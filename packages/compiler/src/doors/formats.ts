export { haspConfigSchema, toolSpecSchema } from "../builtin/formats.js";
export { configSchemaForEditors, ledgerSchema } from "../spec/editor-schemas.js";
export { formatFindings } from "../spec/format-problems.js";
export { connectionDefinitions } from "../spec/handler-definitions.js";
export { HTTP_METHODS, HTTP_STYLES, MEDIA_TYPE } from "../builtin/handlers/http/http-schema.js";
export { createFormatCheck } from "../spec/own-schema.js";
export { policySchema } from "../spec/policy-schema.js";
