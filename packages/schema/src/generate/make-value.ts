import { findOrAdd, canonicalText, own, setOwn, type JsonValue } from "@hasp/base/json";
import { listCharacters } from "../patterns/characters.js";
import { parsePattern, type PatternNode } from "../patterns/parse-pattern.js";
import { createPatternBudget, findMatch, type PatternBudget } from "../patterns/pattern-inclusion.js";
import type { JsonSchema, SchemaObject } from "../vocabulary/json-schema.js";
import { chooseAtRandom, type Chooser, randomFrom, type Random, USUAL } from "./choices.js";
import {
  excludeBound,
  ANYTHING,
  findExample,
  listMarks,
  listTextsBeside,
  roundBetween,
  chooseBetween,
} from "./known-values.js";
import {
  listAllowed,
  collectAll,
  createAllowedTest,
  countFixedItems,
  findSchema,
  isOpen,
  isTypedMap,
  listItemSchemas,
  findDependentNames,
  listReferences,
  matchesPattern,
  listPropertySchemas,
  findDependentSchema,
  listTypes,
} from "./place-schemas.js";

/** The most parts of one value: values and, in patterns, characters. */
const MOST_PARTS = 50_000;
const DEEPEST = 60;

/** Deeper values have only what their schemas require. */
const DEEPEST_OPTIONAL = 4;

/** Longer texts and lists are not made. */
const LONGEST_TEXT = 100_000;
const LONGEST_LIST = 1000;

/** The longest list that is tried because a bound lies there. */
const LONGEST_LIST_AT_BOUND = 200;

/** The most values of a long list that are tried: of all, and of those that differ from another version. */
const MOST_LISTED = 24;

/** Thrown if the choices made lead to no value; others may. */
export class NoValue extends Error {}

/** The state that all values of one schema share: what is already known, and the work done so far. */
export interface Making {
  readonly root: JsonSchema;
  /** Another version of the schema, whose bounds count as well. */
  readonly beside: JsonSchema | undefined;
  readonly characters: Map<string, readonly string[]>;
  readonly texts: Map<string, string>;
  /** The values of places that list them. */
  readonly listed: Map<string, readonly JsonValue[]>;
  readonly numbers: Map<SchemaObject, number>;
  readonly budget: PatternBudget;
  /** The parts of all values so far. */
  parts: number;
}

export function startMaking(root: JsonSchema, beside?: JsonSchema): Making {
  return {
    root,
    beside,
    characters: new Map(),
    texts: new Map(),
    listed: new Map(),
    numbers: new Map(),
    budget: createPatternBudget(),
    parts: 0,
  };
}

/** The share of optional parts in a value. */
export interface Fullness {
  /** The share of members that nothing requires. */
  readonly share: number;
  /** True to prefer examples, if the choices are random. */
  readonly usesExamples?: boolean;
}

/** A place in a value, with the schemas that hold there. */
interface ValuePlace {
  readonly nodes: readonly SchemaObject[];
  /** The schemas of another version. */
  readonly others: readonly SchemaObject[];
  readonly depth: number;
  /** A word for texts. */
  readonly name: string;
  /** Identifies the place and its schemas. */
  readonly key: string;
}

/** Makes one value for all of the schemas at once. Throws {@link NoValue} if the choices lead to none. */
export function makeValue(
  schemas: readonly JsonSchema[],
  making: Making,
  choices: Chooser,
  fullness: Fullness,
): JsonValue {
  return new ValueMaker(making, choices, fullness).make(schemas);
}

class ValueMaker {
  readonly #making: Making;
  readonly #choices: Chooser;
  readonly #fullness: Fullness;
  readonly #most: number;

  constructor(making: Making, choices: Chooser, fullness: Fullness) {
    this.#making = making;
    this.#choices = choices;
    this.#fullness = fullness;
    this.#most = making.parts + MOST_PARTS;
  }

  make(schemas: readonly JsonSchema[]): JsonValue {
    const { beside } = this.#making;
    return this.#value(schemas, beside === undefined ? [] : [beside], 0, "value", "");
  }

