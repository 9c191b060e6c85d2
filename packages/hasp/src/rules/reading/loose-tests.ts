import { partsOf, type Expression } from "../../cel/index.js";

/** What in an expression is a program: fields by their pointers, and items of loops over lists of programs. */
export interface Programs {
  readonly fieldAt: (pointer: string) => string | undefined;
  readonly items: ReadonlyMap<string, string>;
}

/** A test of a program that does not tell what the program does, in words. */
export interface LooseTest {
  readonly field: string;
  readonly test: string;
}

/** Tests of a program, on the way to `answer`, that are no equality with literals. */
export function* looseTests(expression: Expression, answer: boolean, programs: Programs): Generator<LooseTest> {
  switch (expression.kind) {
    case "and":
    case "or":
      for (const part of partsOf(expression)) yield* looseTests(part, answer, programs);
      return;
    case "not":
      yield* looseTests(expression.operand, !answer, programs);
      return;
    case "condition":
      // The test decides for one answer and against the other at once, so it may be of no program at all.
      yield* everyRead(expression.test, programs, "a choice between two answers");
      yield* looseTests(expression.consequent, answer, programs);
      yield* looseTests(expression.alternative, answer, programs);
      return;
    case "quantifier":
      // That all items pass, or that not one does, says something of each; anything else says nothing of the others.
      if ((expression.quantifier === "all") !== answer) break;
      yield* looseTests(expression.body, answer, withItem(expression, programs));
      return;
    case "has":
      return;
    case "equals":
    case "in-list":
      if (isEqualityWithLiterals(expression, programs) && answer !== isNegated(expression)) return;
      break;
    default:
      break;
  }
  yield* everyRead(expression, programs, wordsFor(expression));
}

function withItem(
  { list, variable }: Expression & { readonly kind: "quantifier" },
  { fieldAt, items }: Programs,
): Programs {
  const name = programName(list, { fieldAt, items });
  const others = [...items].filter(([item]) => item !== variable);
  return { fieldAt, items: new Map(name === undefined ? others : [...others, [variable, name]]) };
}

/** The name of the program that an expression is, if it is one. */
function programName(expression: Expression, { fieldAt, items }: Programs): string | undefined {
  if (expression.kind === "member") return fieldAt(expression.pointer);
  return expression.kind === "variable" ? items.get(expression.name) : undefined;
}

function isNegated(expression: Expression): boolean {
  return expression.kind === "equals" && expression.negated;
}

/** Whether the whole program, and not something made of it, is compared with what is written out. */
function isEqualityWithLiterals(expression: Expression, programs: Programs): boolean {
  const isWhole = (side: Expression): boolean => programName(side, programs) !== undefined;
  if (expression.kind === "equals") {
    const { left, right } = expression;
    return (isWhole(left) && right.kind === "literal") || (isWhole(right) && left.kind === "literal");
  }
  if (expression.kind !== "in-list" || expression.list.kind !== "list") return false;
  return isWhole(expression.item) && expression.list.items.every((item) => item.kind === "literal");
}

function* everyRead(expression: Expression, programs: Programs, test: string): Generator<LooseTest> {
  const field = programName(expression, programs);
  if (field !== undefined) yield { field, test };
  const inside = expression.kind === "quantifier" ? withItem(expression, programs) : programs;
  for (const part of partsOf(expression)) yield* everyRead(part, inside, test);
}

function wordsFor(expression: Expression): string {
  switch (expression.kind) {
    case "string-test":
      return { startsWith: "a prefix", endsWith: "an ending", contains: "a substring" }[expression.test];
    case "matches":
      return "a pattern";
    case "equals":
    case "in-list":
      return "not being one of a list";
    case "size":
      return "a length";
    default:
      return "this test";
  }
}
