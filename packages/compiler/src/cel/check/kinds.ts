import type { JsonValue } from "@hasp/schema";

/** CEL's kind of a JSON value: JSON's one kind of number is two in CEL. */
export type Kind = "null" | "bool" | "int" | "double" | "string" | "list" | "map";

/** The kinds that a type of JSON Schema has. */
export function kindsOfType(type: string): readonly Kind[] {
  switch (type) {
    case "array":
      return ["list"];
    case "boolean":
      return ["bool"];
    case "integer":
      return ["int"];
    case "null":
      return ["null"];
    case "number":
      return ["int", "double"];
    case "object":
      return ["map"];
    case "string":
      return ["string"];
    default:
      return [];
  }
}

/** The kind of a JSON value. */
export function kindOf(value: JsonValue): Kind {
  if (value === null) return "null";
  if (Array.isArray(value)) return "list";
  switch (typeof value) {
    case "boolean":
      return "bool";
    case "string":
      return "string";
    case "number":
      return Number.isInteger(value) ? "int" : "double";
    default:
      return "map";
  }
}
