import { defineSchemaDiagnostics, type SchemaDiagnosticFactory } from "./define-diagnostics.js";

const definitions = {
  "too-deep": {
    severity: "error",
    message: {
      written: 'The schema is nested deeper than {limit} levels. Move inner parts to "$defs" or flatten the structure.',
      flattened: "Flattened, this schema is nested deeper than {limit} levels. Shorten the chain of references.",
      closed: 'The schema is nested deeper than {limit} values, or contains itself. Move inner parts to "$defs".',
    },
  },
} as const;

/** Findings about depth, apart from those of resolving, so that closing a schema loads no others. */
export const depthDiagnostics: SchemaDiagnosticFactory<typeof definitions> = defineSchemaDiagnostics(definitions);
