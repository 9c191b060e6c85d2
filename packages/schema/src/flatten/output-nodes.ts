import type { TypeMask } from "../json/type-mask.js";
import { keywordNames, findTypesConcerned } from "../vocabulary/keywords.js";
import type { MutableSchema } from "../vocabulary/json-schema.js";
import { isStructured, cloneJson, type JsonValue, parsePointer } from "@hasp/base/json";
import type { Annotations, BoundSchema, SchemaNode } from "../resolve/types.js";

const CONTAINERS = new Set(["$defs", "definitions", "schemas"]);

/** Names what stays in `$defs` as its author did; a number is added only if two names are the same. */
export function createDefinitionNames(): (node: SchemaNode) => string {
  const taken = new Set<string>();
  return (node) => {
    const base = (definitionName(node) ?? nodeName(node)).replaceAll(/[^A-Za-z0-9_.-]+/g, "_");
    let name = base;
    for (let count = 2; taken.has(name); count++) name = `${base}${count}`;
    taken.add(name);
    return name;
  };
}

function definitionName(node: SchemaNode): string | undefined {
  const keys = parsePointer(node.pointer);
  const container = keys.at(-2);
  if (container !== undefined && CONTAINERS.has(container)) return keys.at(-1);
  const { value } = node;
  if (!isStructured(value)) return undefined;
  for (const keyword of ["$anchor", "$dynamicAnchor"]) {
    const name: unknown = Object.hasOwn(value, keyword) ? (value as Record<string, unknown>)[keyword] : undefined;
    if (typeof name === "string" && name !== "") return name;
  }
  return undefined;
}

/** Names a schema by its place: the nearest word of its author's in the pointer, its title, or its file. */
function nodeName(node: SchemaNode): string {
  const word = parsePointer(node.pointer).findLast(
    (key) => !/^(\d+|properties|items|prefixItems|allOf|anyOf|oneOf|additionalProperties|if|then|else)$/.test(key),
  );
  if (word !== undefined) return word;
  const { value } = node;
  const title: unknown = isStructured(value) && "title" in value ? value.title : undefined;
  if (typeof title === "string" && /^[A-Za-z][\w -]{0,40}$/.test(title)) return title;
  const file = node.document.uri.split("/").at(-1)?.replace(/\..*/su, "") ?? "";
  return node.document.prefix === "" && file !== "" ? file : "Root";
}

const TRUE_IF_ANY = new Set(["deprecated", "readOnly", "writeOnly"]);

/** Merges annotations: the nearest schema wins, but `deprecated`, `readOnly` and `writeOnly` hold if any says so. */
export function mergeAnnotations(bounds: readonly BoundSchema[]): Annotations {
  const [only] = bounds;
  if (only !== undefined && bounds.length === 1) {
    return only.annotations.map((entry) => (typeof entry[1] === "object" ? [entry[0], cloneJson(entry[1])] : entry));
  }
  const merged = new Map<string, JsonValue>();
  for (const { annotations } of bounds) {
    for (const [keyword, value] of annotations) {
      if (!merged.has(keyword) || (value === true && TRUE_IF_ANY.has(keyword))) merged.set(keyword, cloneJson(value));
    }
  }
  return [...merged];
}

const RANKS: ReadonlyMap<string, number> = new Map(keywordNames.map((keyword, index) => [keyword, index]));

function rank([keyword]: readonly [string, unknown]): number {
  return RANKS.get(keyword) ?? RANKS.size;
}

export type Entries = readonly (readonly [keyword: string, value: unknown])[];

/** Creates a node with its keywords in the order of the vocabulary, unknown ones last. Sorts the list in place. */
export function orderKeywords(entries: (readonly [string, unknown])[]): MutableSchema {
  // The entries are few and nearly in order: insertion beats a general sort.
  for (let index = 1; index < entries.length; index++) {
    const entry = entries[index] as readonly [string, unknown];
    const own = rank(entry);
    let free = index;
    for (let before = entries[free - 1]; before !== undefined && rank(before) > own; before = entries[free - 1]) {
      entries[free--] = before;
    }
    entries[free] = entry;
  }
  return Object.fromEntries(entries);
}

export function keepApplicable(entries: Entries, types: TypeMask): Entries {
  return entries.filter(([keyword]) => (findTypesConcerned(keyword) & types) !== 0);
}
