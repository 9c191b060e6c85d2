import { resolve } from "node:path";
import { type Diagnostic, printThrown } from "@hasp/base/diagnostics";
import type { JsonValue } from "@hasp/base/json";
import { readText } from "@hasp/project";
import { serveDiagnostics } from "@hasp/serve";

/** Reads the output of a call: JSON, or the name of a file of it. */
export async function readOutput(given: string, folder: string): Promise<{ readonly output: JsonValue } | Diagnostic> {
  const own = parseJson(given);
  if ("output" in own) return own;
  const read = await readText(resolve(folder, given));
  const found = "text" in read ? parseJson(read.text) : read;
  return "output" in found ? found : serveDiagnostics("output-unreadable", undefined, { reason: found.reason });
}

export function parseJson(text: string): { readonly output: JsonValue } | { readonly reason: string } {
  try {
    return { output: JSON.parse(text) as JsonValue };
  } catch (error) {
    return { reason: printThrown(error) };
  }
}
