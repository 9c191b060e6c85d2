import type { JsonObject, JsonValue } from "../json.js";
import type { SchemaMap, SchemaObject } from "../json-schema.js";
import { itemAt, sampleOf } from "./sample.js";

const MOST = 1000;

/** Values that break one keyword of a schema and, where that is easy, nothing else. They are candidates: nothing is proved here. */
export function violationsOf(keyword: string, node: SchemaObject, definitions: SchemaMap): readonly JsonValue[] {
  const usual = sampleOf(node, definitions);
  const whole: JsonObject = typeof usual === "object" && usual !== null && !Array.isArray(usual) ? (usual as JsonObject) : {};
  const repeated = (length: number): JsonValue => Array.from({ length: Math.min(length, MOST) }, (_, index) => sampleOf(itemAt(node, index), definitions));
  switch (keyword) {
    case "minimum":
      return [(node.minimum ?? 0) - 1];
    case "maximum":
      return [(node.maximum ?? 0) + 1];
    case "exclusiveMinimum":
      return [node.exclusiveMinimum ?? 0];
    case "exclusiveMaximum":
      return [node.exclusiveMaximum ?? 0];
    case "multipleOf":
      return [Number(usual) + 1, Number(usual) + (node.multipleOf ?? 1) / 2].filter((value) => Number.isFinite(value));
    case "minLength":
      return ["a".repeat(Math.min(Math.max((node.minLength ?? 1) - 1, 0), MOST))];
    case "maxLength":
      return (node.maxLength ?? 0) < 10_000 ? ["a".repeat((node.maxLength ?? 0) + 1)] : [];
    case "pattern":
      return ["a", "A", "0", "-", "!", " ", "", "é", "\n"].map((text) => text.repeat(Math.min(Math.max(node.minLength ?? 1, 1), MOST)));
    case "format":
      return ["none", "", 0.5];
    case "enum":
    case "const":
      return ["none", 0, -1, true, null, []];
    case "type":
      return ["none", 0, true, null, [], {}];
    case "uniqueItems": {
      const item = sampleOf(itemAt(node, 0), definitions);
      return [Array.from({ length: Math.max(2, Math.min(node.minItems ?? 0, MOST)) }, () => item)];
    }
    case "minItems":
      return [repeated((node.minItems ?? 1) - 1)];
    case "maxItems":
      return (node.maxItems ?? 0) < MOST ? [repeated((node.maxItems ?? 0) + 1)] : [];
    case "contains":
    case "minContains":
      return [[], repeated(1), repeated(node.minItems ?? 2)];
    case "maxContains":
      return [Array.from({ length: Math.min((node.maxContains ?? 0) + 1, MOST) }, () => sampleOf(node.contains ?? true, definitions))];
    case "prefixItems":
    case "items":
    case "unevaluatedItems":
      return [[null], ["none"], [0, 0, 0, 0], [{}]];
    case "minProperties":
      return [whole, {}];
    case "maxProperties": {
      const extra = Array.from({ length: Math.min((node.maxProperties ?? 0) + 1, MOST) }, (_, index) => [`further${index}`, sampleOf(node.additionalProperties ?? true, definitions)] as const);
      return [Object.fromEntries([...Object.entries(whole), ...extra])];
    }
    case "required":
      return (node.required ?? []).map((name) => Object.fromEntries(Object.entries(whole).filter(([key]) => key !== name)));
    case "additionalProperties":
    case "unevaluatedProperties":
      return [{ ...whole, further: null }, { ...whole, further: "none" }];
    case "patternProperties":
    case "propertyNames":
      return ["a", "A", "0", "_", "-a", "longer than most"].flatMap((name) => [{ ...whole, [name]: null }, { ...whole, [name]: "none" }]);
    case "properties":
      return Object.entries(node.properties ?? {}).map(([name]) => ({ ...whole, [name]: "none" }));
    case "dependentRequired":
      return Object.keys(node.dependentRequired ?? {}).map((name) => {
        const declared = node.properties !== undefined && Object.hasOwn(node.properties, name) ? node.properties[name] : undefined;
        return { ...whole, [name]: sampleOf(declared ?? true, definitions) };
      });
    case "not":
      return [sampleOf(node.not ?? true, definitions), { ...whole, ...asObject(sampleOf({ type: "object", ...asSchema(node.not) }, definitions)) }, usual];
    case "if":
      return [{ ...whole, ...asObject(sampleOf(node.if ?? true, definitions)) }, whole, usual];
    case "anyOf":
    case "oneOf":
    case "allOf":
    case "dependentSchemas":
      return [...(node[keyword === "dependentSchemas" ? "allOf" : keyword] ?? []).map((branch) => sampleOf(branch, definitions)), whole, {}, ...fullObjects(node, definitions)];
    default:
      return [];
  }
}

/** Objects with every declared property, of the node and of its branches. */
function fullObjects(node: SchemaObject, definitions: SchemaMap): readonly JsonObject[] {
  const branches = [...(node.anyOf ?? []), ...(node.oneOf ?? [])].filter((branch) => typeof branch === "object");
  const entries = [node, ...branches].flatMap((schema) => Object.entries(schema.properties ?? {}));
  return [Object.fromEntries(entries.map(([name, schema]) => [name, sampleOf(schema, definitions)] as const))];
}

function asObject(value: JsonValue): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

function asSchema(value: unknown): SchemaObject {
  return typeof value === "object" && value !== null ? (value as SchemaObject) : {};
}
