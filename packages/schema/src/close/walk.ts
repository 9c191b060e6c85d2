import { cloneJson } from "../bind/json-value.js";
import type { JsonValue } from "../json.js";
import type { JsonSchema, SchemaObject } from "../json-schema.js";

/** Keywords whose subschemas judge another place of the instance. */
const CHILD_KEYWORDS: readonly string[] = [
  "properties", "patternProperties", "additionalProperties", "unevaluatedProperties",
  "prefixItems", "items", "additionalItems", "unevaluatedItems",
]; // prettier-ignore

/** Keywords whose subschemas judge the same place and may narrow it. `not`, `if` and `contains` are left alone. */
const BRANCH_KEYWORDS: readonly string[] = ["allOf", "anyOf", "oneOf", "then", "else", "dependentSchemas", "dependencies"];

/** Keywords whose subschemas stay exactly as they are: narrowing them could widen the whole, or they judge no value. */
const FIXED_KEYWORDS: ReadonlySet<string> = new Set(["not", "if", "contains", "propertyNames", "contentSchema"]);

const MAPS = new Set(["properties", "patternProperties", "dependentSchemas", "dependencies"]);

/** How a subschema stands to the schema it is in. */
export type Step = "child" | "branch" | "fixed";

/** How a keyword's subschemas stand to the schema; `undefined` for a keyword that has none. */
export function stepOf(keyword: string): Step | undefined {
  if (CHILD_KEYWORDS.includes(keyword)) return "child";
  if (BRANCH_KEYWORDS.includes(keyword)) return "branch";
  return FIXED_KEYWORDS.has(keyword) ? "fixed" : undefined;
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "boolean" || (typeof value === "object" && value !== null && !Array.isArray(value));
}

function escaped(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** The value of a keyword with each subschema in it replaced; what is no schema (a draft-07 list of names) stays. */
export function mapSubschemas(keyword: string, value: unknown, pointer: string, map: (schema: JsonSchema, pointer: string) => JsonSchema): unknown {
  const base = `${pointer}/${keyword}`;
  if (MAPS.has(keyword) && isSchema(value) && typeof value === "object") {
    return Object.fromEntries(
      Object.entries(value).map(([name, schema]: [string, unknown]) => [name, isSchema(schema) ? map(schema, `${base}/${escaped(name)}`) : cloneJson(schema as JsonValue)]),
    );
  }
  if (Array.isArray(value)) return value.map((schema: unknown, index) => (isSchema(schema) ? map(schema, `${base}/${index}`) : cloneJson(schema as JsonValue)));
  return isSchema(value) ? map(value, base) : value;
}

/** The subschemas of one kind that a schema has, each with its pointer relative to the schema. */
export function stepsOf(node: SchemaObject, step: "child" | "branch"): (readonly [pointer: string, schema: JsonSchema])[] {
  const found: (readonly [string, JsonSchema])[] = [];
  for (const keyword of step === "child" ? CHILD_KEYWORDS : BRANCH_KEYWORDS) {
    if (!Object.hasOwn(node, keyword)) continue;
    mapSubschemas(keyword, node[keyword], "", (schema, pointer) => {
      found.push([pointer, schema]);
      return schema;
    });
  }
  return found;
}
