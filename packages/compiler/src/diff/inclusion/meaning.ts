import { canonicalText, type JsonSchema, type SchemaObject } from "@hasp/schema";
import { withoutAnnotations } from "../../ledger/coverage.js";

/** Prints a schema without annotations, with sorted keys. */
export function meaningOf(schema: unknown): string {
  return canonicalText(withoutAnnotations(schema));
}

export function sameKeywords(left: SchemaObject, right: SchemaObject, keywords: readonly string[]): boolean {
  const pick = (schema: SchemaObject): object =>
    Object.fromEntries(
      keywords.flatMap((keyword) => (schema[keyword] === undefined ? [] : [[keyword, schema[keyword]]])),
    );
  return meaningOf(pick(left)) === meaningOf(pick(right));
}

export function definitionsOf(schema: JsonSchema): object {
  return typeof schema === "object" ? { $defs: schema.$defs ?? {} } : {};
}
