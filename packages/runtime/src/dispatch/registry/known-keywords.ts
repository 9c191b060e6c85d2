import type { JsonSchema } from "@hasp/schema";
import { holdsSchemas, isKeyword, keywordRow, mapSubschemas } from "@hasp/schema/vocabulary";
import { setOwn } from "../../json/copy-json.js";

/** Whether a keyword stays in a listed schema: identifiers mean nothing outside their document, comments no model. */
function isListed(keyword: string): boolean {
  if (!isKeyword(keyword)) return false;
  if (keyword === "$anchor" || holdsSchemas(keyword)) return true;
  return keyword !== "$comment" && keyword !== "$dynamicRef" && keywordRow(keyword)?.role !== "identifier";
}

/** A schema without the keywords that JSON Schema does not define. */
export function knownKeywordsOnly(schema: unknown): JsonSchema {
  if (typeof schema !== "object" || schema === null) return schema as JsonSchema;
  const result: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (isListed(keyword)) setOwn(result, keyword, mapSubschemas(keyword, value, knownKeywordsOnly));
  }
  return result;
}
