import { thrownText } from "../diagnostics/thrown-text.js";
import { libraryOnDemand } from "../model/library.js";

/** The package that counts; a project that wants exact counts installs it, since it is larger than all of hasp. */
export const TOKENIZER_PACKAGE = "gpt-tokenizer";

interface Tokenizer {
  countTokens(text: string, options: { readonly disallowedSpecial: ReadonlySet<string> }): number;
}

/**
 * The tokenizer, loaded when it is first asked for: its vocabulary takes a tenth of a second. Throws where it is not
 * installed.
 */
const tokenizer = libraryOnDemand<Tokenizer>(`${TOKENIZER_PACKAGE}/encoding/o200k_base`);

/** Why texts cannot be counted here; `undefined` where they can. */
export function tokenizerProblem(): string | undefined {
  try {
    tokenizer();
    return undefined;
  } catch (error) {
    const [line = ""] = thrownText(error).split("\n");
    return line;
  }
}

/** Runs of one kind of character, as long as the tokenizer may take at once: its time grows with their square. */
const LONG_RUN = /[\p{L}\p{M}]{200}|[^\s\p{L}\p{N}]{200}|\s{200}/gu;
/** Stands in no JSON text. */
const CUT = "\u0000";

/**
 * The tokens of a JSON text in the vocabulary o200k. A word of more than 200 letters is counted in parts, each of which
 * may come out a token too high. Throws where the package is not installed: ask {@link tokenizerProblem} first.
 */
export function exactTokenCount(json: string): number {
  const options = { disallowedSpecial: new Set<string>() };
  const parts = json.replaceAll(LONG_RUN, (run) => `${run}${CUT}`).split(CUT);
  return parts.reduce((sum, part) => sum + tokenizer().countTokens(part, options), 0);
}
