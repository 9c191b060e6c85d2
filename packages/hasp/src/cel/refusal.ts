/** Why a predicate is refused, and the stretch of its text that is meant. */
export interface PredicateProblem {
  readonly message: string;
  readonly help?: string;
  /** Offset into the author's expression; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
}

/** Ends the judgement of one predicate. It never leaves this folder: `compilePredicate` turns it into a problem. */
export class Refusal extends Error {
  readonly problem: PredicateProblem;

  constructor(problem: PredicateProblem) {
    super(problem.message);
    this.name = "Refusal";
    this.problem = problem;
  }
}

/** Refuses the stretch of text that a node covers. */
export function refuse(node: { readonly start: number; readonly end: number }, message: string, help?: string): never {
  throw new Refusal({ message, start: node.start, end: node.end, ...(help === undefined ? {} : { help }) });
}
