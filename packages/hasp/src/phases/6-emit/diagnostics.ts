import { defineDiagnostics, type DiagnosticFactory } from "../../diagnostics/define-diagnostics.js";

const definitions = {
  "same-path": {
    severity: "error",
    message: '"{path}" and "{other}" are one file on a disk that knows no case.',
    help: "Give the toolsets names that differ in more than the case of their letters.",
  },
} as const;

/** What may be found when files are laid out. */
export const emitDiagnostics: DiagnosticFactory<typeof definitions> = defineDiagnostics("emit", definitions);
