import { createReadStream } from "node:fs";
import { StringDecoder } from "node:string_decoder";

/** One line of a text file, without its line break. */
export interface Line {
  /** Counted from 1. */
  readonly number: number;
  /** The line, or its beginning if it is very long. */
  readonly text: string;
  /** Characters that `text` leaves out. */
  readonly omitted: number;
}

/** Most characters of a line that are kept. */
export const mostCharactersPerLine = 10_000;

const newline = "\n";

/**
 * Reads a file of any size line by line, in bounded memory. Ends early when `onLine` answers `false`. Returns `binary`
 * at the first NUL character, `stopped` if it ended early, otherwise `complete`.
 */
export async function readLines(
  path: string,
  signal: AbortSignal,
  onLine: (line: Line) => boolean,
): Promise<"complete" | "stopped" | "binary"> {
  const decoder = new StringDecoder("utf8");
  let [number, text, omitted] = [1, "", 0];
  const keep = (part: string): void => {
    const kept = part.slice(0, mostCharactersPerLine - text.length);
    text += kept;
    omitted += part.length - kept.length;
  };
  for await (const chunk of createReadStream(path, { signal, highWaterMark: 1 << 18 })) {
    const decoded = decoder.write(chunk as Buffer);
    if (decoded.includes("\0")) return "binary";
    let start = 0;
    for (let end = decoded.indexOf(newline); end !== -1; end = decoded.indexOf(newline, start)) {
      keep(decoded.slice(start, end));
      if (!onLine({ number, text, omitted })) return "stopped";
      [number, text, omitted, start] = [number + 1, "", 0, end + 1];
    }
    keep(decoded.slice(start));
  }
  keep(decoder.end());
  return onLine({ number, text, omitted }) ? "complete" : "stopped";
}
