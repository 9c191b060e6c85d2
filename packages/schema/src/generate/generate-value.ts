import { canonicalText, isList, own, setOwn, type JsonValue, followReference } from "@hasp/base/json";
import { listCharacters } from "../patterns/characters.js";
import { linearPattern } from "../patterns/linear-pattern.js";
import { parsePattern, type PatternNode } from "../patterns/parse-pattern.js";

import { assertedFormats } from "../validate/index.js";
import type { JsonSchema, SchemaObject } from "../vocabulary/json-schema.js";

/** Numbers from 0 to below 1. */
type Random = () => number;

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

const ATTEMPTS = 200;

/** The most parts of one value, and of all attempts together: values and, in patterns, characters. */
const MOST_PARTS = 50_000;
const MOST_WORK = 500_000;

/** A longer text, and a longer list, is not made. */
const LONGEST_TEXT = 100_000;
const LONGEST_LIST = 1000;

/** Generates a value that `fits`, from ever smaller ones. `undefined` if none was found. */
export function generateValue(
  schema: JsonSchema,
  fits: (value: JsonValue) => boolean,
  random: Random,
): JsonValue | undefined {
  for (let attempt = 0, work = 0; attempt < ATTEMPTS && work < MOST_WORK; attempt += 1) {
    const generator = new Generator(schema, random, attempt);
    try {
      const value = generator.value([schema], 0, "value");
      if (fits(value)) return value;
    } catch (error) {
      if (!(error instanceof NoValue)) throw error;
    }
    work += generator.parts;
  }
  return undefined;
}

/** Thrown where one choice leads to no value; another may. */
class NoValue extends Error {}

const DEEPEST = 60;

/** Makes one value. Later attempts leave out what nothing requires, and use no examples. */
class Generator {
  readonly #root: JsonSchema;
  readonly #random: Random;
  readonly #usesExamples: boolean;
  /** The share of optional members. */
  readonly #fullness: number;
  readonly #characters = new Map<string, readonly string[]>();
  parts = 0;

  constructor(root: JsonSchema, random: Random, attempt: number) {
    this.#root = root;
    this.#random = random;
    this.#usesExamples = attempt % 2 === 0;
    this.#fullness = attempt === 0 ? 1 : ([0.6, 0.3, 0][attempt % 3] ?? 0);
  }

  /** Returns a value for all of the schemas at once. `name` is a word for texts. */
  value(schemas: readonly JsonSchema[], depth: number, name: string): JsonValue {
    this.#countPart();
    if (depth > DEEPEST) throw new NoValue();
    const nodes = this.#collect(schemas, depth);
    const fixed = nodes.find((node) => Object.hasOwn(node, "const") || node.enum !== undefined);
    if (fixed !== undefined) {
      return this.#pick(allowedBy(fixed).filter((each) => nodes.every((node) => isAllowed(node, each))));
    }
    const known = nodes.flatMap(({ examples = [], default: preset }) => [
      ...examples,
      ...(preset === undefined ? [] : [preset]),
    ]);
    if (depth > 0 && this.#usesExamples && known.length > 0) return this.#pick(known);
    switch (this.#pick(typesOf(nodes, this.#fullness === 1 || depth === 0))) {
      case "null":
        return null;
      case "boolean":
        return this.#random() < 0.5;
      case "integer":
        return this.#number(nodes, 1);
      case "number":
        return this.#number(nodes, undefined);
      case "array":
        return this.#list(nodes, depth, name);
      case "object":
        return this.#object(nodes, depth);
      default:
        return this.#text(nodes, name);
    }
  }

  #countPart(): void {
    this.parts += 1;
    if (this.parts > MOST_PARTS) throw new NoValue();
  }

