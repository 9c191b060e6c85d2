import { unescapeToken } from "../../model/json.js";

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

/** The spans of all values in a document, in plain arrays so that the syntax tree can be released. */
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

export function createSpanMapBuilder(): SpanMapBuilder {
  const starts: number[] = [];
  const ends: number[] = [];
  const names: (string | undefined)[] = [];
  /** Offsets of keys in pairs; -1 if there is none. */
  const keys: number[] = [];
  /** Index of the first value after this one and its descendants. */
  const followers: number[] = [];
  const targets = new Map<number, number>();

  const childOf = (parent: number, token: string): number | undefined => {
    const holder = targets.get(parent) ?? parent;
    const stop = followers[holder] ?? 0;
    let position = 0;
    for (let index = holder + 1; index < stop; index = followers[index] ?? stop) {
      const name = names[index] ?? String(position);
      if (name === token) return index;
      position += 1;
    }
    return undefined;
  };

  return {
    open(start, name, key) {
      const index = starts.length;
      starts.push(start);
      ends.push(start);
      names.push(name);
      keys.push(key?.start ?? -1, key?.end ?? -1);
      followers.push(index + 1);
      return index;
    },
    close(index, end) {
      ends[index] = end;
      followers[index] = starts.length;
    },
    alias(index, target) {
      targets.set(index, targets.get(target) ?? target);
    },
    build: () => ({
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
        const key = { start: keys[2 * index] ?? -1, end: keys[2 * index + 1] ?? -1 };
        return {
          pointer: found,
          value: { start: starts[index] ?? 0, end: ends[index] ?? 0 },
          key: key.start < 0 ? undefined : key,
        };
      },
    }),
  };
}
