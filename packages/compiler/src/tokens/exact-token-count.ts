import { thrownText } from "../diagnostics/thrown-text.js";
import { libraryOnDemand } from "../model/on-demand.js";

/** Projects install it for exact counts, since it is larger than all of hasp. */
export const TOKENIZER_PACKAGE = "gpt-tokenizer";

interface Tokenizer {
  countTokens(text: string, options: { readonly disallowedSpecial: ReadonlySet<string> }): number;
}

/** Loads the tokenizer on first use: its vocabulary takes a tenth of a second. Throws if it is not installed. */
const tokenizer = libraryOnDemand<Tokenizer>(`${TOKENIZER_PACKAGE}/encoding/o200k_base`);

/** Returns the reason why tokens cannot be counted, if there is one. */
export function tokenizerProblem(): string | undefined {
  try {
    tokenizer();
    return undefined;
  } catch (error) {
    const [line = ""] = thrownText(error).split("\n");
    return line;
  }
}

/** Long runs are split: the tokenizer's time grows with their square. */
const LONG_RUN = /[\p{L}\p{M}]{200}|[^\s\p{L}\p{N}]{200}|\s{200}/gu;
/** Never occurs in JSON. */
const CUT = "\u0000";

/**
 * Counts the o200k tokens of a JSON string; each 200 letters of a long word may add one. Throws if {@link
 * tokenizerProblem} returns a reason.
 */
export function exactTokenCount(json: string): number {
  const options = { disallowedSpecial: new Set<string>() };
  const parts = json.replaceAll(LONG_RUN, (run) => `${run}${CUT}`).split(CUT);
  return parts.reduce((sum, part) => sum + tokenizer().countTokens(part, options), 0);
}
