import { closeDiagnostics } from "./close/diagnostics.js";
import type { DiagnosticDefinitions } from "./diagnostics/message.js";
import { depthDiagnostics } from "./diagnostics/define-diagnostics.js";
import { flattenDiagnostics } from "./flatten/conjunction/diagnostics.js";
import { lowerDiagnostics } from "./lower/context/diagnostics.js";
import { limitDiagnostics, requestDiagnostics } from "./lower/request/diagnostics.js";
import { resolveDiagnostics } from "./resolve/diagnostics.js";

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
