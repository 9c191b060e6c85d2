import type { JsonSchema, Origin, SchemaObject } from "@hasp/schema";
import { keywordRow, listSubschemas } from "@hasp/schema/vocabulary";
import type { Diagnostic } from "@hasp/base/diagnostics";
import { pickMembers, isObject, escapeToken, own } from "@hasp/base/json";
import type { ToolModel } from "../../model/tool.js";
import { flattenDiagnostics } from "./diagnostics.js";

export interface TracedSchema {
  readonly schema: JsonSchema;
  readonly originsOf: (node: object) => readonly Origin[];
}

/** Parts that hold for every input that they apply to, so that a property can be taken out of them. */
const ASSERTING: readonly string[] = ["allOf", "anyOf", "oneOf", "then", "else"];

const CHOICES: readonly string[] = ["anyOf", "oneOf", "if", "then", "else"];

/** Removes bound properties from a flat input schema. The host always sets them, so no branch must require them. */
export function hideBound({ schema, originsOf }: TracedSchema, names: readonly string[]): TracedSchema {
  const sources = new WeakMap<object, object>();
  const hide = (part: unknown): unknown => {
    if (!isObject(part)) return part;
    const { properties, required, ...rest } = part as SchemaObject;
    const copy: Record<string, unknown> = { ...rest };
    if (properties !== undefined) {
      copy["properties"] = pickMembers(properties, (name) => !names.includes(name));
    }
    const left = required?.filter((name) => !names.includes(name)) ?? [];
    if (left.length > 0) copy["required"] = left;
    for (const keyword of ASSERTING) {
      const inner = own(copy, keyword);
      if (inner !== undefined) copy[keyword] = Array.isArray(inner) ? inner.map(hide) : hide(inner);
    }
    // The order of the keywords is the author's.
    const ordered = Object.fromEntries(Object.keys(part).flatMap((key) => (key in copy ? [[key, copy[key]]] : [])));
    sources.set(ordered, part);
    return ordered;
  };
  return { schema: hide(schema) as JsonSchema, originsOf: (node) => originsOf(sources.get(node) ?? node) };
}

/** Keeps only a flat input schema's bound properties, if any. An input that fits both parts fits the whole. */
export function keepBound(schema: JsonSchema, names: readonly string[]): SchemaObject | undefined {
  if (typeof schema !== "object") return undefined;
  const properties = Object.entries(schema.properties ?? {}).filter(([name]) => names.includes(name));
  const all = (schema.allOf ?? []).flatMap((part) => {
    const kept = keepBound(part, names);
    return kept === undefined ? [] : [kept];
  });
  // A choice between branches depends on the model's values too, so it stays whole.
  const choices = Object.entries(schema).filter(([keyword]) => CHOICES.includes(keyword));
  const isChosen = choices.some(([, parts]) =>
    [parts].flat().some((part) => names.some((name) => mentions(part as JsonSchema, name))),
  );
  if (properties.length + all.length === 0 && !isChosen) return undefined;
  const kept: SchemaObject = {
    ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
    ...(all.length > 0 && { allOf: all }),
    ...(isChosen && Object.fromEntries(choices)),
  };
  return schema.$defs === undefined || !JSON.stringify(kept).includes('"$ref"')
    ? kept
    : { ...kept, $defs: schema.$defs };
}

/** Reports bound names that a model could still see or send. */
export function findUnhidden(tool: ToolModel, schema: JsonSchema): readonly Diagnostic[] {
  return Object.keys(tool.spec.bind ?? {}).flatMap((name) => {
    const location = tool.locate(`/bind/${escapeToken(name)}`, "key");
    if (mentions(schema, name)) {
      return [flattenDiagnostics("bound-in-condition", location, { name }, { tool: tool.name })];
    }
    return letsIn(schema, name)
      ? [flattenDiagnostics("bound-in-open-input", location, { name }, { tool: tool.name })]
      : [];
  });
}

/** True if a part that applies to the root still mentions a property. */
function mentions(schema: JsonSchema, name: string): boolean {
  return inPlaceParts(schema).some(({ properties, required = [], dependentRequired, dependentSchemas, $ref }) => {
    const dependent = Object.entries(dependentRequired ?? {}).flatMap(([key, keys]) => [key, ...keys]);
    return (
      $ref !== undefined ||
      own(properties, name) !== undefined ||
      [...required, ...dependent, ...Object.keys(dependentSchemas ?? {})].includes(name)
    );
  });
}

/** True if some branch accepts a property that it does not declare. */
function letsIn(schema: JsonSchema, name: string): boolean {
  return inPlaceParts(schema).some(
    ({ additionalProperties = false, unevaluatedProperties = false, patternProperties = {} }) =>
      additionalProperties !== false ||
      unevaluatedProperties !== false ||
      Object.entries(patternProperties).some(([pattern, inner]) => inner !== false && matches(pattern, name)),
  );
}

function matches(pattern: string, name: string): boolean {
  try {
    return new RegExp(pattern, "u").test(name);
  } catch {
    return true;
  }
}

function inPlaceParts(schema: JsonSchema): readonly SchemaObject[] {
  if (typeof schema !== "object") return [];
  const inner = [...listSubschemas(schema)].filter(({ keyword }) => keywordRow(keyword)?.applies === "inPlace");
  return [schema, ...inner.flatMap((each) => inPlaceParts(each.schema))];
}
