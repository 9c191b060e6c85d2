import type { JsonSchema } from "@hasp/schema";
import { pointerTokens } from "../json-pointer.js";

/** The schema that a local reference of a flat schema names; `undefined` where there is none. */
export function schemaAt(root: JsonSchema, reference: string): JsonSchema | undefined {
  if (!reference.startsWith("#")) return undefined;
  let found: unknown = root;
  for (const token of pointerTokens(decodeURIComponent(reference.slice(1)))) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, token)) return undefined;
    found = Reflect.get(found, token);
  }
  return typeof found === "boolean" || (typeof found === "object" && found !== null)
    ? (found as JsonSchema)
    : undefined;
}
