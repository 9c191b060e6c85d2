import type { DialectId, JsonObject, JsonSchema, JsonValue } from "@hasp/schema";
import { unlowered } from "@hasp/schema/internal/entries";
import { copyJson } from "../json/copy-json.js";
import { hintsOf } from "./fields.js";
import type { AnyTool } from "./tool.js";

/** Makes a tool's entry with its schema as given; `undefined` where the dialect takes lowered schemas only. */
export function wrapTool(tool: AnyTool, dialect: string, schema: JsonValue): JsonObject | undefined {
  if (!isKnownDialect(dialect)) return undefined;
  const { name, title, description, output, metadata } = tool;
  return unlowered[dialect]?.({
    name,
    ...(title !== undefined && { title }),
    description,
    input: schema as JsonSchema,
    ...(output !== undefined && { output: copyJson(output) as JsonSchema }),
    deferred: false,
    hints: hintsOf(metadata.behavior),
  });
}

/** Whether hasp has a dialect of that name. */
export function isKnownDialect(dialect: string): dialect is DialectId {
  return Object.hasOwn(unlowered, dialect);
}
