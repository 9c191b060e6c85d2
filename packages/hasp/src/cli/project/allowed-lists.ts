import { findLevelName } from "@hasp/compiler/diff";

export type Allowed = (typeof ALLOWED)[keyof typeof ALLOWED];

/** The words of `--allow`, by the names of the levels. */
export const ALLOWED = {
  breaks: "breaks",
  mayBreak: "may-break",
  loosens: "loosens",
  mayLoosen: "may-loosen",
} as const;

export function allowWordFor(finding: Parameters<typeof findLevelName>[0]): Allowed | undefined {
  const name = findLevelName(finding);
  return name === undefined || name === "prompt" ? undefined : ALLOWED[name];
}
