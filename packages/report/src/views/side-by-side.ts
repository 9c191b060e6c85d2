import { findOrAdd } from "@hasp/base/json";
import { type Location, printVisibleText } from "@hasp/base/diagnostics";
import type { LoweredTool } from "@hasp/compiler";
import { cutToWidth, measureCharacters, padToWidth } from "../reporters/display-width.js";
import type { Paint } from "../reporters/paint.js";
import { printEntryLines, type LineOrigin } from "./entry-lines.js";
import { listEntrySchemas } from "./entry-schemas.js";

interface PlacedLine {
  readonly text: string;
  readonly location?: Location;
}

/** Formats the provider's entry as JSON lines, with the spec locations of its schemas, name and description. */
export function placeLines(lowered: LoweredTool): readonly PlacedLine[] {
  const { tool, definition } = lowered;
  const schemas = listEntrySchemas(lowered);
  const places = schemas.map((schema) => schema.places());
  const placeOf = (origin: LineOrigin): Location | undefined => {
    if (origin.kind === "schema") return places[origin.schema]?.[origin.line];
    return tool.spec[origin.key] === undefined ? undefined : tool.locate(`/${origin.key}`);
  };
  const lines = printEntryLines(
    definition,
    schemas.map(({ value }) => value),
  );
  return lines.map(({ text, origin }) => {
    const location = origin && placeOf(origin);
    return location === undefined ? { text } : { text, location };
  });
}

export function printSideBySide(
  entry: readonly PlacedLine[],
  sources: ReadonlyMap<string, string>,
  mainUri: string,
  columns: number,
  paint: Paint,
): string {
  const left = Math.max(30, Math.floor(columns * 0.55));
  const right = Math.max(20, columns - left - 3);
  const lines: string[] = [];
  const specLines = new Map<string, readonly string[]>();
  for (const { text, location } of entry) {
    const [first = "", ...rest] = wrapped(printVisibleText(text), left);
    const from = location === undefined ? "" : specLine(location, sources, mainUri, specLines);
    lines.push(
      `${padToWidth(first, left)} ${paint("faint", "│")} ${paint("faint", cutToWidth(from, right))}`.trimEnd(),
    );
    for (const more of rest) lines.push(`${padToWidth(more, left)} ${paint("faint", "│")}`);
  }
  return `${lines.join("\n")}\n`;
}

function specLine(
  { uri, range }: Location,
  sources: ReadonlyMap<string, string>,
  mainUri: string,
  known: Map<string, readonly string[]>,
): string {
  const texts = findOrAdd(known, uri, () => (sources.get(uri) ?? "").split(/\r\n|\n/));
  const { line } = range.start;
  const file = uri === mainUri ? "" : `${uri.split("/").at(-1) ?? uri}:`;
  return printVisibleText(`${file}${line}  ${(texts[line - 1] ?? "").trimStart().slice(0, 1000).trimEnd()}`);
}

function wrapped(text: string, columns: number): readonly string[] {
  const indent = `${/^ */.exec(text)?.[0] ?? ""}    `.slice(0, Math.floor(columns / 2));
  const pieces: string[] = [];
  let piece = "";
  let used = 0;
  for (const character of measureCharacters(text)) {
    if (used + character.width > columns) {
      const at = piece.lastIndexOf(" ");
      const cutAt = at > piece.length * 0.6 ? at : piece.length;
      pieces.push(piece.slice(0, cutAt));
      piece = indent + piece.slice(cutAt).trimStart();
      used = piece.length;
    }
    piece += character.text;
    used += character.width;
  }
  return [...pieces, piece];
}
