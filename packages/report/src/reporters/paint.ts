import { styleText } from "node:util";

/** The looks that reports use, named for what they mean. */
export type Look = "error" | "warning" | "info" | "good" | "heading" | "faint" | "place";

/** Gives a text a look, or returns it as it is where colours are not wanted. */
export type Paint = (look: Look, text: string) => string;

const STYLES = {
  error: ["red", "bold"],
  warning: ["yellow", "bold"],
  info: ["blue"],
  good: ["green"],
  heading: ["bold"],
  faint: ["dim"],
  place: ["underline"],
} as const satisfies Record<Look, readonly string[]>;

/** Leaves every text as it is. */
export const plainPaint: Paint = (_look, text) => text;

/** Colours by ANSI escapes. */
export const colourPaint: Paint = (look, text) =>
  // Whether colours are wanted was decided by `wantsColour`; Node must not decide again from its own standard output.
  styleText([...STYLES[look]], text, { validateStream: false });

/** Returns whether to colour, following https://no-color.org and Node's FORCE_COLOR. */
export function wantsColour(environment: Readonly<Record<string, string | undefined>>, isTerminal: boolean): boolean {
  const forced = environment["FORCE_COLOR"];
  if (forced !== undefined) return forced !== "0" && forced !== "false";
  if ((environment["NO_COLOR"] ?? "") !== "") return false;
  if (environment["NODE_DISABLE_COLORS"] !== undefined || environment["TERM"] === "dumb") return false;
  return isTerminal;
}
