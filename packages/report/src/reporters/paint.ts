import { styleText } from "node:util";

export type Look = "error" | "warning" | "info" | "good" | "heading" | "faint" | "place";

/** Styles a text, or returns it unchanged without colours. */
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

export const paintPlain: Paint = (_look, text) => text;

export const paintInColour: Paint = (look, text) =>
  // `wantsColour` has decided; Node must not decide again from its own standard output.
  styleText([...STYLES[look]], text, { validateStream: false });

/** Chooses colours by https://no-color.org and Node's FORCE_COLOR. */
export function wantsColour(environment: Readonly<Record<string, string | undefined>>, isTerminal: boolean): boolean {
  const forced = environment["FORCE_COLOR"];
  if (forced !== undefined) return forced !== "0" && forced !== "false";
  if ((environment["NO_COLOR"] ?? "") !== "") return false;
  if (environment["NODE_DISABLE_COLORS"] !== undefined || environment["TERM"] === "dumb") return false;
  return isTerminal;
}
