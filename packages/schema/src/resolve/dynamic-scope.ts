import { Keywords, type Bound, type DynamicScope, type Place, type Resource } from "./types.js";
import { keywordRow } from "../vocabulary/keywords.js";

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
  const key = [...anchors]
    .map(([name, place]) => `${name}@${place.id}`)
    .toSorted()
    .join(",");
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
  return {
    ...bound,
    id,
    place,
    keywords: mapPlaces(bound.keywords, one),
    conjuncts: bound.conjuncts.map(one),
    children: bound.children.map(one),
  };
}

function mapPlaces(keywords: Keywords, one: (place: Place) => Place): Keywords {
  const mapped = Object.assign(new Keywords(), keywords);
  const slots = mapped as unknown as { [keyword: string]: unknown };
  for (const [keyword, value] of Object.entries(mapped)) {
    if (value === undefined) continue;
    switch (keywordRow(keyword)?.value) {
      case "schema":
      case "schemaOrSchemas":
        slots[keyword] = one(value as Place);
        break;
      case "schemas":
        slots[keyword] = (value as readonly Place[]).map(one);
        break;
      case "schemaMap":
        slots[keyword] = new Map(
          Array.from(value as ReadonlyMap<string, Place>, ([name, place]) => [name, one(place)]),
        );
        break;
      default:
    }
  }
  return mapped;
}
