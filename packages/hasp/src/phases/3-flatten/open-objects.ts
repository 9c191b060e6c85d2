import type { JsonSchema, SchemaObject } from "@hasp/schema";
import type { Relaxation } from "../../model/tool.js";
import { escapeToken } from "../../model/json-pointer.js";
import { isSchemaObject } from "../../model/json-kind.js";

/** Keywords whose schemas judge a value that the tool receives (`not`, `if` and `contains` only test it). */
const PLACES = ["additionalProperties", "items", "unevaluatedItems", "unevaluatedProperties", "then", "else"] as const;
const LISTS = ["prefixItems", "allOf", "anyOf", "oneOf"] as const;
const MAPS = ["properties", "patternProperties", "dependentSchemas", "$defs"] as const;

const ANNOTATIONS: ReadonlySet<string> = new Set([
  "$comment",
  "default",
  "deprecated",
  "description",
  "examples",
  "readOnly",
  "title",
  "writeOnly",
]);

/** The places of a flat input schema where its author lets undeclared properties in; a typed map is none. */
export function findOpenObjects(schema: JsonSchema): readonly Relaxation[] {
  const relaxations: Relaxation[] = [];
  const claim = (pointer: string): void => {
    relaxations.push({ claim: `input${pointer}: true`, pointer: `/input${pointer}`, covers: { kind: "input" } });
  };
  const visit = (current: unknown, pointer: string): void => {
    if (!isSchemaObject(current)) return;
    for (const keyword of ["additionalProperties", "unevaluatedProperties"] as const) {
      if (acceptsAnything(current[keyword]) && mayBeObject(current)) {
        claim(`${pointer}/${keyword}`);
      }
    }
    if (current.patternProperties !== undefined && mayBeObject(current)) {
      for (const [pattern, item] of Object.entries(current.patternProperties)) {
        if (acceptsAnything(item)) claim(`${pointer}/patternProperties/${escapeToken(pattern)}`);
      }
    }
    // Most schemas have few of these words: nothing is made for one that is missing.
    for (const keyword of PLACES) {
      if (isSchemaObject(current[keyword])) visit(current[keyword], `${pointer}/${keyword}`);
    }
    for (const keyword of LISTS) {
      const items = current[keyword];
      if (items === undefined) continue;
      for (const [index, item] of items.entries()) visit(item, `${pointer}/${keyword}/${index}`);
    }
    for (const keyword of MAPS) {
      const items = current[keyword];
      if (items === undefined) continue;
      for (const name of Object.keys(items)) visit(items[name], `${pointer}/${keyword}/${escapeToken(name)}`);
    }
  };
  visit(schema, "");
  return relaxations;
}

function acceptsAnything(schema: unknown): boolean {
  if (schema === true) return true;
  return (
    isSchemaObject(schema) &&
    Object.keys(schema).every((keyword) => ANNOTATIONS.has(keyword) || keyword.startsWith("x-"))
  );
}

function mayBeObject({ type = "object" }: SchemaObject): boolean {
  return type === "object" || type.includes("object");
}
