import { defineDiagnostics, type DiagnosticFactory } from "../../diagnostics/define-diagnostics.js";

const definitions = {
  "same-path": {
    severity: "error",
    message: '"{path}" and "{other}" are the same file on a case-insensitive file system.',
    help: "Give the toolsets names that differ in more than case.",
  },
  "no-formatter": {
    severity: "error",
    message: "The formatter oxfmt cannot be loaded: {reason}",
    help: "Reinstall hasp with its optional dependencies. If oxfmt does not run on this platform, install prettier 3.8.5 next to hasp.",
  },
} as const;

/** Diagnostics from the emit phase. */
export const emitDiagnostics: DiagnosticFactory<typeof definitions> = defineDiagnostics("emit", definitions);
