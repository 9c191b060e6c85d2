import {
  createValidator,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
  type SchemaObject,
  type Validator,
  type ValidatorOptions,
} from "@hasp/schema";
import { describesAnyValue, keywordRow, mapSubschemas, walkSchema, type Keyword } from "@hasp/schema/vocabulary";
import { isStructured, followReference, isObject } from "@hasp/base/json";

/** Creates the validator of a tool's calls, which repairs and fills as the runtime does. */
export function createInputValidator(tool: {
  readonly input: { readonly schema: JsonSchema };
  readonly spec: Pick<ValidatorOptions, "coerce">;
}): Validator {
  return createValidator(tool.input.schema, { coerce: tool.spec.coerce ?? true, defaults: true });
}

export interface SchemaNode {
  readonly schema: SchemaObject;
  /** JSON Pointer into the flat schema. */
  readonly pointer: string;
  readonly parent: SchemaNode | undefined;
  readonly keyword: Keyword | undefined;
  /** Name of the property whose schema this is, if it is directly under `properties`. */
  readonly property: string | undefined;
  /** True if only some inputs reach it: it is in a branch of a union, in a condition or in a negation. */
  readonly isConditional: boolean;
}

/** Lists every schema that a flat schema applies or defines, outer ones first, without `contentSchema`. */
export function listSchemaNodes(root: JsonSchema): readonly SchemaNode[] {
  const nodes = new Map<object, SchemaNode>();
  walkSchema(root, (visit) => {
    const { schema, pointer, held } = visit;
    const keyword = held?.keyword;
    if (keyword !== undefined && keywordRow(keyword)?.role === "annotation") return false;
    if (typeof schema === "object") {
      const parent = visit.parent && nodes.get(visit.parent);
      const isConditional = parent?.isConditional === true || (keyword !== undefined && appliesToSome(keyword));
      const property = keyword === "properties" ? held?.step : undefined;
      nodes.set(visit, { schema, pointer, parent, keyword, isConditional, property });
    }
    return true;
  });
  return [...nodes.values()];
}

/** True if the schemas of a keyword apply to some values only: branches, conditions and negations. */
function appliesToSome(keyword: Keyword): boolean {
  const row = keywordRow(keyword);
  return row?.applies === "inPlace" ? keyword !== "allOf" : row?.applies === "test" && row.types === undefined;
}

/** Finds the schema that a local reference names; `undefined` if there is none. */
export function findSchemaAt(root: JsonSchema, reference: string): JsonSchema | undefined {
  const found = followReference(root, reference)?.value;
  return typeof found === "boolean" || isObject(found) ? found : undefined;
}

/** Returns the only values that a schema's `const` or `enum` allows; `undefined` if it has neither. */
export function readListedValues({ const: constant, enum: values }: SchemaObject): readonly JsonValue[] | undefined {
  return constant === undefined ? values : [constant];
}

/** Adds the root's definitions to a part of a flat schema, unless it has its own. */
export function withDefinitions(part: SchemaObject, root: JsonSchema): SchemaObject {
  const isComplete = typeof root === "boolean" || root.$defs === undefined || part.$defs !== undefined;
  return isComplete ? part : { ...part, $defs: root.$defs };
}

/** Visits a schema and its subschemas, outer ones first; data such as `enum` and `default` is skipped. */
export function visitSchemas(
  schema: JsonValue,
  pointer: string,
  visit: (schema: JsonObject, pointer: string) => void,
): void {
  if (!isObject(schema)) return;
  walkSchema(schema, ({ schema: node, pointer: inside }) => {
    if (isObject(node)) visit(node, pointer + inside);
  });
}

/** Removes annotations. Keeps `default`, which is filled in, and media types, which rules read. */
export function removeAnnotations(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(removeAnnotations);
  if (!isStructured(schema)) return schema;
  const kept = Object.entries(schema).filter(([keyword]) => keyword === "default" || !describesAnyValue(keyword));
  return Object.fromEntries(
    kept.map(([keyword, value]) => [keyword, mapSubschemas(keyword, value, removeAnnotations)]),
  );
}
