/** In which ways a source's words for schemas mean something else than JSON Schema's own. */
export interface SchemaDialect {
  /**
   * What `nullable: true` beside a `type` does: adds null to the type and to an `enum`, to the type alone, or nothing,
   * since the dialect has no such word.
   */
  readonly nullable: "type-and-enum" | "type" | "unknown";
  /** What counts of the words beside a `$ref`. */
  readonly besideReference: "all" | "prose";
  /** Whether `$schema` and the words used tell the draft, or the dialect has one meaning. */
  readonly draft: "stated" | "fixed";
  /** Words that check nothing: kept as `x-imported-…` without a warning. */
  readonly annotations: ReadonlySet<string>;
  /**
   * A schema as protocol buffers write it in JSON: large numbers and all values of an `enum` as text, words in either
   * spelling, `format: enum` where there is an `enum` anyway.
   */
  readonly isProtocolBuffer: boolean;
}

/** Schemas of strangers who say that they write JSON Schema, and mostly do. */
export const JSON_SCHEMA: SchemaDialect = {
  nullable: "type-and-enum",
  besideReference: "all",
  draft: "stated",
  annotations: new Set(),
  isProtocolBuffer: false,
};

const OPENAPI_ANNOTATIONS: ReadonlySet<string> = new Set(["discriminator", "xml", "externalDocs"]);

/**
 * The Schema Object of OpenAPI 3.0. `nullable` changes the type alone, so that an `enum` without null still forbids it
 * (spec.openapis.org/oas/v3.0.3, Schema Object, and the OpenAPI Initiative's proposal "Clarify nullable"); whatever
 * stands beside a `$ref` is ignored (Reference Object).
 */
export const OPENAPI_3_0: SchemaDialect = {
  ...JSON_SCHEMA,
  nullable: "type",
  besideReference: "prose",
  draft: "fixed",
  annotations: OPENAPI_ANNOTATIONS,
};

/** OpenAPI 3.1 writes JSON Schema 2020-12 with three annotations of its own; `nullable` is gone. */
export const OPENAPI_3_1: SchemaDialect = { ...JSON_SCHEMA, nullable: "unknown", annotations: OPENAPI_ANNOTATIONS };

/** The Schema of Gemini's `parameters`: capitals for types, bounds as text, `nullable` that adds null. */
export const GEMINI: SchemaDialect = {
  ...JSON_SCHEMA,
  draft: "fixed",
  annotations: new Set(["propertyOrdering"]),
  isProtocolBuffer: true,
};
