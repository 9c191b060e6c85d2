import type { JsonValue } from "@hasp/base/json";

/** Numbers from 0 to below 1. */
export type Random = () => number;

/** Creates the random numbers that belong to a text: always the same (mulberry32, from an FNV-1a hash). */
export function randomFrom(text: string): Random {
  let state = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    state = Math.imul(state ^ text.charCodeAt(index), 0x01000193);
  }
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Decides what a value is made of. */
export interface Chooser {
  readonly isRandom: boolean;
  /** True if each shape of a choice is tried in turn. */
  readonly explores: boolean;
  /** Chooses one of several shapes, such as the branch of a union. The first is the usual one. `key` names the choice. */
  shape<Shape>(key: string, shapes: readonly Shape[]): Shape;
  /** Chooses a value without parts: the usual one, one of the others, or one that is drawn. */
  value<Value extends JsonValue>(
    key: string,
    usual: () => Value,
    others: () => readonly Value[],
    draw: (random: Random) => Value,
  ): Value;
}

/** The usual choices. */
export const USUAL: Chooser = {
  isRandom: false,
  explores: false,
  shape: <Shape>(_key: string, [first]: readonly Shape[]) => first as Shape,
  value: (_key, usual) => usual(),
};

export function chooseAtRandom(random: Random): Chooser {
  return {
    isRandom: true,
    explores: false,
    shape: <Shape>(_key: string, shapes: readonly Shape[]) => shapes[Math.floor(random() * shapes.length)] as Shape,
    value: (_key, _usual, _others, draw) => draw(random),
  };
}

/** A choice that was made, and all that could have been chosen instead. */
interface MadeChoice {
  readonly key: string;
  readonly chosen: unknown;
  readonly shapes: readonly unknown[];
  readonly others: () => readonly unknown[];
}

/** The most values that differ in their shape. */
const MOST_SHAPES = 1000;

/**
 * Yields what `make` makes of the usual choices, then with one shape changed at a time, also inside changed shapes, then
 * with one value changed at a time. Tries each shape and value of a choice once, where the choice first occurs; `met`
 * holds the keys of those choices.
 */
export function* exploreChoices<Made>(make: (choices: Chooser) => Made, met: Set<string>): Generator<Made> {
  const beginnings: (readonly unknown[])[] = [[]];
  const places: { readonly before: readonly unknown[]; readonly others: () => readonly unknown[] }[] = [];
  for (const beginning of beginnings) {
    const made: MadeChoice[] = [];
    yield make(followChoices(beginning, made));
    const chosen = made.map((choice) => choice.chosen);
    for (const [index, { key, shapes, others }] of made.entries()) {
      if (index < beginning.length || met.size === met.add(key).size) continue;
      const before = chosen.slice(0, index);
      for (const shape of shapes.slice(1, Math.max(1, MOST_SHAPES - beginnings.length))) {
        beginnings.push([...before, shape]);
      }
      if (shapes.length === 0) places.push({ before, others });
    }
  }
  const values = places.map(({ others }) => others());
  const most = Math.max(0, ...values.map(({ length }) => length));
  // Take turns among the places, so that the first values of each come early.
  for (let round = 0; round < most; round += 1) {
    for (const [at, { before }] of places.entries()) {
      const others = values[at] ?? [];
      if (round < others.length) yield make(followChoices([...before, others[round]], undefined));
    }
  }
}

/** Repeats a list of choices, then makes the usual ones. */
function followChoices(beginning: readonly unknown[], made: MadeChoice[] | undefined): Chooser {
  let count = 0;
  const choose = (usual: () => unknown): unknown => {
    count += 1;
    return count <= beginning.length ? beginning[count - 1] : usual();
  };
  return {
    isRandom: false,
    explores: true,
    shape: <Shape>(key: string, shapes: readonly Shape[]) => {
      const chosen = choose(() => shapes[0]);
      made?.push({ key, chosen, shapes, others: () => [] });
      return chosen as Shape;
    },
    value: <Value extends JsonValue>(key: string, usual: () => Value, others: () => readonly Value[]) => {
      const chosen = choose(usual);
      made?.push({ key, chosen, shapes: [], others });
      return chosen as Value;
    },
  };
}
