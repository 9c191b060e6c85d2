import { appendToPointer, findOrAdd, canonicalText, escapeToken, indexBy } from "@hasp/base/json";
import { createValidator, type JsonSchema, type SchemaObject } from "@hasp/schema";
import { readListedValues, withDefinitions, removeAnnotations } from "../schemas.js";
import {
  type ConjunctList,
  expandSchema,
  conjoinChoices,
  isForbiddenByUnion,
  knowsItsNames,
  type Conjunct,
  findSchemasOfName,
  type SubSchema,
} from "./alternatives.js";
import {
  bound,
  constrains,
  isIgnored,
  isImplied,
  isTrivial,
  listNamedTypes,
  listCompanions,
  listTypes,
} from "./keywords.js";

/** Tries to prove that `outer` accepts every value of `inner`. An obstacle only says where the proof ends. */
export function findObstacles(inner: JsonSchema, outer: JsonSchema): readonly InclusionObstacle[] {
  const obstacles = new Prover(inner, outer).below([{ schema: inner, pointer: "" }], outer, "", "");
  const firsts = new Map<string, InclusionObstacle>();
  for (const obstacle of obstacles) {
    const key = `${obstacle.pointer} ${obstacle.keyword}`;
    if (!firsts.has(key)) firsts.set(key, obstacle);
  }
  return [...firsts.values()];
}

/** A keyword of the outer schema that the inner schema does not imply. */
interface InclusionObstacle {
  /** A JSON Pointer into the outer schema. */
  readonly pointer: string;
  /** The location in an instance; `*` is any item or undeclared key. */
  readonly location: string;
  readonly keyword: string;
}

function printMeaning(schema: unknown): string {
  return canonicalText(removeAnnotations(schema));
}

function sameKeywords(left: SchemaObject, right: SchemaObject, keywords: readonly string[]): boolean {
  const pick = (schema: SchemaObject): object =>
    Object.fromEntries(
      keywords.flatMap((keyword) => (schema[keyword] === undefined ? [] : [[keyword, schema[keyword]]])),
    );
  return printMeaning(pick(left)) === printMeaning(pick(right));
}

function pickDefinitions(schema: JsonSchema): object {
  return typeof schema === "object" ? { $defs: schema.$defs ?? {} } : {};
}

/** The proof gives up after this many comparisons. */
const MOST_COMPARISONS = 50_000;

/** Compares two schemas; a prover serves one comparison. */
class Prover {
  readonly #inner: JsonSchema;
  readonly #outer: JsonSchema;
  readonly #haveSameDefinitions: boolean;
  /** Comparisons that are not over, by the numbers of their schemas: a cycle back to one of them adds nothing. */
  readonly #open = new Set<string>();
  readonly #numbers = new Map<JsonSchema, number>();
  #left = MOST_COMPARISONS;

  constructor(inner: JsonSchema, outer: JsonSchema) {
    this.#inner = inner;
    this.#outer = outer;
    this.#haveSameDefinitions = printMeaning(pickDefinitions(inner)) === printMeaning(pickDefinitions(outer));
  }

