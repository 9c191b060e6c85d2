import type { Diagnostic, Found } from "./diagnostic.js";
import { isError } from "./severity.js";

interface DiagnosticBag {
  /** Keeps the diagnostics and returns the value. */
  take<Value>(found: Found<Value>): Value;
  add(...diagnostics: readonly Diagnostic[]): void;
  hasErrors(): boolean;
  sorted(): readonly Diagnostic[];
}

/** Creates a bag that drops diagnostics which `isIgnored` selects. */
export function createDiagnosticBag(isIgnored: (diagnostic: Diagnostic) => boolean = () => false): DiagnosticBag {
  const all: Diagnostic[] = [];
  // Spreading a long list into `push` can overflow the stack.
  const keep = (diagnostics: readonly Diagnostic[]): void => {
    for (const diagnostic of diagnostics) if (!isIgnored(diagnostic)) all.push(diagnostic);
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

/** Sorts by file, place and code and drops duplicates. Findings without a place come first. */
export function sortDiagnostics(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  // Sort by file first: paths are long and begin alike.
  const uriOf = ({ location }: Diagnostic): string => location?.uri ?? "";
  const byFile = new Map<string, Diagnostic[]>();
  for (const uri of [...new Set(diagnostics.map(uriOf))].toSorted(compareTexts)) byFile.set(uri, []);
  for (const diagnostic of diagnostics) byFile.get(uriOf(diagnostic))?.push(diagnostic);
  return [...byFile.values()].flatMap((found) => {
    const sorted = found.toSorted(compareInFile);
    return sorted.filter((diagnostic, index) => {
      const before = sorted[index - 1];
      return before === undefined || compareInFile(before, diagnostic) !== 0;
    });
  });
}

function compareInFile(a: Diagnostic, b: Diagnostic): number {
  return (
    (a.location?.range.start.offset ?? -1) - (b.location?.range.start.offset ?? -1) ||
    compareTexts(a.code, b.code) ||
    compareTexts(a.message, b.message) ||
    compareTexts(a.tool, b.tool) ||
    compareTexts(a.location?.pointer, b.location?.pointer)
  );
}

// By code units, so that the order is the same on every machine.
function compareTexts(a = "", b = ""): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
