import { dialects, isStrict, type JsonObject, type JsonValue } from "@hasp/schema";
import type { LoweredList, LoweredTool } from "../../model/lowered.js";
import { isSameJson } from "../../typescript/same-json.js";
import { fault } from "./fault.js";

/** A provider's list says what was lowered, and what its entries say of behaviour is what the tools' facts say. */
export function proveList({ tools }: LoweredList, written: JsonValue, path: string): void {
  if (!isSameJson(written, tools.map(({ definition }) => definition))) fault(path, "the list says something else than what was lowered");
  for (const lowered of tools) proveEntry(lowered, path);
}

/** The fields in which providers are told of behaviour stand at the top of an entry, or one level below. */
function proveEntry({ tool, definition, dialect }: LoweredTool, path: string): void {
  const { worstCase, metadata } = tool;
  const expected: JsonObject = {
    strict: isStrict(dialect),
    defer_loading: metadata.visibility.shouldDefer,
    readOnlyHint: worstCase.isReadOnly,
    destructiveHint: worstCase.isDestructive,
    idempotentHint: worstCase.isIdempotent,
    openWorldHint: worstCase.isOpenWorld,
  };
  const said = [definition, ...Object.values(definition).filter(isRecord)].flatMap((each) => Object.entries(each));
  for (const [field, value] of said) {
    if (Object.hasOwn(expected, field) && value !== expected[field]) {
      fault(path, `${field} of ${tool.name} is ${JSON.stringify(value)} there, not ${JSON.stringify(expected[field])}`);
    }
  }
  // Clients take a hint that is left out for whatever they like.
  const missing = dialects[dialect].family === "mcp" ? Object.keys(expected).find((field) => field.endsWith("Hint") && !said.some(([each]) => each === field)) : undefined;
  if (missing !== undefined) fault(path, `${missing} of ${tool.name} is left out`);
}

function isRecord(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
