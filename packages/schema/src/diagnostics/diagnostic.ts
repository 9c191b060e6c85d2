/** A place in a set of schema documents. */
export interface Origin {
  /** URI of the document as it was given to `flatten` (`""` for the schema passed in). */
  readonly uri: string;
  /** JSON Pointer (RFC 6901) into that document; `""` is its root. */
  readonly pointer: string;
}

/** The severity of a finding. Only `error` forbids using the result. */
export type Severity = "error" | "warning" | "info";

/** One finding about a schema: data, never an exception. */
export interface SchemaDiagnostic {
  /** Stable id such as `schema/unsatisfiable`. */
  readonly code: string;
  readonly severity: Severity;
  /** One sentence that says what is wrong and what to do. */
  readonly message: string;
  readonly origin: Origin;
  /** The other places that take part (the second cause of a contradiction, the members of a cycle). */
  readonly related?: readonly { readonly origin: Origin; readonly message: string }[];
}
