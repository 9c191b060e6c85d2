import type { Origin, SchemaDiagnostic } from "../diagnostics/diagnostic.js";
import type { JsonSchema } from "../vocabulary/json-schema.js";

/** Settings of {@link flatten}; all optional. */
export interface FlattenOptions {
  /** URI of the document the schema was taken from; relative references resolve against it. Default `""`. */
  readonly baseUri?: string;
  /**
   * The place of the schema in that document. Only diagnostics and origins use it: `#/…` still points inside the schema
   * itself.
   */
  readonly pointer?: string;
  /**
   * Gives the parsed document for an absolute URI without fragment, or `undefined` if there is none. It must answer at
   * once: the caller loads files and URLs beforehand.
   */
  readonly resolve?: (uri: string) => unknown;
  /** The draft where `$schema` does not say. Default `2020-12`. */
  readonly draft?: "2020-12" | "draft-07";
  /**
   * The treatment of a keyword outside the vocabulary. `error` for authored schemas (`x-…` always passes), `keep` for
   * foreign ones. Default `keep`.
   */
  readonly unknownKeywords?: "error" | "keep";
  /** Most schema nodes that the result may have. Default 50 000. */
  readonly nodeBudget?: number;
  /** Most branches that distributing one conjunction of unions may give. Default 64. */
  readonly branchBudget?: number;
}

/** The result of {@link flatten}. The schema shares nothing mutable with the input. */
export interface FlattenResult {
  /** Equivalent to the input: the same instances are valid. */
  readonly schema: JsonSchema;
  /** Errors mean that the schema is not to be used; what stayed (cycles, residual `allOf`) is `info` or `warning`. */
  readonly diagnostics: readonly SchemaDiagnostic[];
  /**
   * Returns the origins of a node of the result (an object of `schema`, by identity); several if it was merged, the
   * author's own first. Empty for a generated node.
   */
  originsOf(node: object): readonly Origin[];
}
