import { type Diagnostic, findSuggestions } from "@hasp/base/diagnostics";
import { cliDiagnostics } from "../shell/diagnostics.js";

/** Reports the words that name no tool. */
export function reportUnknownTools(words: Iterable<string>, known: Iterable<string>): readonly Diagnostic[] {
  const names = [...known];
  return [...words]
    .filter((word) => !names.includes(word))
    .map((name) => cliDiagnostics("unknown-tool", undefined, { name, nearest: findSuggestions(name, names) }));
}
