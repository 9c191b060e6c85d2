import type { JsonSchema, SchemaObject } from "@hasp/schema";
import { keywordRow, walkSchema, type Keyword } from "@hasp/schema/vocabulary";

/** One schema inside a flat schema. */
export interface SchemaNode {
  readonly schema: SchemaObject;
  /** JSON Pointer into the flat schema. */
  readonly pointer: string;
  /** The schema around it; `undefined` for the whole flat schema. */
  readonly parent: SchemaNode | undefined;
  /** The keyword by which {@link parent} holds it. */
  readonly keyword: Keyword | undefined;
  /** Name of the property whose schema this is, if it is directly under `properties`. */
  readonly property?: string;
  /** True if only some inputs reach it: it is in a branch of a union, in a condition or in a negation. */
  readonly isConditional: boolean;
}

/**
 * Lists every schema that a flat schema applies or defines, outer ones first. References are not followed, and schemas
 * in annotations (`contentSchema`) are left out.
 */
export function schemaNodes(root: JsonSchema): readonly SchemaNode[] {
  const nodes = new Map<object, SchemaNode>();
  walkSchema(root, (visit) => {
    const { schema, pointer, held } = visit;
    const keyword = held?.keyword;
    if (keyword !== undefined && keywordRow(keyword)?.role === "annotation") return false;
    if (typeof schema === "object") {
      const parent = visit.parent && nodes.get(visit.parent);
      const isConditional = parent?.isConditional === true || (keyword !== undefined && appliesToSome(keyword));
      const property = keyword === "properties" ? held?.step : undefined;
      const node = { schema, pointer, parent, keyword, isConditional };
      nodes.set(visit, property === undefined ? node : { ...node, property });
    }
    return true;
  });
  return [...nodes.values()];
}

/** True if the schemas of a keyword apply to some values only: branches, conditions and negations. */
function appliesToSome(keyword: Keyword): boolean {
  const row = keywordRow(keyword);
  return row?.applies === "inPlace" ? keyword !== "allOf" : row?.applies === "test" && row.types === undefined;
}
