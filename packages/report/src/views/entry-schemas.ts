import { isObject, isStructured, type JsonObject, type JsonValue, readOwnMember } from "@hasp/base/json";
import type { Location } from "@hasp/base/diagnostics";
import type { LoweredTool } from "@hasp/compiler";
import { printJsonLines } from "./entry-lines.js";

export interface EntrySchema {
  readonly part: "input" | "output";
  readonly path: readonly string[];
  readonly value: JsonObject;
  /** Returns the spec location of each line of the printed schema. */
  places(): readonly (Location | undefined)[];
}

/** Finds the schemas in a tool's entry, which its provider may have respelt, and the origin of each line. */
export function listEntrySchemas({ tool, definition, lowering, output, hoisted }: LoweredTool): readonly EntrySchema[] {
  const parts = [
    { part: "input" as const, flat: tool.input, lowered: lowering },
    ...(tool.output === undefined || output === undefined
      ? []
      : [{ part: "output" as const, flat: tool.output, lowered: output }]),
  ];
  const taken = new Set<object>();
  return parts.flatMap(({ part, flat, lowered }): readonly EntrySchema[] => {
    const { schema: whole } = lowered;
    if (!isObject(whole as JsonValue | undefined)) return [];
    const shortened = hoisted.find((each) => each.whole === whole);
    const found = findLike(definition, (shortened?.schema ?? whole) as JsonObject, taken);
    if (found === undefined) return [];
    taken.add(found.value);
    const definitions = Object.fromEntries((shortened?.occurrences ?? []).map(([name, [node]]) => [name, node]));
    const places = (): readonly (Location | undefined)[] => {
      const origins = originsIn(found.value, whole as JsonObject, definitions);
      return printJsonLines(found.value).map(({ value }) => {
        const node = isObject(value) ? origins.get(value) : undefined;
        const pointer = node === undefined ? undefined : lowered.sourceOf(node);
        return pointer === undefined ? undefined : flat.locate(pointer, "key");
      });
    };
    return [{ part, ...found, places }];
  });
}

/** Finds the first object in an entry that is a schema or a respelt copy of it: an object with the same keys. */
function findLike(
  entry: JsonObject,
  schema: JsonObject,
  taken: ReadonlySet<object>,
): Pick<EntrySchema, "path" | "value"> | undefined {
  const keys = Object.keys(schema).join("\0");
  const search = (value: JsonObject, path: readonly string[]): Pick<EntrySchema, "path" | "value"> | undefined => {
    if (taken.has(value)) return undefined;
    if (value === schema || (keys !== "" && Object.keys(value).join("\0") === keys)) return { path, value };
    for (const [key, inner] of Object.entries(value)) {
      const found = isObject(inner) ? search(inner, [...path, key]) : undefined;
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return search(entry, []);
}

/**
 * Maps each object of an entry's schema to the lowered schema at the same place. Repeated parts may be under `$defs`
 * instead, once for all places.
 */
function originsIn(
  entry: JsonObject,
  whole: JsonObject,
  definitions: Readonly<Record<string, object | undefined>>,
): ReadonlyMap<object, object> {
  const origins = new Map<object, object>();
  const follow = (value: JsonValue, twin: unknown): void => {
    if (!isStructured(value) || !isStructured(twin)) return;
    origins.set(value, twin);
    for (const [key, inner] of Object.entries(value) as [string, JsonValue][]) {
      const isHoisted = value === entry && key === "$defs" && !Object.hasOwn(whole, key);
      follow(inner, isHoisted ? definitions : readOwnMember(twin, key));
    }
  };
  follow(entry, whole);
  return origins;
}
