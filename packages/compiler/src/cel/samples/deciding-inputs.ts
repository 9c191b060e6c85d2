import type { JsonValue } from "@hasp/schema";
import { attempt } from "../../diagnostics/thrown-text.js";
import { type Expression, listOperands } from "../../model/conditions.js";
import { isList } from "../../model/json.js";
import { findItemType, type InputType } from "../check/input-type.js";
import { createScopedEvaluator } from "../check/evaluate.js";
import {
  findPlace,
  findPlaceType,
  listPlaces,
  type LoopPlaces,
  type InputPlace,
  readItems,
  readPlace,
  withItem,
  writePlace,
} from "./places.js";
import { sampleType } from "./sample-values.js";
import { listNamedValues, listValuesFor, listValuesNear } from "./values-near.js";

/** An answer that a part of a condition must have, so that another part decides. */
interface NeededAnswer {
  readonly of: Expression;
  readonly wanted: boolean;
  isMet(input: JsonValue): boolean;
}

interface Scope {
  readonly places: LoopPlaces;
  readonly requirements: readonly NeededAnswer[];
  /** Counts what may still be tried, here and in all. */
  readonly fuel: Fuel;
}

interface Fuel {
  left: number;
  readonly whole: { left: number };
}

type Answer = readonly [of: Expression, wanted: boolean];

export interface InputSpace {
  readonly type: InputType;
  /** Returns the input with its defaults if it is valid. */
  accept(candidate: JsonValue): JsonValue | undefined;
  /** Returns texts on which a pattern may answer differently. */
  textsLike(pattern: string): readonly string[];
}

/** The most inputs that are tried to vary one part, to settle the others before it, to settle them again, and in all. */
const MOST_TRIES = { vary: 800, settle: 800, repair: 60, whole: 12_000 } as const;

/** The most values of one place that are tried with those of another. */
const MOST_PAIRED = 24;

/** The most ways in which the rest of a condition is settled before a part is tried. */
const MOST_WAYS = 4;

/**
 * Yields valid inputs, made from `base`, on which one part of a condition after another decides the answer: the values
 * that tell two answers apart, and those beside them. At most `most` for each part.
 */
