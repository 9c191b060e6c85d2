import { describesAnyValue, mapSubschemas } from "@hasp/schema/vocabulary";

/**
 * A flat schema without what only describes: two schemas with one meaning-text accept the same inputs. A `default` stays,
 * since it is filled in, and so does the media type of a text, since rules go by it.
 */
export function withoutAnnotations(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutAnnotations);
  if (typeof schema !== "object" || schema === null) return schema;
  const kept = Object.entries(schema).filter(([keyword]) => keyword === "default" || !describesAnyValue(keyword));
  return Object.fromEntries(
    kept.map(([keyword, value]) => [keyword, mapSubschemas(keyword, value, withoutAnnotations)]),
  );
}
