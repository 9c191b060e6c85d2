import { toObject, isStructured, isList, escapeToken, isObject, readOwnMember, setOwn } from "@hasp/base/json";
import type { JsonObject, JsonValue } from "@hasp/schema";
import { isMap, isScalar, isSeq, type Document } from "yaml";
import { printCanonical } from "./imported-part.js";
import { createSpecNode } from "./print-spec.js";

export type Side = "ours" | "theirs";

export interface MergeConflict {
  readonly pointer: string;
  /** At the last import; `undefined` if absent or unknown. */
  readonly base: JsonValue | undefined;
  readonly ours: JsonValue | undefined;
  readonly theirs: JsonValue | undefined;
}

export interface Merge {
  readonly value: JsonObject;
  readonly edits: readonly MergeEdit[];
  readonly conflicts: readonly MergeConflict[];
}

/** A `value` of `undefined` removes the key. */
interface MergeEdit {
  readonly path: readonly (string | number)[];
  readonly value: JsonValue | undefined;
}

interface MergeInput {
  /** The last import; if unknown, every difference is a conflict. */
  readonly base: JsonObject | undefined;
  readonly ours: JsonObject;
  readonly theirs: JsonObject;
}

/**
 * Merges the changes of author and source since the last import. Keeps changes of one side and equal changes of both;
 * `choose` decides conflicts, by default for the author.
 */
export function mergeImports(
  { base, ours, theirs }: MergeInput,
  choose: (conflict: MergeConflict) => Side = () => "ours",
): Merge {
  const edits: MergeEdit[] = [];
  const conflicts: MergeConflict[] = [];
  const isBaseKnown = base !== undefined;

  type Optional = JsonValue | undefined;
  const merge = (before: Optional, own: Optional, other: Optional, path: MergeEdit["path"]): Optional => {
    if (printCanonical(own) === printCanonical(other)) return own;
    if (isObject(own) && isObject(other)) return mergeMaps(toObject(before), own, other, path);
    if (isBaseKnown && isList(own) && isList(other) && isList(before)) {
      const merged = mergeSets(before, own, other, path) ?? mergeItems(before, own, other, path);
      if (merged !== undefined) return merged;
    }
    if (isBaseKnown && printCanonical(before) === printCanonical(other)) return own;
    if (!isBaseKnown || printCanonical(before) !== printCanonical(own)) {
      const conflict = { pointer: pointerOf(path), base: before, ours: own, theirs: other };
      conflicts.push(conflict);
      if (choose(conflict) === "ours") return own;
    }
    edits.push({ path, value: other });
    return other;
  };

  const mergeMaps = (before: JsonObject, own: JsonObject, other: JsonObject, path: MergeEdit["path"]): JsonObject => {
    const merged: { [key: string]: JsonValue } = {};
    for (const key of new Set([...Object.keys(own), ...Object.keys(other)])) {
      const [was, mine, theirs] = [before, own, other].map((side) => readOwnMember(side, key));
      const value = merge(was, mine, theirs, [...path, key]);
      if (value !== undefined) setOwn(merged, key, value);
    }
    return merged;
  };

  const mergeSets = (
    before: readonly JsonValue[],
    own: readonly JsonValue[],
    other: readonly JsonValue[],
    path: MergeEdit["path"],
  ): Optional => {
    if (!SETS.has(String(path.at(-1))) || ![before, own, other].every(isSetOfScalars)) return undefined;
    const [had, has] = [new Set(before), new Set(other)];
    const kept = own.filter((item) => has.has(item) || !had.has(item));
    const added = other.filter((item) => !had.has(item) && !own.includes(item));
    const value = [...kept, ...added];
    if (printCanonical(value) !== printCanonical([...own])) edits.push({ path, value });
    return value;
  };

  /** Merges lists of the same length item by item, unless one side reordered them. */
  const mergeItems = (
    before: readonly JsonValue[],
    own: readonly JsonValue[],
    other: readonly JsonValue[],
    path: MergeEdit["path"],
  ): Optional => {
    if (before.length !== own.length || before.length !== other.length) return undefined;
    if (isReordered(before, own) || isReordered(before, other)) return undefined;
    return own.map((item, index) => merge(before[index], item, other[index], [...path, index]) ?? null);
  };

  return { value: mergeMaps(base ?? {}, ours, theirs, []), edits, conflicts };
}

const SETS: ReadonlySet<string> = new Set(["required", "enum", "type"]);

function isSetOfScalars(list: readonly JsonValue[]): boolean {
  return list.every((item) => !isStructured(item)) && new Set(list).size === list.length;
}

function isReordered(before: readonly JsonValue[], after: readonly JsonValue[]): boolean {
  const places = new Set(before.map((item) => printCanonical(item)));
  return after.some((item, index) => {
    const text = printCanonical(item);
    return text !== printCanonical(before[index]) && places.has(text);
  });
}

function pointerOf(path: MergeEdit["path"]): string {
  return path.map((step) => `/${escapeToken(String(step))}`).join("");
}

/** Applies the edits of a merge to the author's document; keeps other comments and order. */
export function applyMerge(document: Document, { edits }: Pick<Merge, "edits">, at: readonly string[] = []): void {
  for (const { path, value } of edits) {
    const whole = [...at, ...path];
    const node: unknown = document.getIn(whole, true);
    if (value === undefined) document.deleteIn(whole);
    else if (isScalar(node) && !isStructured(value)) node.value = value;
    else if (isSeq(node) && Array.isArray(value) && isSetOfScalars(value)) {
      const kept = node.items.filter((item) => isScalar(item) && value.includes(item.value as JsonValue));
      const known = new Set(kept.map((item) => (isScalar(item) ? item.value : undefined)));
      node.items = [
        ...kept,
        ...value.filter((item) => !known.has(item)).map((item) => createSpecNode(item, "readable")),
      ];
    } else {
      const holder: unknown = document.getIn(whole.slice(0, -1), true);
      const made = createSpecNode(value, "readable");
      if (isMap(holder) && holder.flow === true && "flow" in made) made.flow = true;
      document.setIn(whole, made);
    }
  }
}
