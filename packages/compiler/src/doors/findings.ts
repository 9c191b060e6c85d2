export { resolveDiagnostics } from "../phases/2-resolve/diagnostics.js";
export { flattenDiagnostics } from "../phases/3-flatten/diagnostics.js";
export { checkDiagnostics } from "../phases/4-check/diagnostics.js";
export { lowerDiagnostics } from "../phases/5-lower/diagnostics.js";
export { dialectDiagnostics } from "../phases/5-lower/old-facts.js";
export { emitDiagnostics } from "../phases/6-emit/diagnostics.js";
