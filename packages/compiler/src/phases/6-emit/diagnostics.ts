import { defineDiagnostics, type DiagnosticFactory } from "@hasp/base/diagnostics";

const definitions = {
  "same-path": {
    message: {
      case: '"{path}" and "{other}" are the same file on a case-insensitive file system.',
      same: 'Two modules would be written to "{path}".',
    },
    help: "Give the toolsets names that differ in more than case, and none the name of a folder of the build.",
  },
  "not-verified": {
    message:
      "The code of this condition could not be verified: no valid input that was tried makes the condition {answer}.",
    help: "Add a test whose input makes it {answer}. If no input can, the condition decides nothing: correct or remove it.",
  },
  "no-formatter": {
    message: "The formatter oxfmt cannot be loaded: {reason}",
    help: "Reinstall hasp with its optional dependencies. If oxfmt does not run on this platform, install prettier 3.8.5 next to hasp.",
  },
} as const;

export const emitDiagnostics: DiagnosticFactory<typeof definitions> = defineDiagnostics("emit", definitions);
