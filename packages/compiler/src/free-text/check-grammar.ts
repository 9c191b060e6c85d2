import type { TextSpan } from "@hasp/base/diagnostics";
import { linearPattern } from "@hasp/schema/vocabulary";
import type { TextGrammar } from "./input.js";
import { checkLark } from "./lark.js";
import { type GrammarProblem, GrammarRefusal } from "./problem.js";
import { readRustPattern } from "./rust-pattern.js";

/** OpenAI publishes no limit, but refuses grammars that are too complex, and each request carries the whole grammar. */
const LONGEST_GRAMMAR = 30_000;

interface CheckedGrammar {
  readonly problems: readonly GrammarProblem[];
  /** Parts that repeat any character without a limit. */
  readonly warnings: readonly TextSpan[];
  /** A pattern of JSON Schema for the whole text, if the grammar is a regular expression. */
  readonly pattern?: string;
}

/** Checks a grammar against what OpenAI documents. */
export function checkGrammar({ grammar, definition }: TextGrammar): CheckedGrammar {
  const problem = (parameters: GrammarProblem["parameters"]): CheckedGrammar => ({
    problems: [{ parameters, start: 0, end: definition.length }],
    warnings: [],
  });
  if (definition.length > LONGEST_GRAMMAR) return problem({ variant: "long", limit: LONGEST_GRAMMAR });
  if (grammar === "lark") return checkLark(definition);
  try {
    const { source, isAnchored, unbounded } = readRustPattern(definition);
    const pattern = isAnchored ? source : `^(?:${source})$`;
    if (linearPattern(pattern) === undefined) return problem({ variant: "pattern-time" });
    return { problems: [], warnings: unbounded === undefined ? [] : [unbounded], pattern };
  } catch (error) {
    if (error instanceof GrammarRefusal) return { problems: [error.problem], warnings: [] };
    if (!(error instanceof SyntaxError)) throw error;
    return problem({
      variant: "pattern-invalid",
      reason: "JavaScript knows no such class of characters; write a script as `\\p{Script=Greek}`",
    });
  }
}
