import type regjsparser from "regjsparser";
import { libraryOnDemand } from "../../../model/library.js";

const parser = libraryOnDemand<typeof regjsparser>("regjsparser");

/** A regular expression as its parser gives it, or a part of one. */
export type PatternNode = ReturnType<typeof regjsparser.parse<typeof FEATURES>>;

const FEATURES = { lookbehind: true, namedGroups: true, unicodePropertyEscape: true } as const;

/** Reads an expression as JavaScript does with the flag `u`. Throws where it is none. */
export function parsePattern(pattern: string): PatternNode {
  return parser().parse(pattern, "u", FEATURES);
}
