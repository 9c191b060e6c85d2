import type { FormatName } from "./formats.js";

/** How a report of each format begins, whatever it holds; the formats without a mark of their own are not here. */
const starts: ReadonlyMap<FormatName, RegExp> = new Map([
  ["json", /^\{\s*"diagnostics":/u],
  ["sarif", /^\{\s*"\$schema":\s*"[^"]*sarif/u],
  ["junit", /^<\?xml[^>]*>\s*<testsuites name="hasp"/u],
  ["markdown", /^### hasp: /u],
]);

/**
 * Whether a file is an earlier report, so that a new one may take its place: by how it begins, and where the format has
 * no mark, by a name that nothing but a text for people has.
 */
export function isEarlierReport(format: FormatName, path: string, start: string): boolean {
  return starts.get(format)?.test(start) ?? /\.(?:txt|log)$/iu.test(path);
}
