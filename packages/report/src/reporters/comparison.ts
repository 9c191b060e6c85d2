import { type Diagnostic, printVisibleText, pluralize } from "@hasp/base/diagnostics";
import { findList, type DiffList, type ListCost } from "@hasp/compiler/diff";

const LISTS = [
  { list: "loosens", title: "Loosens safety", empty: "No new claims, and no milder values." },
  { list: "breaks", title: "Breaks callers", empty: "Every call that was valid still is." },
  { list: "prompt", title: "Changes the prompt only", empty: "Models read the same as before." },
] as const;

/** Lists the findings of a comparison in the order of a review. */
export function createComparisonLists<Finding extends Diagnostic>(
  diagnostics: readonly Finding[],
): readonly ((typeof LISTS)[number] & { readonly found: readonly Finding[] })[] {
  return LISTS.map((each) => ({ ...each, found: diagnostics.filter((found) => findList(found) === each.list) }));
}

export function countComparison(diagnostics: readonly Diagnostic[]): { readonly [list in DiffList]: number } {
  const [loosens = 0, breaks = 0, prompt = 0] = createComparisonLists(diagnostics).map(({ found }) => found.length);
  return { breaks, loosens, prompt };
}

export function printComparison(diagnostics: readonly Diagnostic[], costs: readonly ListCost[], base: string): string {
  const counts = countComparison(diagnostics);
  const lines = printCosts(costs).map((line) => `  ${line}`);
  if (Object.values(counts).every((count) => count === 0)) {
    const verdict = `Nothing that affects callers, safety or the prompt has changed since ${printVisibleText(base)}.`;
    return `${[verdict, ...lines].join("\n")}\n`;
  }
  const changes = (count: number, one: string, many: string): string =>
    `  ${pluralize(count, "change")} ${count === 1 ? one : many}`;
  return `${[
    `Since ${printVisibleText(base)}:`,
    changes(counts.loosens, "loosens safety, or may", "loosen safety, or may"),
    changes(counts.breaks, "breaks callers, or may", "break callers, or may"),
    changes(counts.prompt, "affects what a model reads", "affect what a model reads"),
    ...lines,
  ].join("\n")}\n`;
}

/** Prints what the changed lists cost, the largest difference first. */
export function printCosts(costs: readonly ListCost[]): readonly string[] {
  return costs
    .filter(({ isOther }) => isOther)
    .toSorted((a, b) => Math.abs(b.after - b.before) - Math.abs(a.after - a.before))
    .map(({ project, toolset, dialect, before, after }) => {
      const place = project === undefined ? "" : `${printVisibleText(project)}: `;
      const change = after === before ? "the same" : `${after > before ? "+" : "−"}${Math.abs(after - before)}`;
      return `${place}toolset ${printVisibleText(toolset)}, ${dialect}: about ${before} → ${after} tokens in every request (${change}); its prompt cache is invalidated`;
    });
}
