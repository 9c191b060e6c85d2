import type { Diagnostic } from "../../../compiler/src/diagnostics/diagnostic.js";
import type { ListCost } from "../../../compiler/src/diff/index.js";
import { comparisonLists } from "../../../report/src/views/comparison.js";
import type { Changes } from "../model.js";
import { findingList } from "./finding.js";

const MOST_FINDINGS = 500;

/** Returns a comparison's findings, list by list, and the costs of provider lists. */
export function changesOf(diagnostics: readonly Diagnostic[], costs: readonly ListCost[], base: string): Changes {
  return {
    base,
    lists: comparisonLists(diagnostics).map(({ list, title, empty, found }) => ({
      kind: list,
      title,
      empty,
      findings: findingList(found, MOST_FINDINGS),
    })),
    costs: costs.map((cost) => ({ ...cost })),
  };
}
