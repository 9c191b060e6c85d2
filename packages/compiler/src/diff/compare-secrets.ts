import { isSecretSchema } from "@hasp/runtime";
import { keywordRow } from "@hasp/schema/vocabulary";
import type { Diagnostic } from "../diagnostics/diagnostic.js";
import type { SchemaNode } from "../model/schemas.js";
import type { FlatSchema, FlatTool } from "../model/tool.js";
import { diffDiagnostics } from "./diagnostics.js";

/** Finds values that are no longer secret. A value at a new place is matched by its name. */
export function shownSecrets(
  part: "input" | "output",
  before: FlatSchema | undefined,
  after: FlatSchema | undefined,
  tool: FlatTool,
): readonly Diagnostic[] {
  if (before === undefined || after === undefined) return [];
  const [old, now] = [secretsIn(before), secretsIn(after)];
  const names = new Set(before.nodes.filter((node) => old.isHidden(placeOf(node))).map(({ property }) => property));
  const shown = new Map<string, SchemaNode>();
  for (const node of after.nodes) {
    const place = placeOf(node);
    if (now.isHidden(place) || shown.has(place)) continue;
    const isMoved = node.property !== undefined && !old.places.has(place) && names.has(node.property);
    if (isMoved || old.marked.has(place)) shown.set(place, node);
  }
  return [...shown.values()].map((node) => {
    const name = nameOf(node) ?? part;
    return diffDiagnostics("secret-shown", after.locate(node.pointer), { name, part }, { tool: tool.name });
  });
}

/** Lists the places of a schema's values, and the secret ones with everything below them. */
function secretsIn({ nodes }: FlatSchema): {
  readonly places: ReadonlySet<string>;
  readonly marked: ReadonlySet<string>;
  readonly isHidden: (place: string) => boolean;
} {
  const places = new Set(nodes.map(placeOf));
  const marked = new Set(nodes.filter(({ schema }) => isSecretSchema(schema)).map(placeOf));
  const isHidden = (place: string): boolean =>
    marked.has(place) || (place !== "" && isHidden(place.slice(0, place.lastIndexOf("/"))));
  return { places, marked, isHidden };
}

function placeOf({ pointer, parent, keyword }: SchemaNode): string {
  if (parent === undefined) return "";
  const row = keyword === undefined ? undefined : keywordRow(keyword);
  const isSamePlace = row?.applies === "inPlace" || (row?.applies === "test" && row.types === undefined);
  return placeOf(parent) + (isSamePlace ? "" : pointer.slice(parent.pointer.length));
}

function nameOf({ property, parent }: SchemaNode): string | undefined {
  return property ?? (parent === undefined ? undefined : nameOf(parent));
}
