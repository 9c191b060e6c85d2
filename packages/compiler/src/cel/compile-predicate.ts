import type { ASTNode } from "@marcbachmann/cel-js";
import type { JsonSchema } from "@hasp/schema";
import type { ExpressionPredicate } from "../model/conditions/compiled-predicate.js";
import { evaluatorOf } from "./evaluate.js";
import { partsOf, type Expression } from "../model/conditions/expression.js";
import { checkExpression } from "./check/check.js";
import { inputTypeOf } from "./check/input-type.js";
import { createCelParser, isNode } from "./parse-cel.js";
import { printJavaScript } from "./print/print-javascript.js";
import { Refusal, type PredicateProblem } from "./model/refusal.js";

/** A compiled predicate, or why there is none. */
export interface CompilePredicateResult {
  readonly predicate?: ExpressionPredicate;
  readonly problems: readonly PredicateProblem[];
}

/** Settings of {@link createPredicateCompiler}; all optional. */
interface PredicateCompilerOptions {
  /** Members of the schema that are variables of their own, in place of `input`: `input` and `context` of a call. */
  readonly variables?: readonly string[];
}

/**
 * Returns a compiler of CEL expressions over `input`, a tool's flat and closed input schema. The library parses an
 * expression, our own walk checks the rules for conditions, and the library's type-checker has the last word.
 *
 * Where the printed JavaScript and CEL differ, on purpose:
 * - evaluation is left to right and any error is the strict answer; CEL's `||`, `&&`, `all` and `exists` absorb errors;
 * - integers are exact to 2^53 and an error beyond; CEL's have 64 bits;
 * - timestamps and durations keep nanoseconds; the library's evaluator keeps milliseconds;
 * - text is ordered by code points, as CEL says; the library's evaluator orders UTF-16 units.
 */
export function createPredicateCompiler(
  input: JsonSchema,
  { variables }: PredicateCompilerOptions = {},
): (source: string) => CompilePredicateResult {
  const type = inputTypeOf(input);
  const parse = createCelParser(type, variables);
  return (source) => {
    const parsed = parse(source);
    if (!("ast" in parsed)) return { problems: [parsed] };
    try {
      const expression = checkExpression(withVariables(parsed.ast, variables), source, type);
      const problem = parsed.check();
      if (problem !== undefined) return { problems: [problem] };
      const { javascript, helpers } = printJavaScript(expression, variables === undefined ? "input" : "call");
      const evaluate = evaluatorOf(expression);
      return {
        predicate: {
          kind: "expression",
          ...(variables === undefined ? {} : { judgesCall: true }),
          source,
          reads: readsOf(expression),
          javascript,
          helpers,
          expression,
          evaluate,
        },
        problems: [],
      };
    } catch (error) {
      if (error instanceof Refusal) return { problems: [error.problem] };
      throw error;
    }
  };
}

/** Reads a variable as what it is: a member of the value that is judged. */
function withVariables(node: ASTNode, variables: readonly string[] | undefined): ASTNode {
  if (variables === undefined) return node;
  const { op, args, start, end } = node;
  if (op === "id" && variables.includes(args)) {
    return { op: ".", args: [{ ...position(node), op: "id", args: "input" }, args], start, end } as ASTNode;
  }
  const inside = (part: unknown): unknown =>
    Array.isArray(part) ? part.map(inside) : isNode(part) ? withVariables(part, variables) : part;
  return { ...position(node), op, args: inside(args) } as ASTNode;
}

function position({ start, end }: ASTNode): Pick<ASTNode, "start" | "end"> {
  return { start, end };
}

/** Pointers of the fields that an expression asks for or about, sorted, each once. */
function readsOf(expression: Expression): readonly string[] {
  const reads = new Set<string>();
  const visit = (each: Expression): void => {
    if (each.kind === "member" || each.kind === "has") reads.add(each.pointer);
    for (const part of partsOf(each)) visit(part);
  };
  visit(expression);
  return [...reads].toSorted();
}
