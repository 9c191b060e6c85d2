import { takeName } from "../../typescript/names.js";
import { type Dialect, type JsonObject, type JsonSchema, type JsonValue } from "@hasp/schema";
import { mapMembers, isStructured, isList, isObject, withDefinitions } from "@hasp/base/json";
import type { HoistedSchema } from "../../model/lowered.js";

/** Minimum characters that a definition must save: about 25 tokens, so that models need not look up trifles. */
const LEAST_SAVED = 100;

/** Matches references and definitions. A property with such a name is rare and only leaves its schema unchanged. */
const REFERENCE = /"\$(?:ref|defs)"/u;

interface Repeated {
  readonly size: number;
  readonly nodes: object[];
  readonly property: string;
  /** The schema that holds it, and how often: the text of another such subschema, or `""` for the schema itself. */
  readonly holders: Map<string, number>;
}

interface Chosen {
  readonly called: string;
  readonly nodes: readonly object[];
}

type NameOf = (node: object) => string | undefined;

/** Moves repeated subschemas to `$defs` if that is shorter; `undefined` otherwise and for schemas with references. */
export function hoist(schema: JsonSchema, dialect: Dialect, nameOf: NameOf): HoistedSchema | undefined {
  if (!dialect.shapes.repetition || typeof schema !== "object") return undefined;
  const repeated = listSubschemas(schema as JsonObject);
  if (repeated === undefined) return undefined;
  const chosen = worthwhile(repeated, nameOf);
  if (chosen.length === 0) return undefined;
  const names = new Set<string>();
  const occurrences = chosen.map(
    (found) =>
      [takeName(names, [found.called.replaceAll(/[^A-Za-z0-9_-]/gu, "_") || "part"], "_"), found.nodes] as const,
  );
  // Equal subschemas become one object, whose identity tells where the references go.
  const first = new Map(occurrences.flatMap(([, nodes]) => nodes.map((node) => [node, nodes[0] ?? node])));
  const unified = (value: JsonValue): JsonValue => {
    if (!isStructured(value)) return value;
    const node = first.get(value) as JsonObject | undefined;
    return node === undefined ? copied(value) : (copies.get(node) ?? remember(node));
  };
  const copied = (value: JsonValue & object): JsonValue =>
    isList(value) ? value.map(unified) : mapMembers(value, unified);
  const copies = new Map<object, JsonValue>();
  const remember = (node: JsonObject): JsonValue => {
    const copy = copied(node);
    copies.set(node, copy);
    return copy;
  };
  const whole = copied(schema as JsonObject);
  const definitions = Object.fromEntries(
    occurrences.map(([name, [node]]) => [name, copies.get(node ?? {}) as JsonSchema]),
  );
  return { whole: schema, schema: withDefinitions(whole as JsonObject, definitions) as JsonSchema, occurrences };
}

function listSubschemas(schema: JsonObject): ReadonlyMap<string, Repeated> | undefined {
  if (REFERENCE.test(JSON.stringify(schema))) return undefined;
  const countAlike = createCount(schema);
  const found = new Map<string, Repeated>();
  const visit = (node: JsonObject, holder: string, property: string): void => {
    // A subschema that resembles no other is not repeated, nor is anything around it.
    if (countAlike(node) === 1) return visitHeld(node, holder, property);
    const text = JSON.stringify(node);
    const known = found.get(text);
    const repeated: Repeated = known ?? { size: text.length, nodes: [], property, holders: new Map() };
    if (known === undefined) found.set(text, repeated);
    repeated.nodes.push(node);
    repeated.holders.set(holder, (repeated.holders.get(holder) ?? 0) + 1);
    // Count the content of equal subschemas once; all their nodes become references.
    if (known === undefined) visitHeld(node, text, property);
    else noteEqual(node);
  };
  const visitHeld = (node: JsonObject, holder: string, property: string): void => {
    for (const [inner, name] of heldBy(node, property)) visit(inner, holder, name);
  };
  const noteEqual = (node: JsonObject): void => {
    for (const [inner] of heldBy(node, "")) {
      found.get(JSON.stringify(inner))?.nodes.push(inner);
      noteEqual(inner);
    }
  };
  visitHeld(schema, "", "");
  return found;
}

function* heldBy(node: JsonObject, property: string): Generator<readonly [JsonObject, string]> {
  for (const [keyword, held] of Object.entries(node)) {
    if (keyword === "properties" && isObject(held)) {
      for (const [name, inner] of Object.entries(held)) if (isObject(inner)) yield [inner, name];
    } else if (keyword === "items" || keyword === "additionalProperties") {
      if (isObject(held)) yield [held, property];
    } else if (keyword === "anyOf" && isList(held)) {
      for (const inner of held) if (isObject(inner)) yield [inner, property];
    }
  }
}

/** Creates the function that counts the subschemas which resemble one of them: equal ones, and few others. */
function createCount(schema: JsonObject): (node: JsonObject) => number {
  const counts = new Map<string, number>();
  const likenesses = new Map<JsonObject, string>();
  const count = (node: JsonObject): void => {
    for (const [inner] of heldBy(node, "")) {
      const key = likeness(inner);
      likenesses.set(inner, key);
      counts.set(key, (counts.get(key) ?? 0) + 1);
      count(inner);
    }
  };
  count(schema);
  return (node) => counts.get(likenesses.get(node) ?? "") ?? 0;
}

/** Returns a short text that is the same for equal subschemas. Comparing their whole texts takes longer. */
function likeness(node: JsonObject): string {
  const short = (value: JsonValue): unknown => (isList(value) ? value.length : Object.keys(value as JsonObject).join());
  const texts = Object.values(node).map((value) => (isStructured(value) ? short(value) : value));
  return `${Object.keys(node).join()} ${texts.join()}`;
}

/** Finds the subschemas that are printed often enough for a definition to be shorter, the longest first. */
function worthwhile(found: ReadonlyMap<string, Repeated>, nameOf: NameOf): readonly Chosen[] {
  const printed = new Map<string, number>([["", 1]]);
  const chosen: Chosen[] = [];
  // A holder is longer than its content, so it is decided first.
  for (const [text, each] of [...found].toSorted(([, left], [, right]) => right.size - left.size)) {
    let times = 0;
    for (const [holder, count] of each.holders) times += count * (printed.get(holder) ?? 0);
    const called = times > 1 ? definitionName(each, nameOf) : "";
    const reference = `{"$ref":"#/$defs/${called}"}`.length;
    const saved = (times - 1) * each.size - times * reference - called.length - 4;
    const isWorthwhile = times > 1 && saved >= LEAST_SAVED;
    if (isWorthwhile) chosen.push({ called, nodes: each.nodes });
    printed.set(text, isWorthwhile ? 1 : times);
  }
  return chosen;
}

function definitionName({ nodes: [first], property }: Repeated, nameOf: NameOf): string {
  return (first === undefined ? undefined : nameOf(first)) ?? property;
}

export function expandReferences(schema: JsonSchema): JsonValue {
  if (typeof schema !== "object") return schema;
  const { $defs = {}, ...rest } = schema as JsonObject & { readonly $defs?: JsonObject };
  const expanded = (value: JsonValue): JsonValue => {
    if (!isStructured(value)) return value;
    if (isList(value)) return value.map(expanded);
    const reference = typeof value["$ref"] === "string" ? /^#\/\$defs\/(?<name>[\w-]+)$/u.exec(value["$ref"]) : null;
    const definition = reference === null ? undefined : $defs[reference.groups?.["name"] ?? ""];
    if (definition !== undefined) return expanded(definition);
    return mapMembers(value, expanded);
  };
  return expanded(rest);
}
