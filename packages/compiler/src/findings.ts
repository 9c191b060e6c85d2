import type { DiagnosticDefinitions } from "@hasp/base/diagnostics";
import { ledgerDiagnostics } from "./ledger/diagnostics.js";
import { templateDiagnostics } from "./phases/1-load/check-template.js";
import { loadDiagnostics } from "./phases/1-load/diagnostics.js";
import { resolveDiagnostics } from "./phases/2-resolve/diagnostics.js";
import { flattenDiagnostics } from "./phases/3-flatten/diagnostics.js";
import { checkDiagnostics } from "./phases/4-check/diagnostics.js";
import { lowerDiagnostics } from "./phases/5-lower/diagnostics.js";
import { dialectDiagnostics } from "./phases/5-lower/old-facts.js";
import { emitDiagnostics } from "./phases/6-emit/diagnostics.js";
import { pluginDiagnostics } from "./plugins/diagnostics.js";
import { policyDiagnostics } from "./policies/diagnostics.js";
import { flowDiagnostics } from "./policies/flow.js";

/** The findings that the compiler declares, by the first part of their codes. */
export const compilerFindings: { readonly [phase: string]: DiagnosticDefinitions } = {
  load: loadDiagnostics.definitions,
  template: templateDiagnostics.definitions,
  resolve: resolveDiagnostics.definitions,
  flatten: flattenDiagnostics.definitions,
  check: checkDiagnostics.definitions,
  lower: lowerDiagnostics.definitions,
  dialect: dialectDiagnostics.definitions,
  emit: emitDiagnostics.definitions,
  policy: policyDiagnostics.definitions,
  flow: flowDiagnostics.definitions,
  ledger: ledgerDiagnostics.definitions,
  plugin: pluginDiagnostics.definitions,
};
