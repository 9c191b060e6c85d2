export { compilerFindings } from "../findings.js";
export { emitDiagnostics } from "../phases/6-emit/diagnostics.js";
