import { canonicalText, type JsonSchema, type SchemaObject } from "@hasp/schema";
import { boundedValidator } from "../predicates/index.js";
import { withoutAnnotations } from "../ledger/meaning.js";
import { schemaAt } from "../model/schema-at.js";
import { escapeToken } from "../model/json-pointer.js";

/** What keeps a proof from being complete: a keyword of the outer schema that the inner one does not imply. */
export interface Obstacle {
  /** JSON Pointer into the outer schema. */
  readonly pointer: string;
  /** The place in an instance, `*` for any item or any undeclared key. */
  readonly place: string;
  readonly keyword: string;
}

/** One way in which a schema lets a value be: every part holds. */
type Alternative = readonly Part[];

interface Part {
  readonly schema: SchemaObject;
  readonly pointer: string;
  /** Names that another branch of the same union may let in, where a value can take both. */
  readonly otherNames?: ReadonlySet<string>;
}

const MOST_ALTERNATIVES = 64;
const MOST_COMPARISONS = 50_000;

/**
 * Tries to prove that `outer` accepts whatever `inner` accepts, keyword by keyword. No obstacle is a proof; an obstacle
 * says only that this way of proving ends there.
 */
export function obstaclesTo(inner: JsonSchema, outer: JsonSchema): readonly Obstacle[] {
  const obstacles = new Prover(inner, outer).below([{ schema: inner, pointer: "" }], outer, "", "");
  const seen = new Set<string>();
  return obstacles.filter(({ pointer, keyword }) => {
    const key = `${pointer} ${keyword}`;
    return seen.has(key) ? false : seen.add(key) !== undefined;
  });
}

/** Compares below two roots. */
class Prover {
  readonly #inner: JsonSchema;
  readonly #outer: JsonSchema;
  readonly #haveSameDefinitions: boolean;
  /** Pairs that are being compared: a cycle that comes back to one of them adds nothing. */
  readonly #open = new Map<object, Set<object>>();
  #left = MOST_COMPARISONS;

  constructor(inner: JsonSchema, outer: JsonSchema) {
    this.#inner = inner;
    this.#outer = outer;
    this.#haveSameDefinitions = meaningOf(definitionsOf(inner)) === meaningOf(definitionsOf(outer));
  }

