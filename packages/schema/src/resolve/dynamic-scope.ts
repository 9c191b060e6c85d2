import { Keywords, type BoundSchema, type DynamicScope, type SchemaNode, type SchemaResource } from "./types.js";
import { keywordRow } from "../vocabulary/keywords.js";

/** The root's scope. A node is copied for each scope that reaches it, so `$dynamicRef` becomes a plain reference. */
export const EMPTY_SCOPE: DynamicScope = { key: "", anchors: new Map() };

/** Enters a resource: adds its dynamic anchors, unless outer resources have them. */
export function enterResource(scope: DynamicScope, resource: SchemaResource): DynamicScope {
  const fresh = [...resource.dynamicAnchors].filter(([name]) => !scope.anchors.has(name));
  if (fresh.length === 0) return scope;
  const anchors = new Map([...scope.anchors, ...fresh]);
  const key = [...anchors]
    .map(([name, node]) => `${name}@${node.id}`)
    .toSorted()
    .join(",");
  return { key, anchors };
}

export function scopeNode(plain: SchemaNode, scope: DynamicScope, id: number): SchemaNode {
  return { ...plain, id, scoped: { plain, scope }, bound: undefined };
}

export function scopeBound(
  bound: BoundSchema,
  scope: DynamicScope,
  id: number,
  inScope: (node: SchemaNode, scope: DynamicScope) => SchemaNode,
): BoundSchema {
  const one = (node: SchemaNode): SchemaNode => inScope(node, scope);
  const node = scopeNode(bound.node, scope, id);
  return {
    ...bound,
    id,
    node,
    keywords: mapNodes(bound.keywords, one),
    conjuncts: bound.conjuncts.map(one),
    children: bound.children.map(one),
  };
}

function mapNodes(keywords: Keywords, one: (node: SchemaNode) => SchemaNode): Keywords {
  const mapped = Object.assign(new Keywords(), keywords);
  const slots = mapped as unknown as { [keyword: string]: unknown };
  for (const [keyword, value] of Object.entries(mapped)) {
    if (value === undefined) continue;
    switch (keywordRow(keyword)?.value) {
      case "schema":
      case "schemaOrSchemas":
        slots[keyword] = one(value as SchemaNode);
        break;
      case "schemas":
        slots[keyword] = (value as readonly SchemaNode[]).map(one);
        break;
      case "schemaMap":
        slots[keyword] = new Map(
          Array.from(value as ReadonlyMap<string, SchemaNode>, ([name, node]) => [name, one(node)]),
        );
        break;
      default:
    }
  }
  return mapped;
}
