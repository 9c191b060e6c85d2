import type { JsonValue } from "@hasp/base/json";
import type { TypeName } from "../vocabulary/json-schema.js";
import type { Draft, ValidationKeyword } from "../vocabulary/keywords.js";
import { ANY_TYPE, type TypeMask } from "../json/type-mask.js";

/** One document: the schema passed in, or what `resolve` gave for a URI. */
export interface SchemaDocument {
  readonly uri: string;
  /** The pointer to the document's value in the file it was taken from; only origins use it. */
  readonly prefix: string;
  readonly value: unknown;
  readonly nodes: Map<string, SchemaNode>;
  /** True once all schema positions have been opened, so that all of its `$id`s and anchors are known. */
  explored: boolean;
}

/** A schema resource: a document's root, or a subschema with an `$id` of its own. */
export interface SchemaResource {
  readonly uri: string;
  readonly draft: Draft;
  readonly document: SchemaDocument;
  readonly pointer: string;
  readonly anchors: Map<string, SchemaNode>;
  readonly dynamicAnchors: Map<string, SchemaNode>;
}

/** One subschema at one location of one document. Its identity distinguishes conjunctions and reveals cycles. */
export interface SchemaNode {
  readonly id: number;
  readonly document: SchemaDocument;
  readonly pointer: string;
  readonly value: unknown;
  readonly resource: SchemaResource;
  /** The number of schemas around it, inside its document. */
  readonly depth: number;
  /** Set only while `$dynamicRef` has to be followed: see dynamic-scope.ts. */
  readonly scoped: { readonly plain: SchemaNode; readonly scope: DynamicScope } | undefined;
  bound: BoundSchema | undefined;
  /** True if what it declares can occur in some value; found out while flattening. */
  alive: boolean;
}

/** For each dynamic anchor, the outermost node that bears it on the way to here. */
export interface DynamicScope {
  readonly key: string;
  readonly anchors: ReadonlyMap<string, SchemaNode>;
}

/** Keyword families, as bits: a merge rule runs only where its family is present. */
export const FAMILY = {
  values: 1,
  numbers: 2,
  strings: 4,
  objects: 8,
  arrays: 16,
  unions: 32,
  conditions: 64,
  /** Beside objects or arrays: `unevaluatedProperties` or `unevaluatedItems`. */
  unevaluated: 128,
} as const;

const { values, numbers, strings, objects, arrays, unions, conditions, unevaluated } = FAMILY;

/** The families that a keyword adds to its schema; 0 where the reader dissolves it into others. */
export const FAMILIES_OF: { readonly [keyword in ValidationKeyword | "contentSchema"]: number } = {
  $ref: 0,
  $dynamicRef: 0,
  type: values,
  const: values,
  enum: values,
  format: strings,
  pattern: strings,
  minLength: strings,
  maxLength: strings,
  // It asserts nothing, but it is a schema and may recur: the string family writes it, the other says that it nests.
  contentSchema: strings | conditions,
  minimum: numbers,
  maximum: numbers,
  exclusiveMinimum: numbers,
  exclusiveMaximum: numbers,
  multipleOf: numbers,
  properties: objects,
  patternProperties: objects,
  propertyNames: objects,
  required: objects,
  minProperties: objects,
  maxProperties: objects,
  dependentRequired: objects,
  dependentSchemas: objects | conditions,
  dependencies: 0,
  additionalProperties: objects,
  unevaluatedProperties: objects | unevaluated,
  prefixItems: arrays,
  items: arrays,
  additionalItems: 0,
  contains: arrays,
  minContains: arrays,
  maxContains: arrays,
  minItems: arrays,
  maxItems: arrays,
  uniqueItems: arrays,
  unevaluatedItems: arrays | unevaluated,
  anyOf: unions,
  oneOf: unions,
  allOf: 0,
  not: conditions,
  if: conditions,
  then: 0,
  else: 0,
};

export type Annotations = readonly (readonly [keyword: string, value: JsonValue])[];

/** One node, checked and normalised to 2020-12 keywords, with its subschemas as nodes. */
export interface BoundSchema {
  readonly id: number;
  readonly node: SchemaNode;
  readonly constant: boolean | undefined;
  readonly keywords: Keywords;
  /** Bits of {@link FAMILY}; 0 when the node asserts nothing of its own. */
  readonly families: number;
  readonly annotations: Annotations;
  /** Members of `allOf` (and of unions with one branch): applied in place, always. */
  readonly conjuncts: readonly SchemaNode[];
  readonly reference: string | undefined;
  readonly dynamicReference: string | undefined;
  /** Every subschema, whether it applies or (as in `$defs`) only waits to be referred to. */
  readonly children: readonly SchemaNode[];
  readonly synthetic: boolean;
}

/** The assertions of one node. A class, so that all have one shape: the engine reads little else. */
export class Keywords {
  type: readonly TypeName[] | undefined;
  /** Types that `type`, `enum` and `const` together leave. */
  types: TypeMask = ANY_TYPE;
  enum: readonly JsonValue[] | undefined;
  const: JsonValue | undefined;

  minimum: number | undefined;
  maximum: number | undefined;
  exclusiveMinimum: number | undefined;
  exclusiveMaximum: number | undefined;
  multipleOf: number | undefined;

  minLength: number | undefined;
  maxLength: number | undefined;
  pattern: string | undefined;
  format: string | undefined;

  prefixItems: readonly SchemaNode[] | undefined;
  items: SchemaNode | undefined;
  contains: SchemaNode | undefined;
  minContains: number | undefined;
  maxContains: number | undefined;
  minItems: number | undefined;
  maxItems: number | undefined;
  uniqueItems: boolean | undefined;
  unevaluatedItems: SchemaNode | undefined;

  properties: ReadonlyMap<string, SchemaNode> | undefined;
  patternProperties: ReadonlyMap<string, SchemaNode> | undefined;
  additionalProperties: SchemaNode | undefined;
  propertyNames: SchemaNode | undefined;
  required: readonly string[] | undefined;
  minProperties: number | undefined;
  maxProperties: number | undefined;
  dependentRequired: ReadonlyMap<string, readonly string[]> | undefined;
  dependentSchemas: ReadonlyMap<string, SchemaNode> | undefined;
  unevaluatedProperties: SchemaNode | undefined;

  anyOf: readonly SchemaNode[] | undefined;
  oneOf: readonly SchemaNode[] | undefined;
  not: SchemaNode | undefined;
  if: SchemaNode | undefined;
  then: SchemaNode | undefined;
  else: SchemaNode | undefined;
  contentSchema: SchemaNode | undefined;
}
