import type { JsonValue } from "@hasp/schema";
import type { OutputFile } from "../../model/output.js";
import { fault } from "./fault.js";

/**
 * Proves that a JSON file consists of the expected parts, in order, in a frame: parsed with a number in place of each
 * part, it must satisfy `isFrame`. Throws otherwise, which is a bug in hasp.
 */
export function proveFrame(
  { path, text }: OutputFile,
  parts: readonly string[],
  isFrame: (frame: JsonValue) => boolean,
): void {
  const frame: string[] = [];
  let position = 0;
  for (const [index, part] of parts.entries()) {
    const at = text.indexOf(part, position);
    if (at === -1) fault(path, "a part that was proved is not in it");
    frame.push(text.slice(position, at), String(index));
    position = at + part.length;
  }
  if (!isFrame(parsed([...frame, text.slice(position)].join("")))) fault(path, "its parts are not where they belong");
}

function parsed(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return null;
  }
}
