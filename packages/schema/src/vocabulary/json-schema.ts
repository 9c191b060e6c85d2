import type { JsonObject, JsonValue } from "@hasp/base/json";
import type { TypeName } from "../json/type-mask.js";

export type { TypeName } from "../json/type-mask.js";

/** A JSON Schema (draft 2020-12, or draft-07 where `$schema` says so): `true`, `false` or an object of keywords. */
export type JsonSchema = boolean | SchemaObject;

/** A map from names to schemas, as under `properties` and `$defs`. */
export interface SchemaMap {
  readonly [name: string]: JsonSchema;
}

/** An object schema: the keywords that this package understands, and any others beside them. */
export interface SchemaObject {
  readonly $schema?: string;
  readonly $id?: string;
  readonly $ref?: string;
  readonly $anchor?: string;
  readonly $dynamicRef?: string;
  readonly $dynamicAnchor?: string;
  readonly $defs?: SchemaMap;
  readonly definitions?: SchemaMap;
  readonly $comment?: string;

  readonly type?: TypeName | readonly TypeName[];
  readonly enum?: readonly JsonValue[];
  readonly const?: JsonValue;

  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly multipleOf?: number;

  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly contentEncoding?: string;
  readonly contentMediaType?: string;
  readonly contentSchema?: JsonSchema;

  readonly prefixItems?: readonly JsonSchema[];
  /** Draft-07 also allows a list here. */
  readonly items?: JsonSchema | readonly JsonSchema[];
  readonly additionalItems?: JsonSchema;
  readonly contains?: JsonSchema;
  readonly minContains?: number;
  readonly maxContains?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly unevaluatedItems?: JsonSchema;

  readonly properties?: SchemaMap;
  readonly patternProperties?: SchemaMap;
  readonly additionalProperties?: JsonSchema;
  readonly propertyNames?: JsonSchema;
  readonly required?: readonly string[];
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly dependentRequired?: { readonly [name: string]: readonly string[] };
  readonly dependentSchemas?: SchemaMap;
  readonly dependencies?: { readonly [name: string]: JsonSchema | readonly string[] };
  readonly unevaluatedProperties?: JsonSchema;

  readonly allOf?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly not?: JsonSchema;
  readonly if?: JsonSchema;
  readonly then?: JsonSchema;
  readonly else?: JsonSchema;

  readonly title?: string;
  readonly description?: string;
  readonly default?: JsonValue;
  readonly examples?: readonly JsonValue[];
  readonly deprecated?: boolean;
  readonly readOnly?: boolean;
  readonly writeOnly?: boolean;

  readonly [keyword: string]: unknown;
}

export type MutableSchema = { -readonly [Keyword in keyof SchemaObject]: SchemaObject[Keyword] };

/** A schema given as data of unknown origin, before anything checked it. */
export type UncheckedSchema = boolean | JsonObject;
