export type { JsonArray, JsonObject, JsonValue } from "./json/json.js";
export type { JsonSchema, SchemaMap, SchemaObject, TypeName, UncheckedSchema } from "./vocabulary/json-schema.js";
export { declaredDiagnostics } from "./declared-diagnostics.js";
export type { Origin, SchemaDiagnostic, Severity } from "./diagnostics/diagnostic.js";
export type { Codec } from "./codec/codec.js";
export { decode, encode } from "./codec/index.js";
export type { FlattenOptions, FlattenResult } from "./flatten/types.js";
export {
  FlatSource,
  checkRequest,
  checkRequestTool,
  checkRequestTotals,
  createRequestBudget,
  findWitnesses,
  lower,
  measureSchema,
  needsMeasure,
  requestLimits,
  wireNames,
} from "./lower/index.js";
export type {
  Loss,
  LowerOptions,
  LowerResult,
  RequestBudget,
  RequestFinding,
  RequestLimit,
  RequestShare,
  RequestTool,
  SchemaMeasure,
} from "./lower/index.js";
export type {
  Dialect,
  DialectFamily,
  DialectId,
  Keyword,
  KeywordAction,
  KeywordTable,
  WireTool,
} from "./dialects/index.js";
export { defineDialect, dialects, isStrict, keywordTable, looseVariant, strictVariant } from "./dialects/index.js";
export { canonicalText } from "./json/canonical-text.js";
export { assertedFormats, createValidator } from "./validate/index.js";
export type {
  AssertedFormat,
  ValidationError,
  ValidationResult,
  Validator,
  ValidatorOptions,
} from "./validate/index.js";
export { flatten } from "./flatten/index.js";
