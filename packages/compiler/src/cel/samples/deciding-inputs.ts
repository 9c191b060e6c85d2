import type { JsonValue } from "@hasp/schema";
import { attempt } from "@hasp/base/diagnostics";
import { type Expression, listOperands } from "../../model/conditions.js";
import { isList, sumBy } from "@hasp/base/json";
import { findItemType, type InputType } from "../check/input-type.js";
import { createValueEvaluator } from "../check/evaluate.js";
import {
  findPlace,
  findPlaceType,
  listPlaces,
  type LoopPlaces,
  type InputPlace,
  readItems,
  readPlace,
  sampleType,
  withItem,
  writePlace,
} from "./places.js";
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
  readonly fuel: Fuel;
}

/** The inputs that may still be tried for a task; each also counts for the task that it is part of. */
interface Fuel {
  left: number;
  readonly within: Fuel | undefined;
}

type Answer = readonly [of: Expression, wanted: boolean];

/** A part of a condition, and the answers of others that leave the whole answer to it. */
type PartBeside = readonly [part: Expression, others: readonly Answer[]];

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
 * Yields valid inputs, made from `base`: one for each answer of a condition, then those on which one part after another
 * decides it: the values that tell two answers apart, and those beside them. At most `most` for each part.
 */
export function* findDecidingInputs(
  condition: Expression,
  base: JsonValue,
  space: InputSpace,
  most: number,
): Generator<JsonValue> {
  const whole: Fuel = { left: MOST_TRIES.whole, within: undefined };
  const scope: Scope = { places: new Map(), requirements: [], fuel: whole };
  // Where one part implies another, no part alone decides an answer.
  for (const wanted of [true, false]) yield* takeFirst(settle([condition, wanted], base, limitTries(scope, "settle")));
  yield* vary(condition, base, scope);

  /** Yields inputs that differ where an expression reads, while the rest of the condition leaves the answer to it. */
  function* vary(of: Expression, input: JsonValue, scope: Scope): Generator<JsonValue> {
    switch (of.kind) {
      case "not":
        yield* vary(of.operand, input, scope);
        return;
      case "and":
      case "or": {
        const isAnd = of.kind === "and";
        // prettier-ignore
        yield* varyParts([[of.right, [[of.left, isAnd]]], [of.left, [[of.right, isAnd]]]], input, scope);
        return;
      }
      case "condition": {
        const { test, consequent, alternative } = of;
        const parts: readonly PartBeside[] = [
          [consequent, [[test, true]]],
          [alternative, [[test, false]]],
          // prettier-ignore
          ...[true, false].map((answer) => [test, [[consequent, answer], [alternative, !answer]]] as const),
        ];
        yield* varyParts(parts, input, scope);
        return;
      }
      case "equals": {
        const { left, right } = of;
        if (!isTest(left) && !isTest(right)) break;
        // prettier-ignore
        const parts = [true, false].flatMap((answer) => [
          [right, [[left, answer]]] as const, [left, [[right, answer]]] as const,
        ]);
        yield* varyParts(parts, input, scope);
        return;
      }
      case "quantifier":
        yield* varyLoop(of, input, scope);
        return;
      default:
        break;
    }
    yield* varyLeaf(of, input, scope);
  }

  /** Varies one part after another. Each has its share of the fuel: one that no input reaches leaves the rest of it. */
  function* varyParts(parts: readonly PartBeside[], input: JsonValue, scope: Scope): Generator<JsonValue> {
    const shares = parts.map(([part]) => countLeaves(part));
    for (const [index, part] of parts.entries()) {
      yield* varyBeside(part, input, { ...scope, fuel: shareFuel(scope.fuel, shares.slice(index)) });
    }
  }

  /** Varies a part where the others answer as wanted. */
  function* varyBeside([part, others]: PartBeside, input: JsonValue, scope: Scope): Generator<JsonValue> {
    const inner = others.reduce(requireAnswer, scope);
    let ways = 0;
    for (const settled of settleAll(others, input, limitTries(scope, "settle"))) {
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

  /** Settles answers in one way after another, each with its share of the fuel. */
  function* settleOneOf(ways: readonly (readonly Answer[])[], input: JsonValue, scope: Scope): Generator<JsonValue> {
    const shares = ways.map((answers) => Math.max(...answers.map(([of]) => countLeaves(of))));
    for (const [index, answers] of ways.entries()) {
      yield* settleAll(answers, input, { ...scope, fuel: shareFuel(scope.fuel, shares.slice(index)) });
    }
  }

  function* settleParts([of, wanted]: Answer, input: JsonValue, scope: Scope): Generator<JsonValue> {
    switch (of.kind) {
      case "not":
        yield* settle([of.operand, !wanted], input, scope);
        return;
      case "and":
      case "or": {
        const { left, right } = of;
        // The right side may only be readable if the left side leaves the answer to it.
        const both: readonly Answer[] = [
          [left, of.kind === "and"],
          [right, wanted],
        ];
        const isOneEnough = wanted !== (of.kind === "and");
        yield* settleOneOf(isOneEnough ? [[[left, wanted]], both] : [both], input, scope);
        return;
      }
      case "condition": {
        const { test, consequent, alternative } = of;
        // prettier-ignore
        const ways: readonly (readonly Answer[])[] = [
          [[test, true], [consequent, wanted]], [[test, false], [alternative, wanted]],
        ];
        yield* settleOneOf(ways, input, scope);
        return;
      }
      case "equals": {
        const { left, right, negated } = of;
        if (!isTest(left) && !isTest(right)) break;
        // prettier-ignore
        const ways = [true, false].map((answer): readonly Answer[] => [
          [left, answer], [right, (answer !== negated) === wanted],
        ]);
        yield* settleOneOf(ways, input, scope);
        return;
      }
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
    const scope = limitTries(outer, "vary");
    const paths = listPlaces(of, scope.places);
    let count = 0;
    for (const found of [input, ...testsInside(of).flatMap((test) => answerBothWays(test, input, scope))]) {
      for (const candidate of variations(of, found, scope)) {
        const settled = areMet(scope, candidate) ? candidate : repair(candidate, paths, outer);
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
    const [found] = takeFirst(settleAll(answers, input, { ...limitTries(scope, "repair"), requirements }));
    return found;
  }

  function answerBothWays(test: Expression, input: JsonValue, scope: Scope): readonly JsonValue[] {
    return [true, false].flatMap((wanted) => takeFirst(settle([test, wanted], input, scope)));
  }

  /** Varies the test of a loop on one item, and the list by items that pass and fail it. */
  function* varyLoop(
    of: Expression & { readonly kind: "quantifier" },
    input: JsonValue,
    scope: Scope,
  ): Generator<JsonValue> {
    const list = findPlace(of.list, scope.places);
    if (list === undefined) return;
    const loop = limitTries(scope, "settle");
    const [one] = withOneItem(input, list, loop);
    if (one === undefined) return;
    const places = withItem(scope.places, of.variable, list);
    const items = [true, false].map((wanted) => {
      const [found] = takeFirst(settle([of.body, wanted], one, { ...loop, places, requirements: [] }));
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
      if (!takeFuel(fuel)) return;
      const value = candidate === undefined ? undefined : space.accept(candidate);
      if (value !== undefined) yield value;
    }
  }
}

function limitTries(scope: Scope, task: keyof typeof MOST_TRIES): Scope {
  return { ...scope, fuel: { left: MOST_TRIES[task], within: scope.fuel } };
}

/** Returns the first one's share of what is left. */
function shareFuel(fuel: Fuel, [first = 1, ...others]: readonly number[]): Fuel {
  const all = others.reduce((sum, share) => sum + share, first);
  return { left: Math.ceil((countFuel(fuel) * first) / all), within: fuel };
}

function countFuel({ left, within }: Fuel): number {
  return within === undefined ? left : Math.min(left, countFuel(within));
}

/** Takes one try from a task and from those that it is part of; false if one of them has none left. */
function takeFuel(fuel: Fuel): boolean {
  if (countFuel(fuel) <= 0) return false;
  for (let task: Fuel | undefined = fuel; task !== undefined; task = task.within) task.left -= 1;
  return true;
}

/** Counts the parts of a condition that have no parts themselves. */
export function countLeaves(expression: Expression): number {
  return Math.max(1, sumBy(listOperands(expression), countLeaves));
}

function requireAnswer(scope: Scope, [of, wanted]: Answer): Scope {
  const evaluate = createValueEvaluator(of);
  const isMet = (input: JsonValue): boolean =>
    attempt(() => evaluate(input, readItems(input, scope.places))) === wanted;
  return { ...scope, requirements: [...scope.requirements, { of, wanted, isMet }] };
}

function areMet({ requirements }: Scope, input: JsonValue): boolean {
  return requirements.every(({ isMet }) => isMet(input));
}

function takeFirst<Value>(values: Iterable<Value>): readonly Value[] {
  for (const value of values) return [value];
  return [];
}

function valueOf(part: Expression, input: JsonValue, places: LoopPlaces): unknown {
  return attempt(() => createValueEvaluator(part)(input, readItems(input, places)));
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
  "text-form": false,
  "string-test": true,
  matches: true,
  time: false,
  quantifier: true,
};
