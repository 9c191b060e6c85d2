import { readFileSync } from "node:fs";
import type { JsonObject } from "@hasp/schema";

/** One of the JSON Schemas that hasp ships for editors, and checks files with itself. */
export function readOwnSchema(name: "tool-spec" | "hasp-config"): JsonObject {
  const url = new URL(`../../schema/${name}.schema.json`, import.meta.url);
  const schema: JsonObject = JSON.parse(readFileSync(url, "utf8"));
  return schema;
}
