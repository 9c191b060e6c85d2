import {
  type Origin,
  type SchemaDiagnostic,
  type Severity,
  completeDefinitions,
  formatDiagnostic,
  type DiagnosticDeclarations,
  type DiagnosticDefinitions,
  type DiagnosticParameters,
  type FormattedDiagnostic,
} from "@hasp/base/diagnostics";

export interface SchemaDiagnosticDetails {
  /** Overrides the severity of the definition. */
  readonly severity?: Severity;
  readonly related?: NonNullable<SchemaDiagnostic["related"]>;
}

/** Creates the findings about schemas that one folder declares. */
export type SchemaDiagnosticFactory<Definitions extends DiagnosticDeclarations> = (<
  Name extends keyof Definitions & string,
>(
  name: Name,
  origin: Origin,
  parameters: DiagnosticParameters<Definitions[Name]>,
  details?: SchemaDiagnosticDetails,
) => SchemaDiagnostic) & {
  readonly definitions: DiagnosticDefinitions;
};

// @__NO_SIDE_EFFECTS__
export function defineSchemaDiagnostics<const Definitions extends DiagnosticDeclarations>(
  definitions: Definitions,
): SchemaDiagnosticFactory<Definitions> {
  const format = defineFindings("schema", definitions);
  return Object.assign(
    <Name extends keyof Definitions & string>(
      name: Name,
      origin: Origin,
      parameters: DiagnosticParameters<Definitions[Name]>,
      details?: SchemaDiagnosticDetails,
    ): SchemaDiagnostic => ({ ...format(name, parameters), origin, ...details }),
    { definitions: format.definitions },
  );
}

export type FindingFactory<Definitions extends DiagnosticDeclarations> = (<Name extends keyof Definitions & string>(
  name: Name,
  parameters: DiagnosticParameters<Definitions[Name]>,
) => FormattedDiagnostic) & {
  readonly definitions: DiagnosticDefinitions;
};

// @__NO_SIDE_EFFECTS__
export function defineFindings<const Definitions extends DiagnosticDeclarations>(
  phase: string,
  declared: Definitions,
): FindingFactory<Definitions> {
  const definitions = completeDefinitions(declared);
  const make = (name: string, parameters: unknown): FormattedDiagnostic => {
    const definition = definitions[name];
    if (definition === undefined) throw new Error(`hasp declares no diagnostic "${phase}/${name}"`);
    return formatDiagnostic(phase, name, definition, parameters);
  };
  return Object.assign(make, { definitions });
}

const definitions = {
  "too-deep": {
    message: {
      written: 'The schema is nested deeper than {limit} levels. Move inner parts to "$defs" or flatten the structure.',
      flattened: "Flattened, this schema is nested deeper than {limit} levels. Shorten the chain of references.",
      closed: 'The schema is nested deeper than {limit} values, or contains itself. Move inner parts to "$defs".',
    },
  },
} as const;

/** Findings about depth, apart from those of resolving, so that closing a schema loads no others. */
export const depthDiagnostics: SchemaDiagnosticFactory<typeof definitions> = defineSchemaDiagnostics(definitions);
