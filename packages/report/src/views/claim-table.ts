import type { ClaimGroup } from "@hasp/compiler/claims";
import { displayWidth } from "../reporters/display-width.js";
import { printVisibleText, pluralize } from "@hasp/base/diagnostics";
import { printTable, type SummaryView, wrapWords } from "./table.js";

/** The most names in one row, unless all are asked for. */
const NAMES = 12;

/** The fewest columns for names; with less, they go below the claim. */
const LEAST_NAME_COLUMNS = 24;

const TITLES = ["risk", "claim", "tools", "names"];

export function claimTable(
  groups: readonly ClaimGroup[],
  { paint, columns }: SummaryView,
  { allNames = false }: { readonly allNames?: boolean } = {},
): string {
  const cells = groups.map(({ risk, kind, claims }) => {
    const names = [...new Set(claims.map(({ tool }) => tool))];
    return { risk, kind: printVisibleText(kind), count: String(names.length), names: listed(names, allNames) };
  });
  const used = ["risk", "kind", "count"] as const;
  const width = used.reduce(
    (sum, key, index) =>
      sum + 2 + Math.max(displayWidth(TITLES[index] ?? ""), ...cells.map((cell) => displayWidth(cell[key]))),
    0,
  );
  if (columns - width < LEAST_NAME_COLUMNS) {
    const blocks = cells.flatMap(({ risk, kind, count, names }) => [
      `${risk}  ${paint("heading", kind)}`,
      ...wrapWords([`${pluralize(Number(count), "tool")}:`, ...names], columns - 2).map((line) => `  ${line}`),
    ]);
    return `${blocks.join("\n")}\n`;
  }
  const rows = cells.flatMap(({ risk, kind, count, names }) => {
    const [first = "", ...rest] = wrapWords(names, columns - width);
    return [[risk, kind, count, first], ...rest.map((line) => ["", "", "", line])];
  });
  return `${printTable(TITLES, rows, { paint }).join("\n")}\n`;
}

/** The most claims of one kind that are printed, unless all are asked for. */
const CLAIMS = 20;

/** Prints the claims of rows whose kind does not state them: people who approve a row must read them. */
export function claimTexts(
  groups: readonly ClaimGroup[],
  { paint, columns }: SummaryView,
  { all = false }: { readonly all?: boolean } = {},
): string {
  return groups
    .filter(({ isUniform, kind }) => !isUniform && kind.includes("…"))
    .map(({ kind, claims }) => {
      const shown = all || claims.length <= CLAIMS + 1 ? claims : claims.slice(0, CLAIMS);
      const more = claims.length - shown.length;
      const lines = shown.flatMap(({ tool, claim }) => {
        const words = printVisibleText(claim).split(" ");
        const [first = "", ...rest] = wrapWords([`${printVisibleText(tool)} `, ...words], columns - 4);
        return [`  ${first}`, ...rest.map((line) => `    ${line}`)];
      });
      const last = more === 0 ? [] : [`  … and ${more} more; --verbose prints them`];
      return `\n${[paint("heading", printVisibleText(kind)), ...lines, ...last].join("\n")}\n`;
    })
    .join("");
}

function listed(names: readonly string[], allNames: boolean): readonly string[] {
  const shown = allNames || names.length <= NAMES + 1 ? names : names.slice(0, NAMES);
  const words = shown.map((name, index) =>
    index === shown.length - 1 ? printVisibleText(name) : `${printVisibleText(name)},`,
  );
  return shown.length === names.length ? words : [...words, `… and ${names.length - NAMES} more`];
}
