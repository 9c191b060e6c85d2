import { canonicalText, type JsonSchema, type SchemaObject } from "@hasp/schema";
import { withoutAnnotations } from "../../ledger/coverage.js";

/** A text that is the same for schemas that differ in annotations and in the order of keys only. */
export function meaningOf(schema: unknown): string {
  return canonicalText(withoutAnnotations(schema));
}

/** True if two schemas say the same with these keywords. */
export function sameKeywords(left: SchemaObject, right: SchemaObject, keywords: readonly string[]): boolean {
  const pick = (schema: SchemaObject): object =>
    Object.fromEntries(
      keywords.flatMap((keyword) => (schema[keyword] === undefined ? [] : [[keyword, schema[keyword]]])),
    );
  return meaningOf(pick(left)) === meaningOf(pick(right));
}

/** Returns the definitions of a flat schema. */
export function definitionsOf(schema: JsonSchema): object {
  return typeof schema === "object" ? { $defs: schema.$defs ?? {} } : {};
}
