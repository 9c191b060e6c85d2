import type { DiagnosticParameters, TextSpan } from "@hasp/base/diagnostics";

/** Reasons to refuse a grammar of a free-text tool. */
export const grammarDefinition = {
  message: {
    syntax: "The grammar cannot be read here: expected {expected}.",
    long: "A grammar may have at most {limit} characters.",
    deep: "The grammar nests groups more than {limit} deep.",
    unsupported: "A grammar cannot contain {construct}.",
    "no-start": "The grammar has no rule `start`, where every grammar begins.",
    twice: "The grammar defines `{name:excerpt}` twice.",
    undefined: "The grammar does not define `{name:excerpt}`.",
    "rule-in-terminal":
      "`{name:excerpt}` is a rule. Terminals, whose names are in capitals, may contain only terminals.",
    "terminal-recursion":
      "The terminal `{name:excerpt}` contains itself or a terminal that does. Only rules, whose names are in lower case, may be recursive.",
    endless:
      "`{name:excerpt}` can never end: each of its alternatives contains it, or another rule that can never end.",
    "pattern-invalid": "This regular expression is invalid: {reason:clause}.",
    "pattern-time": "This regular expression cannot be matched in linear time.",
  },
  help: {
    syntax: 'A grammar consists of lines such as `start: word (" " word)*` and `WORD: /[a-z]+/`.',
    long: "OpenAI refuses grammars that are too complex. Describe less exactly, and check the rest in the handler.",
    deep: "Give the inner groups names of their own.",
    unsupported: "{remedy}",
    endless: "Add an alternative without such a rule.",
    "pattern-time": "Write it with smaller counts and fewer nested groups.",
  },
} as const;

export type GrammarParameters = DiagnosticParameters<typeof grammarDefinition>;

/** A reason to refuse a grammar, with the part of its text that is to blame. */
export interface GrammarProblem extends TextSpan {
  readonly parameters: GrammarParameters;
}

/** Ends the reading of a grammar. It never leaves this folder. */
export class GrammarRefusal extends Error {
  readonly problem: GrammarProblem;

  constructor(start: number, end: number, parameters: GrammarParameters) {
    super(parameters.variant);
    this.problem = { parameters, start, end };
  }
}
