import type { FormattedDiagnostic } from "@hasp/base/diagnostics";
import type { Dialect } from "../../dialects/definition/dialect.js";
import type { JsonValue } from "@hasp/base/json";
import type { JsonSchema, SchemaMap, SchemaObject } from "../../vocabulary/json-schema.js";
import { readReferredName } from "../context/references.js";
import { walkSchema } from "../../vocabulary/walk-schema.js";
import { limitDiagnostics } from "./diagnostics.js";

/** The counts that providers limit in a lowered schema. */
export interface SchemaMeasure {
  /** Levels of objects and arrays, including the root. */
  readonly depth: number;
  readonly properties: number;
  readonly optionalProperties: number;
  readonly unionProperties: number;
  readonly enumValues: number;
  /** Sum of all `maxItems`. */
  readonly items: number;
  /** Characters over property names, definition names, enum and const values. */
  readonly nameAndValueLength: number;
  /** Values and characters of the longest enum. */
  readonly largestEnum: { readonly values: number; readonly length: number };
}

export function measureSchema(schema: JsonSchema): SchemaMeasure {
  let properties = 0;
  let optionalProperties = 0;
  let unionProperties = 0;
  let enumValues = 0;
  let items = 0;
  let nameAndValueLength = 0;
  let largestEnum = { values: 0, length: 0 };
  walkSchema(schema, ({ schema: node }) => {
    if (typeof node !== "object") return;
    items += node.maxItems ?? 0;
    for (const [name, property] of Object.entries(node.properties ?? {})) {
      properties += 1;
      nameAndValueLength += name.length;
      if (node.required?.includes(name) !== true) optionalProperties += 1;
      if (typeof property === "object" && (property.anyOf !== undefined || Array.isArray(property.type))) {
        unionProperties += 1;
      }
    }
    for (const name of Object.keys(node.$defs ?? {})) nameAndValueLength += name.length;
    const values = node.const === undefined ? (node.enum ?? []) : [node.const];
    const length = values.reduce((sum: number, value) => sum + lengthOf(value), 0);
    nameAndValueLength += length;
    if (node.enum === undefined) return;
    enumValues += values.length;
    if (values.length > largestEnum.values) largestEnum = { values: values.length, length };
  });
  return {
    depth: depthOf(schema, {
      schemas: (typeof schema === "object" ? schema.$defs : undefined) ?? {},
      depths: new Map(),
    }),
    properties,
    optionalProperties,
    unionProperties,
    enumValues,
    items,
    nameAndValueLength,
    largestEnum,
  };
}

function lengthOf(value: JsonValue): number {
  return typeof value === "string" ? value.length : JSON.stringify(value).length;
}

/** Counts the levels of a schema; recursion counts as nothing. */
function depthOf(schema: JsonSchema, definitions: DefinitionDepths): number {
  if (typeof schema !== "object") return 0;
  const name = readReferredName(schema);
  if (name !== undefined) return depthOfDefinition(name, definitions);
  const inner: JsonSchema[] = Object.values(schema.properties ?? {});
  if (typeof schema.items === "object" && !Array.isArray(schema.items)) inner.push(schema.items as SchemaObject);
  const deepest = (schemas: readonly JsonSchema[]): number =>
    schemas.reduce((most: number, each) => Math.max(most, depthOf(each, definitions)), 0);
  const below = deepest(inner);
  const beside = deepest(schema.anyOf ?? []);
  const isContainer = inner.length > 0 || schema.type === "object" || schema.type === "array";
  return Math.max(isContainer ? below + 1 : below, beside);
}

interface DefinitionDepths {
  readonly schemas: SchemaMap;
  readonly depths: Map<string, number>;
}

function depthOfDefinition(name: string, definitions: DefinitionDepths): number {
  const known = definitions.depths.get(name);
  const schema = Object.hasOwn(definitions.schemas, name) ? definitions.schemas[name] : undefined;
  if (known !== undefined || schema === undefined) return known ?? 0;
  definitions.depths.set(name, 0);
  const depth = depthOf(schema, definitions);
  definitions.depths.set(name, depth);
  return depth;
}

export function findBrokenLimits(schema: JsonSchema, { id, limits }: Dialect): readonly FormattedDiagnostic[] {
  const bounds = [limits.depth, limits.properties, limits.enumValues, limits.nameAndValueLength, limits.largeEnum];
  if (bounds.every((bound) => bound === undefined)) return [];
  const measured = measureSchema(schema);
  const found: FormattedDiagnostic[] = [];
  const compare = (
    name: "limit-depth" | "limit-properties" | "limit-enum" | "limit-text",
    actual: number,
    limit: number | undefined,
  ): void => {
    if (limit === undefined || actual <= limit) return;
    found.push(limitDiagnostics(name, { variant: "values", actual, limit, dialect: id }));
  };
  compare("limit-depth", measured.depth, limits.depth);
  compare("limit-properties", measured.properties, limits.properties);
  compare("limit-enum", measured.enumValues, limits.enumValues);
  compare("limit-text", measured.nameAndValueLength, limits.nameAndValueLength);
  const { largestEnum } = measured;
  const { largeEnum } = limits;
  if (largeEnum !== undefined && largestEnum.values > largeEnum.values && largestEnum.length > largeEnum.length) {
    const { values, length: actual } = largestEnum;
    found.push(
      limitDiagnostics("limit-enum", { variant: "length", values, actual, limit: largeEnum.length, dialect: id }),
    );
  }
  return found;
}
