import { suggestionsFor } from "../../../../compiler/src/diagnostics/closest.js";
import type { Diagnostic } from "../../../../compiler/src/diagnostics/diagnostic.js";
import { SPEC_FILE } from "../../../../project/src/read/spec-names.js";
import { cliDiagnostics } from "../shell/diagnostics.js";
import type { RunRecord } from "./run-cache.js";

/**
 * Keeps the findings about these tools (by name or alias) and about no tool, unless they are in the spec of another
 * tool.
 * Reports unknown names.
 */
export function selectTools(
  { tools, diagnostics, facts }: Pick<RunRecord, "tools" | "diagnostics" | "facts">,
  words: readonly string[],
): { readonly diagnostics: readonly Diagnostic[] } | { readonly diagnostics: readonly Diagnostic[]; isUnknown: true } {
  const faulty = diagnostics.flatMap(({ tool, location }) => [tool ?? "", promisedTool(location?.uri)]);
  const known = new Set([
    ...tools.flatMap(({ name, aliases }) => [name, ...aliases]),
    ...facts.excluded.map(({ tool }) => tool),
    ...faulty.filter((name) => name !== ""),
  ]);
  const unknown = words.filter((word) => !known.has(word));
  if (unknown.length > 0) {
    return {
      isUnknown: true,
      diagnostics: unknown.map((name) =>
        cliDiagnostics("unknown-tool", undefined, { name, nearest: suggestionsFor(name, [...known]) }),
      ),
    };
  }
  const chosen = tools.filter(({ name, aliases }) => [name, ...aliases].some((each) => words.includes(each)));
  const names = new Set([...words, ...chosen.map(({ name }) => name)]);
  const files = new Set(chosen.map(({ uri }) => uri));
  const concerns = ({ tool, location }: Diagnostic): boolean => {
    if (tool !== undefined) return names.has(tool);
    const uri = location?.uri ?? "";
    return !SPEC_FILE.test(uri) || files.has(uri) || names.has(promisedTool(uri));
  };
  return { diagnostics: diagnostics.filter(concerns) };
}

/** Returns the tool after which a file with one spec is named. */
function promisedTool(uri = ""): string {
  return /([^/]+)\.tool\.(?:ya?ml|json)$/u.exec(uri)?.[1] ?? "";
}
