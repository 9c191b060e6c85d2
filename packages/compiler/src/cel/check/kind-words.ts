import type { ASTNode } from "@marcbachmann/cel-js";
import type { TypeEnv, ValueKind } from "./typed-expression.js";

const WORDS: { readonly [kind in ValueKind]: string } = {
  null: "null",
  bool: "true or false",
  int: "an integer",
  double: "a number",
  string: "a string",
  list: "a list",
  map: "an object",
  timestamp: "a timestamp",
  duration: "a duration",
};

/** The kinds of a value, as a sentence names them. */
export function wordsFor(kinds: ReadonlySet<ValueKind>): string {
  if (kinds.size === 0) return "nothing (the tests before it leave no value)";
  if (kinds.size >= 6) return "of any kind";
  const nullLast = [...kinds].toSorted((a, b) => Number(a === "null") - Number(b === "null"));
  return nullLast.map((kind) => WORDS[kind]).join(" or ");
}

/** The text to test for null first, if only null is in the way. */
export function nullGuard(node: ASTNode, kinds: ReadonlySet<ValueKind>, { textOf }: TypeEnv): string | undefined {
  return kinds.has("null") && kinds.size > 1 ? textOf(node) : undefined;
}