export function* findDecidingInputs(
  condition: Expression,
  base: JsonValue,
  space: InputSpace,
  most: number,
): Generator<JsonValue> {
  const whole = { left: MOST_TRIES.whole as number };
  const fuelFor = (task: keyof typeof MOST_TRIES): Fuel => ({ left: MOST_TRIES[task], whole });
  yield* vary(condition, base, { places: new Map(), requirements: [], fuel: fuelFor("whole") });

  /** Yields inputs that differ where an expression reads, while the rest of the condition leaves the answer to it. */
  function* vary(of: Expression, input: JsonValue, scope: Scope): Generator<JsonValue> {
    switch (of.kind) {
      case "not":
        yield* vary(of.operand, input, scope);
        return;
      case "and":
      case "or":
        yield* varyBeside(of.right, [[of.left, of.kind === "and"]], input, scope);
        yield* varyBeside(of.left, [[of.right, of.kind === "and"]], input, scope);
        return;
      case "condition":
        yield* varyBeside(of.consequent, [[of.test, true]], input, scope);
        yield* varyBeside(of.alternative, [[of.test, false]], input, scope);
        for (const answer of [true, false]) {
          const apart: readonly Answer[] = [
            [of.consequent, answer],
            [of.alternative, !answer],
          ];
          yield* varyBeside(of.test, apart, input, scope);
        }
        return;
      case "equals":
        if (!isTest(of.left) && !isTest(of.right)) break;
        for (const answer of [true, false]) {
          yield* varyBeside(of.right, [[of.left, answer]], input, scope);
          yield* varyBeside(of.left, [[of.right, answer]], input, scope);
        }
        return;
      case "quantifier":
        yield* varyLoop(of, input, scope);
        return;
      default:
        break;
    }
    yield* varyLeaf(of, input, scope);
  }

  /** Varies a part where the others answer as wanted. */
  function* varyBeside(
    part: Expression,
    others: readonly Answer[],
    input: JsonValue,
    scope: Scope,
  ): Generator<JsonValue> {
    const inner = others.reduce(requireAnswer, scope);
    let ways = 0;
    for (const settled of settleAll(others, input, { ...scope, fuel: fuelFor("settle") })) {
      let isFruitful = false;
      for (const found of vary(part, settled, inner)) {
        isFruitful = true;
        yield found;
      }
      ways += 1;
      if (isFruitful || ways === MOST_WAYS) return;
    }
  }

  function* settleAll([first, ...others]: readonly Answer[], input: JsonValue, scope: Scope): Generator<JsonValue> {
    if (first === undefined) {
      yield input;
      return;
    }
    for (const settled of settle(first, input, scope)) yield* settleAll(others, settled, requireAnswer(scope, first));
  }

  /** Yields inputs, the given one first, for which an expression has an answer and all requirements are met. */
  function* settle(answer: Answer, input: JsonValue, scope: Scope): Generator<JsonValue> {
    const settled = requireAnswer(scope, answer);
    if (areMet(settled, input)) yield input;
    for (const found of settleParts(answer, input, scope)) if (areMet(settled, found)) yield found;
  }

  function* settleParts([of, wanted]: Answer, input: JsonValue, scope: Scope): Generator<JsonValue> {
    switch (of.kind) {
      case "not":
        yield* settle([of.operand, !wanted], input, scope);
        return;
      case "and":
      case "or": {
        const { left, right } = of;
        if (wanted !== (of.kind === "and")) yield* settle([left, wanted], input, scope);
        // The right side may only be readable if the left side leaves the answer to it.
        const first: Answer = [left, of.kind === "and"];
        yield* settleAll([first, [right, wanted]], input, scope);
        return;
      }
      case "condition":
        // prettier-ignore
        yield* settleAll([[of.test, true], [of.consequent, wanted]], input, scope);
        // prettier-ignore
        yield* settleAll([[of.test, false], [of.alternative, wanted]], input, scope);
        return;
      case "equals":
        if (!isTest(of.left) && !isTest(of.right)) break;
        for (const answer of [true, false]) {
          const right: Answer = [of.right, (answer !== of.negated) === wanted];
          yield* settleAll([[of.left, answer], right], input, scope);
        }
        return;
      case "quantifier": {
        const list = findPlace(of.list, scope.places);
        if (list === undefined) return;
        if (wanted === (of.quantifier === "all")) yield* accepted([writePlace(input, list, [])], scope);
        const inner = { ...scope, places: withItem(scope.places, of.variable, list) };
        for (const one of withOneItem(input, list, scope)) yield* settle([of.body, wanted], one, inner);
        return;
      }
      default:
        break;
    }
    yield* variations(of, input, scope);
  }

  function* varyLeaf(of: Expression, input: JsonValue, outer: Scope): Generator<JsonValue> {
    const scope = { ...outer, fuel: fuelFor("vary") };
    const paths = listPlaces(of, scope.places);
    let count = 0;
    for (const found of [input, ...testsInside(of).flatMap((test) => answerBothWays(test, input, scope))]) {
      for (const candidate of variations(of, found, scope)) {
        const settled = areMet(scope, candidate) ? candidate : repair(candidate, paths, scope);
        if (settled === undefined) continue;
        yield settled;
        count += 1;
        if (count === most) return;
      }
    }
  }

  /** Settles again what a change at some places has broken, without changing these places. */
  function repair(input: JsonValue, paths: readonly InputPlace[], scope: Scope): JsonValue | undefined {
    const texts = paths.map((path) => JSON.stringify(readPlace(input, path)));
    const isKept: NeededAnswer = {
      of: condition,
      wanted: true,
      isMet: (other) => paths.every((path, index) => JSON.stringify(readPlace(other, path)) === texts[index]),
    };
    const broken = scope.requirements.filter((each) => !each.isMet(input));
    const answers = broken.map(({ of, wanted }): Answer => [of, wanted]);
    const requirements = [isKept, ...scope.requirements.filter((each) => !broken.includes(each))];
    const [found] = take(settleAll(answers, input, { ...scope, requirements, fuel: fuelFor("repair") }), 1);
    return found;
  }

  function answerBothWays(test: Expression, input: JsonValue, scope: Scope): readonly JsonValue[] {
    return [true, false].flatMap((wanted) => take(settle([test, wanted], input, scope), 1));
  }

  /** Varies the test of a loop on one item, and the list by items that pass and fail it. */
  function* varyLoop(
    of: Expression & { readonly kind: "quantifier" },
    input: JsonValue,
    scope: Scope,
  ): Generator<JsonValue> {
    const list = findPlace(of.list, scope.places);
    if (list === undefined) return;
    const loop = { ...scope, fuel: fuelFor("settle") };
    const [one] = withOneItem(input, list, loop);
    if (one === undefined) return;
    const places = withItem(scope.places, of.variable, list);
    const items = [true, false].map((wanted) => {
      const [found] = take(settle([of.body, wanted], one, { ...loop, places, requirements: [] }), 1);
      return found === undefined ? undefined : readPlace(found, [...list, 0]);
    });
    const [passing, failing] = items;
    const known = items.filter((item) => item !== undefined);
    // prettier-ignore
    const pairs = passing === undefined || failing === undefined ? [] : [[passing, failing], [failing, passing]];
    const lists = [[], ...known.map((item) => [item]), ...pairs].map((all) => writePlace(input, list, all));
    for (const laid of accepted(lists, loop)) if (areMet(scope, laid)) yield laid;
    // On one item, the loop answers as its test does.
    yield* vary(of.body, one, { ...scope, places });
  }

  /** Returns the input with a list of one item, as often as the schema wants it. */
  function withOneItem(input: JsonValue, list: InputPlace, scope: Scope): readonly JsonValue[] {
    const now = readPlace(input, list);
    const items = [
      ...(isList(now) ? now.slice(0, 1) : []),
      ...sampleType(findItemType(findPlaceType(space.type, list))),
    ];
    const lists = items.flatMap((item) => [1, 2, 3].map((length) => Array.from({ length }, () => item)));
    return [
      ...accepted(
        lists.map((all) => writePlace(input, list, all)),
        scope,
      ),
    ];
  }

  /** Yields valid inputs that differ in what a test reads. */
  function variations(of: Expression, input: JsonValue, scope: Scope): Generator<JsonValue> {
    return accepted(candidatesFor(of, input, scope), scope);
  }

  function* candidatesFor(of: Expression, input: JsonValue, { places }: Scope): Generator<JsonValue | undefined> {
    const near = listValuesNear(listNamedValues(of, (part) => valueOf(part, input, places), space.textsLike));
    const readings = listPlaces(of, places).map((path) => {
      const values = listValuesFor(findPlaceType(space.type, path), readPlace(input, path), near);
      return { path, values: [...values, undefined] };
    });
    const most = Math.max(0, ...readings.map(({ values }) => values.length));
    // One place after the other, so that each has its first values among the first inputs.
    for (let index = 0; index < most; index += 1) {
      for (const { path, values } of readings) if (index < values.length) yield writePlace(input, path, values[index]);
    }
    // The objects around a place.
    for (const { path } of readings) {
      for (let length = path.length - 1; length > 0; length -= 1) {
        const holder = path.slice(0, length);
        for (const sample of [...sampleType(findPlaceType(space.type, holder)), undefined]) {
          yield writePlace(input, holder, sample);
        }
      }
    }
    for (const [index, { path, values }] of readings.entries()) {
      for (const other of readings.slice(index + 1)) {
        for (const value of values.slice(0, MOST_PAIRED)) {
          const held = writePlace(input, path, value);
          for (const beside of other.values.slice(0, MOST_PAIRED)) yield writePlace(held, other.path, beside);
        }
      }
    }
  }

  function* accepted(candidates: Iterable<JsonValue | undefined>, { fuel }: Scope): Generator<JsonValue> {
    for (const candidate of candidates) {
      if (fuel.left <= 0 || fuel.whole.left <= 0) return;
      fuel.left -= 1;
      fuel.whole.left -= 1;
      const value = candidate === undefined ? undefined : space.accept(candidate);
      if (value !== undefined) yield value;
    }
  }
}

