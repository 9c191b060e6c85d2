import { displayWidth, padToWidth } from "../reporters/display-width.js";

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

export interface Column {
  readonly title: string;
  readonly align?: "left" | "right";
}

/** Narrower terminals get lists for tables that do not fit. */
const NARROW = 72;

/**
 * Formats a plain table with two spaces between columns. If it exceeds a narrow `width`, formats a list: the first cell
 * of each row, and the others with their titles below. Cells must be visible text without colours.
 */
export function printTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number = NARROW,
): readonly string[] {
  const lines = alignedLines(columns, rows);
  const fits = width >= NARROW || lines.every((line) => displayWidth(line) <= width);
  return fits ? lines : [columns[0]?.title ?? "", ...rows.flatMap((row) => listedRow(columns, row, width))];
}

function listedRow(columns: readonly Column[], row: readonly string[], width: number): readonly string[] {
  const details = columns.slice(1).flatMap(({ title }, index) => {
    const cell = row[index + 1] ?? "";
    return cell === "" ? [] : [title === "" ? cell : `${title}: ${cell}`];
  });
  return [row[0] ?? "", ...wrapWords(details.join(", ").split(" "), width - 2).map((line) => `  ${line}`)];
}

function alignedLines(columns: readonly Column[], rows: readonly (readonly string[])[]): readonly string[] {
  const widths = columns.map((column, index) =>
    Math.max(displayWidth(column.title), ...rows.map((row) => displayWidth(row[index] ?? ""))),
  );
  const line = (cells: readonly string[]): string =>
    columns
      .map((column, index) => {
        const cell = cells[index] ?? "";
        const width = widths[index] ?? 0;
        return column.align === "right" ? " ".repeat(width - displayWidth(cell)) + cell : padToWidth(cell, width);
      })
      .join("  ")
      .trimEnd();
  return [line(columns.map((column) => column.title)), ...rows.map(line)];
}
