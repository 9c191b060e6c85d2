import type { Diagnostic, Found } from "./diagnostic.js";
import { isError } from "./severity.js";

/** Gathers what the phases find. */
export interface DiagnosticBag {
  /** Keeps the diagnostics of a phase and hands on its value. */
  take<Value>(found: Found<Value>): Value;
  add(...diagnostics: readonly Diagnostic[]): void;
  hasErrors(): boolean;
  /** By file, place and code, each finding once: the same findings give the same list, in whatever order they came. */
  sorted(): readonly Diagnostic[];
}

/** An empty {@link DiagnosticBag}. */
export function createDiagnosticBag(): DiagnosticBag {
  const all: Diagnostic[] = [];
  // One by one: spreading a long list into `push` can overflow the stack.
  const keep = (diagnostics: readonly Diagnostic[]): void => {
    for (const diagnostic of diagnostics) all.push(diagnostic);
  };
  return {
    take(found) {
      keep(found.diagnostics);
      return found.value;
    },
    add: (...diagnostics) => keep(diagnostics),
    hasErrors: () => all.some(isError),
    sorted: () => sortDiagnostics(all),
  };
}

const identities = new WeakMap<Diagnostic, string>();

/**
 * What makes a finding the same as another; remembered, since who watches sorts nearly the same findings again and
 * again.
 */
function identityOf(diagnostic: Diagnostic): string {
  const known = identities.get(diagnostic);
  if (known !== undefined) return known;
  const { code, tool, message, location } = diagnostic;
  const identity = JSON.stringify([
    code,
    tool,
    message,
    location?.uri,
    location?.pointer,
    location?.range.start.offset,
  ]);
  identities.set(diagnostic, identity);
  return identity;
}

/** The diagnostics by file, place and code, each once. Findings without a place come first. */
export function sortDiagnostics(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const seen = new Set<string>();
  const once = diagnostics.filter((diagnostic) => {
    const identity = identityOf(diagnostic);
    return seen.has(identity) ? false : seen.add(identity) !== undefined;
  });
  return once.toSorted(
    (a, b) =>
      compare(a.location?.uri ?? "", b.location?.uri ?? "") ||
      (a.location?.range.start.offset ?? -1) - (b.location?.range.start.offset ?? -1) ||
      compare(a.code, b.code) ||
      compare(a.message, b.message),
  );
}

// By code units, not by locale: the order must be the same on every machine.
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
