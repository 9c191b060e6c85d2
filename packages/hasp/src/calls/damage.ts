import type { Diagnostic } from "../../../compiler/src/diagnostics/diagnostic.js";
import { callsDiagnostics } from "./diagnostics.js";

/** Collects what of a call store is damaged, as findings. */
export interface Damage {
  /** An option of the store's lists, which then leave out what is damaged. */
  readonly onDamage: (error: Error) => void;
  readonly findings: readonly Diagnostic[];
}

/** Collects damage. `remedy` says how a turn is removed, `explain` what a failure of the store says to people. */
export function collectDamage(remedy: string, explain: (error: unknown) => string): Damage {
  const findings: Diagnostic[] = [];
  return {
    findings,
    onDamage(error) {
      const { place } = error as { readonly place?: unknown };
      findings.push(
        typeof place === "string"
          ? callsDiagnostics("damaged-turn", undefined, { place: explain(place), remedy })
          : callsDiagnostics("unreadable-turn", undefined, { reason: explain(error).replace(/\.$/u, "") }),
      );
    },
  };
}
