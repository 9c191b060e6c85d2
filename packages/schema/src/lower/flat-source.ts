import { own } from "@hasp/base/json";
import type { Origin } from "@hasp/base/diagnostics";
import type { JsonSchema, SchemaMap, SchemaObject } from "../vocabulary/json-schema.js";
import { walkSchema, type Visit } from "../vocabulary/walk-schema.js";
import { isKeyword, pick } from "./context/schema-facts.js";
import { ROOT, readDefinitionName } from "./context/references.js";
import { ARRAY, OBJECT } from "../json/type-mask.js";
import { readListedValues, findPossibleTypes } from "../vocabulary/disjoint.js";

const DEEPEST = 400;

/** Returns the definitions that no finite value satisfies, such as one that requires itself. */
function findUninhabited(definitions: SchemaMap): ReadonlySet<string> {
  const left = new Set(Object.keys(definitions));
  const isInhabited = (schema: JsonSchema, depth: number): boolean => {
    if (typeof schema === "boolean") return schema;
    if (depth > DEEPEST) return true;
    const isInside = (inner: JsonSchema): boolean => isInhabited(inner, depth + 1);
    const name = schema.$ref === undefined ? undefined : readDefinitionName(schema.$ref);
    if (name !== undefined) return !left.has(name);
    if (readListedValues(schema)?.length === 0) return false;
    const { anyOf, oneOf, allOf, required = [], prefixItems = [], items, minItems = 0 } = schema;
    if ([anyOf, oneOf].some((branches) => branches?.some(isInside) === false)) return false;
    if (allOf?.every(isInside) === false) return false;
    const types = findPossibleTypes(schema);
    if ((types & ~(OBJECT | ARRAY)) !== 0) return true;
    const further = minItems > prefixItems.length ? [(items as JsonSchema | undefined) ?? true] : [];
    return (
      ((types & OBJECT) !== 0 && required.every((key) => isInside(own(schema.properties, key) ?? true))) ||
      ((types & ARRAY) !== 0 && [...prefixItems.slice(0, minItems), ...further].every(isInside))
    );
  };
  // Each round goes the other way, so that a chain of definitions takes two rounds, however it is ordered.
  for (let size = -1, round = 0; size !== left.size; round += 1) {
    size = left.size;
    for (const name of round % 2 === 0 ? [...left] : [...left].toReversed()) {
      if (isInhabited(definitions[name] ?? true, 0)) left.delete(name);
    }
  }
  return left;
}

interface Origins {
  originsOf(node: object): readonly Origin[];
}

/** A flat schema that is lowered to several dialects, which read it once. */
export class FlatSource implements Origins {
  readonly schema: JsonSchema;
  readonly root: SchemaObject;
  readonly definitions: SchemaMap;
  readonly #origins: Origins;
  readonly #visits = new Map<SchemaObject, Visit>();
  readonly #foreign: { readonly node: SchemaObject; readonly keyword: string }[] = [];
  readonly #keywords = new Set<string>();
  #uninhabited: ReadonlySet<string> | undefined;

  constructor(schema: JsonSchema, origins: Origins) {
    this.schema = schema;
    this.root = typeof schema === "object" ? schema : schema ? {} : { not: {} };
    this.definitions = definitionsOf(this.root);
    this.#origins = origins;
    walkSchema(this.root, (visit) => {
      const node = visit.schema;
      if (typeof node !== "object") return;
      this.#visits.set(node, visit);
      for (const keyword in node) {
        this.#keywords.add(keyword);
        if (!isKeyword(keyword) && !keyword.startsWith("x-")) this.#foreign.push({ node, keyword });
      }
    });
  }

  /** The keywords that no flat schema of ours has. */
  get foreign(): readonly { readonly node: SchemaObject; readonly keyword: string }[] {
    return this.#foreign;
  }

  /** The keywords of all nodes. */
  get keywords(): ReadonlySet<string> {
    return this.#keywords;
  }

  get nodes(): Iterable<SchemaObject> {
    return this.#visits.keys();
  }

  readonly findUninhabited = (): ReadonlySet<string> => (this.#uninhabited ??= findUninhabited(this.definitions));

  pointerOf(node: object): string | undefined {
    return node === this.definitions[ROOT] ? "" : this.#visits.get(node as SchemaObject)?.pointer;
  }

  originsOf(node: object): readonly Origin[] {
    return this.#origins.originsOf(node);
  }
}

function definitionsOf(root: SchemaObject): SchemaMap {
  const body = root.$defs === undefined ? root : pick(root, (keyword) => keyword !== "$defs");
  const definitions = Object.create(null) as { [name: string]: JsonSchema };
  for (const [name, schema] of Object.entries(root.$defs ?? {})) definitions[name] = schema;
  definitions[ROOT] = body;
  return definitions;
}
