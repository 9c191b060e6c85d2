import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Diagnostic } from "../../../../compiler/src/diagnostics/diagnostic.js";
import { asWarnings } from "../../../../import/src/importers/definitions/definition-stock.js";
import { validToolName } from "../../../../import/src/importers/specs/tool-names.js";

/**
 * Reports import failures of tools without a spec as warnings: in a comparison with an earlier import they are nothing
 * new.
 * A tool with a spec that can no longer be read stays an error.
 */
export function withKnownRefusals(
  found: readonly Diagnostic[],
  { out, prefix = "" }: { readonly out: string; readonly prefix?: string | undefined },
): readonly Diagnostic[] {
  return found.flatMap((diagnostic) => {
    const { tool } = diagnostic;
    const hasSpec = tool !== undefined && existsSync(resolve(out, `${validToolName(prefix + tool)}.tool.yaml`));
    return hasSpec ? [diagnostic] : asWarnings([diagnostic]);
  });
}
