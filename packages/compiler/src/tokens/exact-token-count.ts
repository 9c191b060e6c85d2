import { thrownText } from "../diagnostics/thrown-text.js";
import { libraryOnDemand } from "../model/library.js";

/** The tokenizer package. Projects that want exact counts install it, since it is larger than all of hasp. */
export const TOKENIZER_PACKAGE = "gpt-tokenizer";

interface Tokenizer {
  countTokens(text: string, options: { readonly disallowedSpecial: ReadonlySet<string> }): number;
}

/** Loads the tokenizer on first use, since its vocabulary takes a tenth of a second. Throws if it is not installed. */
const tokenizer = libraryOnDemand<Tokenizer>(`${TOKENIZER_PACKAGE}/encoding/o200k_base`);

/** Returns why tokens cannot be counted here, or `undefined` if they can. */
export function tokenizerProblem(): string | undefined {
  try {
    tokenizer();
    return undefined;
  } catch (error) {
    const [line = ""] = thrownText(error).split("\n");
    return line;
  }
}

/** Splits runs of one kind of character to a bounded length: the tokenizer's time grows with its square. */
const LONG_RUN = /[\p{L}\p{M}]{200}|[^\s\p{L}\p{N}]{200}|\s{200}/gu;
/** Never occurs in JSON. */
const CUT = "\u0000";

/**
 * Counts the o200k tokens of a JSON string. Counts a word of more than 200 letters in parts, each of which may be one
 * token too high. Throws if the package is not installed: check {@link tokenizerProblem} first.
 */
export function exactTokenCount(json: string): number {
  const options = { disallowedSpecial: new Set<string>() };
  const parts = json.replaceAll(LONG_RUN, (run) => `${run}${CUT}`).split(CUT);
  return parts.reduce((sum, part) => sum + tokenizer().countTokens(part, options), 0);
}
