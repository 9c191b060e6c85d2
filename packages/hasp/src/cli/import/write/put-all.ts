import type { Diagnostic } from "../../../../../compiler/src/diagnostics/diagnostic.js";
import type { OnProgress } from "../../../../../compiler/src/diagnostics/progress.js";
import type { ImportedSource } from "../../../../../import/src/importers/specs/imported-source.js";
import type { ImportedSpec, PutSettings } from "./put-settings.js";
import { putShared } from "./put-shared.js";
import { putSpec } from "./put-spec.js";

/** Writes or compares the definitions, then the specs. */
export async function putAll(
  { tools, shared }: ImportedSource,
  settings: PutSettings,
  onProgress: OnProgress,
): Promise<{
  readonly states: readonly ImportedSpec[];
  readonly refused: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}> {
  const diagnostics: Diagnostic[] = shared === undefined ? [] : [...(await putShared(shared, tools, settings))];
  const states: ImportedSpec[] = [];
  const refused: string[] = [];
  for (let start = 0; start < tools.length; start += AT_ONCE) {
    const some = tools.slice(start, start + AT_ONCE);
    onProgress("Writing specs", start, tools.length);
    const results = await Promise.all(some.map(async (tool) => ({ tool, ...(await putSpec(tool, settings)) })));
    for (const { tool, state, path, text = "", diagnostics: found } of results) {
      if (state === undefined) refused.push(tool.name);
      else states.push({ tool, state, path, suggests: SUGGESTED.test(text) });
      diagnostics.push(...found);
    }
  }
  return { states, refused, diagnostics };
}

/** The key under which specs hold suggestions. */
const SUGGESTED = /^\s*"?suggested"?\s*:/mu;

const AT_ONCE = 32;
