import type { Origin, SchemaDiagnostic } from "./diagnostic.js";
import {
  formatDiagnostic,
  type DiagnosticDefinition,
  type DiagnosticDefinitions,
  type DiagnosticParameters,
} from "./message.js";

/** Creates the findings about schemas that one folder declares. */
export type SchemaDiagnosticFactory<Definitions extends DiagnosticDefinitions> = (<
  Name extends keyof Definitions & string,
>(
  name: Name,
  origin: Origin,
  parameters: DiagnosticParameters<Definitions[Name]>,
) => SchemaDiagnostic) & {
  /** What it can create, for documentation. */
  readonly definitions: DiagnosticDefinitions;
};

/** Declares findings about schemas, so that each message is written once, next to its code. */
export function defineSchemaDiagnostics<const Definitions extends DiagnosticDefinitions>(
  definitions: Definitions,
): SchemaDiagnosticFactory<Definitions> {
  const make = (name: string, origin: Origin, parameters: unknown): SchemaDiagnostic => {
    const definition: DiagnosticDefinition | undefined = definitions[name];
    if (definition === undefined) throw new Error(`hasp declares no diagnostic "schema/${name}"`);
    return { ...formatDiagnostic("schema", name, definition, parameters), origin };
  };
  return Object.assign(make, { definitions });
}