  #pick<Item>(items: readonly Item[]): Item {
    if (items.length === 0) throw new NoValue();
    return items[Math.floor(this.#random() * items.length)] as Item;
  }

  /** Collects the schemas that hold for a value: references, `allOf`, and a branch of each union and condition. */
  #collect(schemas: readonly JsonSchema[], depth: number): readonly SchemaObject[] {
    const nodes = new Set<SchemaObject>();
    const pending = [...schemas];
    const add = (schema: JsonSchema | undefined): void => {
      if (schema !== undefined) pending.push(schema);
    };
    for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
      if (node === false) throw new NoValue();
      if (node === true || nodes.has(node)) continue;
      nodes.add(node);
      for (const reference of [node.$ref ?? [], node.$dynamicRef ?? []].flat()) add(find(this.#root, reference));
      for (const part of node.allOf ?? []) add(part);
      for (const union of [node.anyOf, node.oneOf]) {
        if (union === undefined) continue;
        // Deep inside, the shortest branch is the one that ends a recursion.
        add(
          depth < 5
            ? this.#pick(union)
            : union.toSorted((a, b) => JSON.stringify(a).length - JSON.stringify(b).length)[0],
        );
      }
      if (node.if === undefined) continue;
      if (this.#random() < 0.5) {
        add(node.if);
        add(node.then);
      } else add(node.else);
    }
    return [...nodes];
  }

  #number(nodes: readonly SchemaObject[], step: number | undefined): number {
    const steps = nodes.flatMap(({ multipleOf }) => multipleOf ?? []);
    const unit = Math.max(step ?? 0, ...steps);
    const lowest = Math.max(
      ...nodes.flatMap(({ minimum = -Infinity, exclusiveMinimum = -Infinity }) => [
        minimum,
        above(exclusiveMinimum, unit),
      ]),
    );
    const highest = Math.min(
      ...nodes.flatMap(({ maximum = Infinity, exclusiveMaximum = Infinity }) => [
        maximum,
        -above(-exclusiveMaximum, unit),
      ]),
    );
    const from = lowest > -Infinity ? lowest : highest < Infinity ? Math.min(1, highest) : 1;
    const to = Math.min(highest, from + 100 * Math.max(unit, 1));
    const wanted = from + this.#random() * (to - from);
    if (unit === 0) return wanted === from || wanted === to ? wanted : rounded(wanted, from, to);
    const multiple = Number((Math.ceil(from / unit + Math.floor((wanted - from) / unit)) * unit).toPrecision(15));
    return multiple > to ? Number((Math.ceil(from / unit) * unit).toPrecision(15)) : multiple;
  }

