import { keywordIn, type Draft } from "../vocabulary/keywords.js";

/** The place to which a step of a JSON Pointer leads: into a schema, into a container of schemas, or elsewhere. */
export type PointerTarget = "schema" | "container" | "elsewhere";

export function targetBelow(draft: Draft, keyword: string, value: unknown): PointerTarget {
  switch (keywordIn(draft, keyword)?.value) {
    case "schema":
      return "schema";
    case "schemaOrSchemas":
      return Array.isArray(value) ? "container" : "schema";
    case "schemas":
    case "schemaMap":
    case "schemaOrNamesMap":
      return "container";
    default:
      return "elsewhere";
  }
}
