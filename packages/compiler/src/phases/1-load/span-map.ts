import { findOrAdd, unescapeToken } from "@hasp/base/json";

/** Offsets into the source text; `end` is exclusive. */
export interface SourceSpan {
  readonly start: number;
  readonly end: number;
}

interface ValueSpans {
  readonly pointer: string;
  readonly value: SourceSpan;
  readonly key: SourceSpan | undefined;
}

/** The spans of all values in a document, packed so that thousands of documents fit in memory. */
export interface SpanMap {
  /** Returns the span of the value at a JSON Pointer, or of the nearest enclosing value if there is none. */
  find(pointer: string): ValueSpans;
  /** True if several locations share one source span (YAML aliases). */
  readonly hasAliases: boolean;
}

export interface SpanMapBuilder {
  /** Starts a value; `name` and `key` are set for members of an object. */
  open(start: number, name?: string, key?: SourceSpan): number;
  /** Ends the value with this index and everything inside it. */
  close(index: number, end: number): void;
  /** Maps the content of the value `index` to the source of the value `target` (a YAML alias). */
  alias(index: number, target: number): void;
  build(): SpanMap;
}

/** The numbers of each value: the start and end of the value and of its key, or -1, and the index of the next sibling. */
const SIZE = 5;

/** Among this many values, a child is found by a map: a file of thousands of tools asks for each. */
const MANY_VALUES = 1000;

export function createSpanMapBuilder(): SpanMapBuilder {
  const numbers: number[] = [];
  const names: (string | undefined)[] = [];
  const targets = new Map<number, number>();
  return {
    open(start, name, key) {
      const index = names.push(name) - 1;
      numbers.push(start, start, key?.start ?? -1, key?.end ?? -1, index + 1);
      return index;
    },
    close(index, end) {
      numbers[index * SIZE + 1] = end;
      numbers[index * SIZE + 4] = names.length;
    },
    alias(index, target) {
      targets.set(index, targets.get(target) ?? target);
    },
    build: () => createSpanMap(new Int32Array(numbers), names.slice(), targets),
  };
}

function createSpanMap(
  numbers: Int32Array,
  names: readonly (string | undefined)[],
  targets: ReadonlyMap<number, number>,
): SpanMap {
  const at = (index: number, place: number): number => numbers[index * SIZE + place] ?? -1;
  function* childrenOf(holder: number): Generator<readonly [name: string, index: number]> {
    let position = 0;
    for (let index = holder + 1; index < at(holder, 4); index = at(index, 4)) {
      yield [names[index] ?? String(position), index];
      position += 1;
    }
  }
  const wide = new Map<number, ReadonlyMap<string, number>>();
  const childOf = (parent: number, token: string): number | undefined => {
    const holder = targets.get(parent) ?? parent;
    if (at(holder, 4) - holder < MANY_VALUES) {
      for (const [name, index] of childrenOf(holder)) if (name === token) return index;
      return undefined;
    }
    // The first of one name counts.
    const known = findOrAdd(wide, holder, () => new Map([...childrenOf(holder)].toReversed()));
    return known.get(token);
  };
  return {
    hasAliases: targets.size > 0,
    find(pointer) {
      let index = 0;
      let found = "";
      for (const segment of pointer.split("/").slice(1)) {
        const child = childOf(index, unescapeToken(segment));
        if (child === undefined) break;
        index = child;
        found += `/${segment}`;
      }
      const key = { start: at(index, 2), end: at(index, 3) };
      return {
        pointer: found,
        value: { start: at(index, 0), end: at(index, 1) },
        key: key.start < 0 ? undefined : key,
      };
    },
  };
}
