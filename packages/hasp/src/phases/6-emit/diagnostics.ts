import { defineDiagnostics, type DiagnosticFactory } from "../../diagnostics/define-diagnostics.js";

const definitions = {
  "same-path": {
    severity: "error",
    message: '"{path}" and "{other}" are one file on a disk that ignores case.',
    help: "Give the toolsets names that differ in more than the case of their letters.",
  },
  "no-formatter": {
    severity: "error",
    message: "The formatter oxfmt cannot be loaded: {reason}",
    help: "Install hasp again with its optional dependencies. Where oxfmt does not run, install prettier 3.8.5 beside hasp.",
  },
} as const;

/** Findings of the emit phase. */
export const emitDiagnostics: DiagnosticFactory<typeof definitions> = defineDiagnostics("emit", definitions);
