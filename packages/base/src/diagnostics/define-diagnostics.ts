import { dropUndefined } from "../json/drop-undefined.js";
import {
  completeDefinitions,
  formatDiagnostic,
  type DiagnosticDeclarations,
  type DiagnosticDefinitions,
  type DiagnosticParameters,
} from "./message.js";
import type { Diagnostic, Location } from "./diagnostic.js";

interface DiagnosticDetails {
  readonly tool?: string | undefined;
  readonly related?: Diagnostic["related"];
  readonly fix?: Diagnostic["fix"];
  readonly data?: Diagnostic["data"];
}

/** Makes findings. For one without parameters, the name alone is enough. */
export type DiagnosticFactory<Definitions extends DiagnosticDeclarations> = MakeDiagnostic<Definitions> & {
  (name: PlainName<Definitions>, location?: Location | undefined): Diagnostic;
  readonly definitions: DiagnosticDefinitions;
};

export type MakeDiagnostic<Definitions extends DiagnosticDeclarations> = <Name extends keyof Definitions & string>(
  name: Name,
  location: Location | undefined,
  parameters: DiagnosticParameters<Definitions[Name]>,
  details?: DiagnosticDetails,
) => Diagnostic;

/** The names of findings whose messages have no parameters. */
type PlainName<Definitions extends DiagnosticDeclarations> = {
  [Name in keyof Definitions & string]: undefined extends DiagnosticParameters<Definitions[Name]> ? Name : never;
}[keyof Definitions & string];

/** Declares the findings of a phase, so that each message is written once, next to its code. */
export function defineDiagnostics<const Definitions extends DiagnosticDeclarations>(
  phase: string,
  declared: Definitions,
): DiagnosticFactory<Definitions> {
  const definitions = completeDefinitions(declared);
  const make = (
    name: keyof Definitions & string,
    location?: Location | undefined,
    parameters?: unknown,
    details: DiagnosticDetails = {},
  ): Diagnostic => {
    const definition = definitions[name];
    if (definition === undefined) throw new Error(`hasp declares no diagnostic "${phase}/${name}"`);
    return {
      ...formatDiagnostic(phase, name, definition, parameters),
      ...dropUndefined({ location, ...details }),
    };
  };
  return Object.assign(make, { definitions });
}