  #value(
    schemas: readonly JsonSchema[],
    beside: readonly JsonSchema[],
    depth: number,
    name: string,
    path: string,
  ): JsonValue {
    this.#countPart();
    if (depth > DEEPEST) throw new NoValue();
    const nodes = this.#collect(schemas, depth, path);
    const key = `${path} ${nodes.map((node) => this.#numberOf(node)).join(" ")}`;
    const place: ValuePlace = { nodes, others: collectAll(beside, this.#making.beside ?? true), depth, name, key };
    const fixed = nodes.find((node) => Object.hasOwn(node, "const") || node.enum !== undefined);
    if (fixed !== undefined) {
      return this.#oneOf(
        key,
        findOrAdd(this.#making.listed, key, () => listValues(fixed, place)),
      );
    }
    const known = nodes.flatMap(({ examples = [], default: preset }) =>
      preset === undefined ? examples : [preset, ...examples],
    );
    if (!this.#choices.isRandom) {
      const given = known.map((value) => ({ value }));
      const chosen = given.length === 0 ? undefined : this.#shape(`${key} known`, [...given, undefined]);
      if (chosen !== undefined) return chosen.value;
      if (nodes.every(isOpen)) return this.#oneOf(key, ANYTHING);
    } else if (depth > 0 && this.#fullness.usesExamples === true && known.length > 0) return this.#shape(key, known);
    const isUsual = this.#choices.isRandom && (this.#fullness.share === 1 || depth === 0);
    switch (this.#shape(`${key} type`, listTypes(nodes, isUsual))) {
      case "null":
        return null;
      case "boolean":
        return this.#choices.value<boolean>(
          key,
          () => false,
          () => [true],
          (random) => random() < 0.5,
        );
      case "integer":
        return this.#number(place, 1);
      case "number":
        return this.#number(place, undefined);
      case "array":
        return this.#list(place);
      case "object":
        return this.#object(place);
      default:
        return this.#text(place);
    }
  }

  #countPart(): void {
    this.#making.parts += 1;
    if (this.#making.parts > this.#most) throw new NoValue();
  }

  #numberOf(node: SchemaObject): number {
    const { numbers } = this.#making;
    return findOrAdd(numbers, node, () => numbers.size);
  }

  #shape<Shape>(key: string, shapes: readonly Shape[]): Shape {
    if (shapes.length === 0) throw new NoValue();
    return this.#choices.shape(key, shapes);
  }

  #oneOf(key: string, values: readonly JsonValue[]): JsonValue {
    const [usual, ...others] = values;
    if (usual === undefined) throw new NoValue();
    return this.#choices.value(
      key,
      () => usual,
      () => others,
      (random) => pick(values, random),
    );
  }

  /** Collects the schemas that hold for a value: references, `allOf`, and a branch of each union and condition. */
  #collect(schemas: readonly JsonSchema[], depth: number, path: string): readonly SchemaObject[] {
    const nodes = new Set<SchemaObject>();
    const pending = [...schemas];
    const add = (schema: JsonSchema | undefined): void => {
      if (schema !== undefined) pending.push(schema);
    };
    for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
      if (node === false) throw new NoValue();
      if (node === true || nodes.has(node)) continue;
      nodes.add(node);
      for (const reference of listReferences(node)) {
        const target = findSchema(this.#making.root, reference);
        if (target === undefined) throw new NoValue();
        add(target);
      }
      for (const part of node.allOf ?? []) add(part);
      const key = `${path} ${this.#numberOf(node)}`;
      for (const keyword of ["anyOf", "oneOf"] as const) {
        const union = node[keyword];
        if (union === undefined) continue;
        // Deep inside, the shortest branch is the one that ends a recursion.
        add(
          depth < 5
            ? this.#shape(`${key} ${keyword}`, union)
            : union.toSorted((a, b) => JSON.stringify(a).length - JSON.stringify(b).length)[0],
        );
      }
      if (node.if === undefined) continue;
      if (this.#shape(`${key} if`, [true, false])) {
        add(node.if);
        add(node.then);
      } else add(node.else);
    }
    return [...nodes];
  }

  #number({ nodes, others, key }: ValuePlace, step: number | undefined): number {
    const steps = nodes.flatMap(({ multipleOf }) => multipleOf ?? []);
    const unit = Math.max(step ?? 0, ...steps);
    const lowest = Math.max(
      ...nodes.flatMap(({ minimum = -Infinity, exclusiveMinimum = -Infinity }) => [
        minimum,
        excludeBound(exclusiveMinimum, unit),
      ]),
    );
    const highest = Math.min(
      ...nodes.flatMap(({ maximum = Infinity, exclusiveMaximum = Infinity }) => [
        maximum,
        -excludeBound(-exclusiveMaximum, unit),
      ]),
    );
    const atLeast = (wanted: number): number =>
      unit === 0 ? wanted : Number((Math.ceil(wanted / unit) * unit).toPrecision(15));
    return this.#choices.value(
      key,
      () => (lowest > 1 || highest < 1 ? chooseBetween(lowest, highest, atLeast) : atLeast(1)),
      () => listMarks(nodes, others, step ?? 0.5),
      (random) => {
        const from = lowest > -Infinity ? lowest : highest < Infinity ? Math.min(1, highest) : 1;
        const to = Math.min(highest, from + 100 * Math.max(unit, 1));
        const wanted = from + random() * (to - from);
        if (unit === 0) return wanted === from || wanted === to ? wanted : roundBetween(wanted, from, to);
        const multiple = Number((Math.ceil(from / unit + Math.floor((wanted - from) / unit)) * unit).toPrecision(15));
        return multiple > to ? atLeast(from) : multiple;
      },
    );
  }

  #text({ nodes, others, name, key }: ValuePlace): string {
    const least = Math.max(0, ...nodes.map(({ minLength = 0 }) => minLength));
    const most = Math.min(...nodes.map(({ maxLength = Infinity }) => maxLength));
    const format = nodes.find((node) => node.format !== undefined)?.format;
    const patterns = nodes.flatMap(({ pattern }) => pattern ?? []);
    const isFit = (text: string): boolean =>
      lengthOf(text) >= least && lengthOf(text) <= most && patterns.every((pattern) => matchesPattern(pattern, text));
    const example = format === undefined ? undefined : findExample(format);
    const exact = example !== undefined && isFit(example) ? example : undefined;
    return this.#choices.value(
      key,
      () => {
        const rules = JSON.stringify([least, most, format, ...patterns]);
        const known = this.#making.texts.get(rules);
        if (known !== undefined) return known;
        const plain = "x".repeat(Math.min(Math.max(1, least), most, LONGEST_TEXT));
        const matched = patterns.length === 0 ? undefined : findMatch(patterns[0] ?? "", least, this.#making.budget);
        const fit = [exact, matched, plain].find((text) => text !== undefined && isFit(text));
        const text = fit ?? this.#writeMatch(patterns, least, isFit, randomFrom(rules)) ?? example ?? matched ?? plain;
        this.#making.texts.set(rules, text);
        return text;
      },
      () => listTextsBeside(nodes, others, this.#making.budget),
      (random) => {
        if (least > LONGEST_TEXT) throw new NoValue();
        if (exact !== undefined) return exact;
        if (patterns.length > 0) {
          const text = this.#writeMatch(patterns, least, isFit, random);
          if (text === undefined) throw new NoValue();
          return text;
        }
        const text = `${name} ${Math.floor(random() * 90) + 10}`;
        const long = lengthOf(text) < least ? text.padEnd(least, "x") : text;
        return most === Infinity ? long : [...long].slice(0, most).join("");
      },
    );
  }

  #writeMatch(
    [pattern]: readonly string[],
    least: number,
    isFit: (text: string) => boolean,
    random: Random,
  ): string | undefined {
    const tree = pattern === undefined ? undefined : parsePattern(pattern);
    if (tree === undefined) return undefined;
    for (let tries = 0; tries < 100; tries += 1) {
      const text = this.#match(tree, tries < 50 ? 0 : least, random);
      const fit = [text, text.padEnd(least, "a"), text.padEnd(least, "0")].find(isFit);
      if (fit !== undefined) return fit;
    }
    return undefined;
  }

  /** Writes a text that a pattern matches; the caller tests it, since the pattern may look around. */
  #match(node: PatternNode, length: number, random: Random): string {
    this.#countPart();
    switch (node.kind) {
      case "character": {
        const { characters } = this.#making;
        return pick(
          findOrAdd(characters, node.source, () => listCharacters(node.source)),
          random,
        );
      }
      case "sequence":
        return node.parts.map((part) => this.#match(part, length, random)).join("");
      case "choice":
        return this.#match(pick(node.parts, random), length, random);
      case "repeat": {
        const more = Math.min(node.most - node.least, Math.max(length - node.least, 3));
        const times = node.least + (length > 0 && node.most === Infinity ? more : Math.floor(random() * (more + 1)));
        return Array.from({ length: Math.min(times, 10_000) }, () => this.#match(node.part, 0, random)).join("");
      }
      default:
        return "";
    }
  }

  #list(place: ValuePlace): JsonValue {
    const { nodes, others, depth, name, key } = place;
    const least = Math.max(0, ...nodes.map(({ minItems = 0 }) => minItems));
    const most = Math.min(...nodes.map(({ maxItems = Infinity }) => maxItems));
    const wanted = nodes.flatMap(({ contains, minContains = 1 }) =>
      contains === undefined
        ? []
        : Array.from({ length: Math.min(minContains, LONGEST_LIST) }, () => contains as JsonSchema),
    );
    const fewest = Math.min(Math.max(least, wanted.length), most, LONGEST_LIST);
    const length = this.#length(place, fewest, most);
    const isUnique = nodes.some(({ uniqueItems }) => uniqueItems === true);
    const isSame = (index: number): boolean => index > Math.max(wanted.length, ...nodes.map(countFixedItems));
    const items: JsonValue[] = [];
    const texts = new Set<string>();
    for (let index = 0; index < length; index += 1) {
      const schemas = nodes.flatMap((node) => listItemSchemas(node, index));
      if (index >= least && index >= wanted.length && schemas.includes(false)) break;
      const contained = wanted[index];
      const held = contained === undefined ? schemas : [...schemas, contained];
      const maker = !this.#choices.isRandom && index > 0 && isSame(index) ? this.#aside(isUnique, index) : this;
      const beside = others.flatMap((node) => listItemSchemas(node, index));
      const make = (): JsonValue => maker.#value(held, beside, depth + 1, name, `${key}/${index}`);
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

  /** Chooses how many items a list has. */
  #length({ nodes, others, depth, key }: ValuePlace, fewest: number, most: number): number {
    if (this.#choices.isRandom) {
      const usual = depth < DEEPEST_OPTIONAL && this.#fullness.share > 0 ? this.#shape(key, [1, 2]) : 0;
      return Math.min(Math.max(fewest, usual), most, LONGEST_LIST);
    }
    const bounds = [...nodes, ...others].flatMap(({ minItems = 0, maxItems = 0 }) => [minItems, maxItems]);
    const lengths = [1, 2, ...bounds, ...bounds.map((bound) => bound + 1)];
    const further = lengths.filter((length) => length > fewest && length <= Math.min(most, LONGEST_LIST_AT_BOUND));
    return this.#shape(`${key} length`, [...new Set([fewest, ...(depth < DEEPEST_OPTIONAL ? further : [])])]);
  }

  /** A maker of items whose choices are not explored: usual ones, or random ones where all items must differ. */
  #aside(isUnique: boolean, index: number): ValueMaker {
    const choices = isUnique ? chooseAtRandom(randomFrom(String(index))) : USUAL;
    return new ValueMaker(this.#making, choices, { share: 0 });
  }

  #object(place: ValuePlace): JsonValue {
    const { nodes: given, others, depth, key } = place;
    const most = Math.min(...given.map(({ maxProperties = Infinity }) => maxProperties));
    const least = Math.max(0, ...given.map(({ minProperties = 0 }) => minProperties));
    let nodes = given;
    const names = new Set(nodes.flatMap(({ required = [] }) => required));
    const optional = [...new Set(nodes.flatMap(({ properties = {} }) => Object.keys(properties)))];
    for (const name of optional) {
      if (names.size >= most || names.has(name)) continue;
      const isWanted = names.size < least || (depth < DEEPEST_OPTIONAL && this.#isTaken(`${key} ${name}`));
      if (isWanted && !listPropertySchemas(nodes, name).includes(false)) names.add(name);
    }
    const isMap = optional.length === 0 && depth < DEEPEST_OPTIONAL && this.#fullness.share > 0;
    const extra = Math.max(least, isMap && most > 0 && nodes.some(isTypedMap) ? 1 : 0);
    for (let tries = 0; names.size < extra && tries < 100; tries += 1) {
      const maker = this.#choices.isRandom ? this : this.#aside(true, tries);
      const name = maker.#propertyName(nodes, names.size + 1);
      if (!listPropertySchemas(nodes, name).includes(false)) names.add(name);
    }
    for (const name of this.#undeclaredNames({ ...place, nodes }, most - names.size)) names.add(name);
    const implied = new Set<JsonSchema>();
    for (const name of names) {
      for (const node of nodes) {
        const dependent = own(node.dependentRequired ?? {}, name) ?? findDependentNames(node.dependencies, name);
        for (const other of dependent) names.add(other);
        const schema = own(node.dependentSchemas ?? {}, name) ?? findDependentSchema(node.dependencies, name);
        if (schema !== undefined) implied.add(schema);
      }
    }
    if (implied.size > 0) {
      nodes = [...nodes, ...this.#collect([...implied], depth, key)];
      for (const { required = [] } of nodes) for (const name of required) names.add(name);
    }
    const members: { [name: string]: JsonValue } = {};
    for (const name of names) {
      const beside = listPropertySchemas(others, name).filter((schema) => schema !== true);
      setOwn(members, name, this.#value(listPropertySchemas(nodes, name), beside, depth + 1, name, `${key}/${name}`));
    }
    return members;
  }

  #isTaken(key: string): boolean {
    const { share } = this.#fullness;
    if (!this.#choices.isRandom) return this.#shape(`${key} ${share}`, share === 0 ? [false, true] : [true, false]);
    return (
      this.#choices.value<number>(
        key,
        () => 0,
        () => [],
        (random) => random(),
      ) < share
    );
  }

  /** Chooses names that no schema declares, where some are allowed: short and long ones, and those of another version. */
  #undeclaredNames({ nodes, others, depth, key }: ValuePlace, most: number): readonly string[] {
    if (!this.#choices.explores || depth >= DEEPEST_OPTIONAL) return [];
    const isDeclared = (name: string): boolean => nodes.some(({ properties = {} }) => Object.hasOwn(properties, name));
    const foreign = others
      .flatMap(({ properties = {} }) => Object.keys(properties))
      .filter((name) => !isDeclared(name));
    const wanted = [["x"], ...foreign.map((name) => [name]), ["xxxxxxxxxxxx"], ["xxxxxxxxxxxx", "y", "z"]];
    const isAllowed = (names: readonly string[]): boolean =>
      names.length <= most && names.every((name) => !listPropertySchemas(nodes, name).includes(false));
    return this.#shape(`${key} undeclared`, [[], ...wanted.filter(isAllowed)]);
  }

  /** Draws a name, by `propertyNames` or a pattern of the schemas if they have one. */
  #propertyName(nodes: readonly SchemaObject[], count: number): string {
    const plain = `key${count}`;
    const rules = nodes.flatMap(({ propertyNames }) => propertyNames ?? []) as readonly JsonSchema[];
    if (rules.length > 0) return String(this.#value([{ type: "string" }, ...rules], [], DEEPEST - 5, plain, plain));
    const [pattern] = nodes.flatMap(({ patternProperties = {} }) => Object.keys(patternProperties));
    const tree = pattern === undefined ? undefined : parsePattern(pattern);
    if (tree === undefined) return plain;
    return this.#choices.value(
      plain,
      () => plain,
      () => [],
      (random) => this.#match(tree, count, random),
    );
  }
}

/** Lists values that all schemas allow: a few dozen, among them the last, and those that another version does not allow. */
function listValues(fixed: SchemaObject, { nodes, others }: ValuePlace): readonly JsonValue[] {
  const values = listAllowed(fixed).filter(createAllowedTest(nodes));
  if (values.length <= 2 * MOST_LISTED) return values;
  const isKept = createAllowedTest(others);
  const gone = thinOut(values.filter((value) => !isKept(value)));
  return [...new Set([...values.slice(0, 1), ...gone, ...thinOut(values), ...values.slice(-1)])];
}

function thinOut<Item>(items: readonly Item[]): readonly Item[] {
  const step = Math.ceil(items.length / MOST_LISTED);
  return items.filter((_, index) => index % step === 0);
}

function pick<Item>(items: readonly Item[], random: Random): Item {
  if (items.length === 0) throw new NoValue();
  return items[Math.floor(random() * items.length)] as Item;
}

/** Counts characters as JSON Schema does. */
function lengthOf(text: string): number {
  return [...text].length;
}
