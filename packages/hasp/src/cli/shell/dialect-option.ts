import type { DialectId } from "@hasp/schema";
import { dialects } from "@hasp/schema";
import { suggestionsFor } from "../../../../compiler/src/diagnostics/closest.js";
import type { Diagnostic } from "../../../../compiler/src/diagnostics/diagnostic.js";
import { cliDiagnostics } from "./diagnostics.js";

export function checkDialect(name: string): DialectId | Diagnostic {
  if (isDialect(name)) return name;
  const known = Object.keys(dialects);
  return cliDiagnostics("unknown-dialect", undefined, {
    name,
    nearest: suggestionsFor(name, known),
    known: known.join(", "),
  });
}

function isDialect(name: string): name is DialectId {
  return Object.hasOwn(dialects, name);
}
