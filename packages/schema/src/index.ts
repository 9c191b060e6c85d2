import { closeDiagnostics } from "./close/diagnostics.js";
import type { DiagnosticDefinitions } from "@hasp/base/diagnostics";
import { depthDiagnostics } from "./diagnostics/define-diagnostics.js";
import { flattenDiagnostics } from "./flatten/conjunction/diagnostics.js";
import { lowerDiagnostics } from "./lower/context/diagnostics.js";
import { limitDiagnostics, requestDiagnostics } from "./lower/request/diagnostics.js";
import { resolveDiagnostics } from "./resolve/diagnostics.js";
export type { JsonArray, JsonObject, JsonValue } from "@hasp/base/json";
export type { JsonSchema, SchemaObject, TypeName, UncheckedSchema } from "./vocabulary/json-schema.js";
export type { Origin, SchemaDiagnostic, Severity } from "@hasp/base/diagnostics";
export type { Codec } from "./codec/codec.js";
export { type FlattenOptions, type FlattenResult, flatten } from "./flatten/flatten.js";
export { FlatSource } from "./lower/flat-source.js";
export { lower } from "./lower/lower.js";
export type { Loss, LowerOptions, LowerResult } from "./lower/context/types.js";
export { findWitnesses } from "./lower/losses/witness.js";
export type { SchemaMeasure } from "./lower/request/measure.js";
export {
  checkRequestTool,
  checkRequestTotals,
  createRequestBudget,
  measureShare,
  type RequestBudget,
} from "./lower/request/request.js";
export { wireNames } from "./lower/request/wire-names.js";
export {
  type Dialect,
  type DialectFamily,
  type DialectId,
  type DialectLimits,
  type DialectName,
  type KeywordTable,
  type NameRule,
  type PluginDialectId,
  type Shapes,
  type WireTool,
  defineDialect,
  dialects,
  forText,
  isStrict,
  strictVariant,
} from "./dialects/index.js";
export {
  createValidator,
  type ValidationError,
  type ValidationResult,
  type Validator,
  type ValidatorOptions,
} from "./validate/index.js";
export { closeSchema, type CloseOptions, type CloseResult } from "./close/close-schema.js";
export { findOpenLocations, type OpenLocation } from "./close/open-locations.js";
export { comparePatterns } from "./patterns/pattern-inclusion.js";

/** All findings of this package by the first part of their codes, for documentation. */
export const declaredDiagnostics: { readonly [phase in "schema" | "lower" | "request"]: DiagnosticDefinitions } = {
  schema: {
    ...depthDiagnostics.definitions,
    ...resolveDiagnostics.definitions,
    ...flattenDiagnostics.definitions,
    ...closeDiagnostics.definitions,
  },
  lower: { ...lowerDiagnostics.definitions, ...limitDiagnostics.definitions },
  request: requestDiagnostics.definitions,
};
