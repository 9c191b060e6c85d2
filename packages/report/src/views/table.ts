import type { Paint } from "../reporters/paint.js";
import { displayWidth, padToWidth } from "../reporters/display-width.js";

/** The abilities of a terminal. */
export interface SummaryView {
  readonly paint: Paint;
  readonly columns: number;
}

/** Wraps words to a width; a longer word has a line of its own. */
export function wrapWords(words: readonly string[], columns: number): readonly string[] {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last === undefined || displayWidth(last) + 1 + displayWidth(word) > columns) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

/** Narrower terminals get lists for tables that do not fit. */
const NARROW = 72;

/**
 * Formats a plain table with two spaces between columns; those of numbers align to the right. If it exceeds a narrow
 * terminal, formats a list: the first cell of each row, and the others with their titles below. The heading comes first,
 * unless no column has a title. Cells must be visible text without colours.
 */
export function printTable(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  { paint = (_style, text) => text, columns = NARROW }: Partial<SummaryView> = {},
): readonly string[] {
  const lines = alignedLines(titles, rows);
  const fits = columns >= NARROW || lines.every((line) => displayWidth(line) <= columns);
  const [head = "", ...body] = fits
    ? lines
    : [titles[0] ?? "", ...rows.flatMap((row) => listedRow(titles, row, columns))];
  return titles.join("") === "" ? body : [paint("faint", head), ...body];
}

function listedRow(titles: readonly string[], row: readonly string[], width: number): readonly string[] {
  const details = titles.slice(1).flatMap((title, index) => {
    const cell = row[index + 1] ?? "";
    return cell === "" ? [] : [title === "" ? cell : `${title}: ${cell}`];
  });
  return [row[0] ?? "", ...wrapWords(details.join(", ").split(" "), width - 2).map((line) => `  ${line}`)];
}

function alignedLines(titles: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const pads = titles.map((title, index) => {
    const cells = rows.map((row) => row[index] ?? "");
    const width = Math.max(...[title, ...cells].map(displayWidth));
    return cells.every((cell) => /^\d*$/u.test(cell))
      ? (cell: string) => " ".repeat(width - displayWidth(cell)) + cell
      : (cell: string) => padToWidth(cell, width);
  });
  return [titles, ...rows].map((cells) =>
    pads
      .map((pad, index) => pad(cells[index] ?? ""))
      .join("  ")
      .trimEnd(),
  );
}
