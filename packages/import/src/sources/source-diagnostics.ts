import { defineDiagnostics, type DiagnosticFactory } from "@hasp/base/diagnostics";

/** The findings about the source that a command line names; they count as those of the command line. */
export const sourceFindings = {
  "no-source": {
    message: '"hasp import {kind}" needs a source to import.',
    help: "Set DATABASE_URL to its address, or name another environment variable: hasp import {kind} --env NAME.",
  },
  "bad-source": "The source is not valid: {problem}.",
  "bad-server": 'The server "{name}" has neither a command nor an http address.',
  "not-started": {
    message: 'The server "{name}" was not asked: that would start or call `{command}`.',
    help: "Pass --start if you trust it.",
  },
  "unset-variables": {
    message: 'The server "{name}" was not asked: these variables of its settings are not set: {variables:list}.',
    help: "Set them, or write a default after `:-`.",
  },
  "none-matches": {
    message: {
      only: 'No tool of the source matches "--only {patterns}".',
      except: '"--except {patterns}" excludes every tool of the source.',
    },
  },
} as const;

export const sourceDiagnostics: DiagnosticFactory<typeof sourceFindings> = defineDiagnostics("cli", sourceFindings);
