import type { JsonValue } from "../json.js";
import type { TypeName } from "../json-schema.js";
import type { TypeMask } from "./type-mask.js";

/** The two drafts that are read natively; whatever comes out is 2020-12. */
export type Draft = "2020-12" | "draft-07";

/** One document: the schema passed in, or what `resolve` gave for a URI. */
export interface SchemaDocument {
  readonly uri: string;
  /** Where the document's value stands in the file it was taken from; only origins use it. */
  readonly prefix: string;
  readonly value: unknown;
  /** Every schema place met so far, by its JSON Pointer. */
  readonly places: Map<string, Place>;
  /** All schema positions have been opened, so that all of its `$id`s and anchors are known. */
  explored: boolean;
}

/** A schema resource: a document's root, or a subschema with an `$id` of its own. */
export interface Resource {
  readonly uri: string;
  readonly draft: Draft;
  readonly document: SchemaDocument;
  /** JSON Pointer of its root inside the document. */
  readonly pointer: string;
  readonly anchors: Map<string, Place>;
  readonly dynamicAnchors: Map<string, Place>;
}

/** One subschema at one place of one document. Its identity is what conjunctions and cycles are made of. */
export interface Place {
  readonly id: number;
  readonly document: SchemaDocument;
  readonly pointer: string;
  readonly value: unknown;
  readonly resource: Resource;
  /** How many schemas it is nested in, inside its document. */
  readonly depth: number;
  /** Set only while `$dynamicRef` has to be followed: see dynamic-scope.ts. */
  readonly scoped?: { readonly plain: Place; readonly scope: DynamicScope };
  /** What opening it gave; filled once. */
  bound: Bound | undefined;
}

/** For each dynamic anchor, the outermost place that bears it on the way to here. */
export interface DynamicScope {
  readonly key: string;
  readonly anchors: ReadonlyMap<string, Place>;
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

/** One place, checked and read into the words of 2020-12, with its subschemas as places. */
export interface Bound {
  readonly id: number;
  readonly place: Place;
  /** The value of a boolean schema. */
  readonly constant?: boolean;
  readonly keywords: Keywords;
  /** Bits of {@link FAMILY}; 0 when the place asserts nothing of its own. */
  readonly families: number;
  readonly annotations: ReadonlyMap<string, JsonValue>;
  /** Members of `allOf` (and of unions with one branch): applied in place, always. */
  readonly conjuncts: readonly Place[];
  readonly reference?: string;
  readonly dynamicReference?: string;
  /** Every subschema, whether it applies or (as in `$defs`) only waits to be referred to. */
  readonly children: readonly Place[];
  /** Made by a rewrite, not written by an author. */
  readonly synthetic?: boolean;
}

/** `contains` with the counts that belong to it. */
export interface Contains {
  readonly schema: Place;
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
}

/** `if` with its two consequences. */
export interface Conditional {
  readonly test: Place;
  readonly consequent: Place | undefined;
  readonly alternative: Place | undefined;
}

/** The assertions of one place. */
export interface Keywords {
  type?: readonly TypeName[];
  /** Types that `type`, `enum` and `const` together leave. */
  types?: TypeMask;
  enum?: readonly JsonValue[];
  const?: JsonValue;

  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  multipleOf?: number;

  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;

  prefixItems?: readonly Place[];
  items?: Place;
  contains?: Contains;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  unevaluatedItems?: Place;

  properties?: ReadonlyMap<string, Place>;
  patternProperties?: ReadonlyMap<string, Place>;
  additionalProperties?: Place;
  propertyNames?: Place;
  required?: readonly string[];
  minProperties?: number;
  maxProperties?: number;
  dependentRequired?: ReadonlyMap<string, readonly string[]>;
  dependentSchemas?: ReadonlyMap<string, Place>;
  unevaluatedProperties?: Place;

  anyOf?: readonly Place[];
  oneOf?: readonly Place[];
  not?: Place;
  conditional?: Conditional;
  contentSchema?: Place;
}
