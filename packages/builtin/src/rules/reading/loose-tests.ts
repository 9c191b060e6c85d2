import { listOperands, type Expression } from "@hasp/compiler/conditions";
import { parsePointer } from "@hasp/base/json";
import { beginsProgram, matchesProgram } from "./program-beginnings.js";

export interface Programs {
  readonly fieldAt: (pointer: string) => string | undefined;
  readonly isData: (pointer: string) => boolean;
  readonly items: ReadonlyMap<string, string>;
}

interface LooseTest {
  readonly field: string;
  readonly test: string;
}

/** Finds tests of a program, on the way to `answer`, other than equality with literals. */
export function* findLooseTests(expression: Expression, answer: boolean, programs: Programs): Generator<LooseTest> {
  switch (expression.kind) {
    case "and":
    case "or":
      for (const part of listOperands(expression)) yield* findLooseTests(part, answer, programs);
      return;
    case "not":
      yield* findLooseTests(expression.operand, !answer, programs);
      return;
    case "condition":
      // The test decides between both answers, so it must not read a program.
      yield* everyRead(expression.test, programs, "a choice between two answers");
      yield* findLooseTests(expression.consequent, answer, programs);
      yield* findLooseTests(expression.alternative, answer, programs);
      return;
    case "quantifier":
      // Only "all items pass" and "none passes" tell something about each item.
      if ((expression.quantifier === "all") !== answer) break;
      yield* findLooseTests(expression.body, answer, withItem(expression, programs));
      return;
    case "has":
      return;
    case "string-test":
    case "matches":
      // A value that is compared with the start of a program is meant to be one.
      if (testsForProgram(expression)) yield* everyText(expression.target, programs, wordsFor(expression));
      break;
    case "equals":
    case "in-list":
      if (isEqualityWithLiterals(expression, programs) && answer !== isNegated(expression)) return;
      break;
    default:
      break;
  }
  yield* everyRead(expression, programs, wordsFor(expression));
}

function withItem({ list, variable }: Expression & { readonly kind: "quantifier" }, programs: Programs): Programs {
  const pointer = pointerOf(list, programs);
  const others = [...programs.items].filter(([item]) => item !== variable);
  return { ...programs, items: new Map(pointer === undefined ? others : [...others, [variable, `${pointer}/*`]]) };
}

/** Returns the place in the input of an expression's value; `undefined` if it is computed. */
function pointerOf(expression: Expression, { items }: Programs): string | undefined {
  if (expression.kind === "member") return expression.pointer;
  return expression.kind === "variable" ? items.get(expression.name) : undefined;
}

function programName(expression: Expression, programs: Programs): string | undefined {
  const pointer = pointerOf(expression, programs);
  return pointer === undefined ? undefined : programs.fieldAt(pointer);
}

function testsForProgram(expression: Expression & { readonly kind: "string-test" | "matches" }): boolean {
  if (expression.kind === "matches") return matchesProgram(expression.pattern);
  const { test, part } = expression;
  return test !== "endsWith" && part.kind === "literal" && typeof part.value === "string" && beginsProgram(part.value);
}

function* everyText(expression: Expression, programs: Programs, test: string): Generator<LooseTest> {
  const pointer = pointerOf(expression, programs);
  if (pointer === undefined) {
    for (const part of listOperands(expression)) yield* everyText(part, programs, test);
  } else if (!programs.isData(pointer)) {
    const name = parsePointer(pointer).findLast((token) => token !== "*");
    yield { field: programs.fieldAt(pointer) ?? name ?? "input", test };
  }
}

function isNegated(expression: Expression): boolean {
  return expression.kind === "equals" && expression.negated;
}

/** True if the whole program, not something derived from it, is compared with literals. */
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
  for (const part of listOperands(expression)) yield* everyRead(part, inside, test);
}

function wordsFor(expression: Expression): string {
  switch (expression.kind) {
    case "string-test":
      return { startsWith: "a prefix", endsWith: "an ending", contains: "a substring" }[expression.test];
    case "matches":
      return "a pattern";
    case "equals":
    case "in-list":
      return listOperands(expression).some(({ kind }) => kind === "text-form")
        ? "equality in another form"
        : "not being one of a list";
    case "size":
      return "a length";
    default:
      return "this test";
  }
}
