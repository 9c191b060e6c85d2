import type { DiagnosticDefinitions } from "@hasp/base/diagnostics";
import { configDiagnostics } from "./config/diagnostics.js";
import { driftDiagnostics, writeDiagnostics } from "./output/output-diagnostics.js";
import { projectDiagnostics } from "./read/diagnostics.js";

/** The findings about a project on disk, by the first part of their codes. */
export const projectFindings: { readonly [phase: string]: DiagnosticDefinitions } = {
  config: configDiagnostics.definitions,
  project: projectDiagnostics.definitions,
  write: writeDiagnostics.definitions,
  drift: driftDiagnostics.definitions,
};