  #between(
    inner: readonly ConjunctList[],
    outer: readonly ConjunctList[],
    pointer: string,
    location: string,
  ): readonly InclusionObstacle[] {
    return inner.flatMap((parts) => {
      let nearest: readonly InclusionObstacle[] | undefined;
      for (const candidate of outer) {
        const found = this.#within(parts, candidate, location);
        if (found.length === 0) return [];
        if (nearest === undefined || found.length < nearest.length) nearest = found;
      }
      if (outer.length === 1 && nearest !== undefined) return nearest;
      return [{ pointer, location, keyword: "anyOf" }];
    });
  }

  #within(inner: ConjunctList, outer: ConjunctList, location: string): readonly InclusionObstacle[] {
    this.#left -= 1;
    const [head] = outer;
    if (this.#left < 0 && head !== undefined) return [{ pointer: head.pointer, location, keyword: "$ref" }];
    const listed = inner.map(({ schema }) => readListedValues(schema)).find((values) => values !== undefined);
    if (listed !== undefined) {
      const rest = outer.find(({ schema }) => {
        // References to the root are rare; such a schema counts as unknown.
        if (/"\$ref":"#(?!\/\$defs\/)/u.test(canonicalText(withDefinitions(schema, this.#outer)))) return true;
        const accepts = createValidator(withDefinitions(schema, this.#outer), { maxErrors: 1 });
        return !listed.every((value) => accepts(value).valid);
      });
      return rest === undefined
        ? []
        : [{ pointer: rest.pointer, location, keyword: Object.hasOwn(rest.schema, "const") ? "const" : "enum" }];
    }
    return outer.flatMap((part) => this.#holdsOf(inner, part, outer, location));
  }

  #holdsOf(
    inner: ConjunctList,
    { schema: outer, pointer }: Conjunct,
    siblings: ConjunctList,
    location: string,
  ): readonly InclusionObstacle[] {
    const known = inner.some(({ schema }) => this.#isSame(schema, outer));
    if (known && !Object.hasOwn(outer, "unevaluatedProperties")) return [];
    const types = listTypes(inner);
    const fails = (keyword: string): readonly InclusionObstacle[] => [
      { pointer: `${pointer}/${keyword}`, location, keyword },
    ];
    return Object.entries(outer).flatMap(([keyword, value]): readonly InclusionObstacle[] => {
      if (isIgnored(keyword) || value === undefined || !constrains(keyword, types)) return [];
      const step = { inner, outer, siblings, pointer, location };
      switch (keyword) {
        case "type": {
          const allowed = listNamedTypes(outer.type);
          return [...types].every((type) => allowed.has(type)) ? [] : fails(keyword);
        }
        case "required": {
          const promised = new Set(inner.flatMap(({ schema }) => schema.required ?? []));
          const missing = (outer.required ?? []).find((name) => !promised.has(name));
          return missing === undefined
            ? []
            : [{ pointer: `${pointer}/required`, location: appendToPointer(location, missing), keyword }];
        }
        case "properties":
          return Object.entries(outer.properties ?? {}).flatMap(([name, property]) =>
            this.#property(step, name, property),
          );
        case "additionalProperties":
        case "unevaluatedProperties":
          return this.#others(step, keyword);
        case "items": {
          const own = inner.flatMap(({ schema, pointer: at }) =>
            schema.items === undefined || Array.isArray(schema.items)
              ? []
              : [{ schema: schema.items as JsonSchema, pointer: `${at}/items` }],
          );
          if (
            [...inner.map(({ schema }) => schema), outer].some(
              ({ prefixItems, items }) => prefixItems !== undefined || Array.isArray(items),
            )
          ) {
            return inner.some(({ schema }) => sameKeywords(schema, outer, ["items", "prefixItems"]))
              ? []
              : fails(keyword);
          }
          if (bound(inner, "maxItems") === 0) return [];
          return this.below(own, value as JsonSchema, `${pointer}/items`, `${location}/*`);
        }
        default: {
          if (isImplied(keyword, inner, outer)) return [];
          const names = listCompanions(keyword);
          const isWritten =
            inner.some(({ schema }) => sameKeywords(schema, outer, names)) && this.#canCompareText(value);
          return isWritten ? [] : fails(keyword);
        }
      }
    });
  }

  #property({ inner, pointer, location }: ProofStep, name: string, property: JsonSchema): readonly InclusionObstacle[] {
    const own = inner.flatMap(({ schema, pointer: at }): readonly SubSchema[] => findSchemasOfName(schema, name, at));
    const isForbidden = own.some(({ schema }) => schema === false) || isForbiddenByUnion(inner, name);
    if (isForbidden) return [];
    return this.below(own, property, `${pointer}/properties/${escapeToken(name)}`, appendToPointer(location, name));
  }

  #others(
    { inner, outer, siblings, pointer, location }: ProofStep,
    keyword: "additionalProperties" | "unevaluatedProperties",
  ): readonly InclusionObstacle[] {
    const rest = outer[keyword];
    if (rest === undefined || isTrivial(rest)) return [];
    const at = `${pointer}/${keyword}`;
    // Keywords around a schema evaluate nothing for it.
    const inside = siblings.filter((each) => each.pointer === pointer || each.pointer.startsWith(`${pointer}/`));
    const spoken = keyword === "additionalProperties" ? [outer] : inside.map(({ schema }) => schema);
    const declared = new Set(spoken.flatMap(({ properties }) => Object.keys(properties ?? {})));
    const patterns = spoken.flatMap(({ patternProperties }) => Object.keys(patternProperties ?? {}));
    const names = new Set(
      inner.flatMap(({ schema, otherNames = [] }) => [...Object.keys(schema.properties ?? {}), ...otherNames]),
    );
    const undeclared = [...names].filter((name) => !declared.has(name) && !isForbiddenByUnion(inner, name));
    const found = undeclared.flatMap((name) => {
      if (patterns.length > 0) return [{ pointer: at, location: appendToPointer(location, name), keyword }];
      const own = inner.flatMap(({ schema, pointer: from }) => findSchemasOfName(schema, name, from));
      if (own.some(({ schema }) => schema === false)) return [];
      return this.below(own, rest, at, appendToPointer(location, name));
    });
    const open = inner.flatMap(({ schema, pointer: from }) =>
      (["additionalProperties", "unevaluatedProperties"] as const).flatMap((each) => {
        const others = schema[each];
        if (others === undefined || (each === "unevaluatedProperties" && !knowsItsNames(inner))) return [];
        return [{ schema: others, pointer: `${from}/${each}` }];
      }),
    );
    const innerPatterns = inner.flatMap(({ schema }) => Object.keys(schema.patternProperties ?? {}));
    if (innerPatterns.some((pattern) => !patterns.includes(pattern))) {
      found.push({ pointer: at, location: `${location}/*`, keyword });
    }
    if (open.some(({ schema }) => schema === false)) return found;
    return [...found, ...this.below(open, rest, at, `${location}/*`)];
  }

  /** Proves that values of all `inner` schemas match `outer`; an empty `inner` allows any value. */
  below(
    inner: readonly SubSchema[],
    outer: JsonSchema,
    pointer: string,
    location: string,
  ): readonly InclusionObstacle[] {
    if (isTrivial(outer)) return [];
    const isSame = ({ schema }: SubSchema): boolean =>
      typeof schema === "object" && typeof outer === "object" && this.#isSame(schema, outer);
    if (inner.some(isSame)) return [];
    // One schema that several parts refer to says no more than once.
    const parts = indexBy(inner, ({ schema }) => schema);
    const numberOf = (each: JsonSchema): number => findOrAdd(this.#numbers, each, () => this.#numbers.size);
    const key = [numberOf(outer), ...[...parts.keys()].map(numberOf).toSorted()].join(" ");
    if (this.#open.has(key)) return [];
    this.#open.add(key);
    const found = this.#expanded([...parts.values()], outer, pointer, location);
    this.#open.delete(key);
    return found;
  }

  #expanded(
    inner: readonly SubSchema[],
    outer: JsonSchema,
    pointer: string,
    location: string,
  ): readonly InclusionObstacle[] {
    let together: readonly ConjunctList[] | undefined = [[]];
    for (const { schema, pointer: at } of inner) {
      together = conjoinChoices(together, expandSchema(schema, at, { root: this.#inner, overlaps: "open" }));
      if (together === undefined) return [{ pointer, location, keyword: "anyOf" }];
    }
    const allowed = expandSchema(outer, pointer, { root: this.#outer, overlaps: "keep" });
    return this.#between(together, allowed, pointer, location);
  }

  #isSame(inner: SchemaObject, outer: SchemaObject): boolean {
    return printMeaning(inner) === printMeaning(outer) && this.#canCompareText(outer);
  }

  /** True if equal texts mean the same, which depends on their references. */
  #canCompareText(value: unknown): boolean {
    return this.#haveSameDefinitions || !canonicalText(value).includes('"$ref"');
  }
}

interface ProofStep {
  readonly inner: ConjunctList;
  readonly outer: SchemaObject;
  readonly siblings: ConjunctList;
  readonly pointer: string;
  readonly location: string;
}
