export interface SchemaDialect {
  /** The keywords to which `nullable: true` next to a `type` adds null; `unknown` adds nothing. */
  readonly nullable: "type-and-enum" | "type" | "unknown";
  /** True if `nullable: true` adds null to a reference, `allOf`, `anyOf` or `oneOf` without a `type`. */
  readonly isNullableWithoutType: boolean;
  readonly besideReference: "all" | "prose";
  /** The source of the draft: `stated` by `$schema` and the keywords used, or `fixed` by the dialect. */
  readonly draft: "stated" | "fixed";
  /** Annotations, kept as `x-imported-…` without a warning. */
  readonly annotations: ReadonlySet<string>;
  /** True for protocol buffer JSON: large numbers and `enum` values as strings, two spellings of keys. */
  readonly isProtocolBuffer: boolean;
}

export const JSON_SCHEMA: SchemaDialect = {
  nullable: "type-and-enum",
  isNullableWithoutType: false,
  besideReference: "all",
  draft: "stated",
  annotations: new Set(),
  isProtocolBuffer: false,
};

const OPENAPI_ANNOTATIONS: ReadonlySet<string> = new Set(["discriminator", "xml", "externalDocs"]);

/**
 * The Schema Object of OpenAPI 3.0. `nullable` changes the type alone, so an `enum` without null still forbids it
 * (spec.openapis.org/oas/v3.0.3, Schema Object, and the proposal "Clarify nullable"); `$ref` ignores its siblings.
 */
export const OPENAPI_3_0_TO_THE_LETTER: SchemaDialect = {
  ...JSON_SCHEMA,
  nullable: "type",
  besideReference: "prose",
  draft: "fixed",
  annotations: OPENAPI_ANNOTATIONS,
};

/** OpenAPI 3.0 as generators of documents mean it, which write `nullable: true` beside references and `allOf`. */
export const OPENAPI_3_0: SchemaDialect = { ...OPENAPI_3_0_TO_THE_LETTER, isNullableWithoutType: true };

/** JSON Schema 2020-12 with three more annotations and without `nullable`. */
export const OPENAPI_3_1: SchemaDialect = { ...JSON_SCHEMA, nullable: "unknown", annotations: OPENAPI_ANNOTATIONS };

/** Gemini's `parameters`: capitalized types, bounds as strings, a `nullable` that adds null. */
export const GEMINI: SchemaDialect = {
  ...JSON_SCHEMA,
  draft: "fixed",
  annotations: new Set(["propertyOrdering"]),
  isProtocolBuffer: true,
};
