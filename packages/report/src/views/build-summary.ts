import type { BuildFacts, ListFacts } from "./build-facts.js";
import { printTable, type SummaryView, wrapWords } from "./table.js";
import { printVisibleText, pluralize } from "@hasp/base/diagnostics";

interface FileCounts {
  readonly written: number;
  readonly unchanged: number;
  readonly deleted: number;
  /** Existing files that belong to the user. */
  readonly kept: number;
}

export function buildSummary(
  facts: BuildFacts,
  files: FileCounts | undefined,
  outDir: string,
  milliseconds: number,
  { paint, columns }: SummaryView,
): string {
  const { tools, classes, milderForSomeInputs: milder, toolsets } = facts;
  const byClass = classes.map(({ name, tools: count }) => `${count} ${name}`).join(", ");
  const milderNote = milder === 0 ? "" : ` (${milder} milder for some inputs)`;
  const lines = [
    `${paint("good", "✓")} ${paint("heading", pluralize(tools, "tool"))}: ${byClass}${milderNote}`,
    `  ${printRelaxations(facts)}`,
    ...printFlows(facts).map((line) => `  ${line}`),
    ...printExcluded(facts),
  ];
  for (const { name, tools: selected, dialects } of toolsets) {
    const title =
      toolsets.length > 1 ? `toolset ${printVisibleText(name)} (${pluralize(selected, "tool")})` : "dialect";
    const table = printTable([title, ...COUNTS], dialects.map(dialectRow), { paint, columns: columns - 2 });
    lines.push("", ...table.map((line) => `  ${line}`));
  }
  if (toolsets.some(({ dialects }) => dialects.some((list) => list.losses > 0))) {
    lines.push(
      paint(
        "faint",
        `  A loss is a constraint that the provider cannot express. ${printVisibleText(outDir)}/losses.json lists them, and who enforces each.`,
      ),
    );
  }
  const costs = tokenLines(facts, columns);
  if (costs.length > 0) lines.push("", ...costs);
  lines.push("", `  ${files === undefined ? "" : `${fileLine(files)}, `}${Math.round(milliseconds)} ms`);
  return `${lines.join("\n")}\n`;
}

const SHOWN_EXCLUSIONS = 10;

const COUNTS = ["listed", "deferred", "ask a person", "strict", "excluded", "losses"];

function dialectRow({ dialect, carried, deferred, asking, strict, excluded, losses }: ListFacts): readonly string[] {
  return [dialect, carried - deferred, deferred, asking, strict, excluded.length, losses].map(String);
}

export function printExcluded({ excluded }: BuildFacts): readonly string[] {
  const shown = excluded.slice(0, SHOWN_EXCLUSIONS);
  const more = excluded.length - shown.length;
  return [
    ...shown.map(({ tool, reason }) => `  ${printVisibleText(tool)} is left out: ${printVisibleText(reason)}`),
    ...(more === 0 ? [] : [`  … and ${more} more left out`]),
  ];
}

/** Says what may leave unasked, in a line for each toolset. */
export function printFlows({ flows, toolsets }: BuildFacts): readonly string[] {
  return flows.map(({ toolset, tool, paths }) => {
    const where = toolsets.length > 1 ? ` in ${printVisibleText(toolset)}` : "";
    return `flow${where}: text of outsiders may reach ${printVisibleText(tool)} with private data (${pluralize(paths, "path")}, hasp show toolset:); "flow: ask" puts such calls to a person`;
  });
}

export function printRelaxations({ relaxations: { claims, tools, waiting } }: BuildFacts): string {
  if (claims === 0) return "Nothing loosens a fail-closed default.";
  const ledger = waiting === 0 ? "each approved in hasp-ledger/" : `${waiting} of them not approved`;
  const verb = claims === 1 ? "loosens" : "loosen";
  return `${pluralize(claims, "claim")} in ${pluralize(tools, "tool")} ${verb} a fail-closed default, ${ledger}.`;
}

function tokenLines({ toolsets, tokens: costsOfTools }: BuildFacts, columns: number): readonly string[] {
  if (costsOfTools === undefined) return [];
  const { counted, mostExpensive } = costsOfTools;
  const costs = toolsets
    .filter(({ dialects }) => dialects.length > 0)
    .map(({ name, dialects }) => ({
      title: `Tokens${toolsets.length > 1 ? ` of ${printVisibleText(name)}` : ""} in every request, ${counted ? "counted" : "estimated"}:`,
      amounts: dialects.map(({ dialect, tokens }) => `${dialect} ${tokens}`),
    }));
  const tools = {
    title: "Most expensive tools:",
    amounts: mostExpensive.map(({ tool, tokens }) => `${printVisibleText(tool)} ${tokens}`),
  };
  return [...costs, ...(mostExpensive.length > 1 ? [tools] : [])].flatMap(({ title, amounts }) =>
    enumeration(title, amounts, columns),
  );
}

function enumeration(title: string, items: readonly string[], columns: number): readonly string[] {
  const words = items.map((item, index) => item + (index === items.length - 1 ? "." : ","));
  const lines = wrapWords([...title.split(" "), ...words], columns - 4);
  return lines.map((line, index) => (index === 0 ? `  ${line}` : `    ${line}`));
}

function fileLine({ written, unchanged, deleted, kept }: FileCounts): string {
  const parts = [`${pluralize(written, "file")} written`, `${unchanged} unchanged`];
  if (kept > 0) parts.push(`${kept} of yours kept`);
  if (deleted > 0) parts.push(`${deleted} deleted`);
  return parts.join(", ");
}
