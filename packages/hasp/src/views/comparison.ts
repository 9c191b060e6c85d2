import type { Diagnostic } from "../diagnostics/diagnostic.js";
import { isUnproved, listOf, type DiffList, type ListCost } from "../diff/index.js";
import type { ReportSection } from "../reporters/report.js";
import { visibleText } from "../reporters/visible-text.js";
import { counted } from "../reporters/words.js";

/** The lists of a comparison in their order, each with its heading and what is said where it is empty. */
const LISTS: readonly { readonly list: DiffList; readonly title: string; readonly empty: string }[] = [
  { list: "breaks", title: "Breaks callers", empty: "Every call that was valid still is." },
  { list: "loosens", title: "Loosens safety", empty: "No claim is new, nothing is milder." },
  { list: "prompt", title: "Changes the prompt only", empty: "Models read what they read before." },
];

/** The lists with their headings and totals: how many findings are proved, and what a change of the prompt costs. */
export function comparisonSections(
  diagnostics: readonly Diagnostic[],
  costs: readonly ListCost[],
): readonly ReportSection[] {
  return LISTS.map(({ list, title, empty }) => {
    const own = diagnostics.filter(({ code }) => listOf(code) === list);
    const unproved = own.filter(({ code }) => isUnproved(code)).length;
    const may = unproved === 0 ? "" : `, ${unproved} of them only may`;
    return {
      title: `${title}: ${own.length === 0 ? "nothing" : `${own.length}${may}`}`,
      empty,
      diagnostics: own,
      lines: list === "prompt" ? costLines(costs) : [],
    };
  });
}

/** How many findings each list holds, for programs. */
export function comparisonCounts(diagnostics: readonly Diagnostic[]): { readonly [list in DiffList]: number } {
  const count = (list: DiffList): number => diagnostics.filter(({ code }) => listOf(code) === list).length;
  return { breaks: count("breaks"), loosens: count("loosens"), prompt: count("prompt") };
}

/** The verdict for people at the end of a run. */
export function comparisonText(diagnostics: readonly Diagnostic[], costs: readonly ListCost[], base: string): string {
  const counts = comparisonCounts(diagnostics);
  const lines = costLines(costs).map((line) => `  ${line}`);
  if (Object.values(counts).every((count) => count === 0)) {
    const verdict = `Nothing that callers, safety or the prompt feel has changed since ${visibleText(base)}.`;
    return `${[verdict, ...lines].join("\n")}\n`;
  }
  const changes = (count: number, one: string, many: string): string =>
    `  ${counted(count, "change")} ${count === 1 ? one : many}`;
  return `${[
    `Since ${visibleText(base)}:`,
    changes(counts.breaks, "breaks callers, or may", "break callers, or may"),
    changes(counts.loosens, "loosens safety, or may", "loosen safety, or may"),
    changes(counts.prompt, "of what a model reads", "of what a model reads"),
    ...lines,
  ].join("\n")}\n`;
}

/** What every list that has other bytes costs now. */
function costLines(costs: readonly ListCost[]): readonly string[] {
  return costs
    .filter(({ isOther }) => isOther)
    .map(({ toolset, dialect, before, after }) => {
      const change = after === before ? "the same" : `${after > before ? "+" : "−"}${Math.abs(after - before)}`;
      return `toolset ${visibleText(toolset)}, ${dialect}: about ${before} → ${after} tokens in every request (${change}); its prompt cache starts anew`;
    });
}
