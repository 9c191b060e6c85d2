import type { Origin } from "../diagnostics/diagnostic.js";
import type { JsonSchema, SchemaMap, SchemaObject } from "../vocabulary/json-schema.js";
import { walkSchema, type Visit } from "../vocabulary/walk-schema.js";
import { isKeyword, pick } from "./context/schema-facts.js";
import { ROOT } from "./context/references.js";
import { findUninhabited } from "./context/uninhabited.js";

interface Origins {
  originsOf(node: object): readonly Origin[];
}

/** A flat schema that is lowered to several dialects, which read it once. */
export class FlatSource implements Origins {
  readonly schema: JsonSchema;
  readonly root: SchemaObject;
  /** `$defs`, and the root itself for references to `#`. */
  readonly definitions: SchemaMap;
  readonly #origins: Origins;
  readonly #visits = new Map<object, Visit>();
  readonly #foreign: { readonly node: SchemaObject; readonly keyword: string }[] = [];
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
        if (!isKeyword(keyword) && !keyword.startsWith("x-")) this.#foreign.push({ node, keyword });
      }
    });
  }

  /** The keywords that no flat schema of ours has. */
  get foreign(): readonly { readonly node: SchemaObject; readonly keyword: string }[] {
    return this.#foreign;
  }

  /** The definitions that no finite value satisfies. */
  get uninhabited(): ReadonlySet<string> {
    return (this.#uninhabited ??= findUninhabited(this.definitions));
  }

  pointerOf(node: object): string | undefined {
    return node === this.definitions[ROOT] ? "" : this.#visits.get(node)?.pointer;
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