  #text(nodes: readonly SchemaObject[], name: string): string {
    const least = Math.max(0, ...nodes.map(({ minLength = 0 }) => minLength));
    const most = Math.min(...nodes.map(({ maxLength = Infinity }) => maxLength));
    if (least > LONGEST_TEXT) throw new NoValue();
    const format = nodes.find((node) => node.format !== undefined)?.format;
    const patterns = nodes.flatMap(({ pattern }) => pattern ?? []);
    const isFit = (text: string): boolean =>
      lengthOf(text) >= least && lengthOf(text) <= most && patterns.every((pattern) => matches(pattern, text));
    const example = format === undefined ? undefined : exampleOf(format);
    if (example !== undefined && isFit(example)) return example;
    const [pattern] = patterns;
    if (pattern === undefined) {
      const text = `${name} ${Math.floor(this.#random() * 90) + 10}`;
      const long = lengthOf(text) < least ? text.padEnd(least, "x") : text;
      return most === Infinity ? long : [...long].slice(0, most).join("");
    }
    const tree = parsePattern(pattern);
    if (tree === undefined) throw new NoValue();
    for (let tries = 0; tries < 100; tries += 1) {
      const text = this.#match(tree, tries < 50 ? 0 : least);
      const fit = [text, text.padEnd(least, "a"), text.padEnd(least, "0")].find(isFit);
      if (fit !== undefined) return fit;
    }
    throw new NoValue();
  }

  /** Writes a text that a pattern matches, unless it looks around. */
  #match(node: PatternNode, length: number): string {
    this.#countPart();
    switch (node.kind) {
      case "character": {
        const known = this.#characters.get(node.source) ?? listCharacters(node.source);
        this.#characters.set(node.source, known);
        return this.#pick(known);
      }
      case "sequence":
        return node.parts.map((part) => this.#match(part, length)).join("");
      case "choice":
        return this.#match(this.#pick(node.parts), length);
      case "repeat": {
        const more = Math.min(node.most - node.least, Math.max(length - node.least, 3));
        const times =
          node.least + (length > 0 && node.most === Infinity ? more : Math.floor(this.#random() * (more + 1)));
        return Array.from({ length: Math.min(times, 10_000) }, () => this.#match(node.part, 0)).join("");
      }
      default:
        return "";
    }
  }

  #list(nodes: readonly SchemaObject[], depth: number, name: string): JsonValue {
    const least = Math.max(0, ...nodes.map(({ minItems = 0 }) => minItems));
    const most = Math.min(...nodes.map(({ maxItems = Infinity }) => maxItems));
    const wanted = nodes.flatMap(({ contains, minContains = 1 }) =>
      contains === undefined
        ? []
        : Array.from({ length: Math.min(minContains, LONGEST_LIST) }, () => contains as JsonSchema),
    );
    const usual = depth < 4 && this.#fullness > 0 ? 1 + Math.floor(this.#random() * 2) : 0;
    const length = Math.min(Math.max(least, wanted.length, usual), most, LONGEST_LIST);
    const isUnique = nodes.some(({ uniqueItems }) => uniqueItems === true);
    const items: JsonValue[] = [];
    const texts = new Set<string>();
    for (let index = 0; index < length; index += 1) {
      const schemas = nodes.flatMap((node) => itemSchema(node, index));
      if (index >= least && index >= wanted.length && schemas.includes(false)) break;
      const contained = wanted[index];
      const held = contained === undefined ? schemas : [...schemas, contained];
      const make = (): JsonValue => this.value(held, depth + 1, name);
      let item = make();
      for (let tries = isUnique ? 50 : 0; tries > 0 && texts.has(canonicalText(item)); tries -= 1) item = make();
      if (isUnique && texts.has(canonicalText(item))) {
        if (index >= least) break;
        throw new NoValue();
      }
      if (isUnique) texts.add(canonicalText(item));
      items.push(item);
    }
    return items;
  }

  #object(given: readonly SchemaObject[], depth: number): JsonValue {
    const most = Math.min(...given.map(({ maxProperties = Infinity }) => maxProperties));
    const least = Math.max(0, ...given.map(({ minProperties = 0 }) => minProperties));
    let nodes = given;
    const names = new Set(nodes.flatMap(({ required = [] }) => required));
    const optional = [...new Set(nodes.flatMap(({ properties = {} }) => Object.keys(properties)))];
    for (const name of optional) {
      if (names.size >= most || names.has(name)) continue;
      const isWanted = names.size < least || (depth < 4 && this.#random() < this.#fullness);
      if (isWanted && !propertySchemas(nodes, name).includes(false)) names.add(name);
    }
    const isMap = optional.length === 0 && depth < 4 && this.#fullness > 0;
    const extra = Math.max(least, isMap && most > 0 && nodes.some(isTypedMap) ? 1 : 0);
    for (let tries = 0; names.size < extra && tries < 100; tries += 1) {
      const name = this.#propertyName(nodes, names.size + 1);
      if (!propertySchemas(nodes, name).includes(false)) names.add(name);
    }
    const implied = new Set<JsonSchema>();
    for (const name of names) {
      for (const node of nodes) {
        const dependent = own(node.dependentRequired ?? {}, name) ?? listAt(node.dependencies, name);
        for (const other of dependent) names.add(other);
        const schema = own(node.dependentSchemas ?? {}, name) ?? schemaAt(node.dependencies, name);
        if (schema !== undefined) implied.add(schema);
      }
    }
    if (implied.size > 0) {
      nodes = [...nodes, ...this.#collect([...implied], depth)];
      for (const { required = [] } of nodes) for (const name of required) names.add(name);
    }
    const members: { [name: string]: JsonValue } = {};
    for (const name of names) setOwn(members, name, this.value(propertySchemas(nodes, name), depth + 1, name));
    return members;
  }

  #propertyName(nodes: readonly SchemaObject[], count: number): string {
    const rules = nodes.flatMap(({ propertyNames }) => propertyNames ?? []) as readonly JsonSchema[];
    if (rules.length > 0) return String(this.value([{ type: "string" }, ...rules], DEEPEST - 5, `key${count}`));
    const [pattern] = nodes.flatMap(({ patternProperties = {} }) => Object.keys(patternProperties));
    const tree = pattern === undefined ? undefined : parsePattern(pattern);
    return tree === undefined ? `key${count}` : this.#match(tree, count);
  }
}

function allowedBy(node: SchemaObject): readonly JsonValue[] {
  return Object.hasOwn(node, "const") ? [node.const as JsonValue] : (node.enum ?? []);
}

function isAllowed(node: SchemaObject, value: JsonValue): boolean {
  const isListed = !(Object.hasOwn(node, "const") || node.enum !== undefined) || isIn(value, allowedBy(node));
  const types = node.type === undefined ? undefined : [node.type].flat();
  return isListed && (types === undefined || types.some((type) => isOfType(value, type)));
}

function isOfType(value: JsonValue, type: string): boolean {
  if (type === "integer") return Number.isInteger(value);
  return type === (value === null ? "null" : Array.isArray(value) ? "array" : typeof value);
}

const TYPES = ["string", "number", "integer", "boolean", "object", "array", "null"];

/** Lists the types that all schemas allow. A keyword about one type implies it. */
function typesOf(nodes: readonly SchemaObject[], isUsual: boolean): readonly string[] {
  let types: readonly string[] | undefined;
  for (const { type } of nodes) {
    if (type === undefined) continue;
    const stated = [type].flat().flatMap((each) => (each === "number" ? ["number", "integer"] : [each as string]));
    types = types === undefined ? stated : types.filter((each) => stated.includes(each));
  }
  types ??= [impliedType(nodes)].filter((each) => each !== undefined);
  const possible = TYPES.filter((type) => types.includes(type) && !(type === "integer" && types.includes("number")));
  const usual = possible.filter((type) => type !== "null");
  return isUsual && usual.length > 0 ? usual : possible;
}

function impliedType(nodes: readonly SchemaObject[]): string {
  const has = (...keywords: (keyof SchemaObject)[]): boolean =>
    nodes.some((node) => keywords.some((keyword) => node[keyword] !== undefined));
  if (has("properties", "required", "additionalProperties", "patternProperties", "minProperties")) return "object";
  if (has("items", "prefixItems", "minItems", "contains")) return "array";
  return has("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf") ? "number" : "string";
}

function itemSchema(node: SchemaObject, index: number): readonly JsonSchema[] {
  const { prefixItems, items, additionalItems } = node;
  const fixed = (prefixItems ?? (isList(items) ? items : [])) as readonly JsonSchema[];
  const found = index < fixed.length ? fixed[index] : isList(items) ? additionalItems : items;
  return found === undefined ? [] : [found as JsonSchema];
}

function propertySchemas(nodes: readonly SchemaObject[], name: string): readonly JsonSchema[] {
  return nodes.flatMap(({ properties = {}, patternProperties = {}, additionalProperties = true }) => {
    const declared = own(properties, name);
    const found = [
      ...(declared === undefined ? [] : [declared]),
      ...Object.entries(patternProperties).flatMap(([pattern, schema]) => (matches(pattern, name) ? [schema] : [])),
    ];
    return found.length > 0 ? found : [additionalProperties];
  });
}

function isTypedMap({ additionalProperties, patternProperties }: SchemaObject): boolean {
  return typeof additionalProperties === "object" || patternProperties !== undefined;
}

function listAt(dependencies: SchemaObject["dependencies"], name: string): readonly string[] {
  const found = own(dependencies ?? {}, name);
  return isList(found) ? (found as readonly string[]) : [];
}

function schemaAt(dependencies: SchemaObject["dependencies"], name: string): JsonSchema | undefined {
  const found = own(dependencies ?? {}, name);
  return found === undefined || isList(found) ? undefined : (found as JsonSchema);
}

function find(root: JsonSchema, reference: string): JsonSchema {
  const found = followReference(root, reference);
  if (found === undefined) throw new NoValue();
  return found.value as JsonSchema;
}

const MORE_FORMATS: { readonly [format: string]: string } = {
  byte: "c2FtcGxl",
  url: "https://example.com/",
  "uri-template": "https://example.com/{id}",
  "iso-time": "12:00:00Z",
  "iso-date-time": "2030-01-31T12:00:00Z",
  "json-pointer-uri-fragment": "#/a",
  "relative-json-pointer": "0",
};

function exampleOf(format: string): string | undefined {
  return assertedFormats.get(format)?.example ?? own(MORE_FORMATS, format);
}

function matches(pattern: string, text: string): boolean {
  try {
    return linearPattern(pattern)?.test(text) ?? false;
  } catch {
    return false;
  }
}

function isIn(value: JsonValue, list: readonly JsonValue[]): boolean {
  const text = canonicalText(value);
  return list.some((each) => canonicalText(each) === text);
}

/** Counts characters as JSON Schema does. */
function lengthOf(text: string): number {
  return [...text].length;
}

function above(exclusive: number, unit: number): number {
  return Number.isFinite(exclusive)
    ? exclusive + (unit === 0 ? Math.max(Math.abs(exclusive), 1) * 1e-6 : unit)
    : exclusive;
}

function rounded(wanted: number, from: number, to: number): number {
  const short = Number(wanted.toFixed(2));
  return short >= from && short <= to ? short : wanted;
}
