import type { ASTNode } from "@marcbachmann/cel-js";
import type { JsonValue } from "@hasp/schema";
import type { Expression } from "../../model/conditions.js";
import { describeKinds, type ValueKind } from "./kinds.js";
import type { InputType } from "./input-type.js";
import { refuse } from "./messages.js";

export interface InputPath {
  /** Identifies the place. Items of two loops over one list have different keys. */
  readonly key: string;
  /** JSON Pointer into instances, `*` for any item. */
  readonly pointer: string;
  readonly type: InputType;
  readonly holder?: { readonly path: InputPath; readonly name: string };
}

/** Facts about the input that earlier tests establish, by the keys of places. */
export interface Facts {
  readonly present: ReadonlySet<string>;
  /** Types of places that have fewer possible values than the schema allows. */
  readonly types: ReadonlyMap<string, InputType>;
}

/** A checked expression with its possible kinds, and functions that compute what follows if it is true or false. */
export interface TypedExpression {
  readonly expression: Expression;
  readonly kinds: ReadonlySet<ValueKind>;
  readonly path?: InputPath;
  readonly items?: readonly TypedExpression[];
  readonly whenTrue: () => Facts;
  readonly whenFalse: () => Facts;
}

export interface TypeEnv {
  /** The author's text of a node, as a message quotes it. */
  readonly textOf: (node: ASTNode) => string;
  readonly check: (node: ASTNode, env: TypeEnv) => TypedExpression;
  readonly input: InputPath;
  readonly facts: Facts;
  readonly variables: ReadonlyMap<string, InputPath>;
  /** Maximum rounds of the loops around the expression; `undefined` outside loops. */
  readonly rounds: number | undefined;
  readonly innermost?: string | undefined;
  /** True if reading an absent member may be an error at run time. */
  readonly mayReadAbsent: boolean;
}

/** Types an expression whose answer tells nothing new about the input. */
export function typed(expression: Expression, kinds: Iterable<ValueKind>, facts: Facts): TypedExpression {
  const unchanged = (): Facts => facts;
  return { expression, kinds: new Set(kinds), whenTrue: unchanged, whenFalse: unchanged };
}

export function isOnly(kinds: ReadonlySet<ValueKind>, ...wanted: readonly ValueKind[]): boolean {
  return kinds.size > 0 && [...kinds].every((kind) => wanted.includes(kind));
}

export function isNumeric(kinds: ReadonlySet<ValueKind>): boolean {
  return isOnly(kinds, "int", "double");
}

export function findLiteral({ expression }: TypedExpression): JsonValue | undefined {
  return expression.kind === "literal" ? expression.value : undefined;
}

/** A refusal of an operand for its kinds. */
type KindRefusal = "operand-not-boolean" | "no-size" | "not-string" | "in-other" | "no-negative";

export function refuseKinds(node: ASTNode, variant: KindRefusal, kinds: ReadonlySet<ValueKind>, env: TypeEnv): never {
  const guard = printNullGuard(node, kinds, env);
  return refuse(node, { variant, text: env.textOf(node), kinds: describeKinds(kinds), guard });
}

/** Returns the text to test for null first, if null is the only obstacle. */
export function printNullGuard(node: ASTNode, kinds: ReadonlySet<ValueKind>, { textOf }: TypeEnv): string | undefined {
  return kinds.has("null") && kinds.size > 1 ? textOf(node) : undefined;
}
