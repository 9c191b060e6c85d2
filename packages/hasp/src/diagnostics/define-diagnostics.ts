import type { Severity } from "@hasp/schema";
import type { Diagnostic, Location } from "./diagnostic.js";

/** One kind of finding: how bad it is, and its sentence. The parameters are typed by `message`. */
export interface DiagnosticDefinition {
  readonly severity: Severity;
  // The parameters differ from kind to kind; `never` makes any of them assignable.
  readonly message: (parameters: never) => string;
  /** The remedy, where the message alone does not hold it. */
  readonly help?: (parameters: never) => string | undefined;
  /** See {@link Diagnostic.fixed}. */
  readonly fixed?: true;
}

/** The kinds of findings that one phase knows, by name. */
export interface DiagnosticDefinitions {
  readonly [name: string]: DiagnosticDefinition;
}

/** What a diagnostic carries beside its place and its words. */
export interface DiagnosticDetails {
  /** Name of the tool it is about. */
  readonly tool?: string | undefined;
  readonly related?: Diagnostic["related"];
  readonly fix?: Diagnostic["fix"];
}

/** Makes the diagnostics of a phase. */
export type DiagnosticFactory<Definitions extends DiagnosticDefinitions> = MakeDiagnostic<Definitions> & {
  /** What it can make, for whoever explains it. */
  readonly definitions: DiagnosticDefinitions;
};

/** Makes one diagnostic of a phase: its kind, its place (if it has one), the parameters of its sentence. */
export type MakeDiagnostic<Definitions extends DiagnosticDefinitions> = <Name extends keyof Definitions & string>(
  name: Name,
  location: Location | undefined,
  parameters: Parameters<Definitions[Name]["message"]>[0],
  details?: DiagnosticDetails,
) => Diagnostic;

/** Declares the kinds of findings of one phase, so that each message stands once, beside its code. */
export function defineDiagnostics<const Definitions extends DiagnosticDefinitions>(
  phase: string,
  definitions: Definitions,
): DiagnosticFactory<Definitions> {
  const make: MakeDiagnostic<Definitions> = (name, location, parameters, details) => {
    const definition: DiagnosticDefinition | undefined = definitions[name];
    if (definition === undefined) throw new Error(`hasp declares no diagnostic "${phase}/${name}"`);
    // The public signature has tied `parameters` to `name`; inside, that tie is no longer visible to the type-checker.
    const typed = parameters as never;
    const help = definition.help?.(typed);
    return {
      code: `${phase}/${name}`,
      severity: definition.severity,
      message: definition.message(typed),
      ...(help === undefined ? {} : { help }),
      ...(details?.tool === undefined ? {} : { tool: details.tool }),
      ...(location === undefined ? {} : { location }),
      ...(details?.related === undefined ? {} : { related: details.related }),
      ...(details?.fix === undefined ? {} : { fix: details.fix }),
      ...(definition.fixed === undefined ? {} : { fixed: definition.fixed }),
    };
  };
  return Object.assign(make, { definitions });
}
