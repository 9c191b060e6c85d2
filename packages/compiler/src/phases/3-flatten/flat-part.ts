import { flatten, type JsonSchema, type SchemaDiagnostic } from "@hasp/schema";
import { closeSchema } from "@hasp/schema/vocabulary";
import { hasErrors } from "../../diagnostics/severity.js";
import { fromDocumentUri, toDocumentUri } from "../../model/document-uri.js";
import type { Documents } from "../../model/linked-documents.js";
import { hideBound, keepBound, type TracedSchema } from "./hide-bound.js";

/** The place and the purpose of a schema. */
interface PartSettings {
  readonly part: "input" | "output";
  /** The document that holds it. */
  readonly uri: string;
  /** JSON Pointer of the schema in that document. */
  readonly pointer: string;
  readonly documents: Documents;
  /** Names that the host fills in. Default: none. */
  readonly bound?: readonly string[] | undefined;
  /** The most nodes that the flat schema may have. Default: that of `flatten`. */
  readonly nodeBudget?: number | undefined;
}

/** A flat part, closed if it is an input, and what was found on the way; an error rules out its use. */
interface FlatPart extends TracedSchema {
  /** The schema of the bound properties. */
  readonly bound?: JsonSchema | undefined;
  readonly diagnostics: readonly SchemaDiagnostic[];
}

/** Flattens a schema of a tool and closes an input. */
export function flatPart(
  schema: JsonSchema,
  { part, uri, pointer, documents, bound, nodeBudget }: PartSettings,
): FlatPart {
  const flat = flatten(schema, {
    baseUri: toDocumentUri(uri),
    pointer,
    resolve: (address) => documents.get(fromDocumentUri(address))?.value,
    unknownKeywords: "error",
    ...(nodeBudget === undefined ? {} : { nodeBudget }),
  });
  if (part === "output" || hasErrors(flat.diagnostics)) return flat;
  const visible = bound === undefined ? flat : hideBound(flat, bound);
  const closed = closeSchema(visible.schema, { originsOf: visible.originsOf });
  return {
    schema: closed.schema,
    originsOf: closed.originsOf,
    bound: bound === undefined ? undefined : keepBound(flat.schema, bound),
    diagnostics: [...flat.diagnostics, ...closed.diagnostics],
  };
}
