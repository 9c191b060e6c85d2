import { matchesName } from "../vocabulary/name-pattern.js";
import { keywordRow } from "../vocabulary/keywords.js";
import { eachSubschema } from "../vocabulary/walk-schema.js";
import type { JsonSchema, SchemaObject } from "../vocabulary/json-schema.js";

/** A property that a branch and a closed schema around it (or the branches beside it) make impossible. */
export interface DeadProperty {
  readonly name: string;
  readonly declaring: SchemaObject;
  readonly forbidding: readonly SchemaObject[];
}

/**
 * Finds declared properties that no value can have, in what merging leaves side by side: `properties` in a branch of a
 * closed schema that does not list them, and `properties` beside a union whose branches are all closed without them.
 */
export function findDeadProperties(root: JsonSchema): DeadProperty[] {
  const dead: DeadProperty[] = [];
  const visit = (schema: JsonSchema, around: readonly SchemaObject[]): void => {
    if (typeof schema === "boolean") return;
    for (const name of Object.keys(schema.properties ?? {})) {
      const forbidding = [...around.filter((node) => forbids(node, name)), ...forbiddingUnion(schema, name)];
      if (forbidding.length === 0 || schema.properties?.[name] === false) continue;
      dead.push({ name, declaring: schema, forbidding });
    }
    const inner = schema.additionalProperties === false ? [...around, schema] : around;
    eachSubschema(schema, (below, keyword) => {
      const row = keywordRow(keyword);
      if (row?.applies === "inPlace") visit(below, inner);
      // In a test or an annotation, a dead property is not a mistake.
      else if (row?.applies !== "test" && row?.role !== "annotation") visit(below, []);
    });
  };
  visit(root, []);
  return dead;
}

/** True if a schema surely refuses every object that has this property. */
function forbids({ properties, patternProperties, additionalProperties }: SchemaObject, name: string): boolean {
  if (properties !== undefined && Object.hasOwn(properties, name)) return properties[name] === false;
  return (
    additionalProperties === false &&
    Object.keys(patternProperties ?? {}).every((pattern) => matchesName(pattern, name) === false)
  );
}

function forbiddingUnion({ anyOf, oneOf }: SchemaObject, name: string): readonly SchemaObject[] {
  for (const branches of [anyOf, oneOf]) {
    const objects =
      branches?.filter((branch): branch is SchemaObject => typeof branch === "object" && mayHaveKeys(branch)) ?? [];
    if (objects.length > 0 && objects.every((branch) => forbids(branch, name))) return objects;
  }
  return [];
}

function mayHaveKeys({ type }: SchemaObject): boolean {
  return type === undefined || type === "object" || (Array.isArray(type) && type.includes("object"));
}
