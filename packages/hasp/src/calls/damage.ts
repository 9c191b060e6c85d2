import type { Diagnostic } from "../../../compiler/src/diagnostics/diagnostic.js";
import { callsDiagnostics } from "./diagnostics.js";

/** Collects damaged parts of a call store as findings. */
export interface Damage {
  /** Passed to the store's lists, which then skip damaged entries. */
  readonly onDamage: (error: Error) => void;
  readonly findings: readonly Diagnostic[];
}

/** Collects damage. `remedy` tells how to remove a turn; `explain` describes a failure of the store. */
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