  /** Every inner alternative must lie within one outer alternative. */
  #between(inner: readonly Alternative[], outer: readonly Alternative[], pointer: string, place: string): readonly Obstacle[] {
    return inner.flatMap((parts) => {
      let nearest: readonly Obstacle[] | undefined;
      for (const candidate of outer) {
        const found = this.#within(parts, candidate, place);
        if (found.length === 0) return [];
        if (nearest === undefined || found.length < nearest.length) nearest = found;
      }
      if (outer.length === 1 && nearest !== undefined) return nearest;
      return [{ pointer, place, keyword: "anyOf" }];
    });
  }

  /** A schema as a choice of conjunctions; references are followed once, and branches of `oneOf` are kept where they exclude each other. */
  #alternatives(schema: JsonSchema, root: JsonSchema, pointer: string, followed: readonly SchemaObject[]): readonly Alternative[] {
    if (schema === false) return [];
    if (schema === true) return [[{ schema: {}, pointer }]];
    if (followed.includes(schema)) return [[{ schema, pointer }]];
    const inside = [...followed, schema];
    const { $ref, allOf, anyOf, oneOf, ...bare } = schema;
    let found: readonly Alternative[] = [[{ schema: bare, pointer }]];
    let isTooMany = false;
    const conjoin = (others: readonly Alternative[]): void => {
      if (found.length * others.length > MOST_ALTERNATIVES) isTooMany = true;
      else found = found.flatMap((left) => others.map((right) => [...left, ...right]));
    };
    const target = $ref === undefined ? undefined : schemaAt(root, $ref);
    if ($ref !== undefined && target === undefined) return [[{ schema, pointer }]];
    if (target !== undefined) conjoin(this.#alternatives(target, root, $ref?.slice(1) ?? "", inside));
    for (const [index, branch] of (allOf ?? []).entries()) conjoin(this.#alternatives(branch, root, `${pointer}/allOf/${index}`, inside));
    if (anyOf !== undefined) {
      const branches = anyOf.flatMap((branch, index) => this.#alternatives(branch, root, `${pointer}/anyOf/${index}`, inside));
      conjoin(excludeEachOther(anyOf) ? branches : withNamesOfAll(branches));
    }
    if (oneOf !== undefined) {
      // A `oneOf` whose branches overlap refuses the overlap: kept whole, it is compared as it stands.
      if (root === this.#outer && !excludeEachOther(oneOf)) conjoin([[{ schema: { oneOf }, pointer }]]);
      else conjoin(oneOf.flatMap((branch, index) => this.#alternatives(branch, root, `${pointer}/oneOf/${index}`, inside)));
    }
    return isTooMany ? [[{ schema, pointer }]] : found;
  }

  #within(inner: Alternative, outer: Alternative, place: string): readonly Obstacle[] {
    this.#left -= 1;
    const [head] = outer;
    if (this.#left < 0 && head !== undefined) return [{ pointer: head.pointer, place, keyword: "$ref" }];
    const listed = inner.map(({ schema }) => listedValues(schema)).find((values) => values !== undefined);
    if (listed !== undefined) {
      const rest = outer.find(({ schema }) => {
        if (/"\$ref":"#(?!\/\$defs\/)/u.test(canonicalText(withDefinitions(schema, this.#outer)))) return true;
        const accepts = boundedValidator(withDefinitions(schema, this.#outer), { maxErrors: 1 });
        return !listed.every((value) => accepts(value).valid);
      });
      return rest === undefined ? [] : [{ pointer: rest.pointer, place, keyword: Object.hasOwn(rest.schema, "const") ? "const" : "enum" }];
    }
    return outer.flatMap((part) => this.#holdsOf(inner, part, outer, place));
  }

  /** Whether the inner parts together imply one part of the outer alternative. */
  #holdsOf(inner: Alternative, { schema: outer, pointer }: Part, siblings: Alternative, place: string): readonly Obstacle[] {
    const known = inner.some(({ schema }) => this.#isSame(schema, outer));
    if (known && !Object.hasOwn(outer, "unevaluatedProperties")) return [];
    const types = typesOf(inner);
    const fails = (keyword: string): readonly Obstacle[] => [{ pointer: `${pointer}/${keyword}`, place, keyword }];
    return Object.entries(outer).flatMap(([keyword, value]): readonly Obstacle[] => {
      if (IGNORED.has(keyword) || keyword.startsWith("x-") || value === undefined) return [];
      const governed = TYPE_OF_KEYWORD[keyword];
      if (governed !== undefined && !governed.some((type) => types.has(type))) return [];
      const step = { inner, outer, siblings, pointer, place };
      switch (keyword) {
        case "type": {
          const allowed = new Set([value].flat().flatMap((type) => (type === "number" ? ["number", "integer"] : [String(type)])));
          return [...types].every((type) => allowed.has(type)) ? [] : fails(keyword);
        }
        case "required": {
          const promised = new Set(inner.flatMap(({ schema }) => schema.required ?? []));
          const missing = (outer.required ?? []).find((name) => !promised.has(name));
          return missing === undefined ? [] : [{ pointer: `${pointer}/required`, place: `${place}/${escapeToken(missing)}`, keyword }];
        }
        case "properties":
          return Object.entries(outer.properties ?? {}).flatMap(([name, property]) => this.#property(step, name, property));
        case "additionalProperties":
        case "unevaluatedProperties":
          return this.#others(step, keyword);
        case "items": {
          const own = inner.flatMap(({ schema, pointer: at }) =>
            schema.items === undefined || Array.isArray(schema.items) ? [] : [{ schema: schema.items as JsonSchema, pointer: `${at}/items` }],
          );
          if ([...inner.map(({ schema }) => schema), outer].some(({ prefixItems, items }) => prefixItems !== undefined || Array.isArray(items))) {
            return inner.some(({ schema }) => sameKeywords(schema, outer, ["items", "prefixItems"])) ? [] : fails(keyword);
          }
          if (bound(inner, "maxItems") === 0) return [];
          return this.below(own, value as JsonSchema, `${pointer}/items`, `${place}/*`);
        }
        default: {
          if (isImplied(keyword, inner, outer)) return [];
          const names = TOGETHER.find((each) => each.includes(keyword)) ?? [keyword];
          const isWritten = inner.some(({ schema }) => sameKeywords(schema, outer, names)) && this.#canCompareText(value);
          return isWritten ? [] : fails(keyword);
        }
      }
    });
  }

  #property({ inner, pointer, place }: Step, name: string, property: JsonSchema): readonly Obstacle[] {
    const own = inner.flatMap(({ schema, pointer: at }): readonly SubSchema[] => schemaOfName(schema, name, at));
    const isForbidden = own.some(({ schema }) => schema === false) || isForbiddenByUnion(inner, name);
    if (isForbidden) return [];
    return this.below(own, property, `${pointer}/properties/${escapeToken(name)}`, `${place}/${escapeToken(name)}`);
  }

  /** What the outer schema says of keys that it does not declare. */
  #others({ inner, outer, siblings, pointer, place }: Step, keyword: "additionalProperties" | "unevaluatedProperties"): readonly Obstacle[] {
    const rest = outer[keyword];
    if (rest === undefined || isTrivial(rest)) return [];
    const at = `${pointer}/${keyword}`;
    const spoken = keyword === "additionalProperties" ? [outer] : siblings.map(({ schema }) => schema);
    const declared = new Set(spoken.flatMap(({ properties }) => Object.keys(properties ?? {})));
    const patterns = spoken.flatMap(({ patternProperties }) => Object.keys(patternProperties ?? {}));
    const names = new Set(inner.flatMap(({ schema, otherNames = [] }) => [...Object.keys(schema.properties ?? {}), ...otherNames]));
    const undeclared = [...names].filter((name) => !declared.has(name) && !isForbiddenByUnion(inner, name));
    const found = undeclared.flatMap((name) => {
      if (patterns.length > 0) return [{ pointer: at, place: `${place}/${escapeToken(name)}`, keyword }];
      const own = inner.flatMap(({ schema, pointer: from }) => schemaOfName(schema, name, from));
      if (own.some(({ schema }) => schema === false)) return [];
      return this.below(own, rest, at, `${place}/${escapeToken(name)}`);
    });
    const open = inner.flatMap(({ schema, pointer: from }) =>
      (["additionalProperties", "unevaluatedProperties"] as const).flatMap((each) => {
        const others = schema[each];
        if (others === undefined || (each === "unevaluatedProperties" && !knowsItsNames(inner))) return [];
        return [{ schema: others, pointer: `${from}/${each}` }];
      }),
    );
    const innerPatterns = inner.flatMap(({ schema }) => Object.keys(schema.patternProperties ?? {}));
    if (innerPatterns.some((pattern) => !patterns.includes(pattern))) found.push({ pointer: at, place: `${place}/*`, keyword });
    if (open.some(({ schema }) => schema === false)) return found;
    return [...found, ...this.below(open, rest, at, `${place}/*`)];
  }

  /** Whether every value that passes all of `inner` passes `outer`; nothing in `inner` is any value. */
  below(inner: readonly SubSchema[], outer: JsonSchema, pointer: string, place: string): readonly Obstacle[] {
    if (isTrivial(outer)) return [];
    const [only] = inner;
    if (inner.length !== 1 || typeof only?.schema !== "object" || typeof outer !== "object") return this.#expanded(inner, outer, pointer, place);
    if (this.#isSame(only.schema, outer)) return [];
    const open = this.#open.get(only.schema) ?? new Set();
    this.#open.set(only.schema, open);
    if (open.has(outer)) return [];
    open.add(outer);
    const found = this.#expanded(inner, outer, pointer, place);
    open.delete(outer);
    return found;
  }

  #expanded(inner: readonly SubSchema[], outer: JsonSchema, pointer: string, place: string): readonly Obstacle[] {
    let together: readonly Alternative[] = [[]];
    for (const { schema, pointer: at } of inner) {
      const choice = this.#alternatives(schema, this.#inner, at, []);
      if (together.length * choice.length > MOST_ALTERNATIVES) return [{ pointer, place, keyword: "anyOf" }];
      together = together.flatMap((left) => choice.map((right) => [...left, ...right]));
    }
    return this.#between(together, this.#alternatives(outer, this.#outer, pointer, []), pointer, place);
  }

  #isSame(inner: SchemaObject, outer: SchemaObject): boolean {
    return meaningOf(inner) === meaningOf(outer) && this.#canCompareText(outer);
  }

  /** Equal texts mean the same only where their references lead to the same. */
  #canCompareText(value: unknown): boolean {
    return this.#haveSameDefinitions || !canonicalText(value).includes('"$ref"');
  }
}

interface SubSchema {
  readonly schema: JsonSchema;
  readonly pointer: string;
}

interface Step {
  readonly inner: Alternative;
  readonly outer: SchemaObject;
  readonly siblings: Alternative;
  readonly pointer: string;
  readonly place: string;
}

/** Keywords that judge nothing, or that are judged with another. */
const IGNORED: ReadonlySet<string> = new Set([
  "$comment", "$defs", "$id", "$schema", "contentEncoding", "contentMediaType", "contentSchema", "default", "definitions",
  "deprecated", "description", "examples", "maxContains", "minContains", "readOnly", "title", "writeOnly",
]);

const OBJECT = ["object"];
const ARRAY = ["array"];
const STRING = ["string"];
const NUMBER = ["number", "integer"];

/** The types of value that a keyword judges; all others pass it. */
const TYPE_OF_KEYWORD: { readonly [keyword: string]: readonly string[] | undefined } = {
  additionalProperties: OBJECT, contains: ARRAY, dependentRequired: OBJECT, dependentSchemas: OBJECT, exclusiveMaximum: NUMBER,
  exclusiveMinimum: NUMBER, format: STRING, items: ARRAY, maxItems: ARRAY, maxLength: STRING, maxProperties: OBJECT, maximum: NUMBER,
  minItems: ARRAY, minLength: STRING, minProperties: OBJECT, minimum: NUMBER, multipleOf: NUMBER, pattern: STRING,
  patternProperties: OBJECT, prefixItems: ARRAY, properties: OBJECT, propertyNames: OBJECT, required: OBJECT,
  unevaluatedItems: ARRAY, unevaluatedProperties: OBJECT, uniqueItems: ARRAY,
};

/** Keywords that mean something only beside each other. */
const TOGETHER: readonly (readonly string[])[] = [
  ["if", "then", "else"],
  ["contains", "minContains", "maxContains"],
  ["prefixItems", "items", "additionalItems", "unevaluatedItems"],
];

const ALL_TYPES = ["array", "boolean", "integer", "null", "number", "object", "string"];

function typesOf(inner: Alternative): ReadonlySet<string> {
  let types = new Set(ALL_TYPES);
  for (const { schema } of inner) {
    if (schema.type === undefined) continue;
    const own = new Set([schema.type].flat().flatMap((type) => (type === "number" ? ["number", "integer"] : [type as string])));
    types = new Set([...types].filter((type) => own.has(type)));
  }
  return types;
}

const UPPER = ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"] as const;
const LOWER = ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"] as const;
type Bound = (typeof UPPER)[number] | (typeof LOWER)[number];

/** The tightest of the inner parts' bounds. */
function bound(inner: Alternative, keyword: Bound): number | undefined {
  const bounds = inner.flatMap(({ schema }) => schema[keyword] ?? []);
  if (bounds.length === 0) return undefined;
  return (UPPER as readonly string[]).includes(keyword) ? Math.min(...bounds) : Math.max(...bounds);
}

/** Whether numbers of the inner parts imply a bound of the outer schema. */
function isImplied(keyword: string, inner: Alternative, outer: SchemaObject): boolean {
  const limit = outer[keyword];
  if (typeof limit !== "number") return false;
  switch (keyword) {
    case "maximum":
      return (bound(inner, "maximum") ?? Infinity) <= limit || (bound(inner, "exclusiveMaximum") ?? Infinity) <= limit;
    case "exclusiveMaximum":
      return (bound(inner, "maximum") ?? Infinity) < limit || (bound(inner, "exclusiveMaximum") ?? Infinity) <= limit;
    case "minimum":
      return (bound(inner, "minimum") ?? -Infinity) >= limit || (bound(inner, "exclusiveMinimum") ?? -Infinity) >= limit;
    case "exclusiveMinimum":
      return (bound(inner, "minimum") ?? -Infinity) > limit || (bound(inner, "exclusiveMinimum") ?? -Infinity) >= limit;
    case "multipleOf":
      return inner.some(({ schema }) => schema.multipleOf !== undefined && Number.isInteger(schema.multipleOf) && Number.isInteger(limit) && schema.multipleOf % limit === 0);
    case "maxLength":
    case "maxItems":
    case "maxProperties":
      return (bound(inner, keyword) ?? Infinity) <= limit;
    case "minLength":
    case "minItems":
    case "minProperties":
      return (bound(inner, keyword) ?? 0) >= limit;
    default:
      return false;
  }
}

/** What one object schema says of the value under a name: its own property, or what it says of all others. */
function schemaOfName(schema: SchemaObject, name: string, pointer: string): readonly SubSchema[] {
  const { properties = {}, patternProperties, additionalProperties } = schema;
  const own = Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (own !== undefined) return [{ schema: own, pointer: `${pointer}/properties/${escapeToken(name)}` }];
  // A pattern might let the name in with a schema of its own; to know less of the value is sound.
  if (additionalProperties === undefined || patternProperties !== undefined) return [];
  return [{ schema: additionalProperties, pointer: `${pointer}/additionalProperties` }];
}

/** Whether `unevaluatedProperties: false` around a union keeps the name out. */
function isForbiddenByUnion(inner: Alternative, name: string): boolean {
  if (!inner.some(({ schema }) => schema.unevaluatedProperties === false) || !knowsItsNames(inner)) return false;
  return inner.every(({ schema, otherNames }) => !Object.hasOwn(schema.properties ?? {}, name) && otherNames?.has(name) !== true);
}

const NAMING = ["$ref", "allOf", "anyOf", "dependencies", "dependentSchemas", "if", "oneOf", "patternProperties"] as const;

/** Whether the parts' `properties` are all that `unevaluatedProperties` counts as evaluated. */
function knowsItsNames(inner: Alternative): boolean {
  return inner.every(({ schema }) => {
    if (schema.additionalProperties !== undefined && schema.additionalProperties !== false) return false;
    return NAMING.every((keyword) => !Object.hasOwn(schema, keyword));
  });
}

/** A value may take several branches of an `anyOf`; each then lets the names of the others in. */
function withNamesOfAll(branches: readonly Alternative[]): readonly Alternative[] {
  const names = new Set(branches.flatMap((parts) => parts.flatMap(({ schema, otherNames = [] }) => [...Object.keys(schema.properties ?? {}), ...otherNames])));
  return branches.map((parts) => parts.map((part) => ({ ...part, otherNames: names })));
}

function listedValues(schema: SchemaObject): readonly unknown[] | undefined {
  return Object.hasOwn(schema, "const") ? [schema.const] : schema.enum;
}

/** Whether no value passes two branches: their types differ, or a required property has other constants in each. */
function excludeEachOther(branches: readonly JsonSchema[]): boolean {
  const objects = branches.filter((branch) => typeof branch === "object");
  if (objects.length < branches.length) return false;
  const isApart = (values: readonly (readonly unknown[] | undefined)[]): boolean => {
    const texts = values.map((each) => each?.map(canonicalText));
    const all = texts.flatMap((each) => each ?? []);
    return texts.every((each) => each !== undefined) && new Set(all).size === all.length;
  };
  const types = objects.map(({ type }) => (type === undefined ? undefined : [type].flat().map((each) => (each === "integer" ? "number" : each))));
  if (isApart(types) || isApart(objects.map(listedValues))) return true;
  const shared = (objects[0]?.required ?? []).filter((name) => objects.every(({ required = [] }) => required.includes(name)));
  return shared.some((name) =>
    isApart(
      objects.map(({ type, properties = {} }) => {
        const property = type === "object" && Object.hasOwn(properties, name) ? properties[name] : undefined;
        return typeof property === "object" ? listedValues(property) : undefined;
      }),
    ),
  );
}

function sameKeywords(left: SchemaObject, right: SchemaObject, keywords: readonly string[]): boolean {
  const pick = (schema: SchemaObject): object => Object.fromEntries(keywords.map((keyword) => [keyword, schema[keyword]]).filter(([, value]) => value !== undefined));
  return meaningOf(pick(left)) === meaningOf(pick(right));
}

function isTrivial(schema: JsonSchema): boolean {
  return schema === true || (typeof schema === "object" && Object.keys(schema).every((keyword) => IGNORED.has(keyword) || keyword.startsWith("x-")));
}

function meaningOf(schema: unknown): string {
  return canonicalText(withoutAnnotations(schema));
}

function definitionsOf(schema: JsonSchema): object {
  return typeof schema === "object" ? { $defs: schema.$defs ?? {} } : {};
}

/** A schema of the inside, with what its references need; a reference to the root itself is rare and then refused as unknown. */
function withDefinitions(schema: SchemaObject, root: JsonSchema): SchemaObject {
  return typeof root === "object" && root.$defs !== undefined && schema.$defs === undefined ? { ...schema, $defs: root.$defs } : schema;
}
