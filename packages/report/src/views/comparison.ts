import { type Diagnostic, printVisibleText, pluralize } from "@hasp/base/diagnostics";
import { isUnproved, findList, type DiffList, type ListCost } from "@hasp/compiler/diff";
import type { ReportSection } from "../reporters/report.js";

const LISTS: readonly { readonly list: DiffList; readonly title: string; readonly empty: string }[] = [
  { list: "breaks", title: "Breaks callers", empty: "Every call that was valid still is." },
  { list: "loosens", title: "Loosens safety", empty: "No new claims, and no milder values." },
  { list: "prompt", title: "Changes the prompt only", empty: "Models read the same as before." },
];

interface ComparisonList {
  readonly list: DiffList;
  readonly title: string;
  readonly empty: string;
  readonly found: readonly Diagnostic[];
}

export function createComparisonLists(diagnostics: readonly Diagnostic[]): readonly ComparisonList[] {
  return LISTS.map((each) => ({ ...each, found: diagnostics.filter((found) => findList(found) === each.list) }));
}

export function createComparisonSections(
  diagnostics: readonly Diagnostic[],
  costs: readonly ListCost[],
): readonly ReportSection[] {
  return createComparisonLists(diagnostics).map(({ list, title, empty, found: own }) => {
    const unproved = own.filter(({ code }) => isUnproved(code)).length;
    const may = unproved === 0 ? "" : `, ${unproved} of them unproved`;
    return {
      title: `${title}: ${own.length === 0 ? "nothing" : `${own.length}${may}`}`,
      empty,
      diagnostics: own,
      lines: list === "prompt" ? costLines(costs) : [],
    };
  });
}

export function countComparison(diagnostics: readonly Diagnostic[]): { readonly [list in DiffList]: number } {
  const count = (list: DiffList): number => diagnostics.filter((found) => findList(found) === list).length;
  return { breaks: count("breaks"), loosens: count("loosens"), prompt: count("prompt") };
}

export function printComparison(diagnostics: readonly Diagnostic[], costs: readonly ListCost[], base: string): string {
  const counts = countComparison(diagnostics);
  const lines = costLines(costs).map((line) => `  ${line}`);
  if (Object.values(counts).every((count) => count === 0)) {
    const verdict = `Nothing that affects callers, safety or the prompt has changed since ${printVisibleText(base)}.`;
    return `${[verdict, ...lines].join("\n")}\n`;
  }
  const changes = (count: number, one: string, many: string): string =>
    `  ${pluralize(count, "change")} ${count === 1 ? one : many}`;
  return `${[
    `Since ${printVisibleText(base)}:`,
    changes(counts.breaks, "breaks callers, or may", "break callers, or may"),
    changes(counts.loosens, "loosens safety, or may", "loosen safety, or may"),
    changes(counts.prompt, "affects what a model reads", "affect what a model reads"),
    ...lines,
  ].join("\n")}\n`;
}

function costLines(costs: readonly ListCost[]): readonly string[] {
  return costs
    .filter(({ isOther }) => isOther)
    .map(({ toolset, dialect, before, after }) => {
      const change = after === before ? "the same" : `${after > before ? "+" : "−"}${Math.abs(after - before)}`;
      return `toolset ${printVisibleText(toolset)}, ${dialect}: about ${before} → ${after} tokens in every request (${change}); its prompt cache is invalidated`;
    });
}
