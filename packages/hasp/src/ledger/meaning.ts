/**
 * Keywords that only describe: changing them changes no valid input. `default` is none of them, since it is filled in.
 */
const ANNOTATIONS: ReadonlySet<string> = new Set([
  "$comment",
  "deprecated",
  "description",
  "examples",
  "readOnly",
  "title",
  "writeOnly",
]);
const MAPS_OF_SCHEMAS: ReadonlySet<string> = new Set([
  "$defs",
  "definitions",
  "dependentSchemas",
  "patternProperties",
  "properties",
]);
const DATA: ReadonlySet<string> = new Set(["const", "default", "enum", "required", "dependentRequired"]);

/** A flat schema without what only describes: two schemas with one meaning-text accept the same inputs. */
export function withoutAnnotations(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutAnnotations);
  if (typeof schema !== "object" || schema === null) return schema;
  const kept = Object.entries(schema).filter(([keyword]) => !ANNOTATIONS.has(keyword) && !keyword.startsWith("x-"));
  return Object.fromEntries(
    kept.map(([keyword, value]) => {
      if (DATA.has(keyword)) return [keyword, value];
      if (!MAPS_OF_SCHEMAS.has(keyword) || typeof value !== "object" || value === null) {
        return [keyword, withoutAnnotations(value)];
      }
      return [
        keyword,
        Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withoutAnnotations(each)])),
      ];
    }),
  );
}
