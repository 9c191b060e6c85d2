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

export type DiagnosticFactory<Definitions extends DiagnosticDeclarations> = MakeDiagnostic<Definitions> & {
  readonly definitions: DiagnosticDefinitions;
};

export type MakeDiagnostic<Definitions extends DiagnosticDeclarations> = <Name extends keyof Definitions & string>(
  name: Name,
  location: Location | undefined,
  parameters: DiagnosticParameters<Definitions[Name]>,
  details?: DiagnosticDetails,
) => Diagnostic;

/** Declares the findings of a phase, so that each message is written once, next to its code. */
export function defineDiagnostics<const Definitions extends DiagnosticDeclarations>(
  phase: string,
  declared: Definitions,
): DiagnosticFactory<Definitions> {
  const definitions = completeDefinitions(declared);
  const make: MakeDiagnostic<Definitions> = (name, location, parameters, details) => {
    const definition = definitions[name];
    if (definition === undefined) throw new Error(`hasp declares no diagnostic "${phase}/${name}"`);
    return {
      ...formatDiagnostic(phase, name, definition, parameters),
      ...(details?.tool === undefined ? {} : { tool: details.tool }),
      ...(location === undefined ? {} : { location }),
      ...(details?.related === undefined ? {} : { related: details.related }),
      ...(details?.data === undefined ? {} : { data: details.data }),
      ...(details?.fix === undefined ? {} : { fix: details.fix }),
    };
  };
  return Object.assign(make, { definitions });
}
