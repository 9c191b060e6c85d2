import { type Range, printVisibleText } from "@hasp/base/diagnostics";
import { redactSecrets } from "@hasp/compiler/model";
import { displayWidth, measureCharacters } from "./display-width.js";
import type { Paint } from "./paint.js";

const CONTEXT_LINES = 1;
const TAB = "  ";
/** Examine only this many times the room, in either direction: a line may be a whole file of megabytes. */
const REACH = 3;

/** Secrets become as many stars: reports end in logs. */
const shown = (text: string): string =>
  printVisibleText(redactSecrets(text, ({ length }) => "*".repeat(length)).replaceAll("\t", TAB));

/**
 * The user's own text around a range, with line numbers and a mark under the range:
 *
 *     11 │   properties:
 *   > 12 │     query: { type: sting }
 *        │                    ^^^^^
 */
export function printCodeFrame(lines: readonly string[], range: Range, columns: number, paint: Paint): string {
  const marked = Math.min(range.start.line, lines.length) - 1;
  const gutter = String(marked + 1 + CONTEXT_LINES).length;
  const room = Math.max(20, columns - gutter - 6);
  const window = markWindow(lines[marked] ?? "", range, room);
  // Neighbours of a long line, most often JSON on one line, say nothing.
  const context = window.skipped > 0 ? 0 : CONTEXT_LINES;
  const first = Math.max(0, marked - context);
  // The text behind the last line break is not a line.
  const end = lines.at(-1) === "" ? lines.length - 2 : lines.length - 1;
  const last = Math.max(marked, Math.min(end, marked + context));

  const frame: string[] = [];
  for (let index = first; index <= last; index += 1) {
    const number = String(index + 1).padStart(gutter);
    if (index === marked) {
      frame.push(`${paint("error", ">")} ${number} ${paint("faint", "│")} ${window.text}`);
      const mark = " ".repeat(window.before) + paint("error", "^".repeat(window.width));
      frame.push(`  ${" ".repeat(gutter)} ${paint("faint", "│")} ${mark}`);
    } else {
      const text = cut(shown((lines[index] ?? "").slice(0, room * REACH)), 0, room);
      frame.push(`  ${paint("faint", number)} ${paint("faint", "│")}${text === "" ? "" : ` ${paint("faint", text)}`}`);
    }
  }
  return frame.join("\n");
}

interface MarkWindow {
  readonly text: string;
  readonly before: number;
  readonly width: number;
  readonly skipped: number;
}

function markWindow(line: string, range: Range, room: number): MarkWindow {
  const from = Math.min(range.start.column - 1, line.length);
  const to = range.end.line === range.start.line ? Math.max(from, range.end.column - 1) : line.length;
  const start = Math.max(0, from - room * REACH);
  const end = Math.min(line.length, from + room * REACH);
  const text = shown(line.slice(start, end));
  const before = displayWidth(shown(line.slice(start, from)));
  const width = Math.max(1, displayWidth(shown(line.slice(from, Math.min(to, end)).trimEnd())));
  if (start === 0 && end === line.length && displayWidth(text) <= room) {
    return { text, before, width: Math.min(width, room), skipped: 0 };
  }
  const skipped = before + Math.min(width, room / 2) <= room - 1 ? 0 : Math.max(0, before - Math.floor(room / 4));
  return {
    text: cut(text, skipped, room),
    before: before - skipped,
    width: Math.max(1, Math.min(width, room - (before - skipped) - 1)),
    skipped,
  };
}

/** Returns the columns from `skipped` to `skipped + room`, with `…` where text is missing. */
function cut(text: string, skipped: number, room: number): string {
  if (skipped === 0 && displayWidth(text) <= room) return text;
  let column = 0;
  let result = "";
  let isCut = false;
  for (const character of measureCharacters(text)) {
    const isBefore = column < skipped;
    column += character.width;
    if (isBefore) continue;
    if (column - skipped > room - 1) {
      isCut = true;
      break;
    }
    result += character.text;
  }
  if (skipped > 0 && result !== "") result = `…${result.slice(measureCharacters(result)[0]?.text.length ?? 0)}`;
  return isCut ? `${result}…` : result;
}
