import { formatMessage } from "@hasp/schema/internal/diagnostics";
import { predicateDefinition, type RefusalParameters } from "./messages.js";

/** The reason why a condition is refused, and the part of its text that is at fault. */
export interface PredicateProblem {
  readonly parameters: RefusalParameters;
  /** Offset into the author's expression; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
}

/** Ends the check of one condition. It never leaves this folder: `createPredicateCompiler` turns it into a problem. */
export class Refusal extends Error {
  readonly problem: PredicateProblem;

  constructor(problem: PredicateProblem) {
    super(formatMessage(predicateDefinition.message, problem.parameters));
    this.name = "Refusal";
    this.problem = problem;
  }
}

/** Refuses the part of the text that a node covers. */
export function refuse(
  { start, end }: { readonly start: number; readonly end: number },
  parameters: RefusalParameters,
): never {
  throw new Refusal({ parameters, start, end });
}
