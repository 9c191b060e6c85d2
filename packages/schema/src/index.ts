export type { JsonArray, JsonObject, JsonValue } from "./json.js";
export type { JsonSchema, SchemaMap, SchemaObject, TypeName, UncheckedSchema } from "./json-schema.js";
export type { Origin, SchemaDiagnostic, Severity } from "./diagnostic.js";
export type { Codec } from "./codec/codec.js";
export type { FlattenOptions, FlattenResult } from "./flatten/types.js";
export type { Loss, LowerOptions, LowerResult } from "./lower/types.js";
export type { DialectFamily, DialectId, WireTool } from "./dialects/dialect.js";
export { assertedFormats, createValidator } from "./validate/index.js";
export type { AssertedFormat, ValidationError, ValidationResult, Validator, ValidatorOptions } from "./validate/index.js";
