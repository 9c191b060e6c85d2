import { type Diagnostic, printThrown } from "@hasp/base/diagnostics";
import { type JsonValue, parseExactJson } from "@hasp/base/json";
import { serveDiagnostics } from "@hasp/serve";
import { readJsonWord } from "../shell/options.js";

/** Reads the output of a call: JSON, or the name of a file that holds it. */
export async function readOutput(given: string, folder: string): Promise<{ readonly output: JsonValue } | Diagnostic> {
  const read = await readJsonWord(given, folder);
  if (!("text" in read)) return read;
  const found = parseOutput(read.text);
  return "output" in found ? found : serveDiagnostics("output-unreadable", undefined, { reason: found.reason });
}

/** Parses JSON as handlers without code do: an integer with too many digits becomes a string. */
export function parseOutput(text: string): { readonly output: JsonValue } | { readonly reason: string } {
  try {
    return { output: parseExactJson(text) };
  } catch (error) {
    return { reason: printThrown(error) };
  }
}
