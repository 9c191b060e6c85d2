import { linearPattern } from "@hasp/schema/vocabulary";
import type { TextGrammar } from "./input.js";
import { checkLark, type GrammarWarning } from "./lark.js";
import { type GrammarProblem, GrammarRefusal } from "./problem.js";
import { readRustPattern } from "./rust-pattern.js";

export { grammarDefinition } from "./problem.js";

/** OpenAI publishes no limit. Grammars of this size are refused for their complexity, and each request sends them. */
const LONGEST_GRAMMAR = 30_000;

interface CheckedGrammar {
  readonly problems: readonly GrammarProblem[];
  readonly warnings: readonly GrammarWarning[];
  /** The pattern of JSON Schema for the whole text, if the grammar is a regular expression. */
  readonly pattern?: string;
}

/** Checks a grammar as far as OpenAI documents what it takes. */
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
    return problem({ variant: "pattern-invalid", reason: "JavaScript cannot read it" });
  }
}
