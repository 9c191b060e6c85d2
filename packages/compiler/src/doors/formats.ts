export { configSchemaForEditors } from "../spec/config-schema-for-editors.js";
export { formatFindings } from "../spec/format-problems.js";
export { HTTP_STYLES, connectionDefinitions } from "../spec/handlers/definitions.js";
export { HTTP_METHODS, MEDIA_TYPE } from "../spec/handlers/http-schema.js";
export { haspConfigSchema } from "../spec/hasp-config-schema.js";
export { ledgerSchema } from "../spec/ledger-schema.js";
export { createFormatCheck } from "../spec/own-schema.js";
export { policySchema } from "../spec/policy-schema.js";
export { toolSpecSchema } from "../spec/tool-spec-schema.js";
