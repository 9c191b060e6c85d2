import type { Bound, DynamicScope, Keywords, Place, Resource } from "./types.js";

/**
 * `$dynamicRef` names whatever bears its anchor in the outermost resource on the way to it. The way is known while
 * flattening, so a place is copied once for each scope it is reached in, and the reference becomes a plain one.
 */
export const EMPTY_SCOPE: DynamicScope = { key: "", anchors: new Map() };

/** The scope after entering a resource: its dynamic anchors join, those of outer resources stay. */
export function enterResource(scope: DynamicScope, resource: Resource): DynamicScope {
  const fresh = [...resource.dynamicAnchors].filter(([name]) => !scope.anchors.has(name));
  if (fresh.length === 0) return scope;
  const anchors = new Map([...scope.anchors, ...fresh]);
  const key = [...anchors].map(([name, place]) => `${name}@${place.id}`).toSorted().join(",");
  return { key, anchors };
}

/** The copy of a place for one scope. */
export function scopedPlace(plain: Place, scope: DynamicScope, id: number): Place {
  return { ...plain, id, scoped: { plain, scope }, bound: undefined };
}

/** What opening the copy gives: the same keywords, over copies of the subschemas. */
export function scopedBound(
  bound: Bound,
  scope: DynamicScope,
  id: number,
  inScope: (place: Place, scope: DynamicScope) => Place,
): Bound {
  const one = (place: Place): Place => inScope(place, scope);
  const place = scopedPlace(bound.place, scope, id);
  return { ...bound, id, place, keywords: mapPlaces(bound.keywords, one), conjuncts: bound.conjuncts.map(one), children: bound.children.map(one) };
}

function mapPlaces(keywords: Keywords, one: (place: Place) => Place): Keywords {
  const mapped: Keywords = { ...keywords };
  for (const key of ["items", "unevaluatedItems", "additionalProperties", "propertyNames", "unevaluatedProperties", "not", "contentSchema"] as const) {
    const place = keywords[key];
    if (place !== undefined) mapped[key] = one(place);
  }
  for (const key of ["prefixItems", "anyOf", "oneOf"] as const) {
    const places = keywords[key];
    if (places !== undefined) mapped[key] = places.map(one);
  }
  for (const key of ["properties", "patternProperties", "dependentSchemas"] as const) {
    const places = keywords[key];
    if (places !== undefined) mapped[key] = new Map([...places].map(([name, place]) => [name, one(place)]));
  }
  if (keywords.contains !== undefined) mapped.contains = { ...keywords.contains, schema: one(keywords.contains.schema) };
  if (keywords.conditional !== undefined) {
    const { test, consequent, alternative } = keywords.conditional;
    mapped.conditional = { test: one(test), consequent: consequent && one(consequent), alternative: alternative && one(alternative) };
  }
  return mapped;
}
