import { defineDiagnostics, type DiagnosticFactory } from "@hasp/base/diagnostics";

/** The findings about handlers that tests ask; they count as those of the command line. */
export const handlerFindings = {
  "cannot-load": {
    message: 'The handler "{path}" could not be loaded ({reason}), so tests that need its functions did not run.',
    help: 'The handler must load without an error and export its functions. "hasp build" creates a missing handler.',
  },
  "no-function": 'The handler "{path}" must export a function "{name}", but {what}; tests that need it did not run.',
} as const;

export const handlerDiagnostics: DiagnosticFactory<typeof handlerFindings> = defineDiagnostics("cli", handlerFindings);
