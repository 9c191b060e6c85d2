import { readOwnMember } from "@hasp/base/json";

const longestSentence = 80;
const placeholder = /\{([^{}]*)\}/gu;
// C0 and C1 controls, line and paragraph separators, and the marks that reorder text: none may drive a terminal.
const controlCharacters = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]+/gu;

/** Creates a status line from a template such as `Running {query}`: printable, at most 80 characters. */
export function sentence(template: string): (call: { readonly input: unknown }) => string {
  return ({ input }) => {
    const filled = template.replaceAll(placeholder, (_, path: string) => fieldText(input, path));
    return printPlainLine(filled);
  };
}

export function printPlainLine(text: string): string {
  return shortened(text.replaceAll(controlCharacters, " ").replaceAll(/ {2,}/gu, " ").trim());
}

/** Formats the field at a dotted path. A key that contains dots beats a path. */
function fieldText(input: unknown, path: string): string {
  const whole = readOwnMember(input, path);
  const value = whole === undefined ? path.split(".").reduce<unknown>(readOwnMember, input) : whole;
  if (value === undefined || value === null) return "";
  if (typeof value === "object") return JSON.stringify(value);
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? String(value) : "";
}

function shortened(text: string): string {
  // A code point has at most two units, so the slice is long enough and a huge field costs nothing.
  const characters = Array.from(text.slice(0, 2 * longestSentence + 1));
  return characters.length <= longestSentence ? text : `${characters.slice(0, longestSentence - 1).join("")}…`;
}