function requireAnswer(scope: Scope, [of, wanted]: Answer): Scope {
  const evaluate = createScopedEvaluator(of);
  const isMet = (input: JsonValue): boolean =>
    attempt(() => evaluate(input, readItems(input, scope.places))) === wanted;
  return { ...scope, requirements: [...scope.requirements, { of, wanted, isMet }] };
}

function areMet({ requirements }: Scope, input: JsonValue): boolean {
  return requirements.every(({ isMet }) => isMet(input));
}

function take<Value>(values: Iterable<Value>, most: number): readonly Value[] {
  const taken: Value[] = [];
  for (const value of values) {
    if (taken.push(value) === most) break;
  }
  return taken;
}

function valueOf(part: Expression, input: JsonValue, places: LoopPlaces): unknown {
  return attempt(() => createScopedEvaluator(part)(input, readItems(input, places)));
}

/** Lists the tests inside an expression that is none itself, such as that of `?:` in a comparison. */
function testsInside(of: Expression): readonly Expression[] {
  return listOperands(of).flatMap((part) => {
    const tests = part.kind === "condition" ? [part.test] : isTest(part) ? [part] : [];
    return [...tests, ...(part.kind === "quantifier" ? [] : testsInside(part))];
  });
}

/** True if an expression is true or false by its kind; a member may be, too. */
function isTest({ kind }: Expression): boolean {
  return TESTS[kind];
}

const TESTS: { readonly [Kind in Expression["kind"]]: boolean } = {
  literal: false,
  input: false,
  variable: false,
  member: false,
  has: true,
  list: false,
  not: true,
  and: true,
  or: true,
  condition: false,
  equals: true,
  order: true,
  "in-list": true,
  "in-map": true,
  arithmetic: false,
  negate: false,
  size: false,
  "string-test": true,
  matches: true,
  time: false,
  quantifier: true,
};
