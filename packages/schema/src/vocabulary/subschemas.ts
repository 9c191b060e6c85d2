import type { JsonValue } from "../json/json.js";
import type { JsonSchema } from "./json-schema.js";
import { cloneJson, isObject } from "../json/json-value.js";

/** Keywords that hold schemas by name. */
const MAPS: ReadonlySet<string> = new Set([
  "properties",
  "patternProperties",
  "dependentSchemas",
  "dependencies",
  "$defs",
  "definitions",
]);

/** Keywords that hold a schema, or a list of them. */
const HOLDERS: ReadonlySet<string> = new Set([
  "additionalProperties", "propertyNames", "unevaluatedProperties", "prefixItems", "items", "additionalItems", "contains",
  "unevaluatedItems", "allOf", "anyOf", "oneOf", "not", "if", "then", "else", "contentSchema",
]); // prettier-ignore

/** Whether a keyword's value is, or holds, schemas. */
export function holdsSchemas(keyword: string): boolean {
  return MAPS.has(keyword) || HOLDERS.has(keyword);
}

/**
 * The value of a keyword with each subschema in it replaced. `step` is the name or the index below the keyword; it is
 * absent where the keyword holds the schema itself. What is no schema (a draft-07 list of names) is copied.
 */
export function mapSubschemas(
  keyword: string,
  value: unknown,
  map: (schema: JsonSchema, step?: string) => unknown,
): unknown {
  if (!holdsSchemas(keyword)) return value;
  const one = (inner: unknown, step?: string): unknown =>
    isSchema(inner) ? map(inner, step) : cloneJson(inner as JsonValue);
  if (Array.isArray(value)) return value.map((inner, index) => one(inner, String(index)));
  if (!MAPS.has(keyword) || !isObject(value)) return one(value);
  const members: [string, unknown][] = Object.entries(value);
  for (const member of members) member[1] = one(member[1], member[0]);
  return Object.fromEntries(members);
}

/** Calls `see` for each subschema of a schema, in the order in which they stand. */
export function eachSubschema(node: object, see: (schema: JsonSchema, keyword: string, step?: string) => void): void {
  // Every schema is walked so, a dozen times: no pair is made of a keyword and its value.
  for (const keyword of Object.keys(node)) {
    if (!holdsSchemas(keyword)) continue;
    const value = (node as Members)[keyword];
    if (Array.isArray(value) || (MAPS.has(keyword) && isObject(value))) {
      const members = value as Members;
      for (const step of Object.keys(members)) {
        const inner = members[step];
        if (isSchema(inner)) see(inner, keyword, step);
      }
    } else if (isSchema(value)) see(value, keyword);
  }
}

type Members = { readonly [key: string]: unknown };

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "boolean" || isObject(value);
}
