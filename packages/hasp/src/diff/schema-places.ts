import type { JsonSchema } from "@hasp/schema";

/** The schema that a local reference of a flat schema names. */
export function schemaAt(root: JsonSchema, reference: string): JsonSchema | undefined {
  if (!reference.startsWith("#")) return undefined;
  let found: unknown = root;
  for (const token of tokensOf(decodeURIComponent(reference.slice(1)))) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, token)) return undefined;
    found = Reflect.get(found, token);
  }
  return typeof found === "boolean" || (typeof found === "object" && found !== null) ? (found as JsonSchema) : undefined;
}

/** The tokens of a JSON Pointer. */
export function tokensOf(pointer: string): readonly string[] {
  return pointer.split("/").slice(1).map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}
