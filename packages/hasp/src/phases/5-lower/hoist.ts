import { withDefinitions } from "@hasp/runtime/codegen/v1";
import { type DialectId, dialects, type JsonObject, type JsonSchema, type JsonValue } from "@hasp/schema";
import { isList, isObject } from "../../model/json-kind.js";
import type { HoistedSchema } from "../../model/lowered.js";

/** Fewest characters that a definition must save: some 25 tokens, so that a model is not made to look up trifles. */
const LEAST_SAVED = 100;

/** A subschema that the schema repeats. */
interface Repeated {
  readonly size: number;
  readonly nodes: object[];
  /** The property or the definition after which it may be called. */
  readonly called: string;
  /** What holds it, and how often: the text of another such subschema, or `""` for the schema itself. */
  readonly holders: Map<string, number>;
}

/**
 * Moves what a schema repeats to `$defs`, where the dialect takes references and the schema becomes shorter. `undefined`
 * where it stays as it is. A schema that refers to definitions already is left alone: it recurses, and what its
 * references mean would depend on where they stand. `nameOf` knows the author's names.
 */
export function hoist(
  schema: JsonSchema,
  dialect: DialectId,
  nameOf: (node: object) => string | undefined,
): HoistedSchema | undefined {
  if (!dialects[dialect].shapes.repetition || typeof schema !== "object") return undefined;
  const repeated = subschemasOf(schema as JsonObject, nameOf);
  if (repeated === undefined) return undefined;
  const chosen = worthwhile(repeated);
  if (chosen.length === 0) return undefined;
  const names = new Set<string>();
  const occurrences = chosen.map((found) => [freeName(found.called, names), found.nodes] as const);
  // Equal subschemas become one object, which is what tells where the references go.
  const first = new Map(occurrences.flatMap(([, nodes]) => nodes.map((node) => [node, nodes[0] ?? node])));
  const unified = (value: JsonValue): JsonValue => {
    if (typeof value !== "object" || value === null) return value;
    const node = first.get(value) as JsonObject | undefined;
    return node === undefined ? copied(value) : (copies.get(node) ?? remember(node));
  };
  const copied = (value: JsonValue & object): JsonValue =>
    isList(value)
      ? value.map(unified)
      : Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, unified(inner)]));
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

/** The subschemas at places where a reference may stand, by their text; `undefined` if there are references already. */
function subschemasOf(
  schema: JsonObject,
  nameOf: (node: object) => string | undefined,
): ReadonlyMap<string, Repeated> | undefined {
  const found = new Map<string, Repeated>();
  let hasReference = false;
  const visit = (node: JsonValue, holder: string, called: string): void => {
    if (!isObject(node)) return;
    const text = JSON.stringify(node);
    const known = found.get(text);
    const repeated: Repeated = known ?? {
      size: text.length,
      nodes: [],
      called: nameOf(node) ?? called,
      holders: new Map(),
    };
    if (known === undefined) found.set(text, repeated);
    repeated.nodes.push(node);
    repeated.holders.set(holder, (repeated.holders.get(holder) ?? 0) + 1);
    // What equal subschemas hold is counted once; their nodes all become references.
    visitHeld(node, known === undefined ? text : undefined, called);
  };
  const visitHeld = (node: JsonObject, holder: string | undefined, called: string): void => {
    for (const [keyword, held] of Object.entries(node)) {
      if (keyword === "$ref" || keyword === "$defs") hasReference = true;
      const each = (inner: JsonValue, name: string): void => {
        if (holder !== undefined) visit(inner, holder, name);
        else if (isObject(inner)) noteEqual(inner, name);
      };
      if (keyword === "properties" && isObject(held)) {
        for (const [name, inner] of Object.entries(held)) each(inner, name);
      } else if (keyword === "items" || keyword === "additionalProperties") {
        each(held, called);
      } else if (keyword === "anyOf" && isList(held)) {
        for (const inner of held) each(inner, called);
      } else if (typeof held === "object" && JSON.stringify(held).includes('"$ref"')) {
        hasReference = true;
      }
    }
  };
  const noteEqual = (node: JsonObject, called: string): void => {
    found.get(JSON.stringify(node))?.nodes.push(node);
    visitHeld(node, undefined, called);
  };
  visitHeld(schema, "", "");
  return hasReference ? undefined : found;
}

/** The subschemas that are printed often enough for a definition to be shorter, the longest first. */
function worthwhile(found: ReadonlyMap<string, Repeated>): readonly Repeated[] {
  const printed = new Map<string, number>([["", 1]]);
  const chosen: Repeated[] = [];
  // A holder is longer than what it holds, so that it is decided before.
  for (const [text, each] of [...found].toSorted(([, left], [, right]) => right.size - left.size)) {
    let times = 0;
    for (const [holder, count] of each.holders) times += count * (printed.get(holder) ?? 0);
    const reference = `{"$ref":"#/$defs/${each.called}"}`.length;
    const saved = (times - 1) * each.size - times * reference - each.called.length - 4;
    const isWorthwhile = times > 1 && saved >= LEAST_SAVED;
    if (isWorthwhile) chosen.push(each);
    printed.set(text, isWorthwhile ? 1 : times);
  }
  return chosen;
}

function freeName(called: string, names: Set<string>): string {
  const base = called.replaceAll(/[^A-Za-z0-9_-]/gu, "_") || "part";
  let name = base;
  for (let count = 2; names.has(name); count += 1) name = `${base}_${count}`;
  names.add(name);
  return name;
}

/** The schema with its definitions in the places of the references to them. */
export function expand(schema: JsonSchema): JsonValue {
  if (typeof schema !== "object") return schema;
  const { $defs = {}, ...rest } = schema as JsonObject & { readonly $defs?: JsonObject };
  const expanded = (value: JsonValue): JsonValue => {
    if (typeof value !== "object" || value === null) return value;
    if (isList(value)) return value.map(expanded);
    const reference = typeof value["$ref"] === "string" ? /^#\/\$defs\/(?<name>[\w-]+)$/u.exec(value["$ref"]) : null;
    const definition = reference === null ? undefined : $defs[reference.groups?.["name"] ?? ""];
    if (definition !== undefined) return expanded(definition);
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, expanded(inner)]));
  };
  return expanded(rest);
}
