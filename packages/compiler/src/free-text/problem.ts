import type { DiagnosticParameters } from "@hasp/base/diagnostics";

/** Reasons to refuse a grammar of a free-text tool. */
export const grammarDefinition = {
  message: {
    syntax: "The grammar cannot be read here: {expected} is expected.",
    long: "A grammar may have at most {limit} characters.",
    deep: "The grammar nests groups more than {limit} deep.",
    unsupported: "OpenAI does not support {construct} in grammars.",
    "no-start": "The grammar has no rule `start`, with which it begins.",
    twice: "The grammar defines `{name:excerpt}` twice.",
    undefined: "The grammar does not define `{name:excerpt}`.",
    "rule-in-terminal":
      "`{name:excerpt}` is a rule, and terminals, whose names are in capitals, consist of terminals only.",
    "terminal-recursion":
      "The terminal `{name:excerpt}` contains itself, or another that does. Only rules, whose names are in small letters, may.",
    endless: "No text ever ends `{name:excerpt}`: each of its alternatives contains it again.",
    "pattern-invalid": "This regular expression is invalid: {reason:clause}.",
    "pattern-time": "This regular expression cannot be matched in linear time.",
  },
  help: {
    syntax: 'A grammar consists of lines such as `start: word (" " word)*` and `WORD: /[a-z]+/`.',
    long: "OpenAI refuses grammars that are too complex. Describe less exactly, and check the rest in the handler.",
    deep: "Give the inner groups names of their own.",
    unsupported: "{remedy}",
    endless: "Add an alternative without it.",
    "pattern-time": "Write it with smaller counts and fewer nested groups.",
  },
} as const;

export type GrammarParameters = DiagnosticParameters<typeof grammarDefinition>;

/** A reason to refuse a grammar, with the part of its text that is to blame. */
export interface GrammarProblem {
  readonly parameters: GrammarParameters;
  readonly start: number;
  readonly end: number;
}

/** Ends the reading of a grammar. It never leaves this folder. */
export class GrammarRefusal extends Error {
  readonly problem: GrammarProblem;

  constructor(start: number, end: number, parameters: GrammarParameters) {
    super(parameters.variant);
    this.problem = { parameters, start, end };
  }
}
