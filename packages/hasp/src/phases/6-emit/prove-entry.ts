import { FIELD_ENTRIES } from "@hasp/runtime";
import { dialects, isStrict, type JsonObject, type JsonValue, strictVariant } from "@hasp/schema";
import { isObject } from "../../model/json-kind.js";
import type { LoweredTool } from "../../model/lowered.js";
import type { StaticFlag } from "../../model/tool.js";
import { expand } from "../5-lower/hoist.js";
import { isSameJson } from "../../model/same-json.js";
import { fault } from "./fault.js";

/** The fields that MCP annotations describe. */
const HINTS = FIELD_ENTRIES.flatMap(({ name, field }) =>
  field.hint === undefined ? [] : [{ name: name as StaticFlag, annotation: `${field.hint}Hint` }],
);

/**
 * Proves that a provider list entry matches the lowered tool and that its behaviour hints match the tool's fields.
 * Providers take behaviour hints at the top of an entry or one level below.
 */
export function proveEntry(lowered: LoweredTool, written: JsonValue, path: string): void {
  const { tool, definition, dialect, hoisted } = lowered;
  if (!isSameJson(written, definition)) fault(path, "it says something else than what was lowered");
  for (const { schema, whole } of hoisted) {
    if (!isSameJson(expand(schema), whole as JsonValue)) {
      fault(path, "its definitions, put in the places of their references, differ from what was lowered");
    }
  }
  const { worstCase, metadata } = tool;
  const expected: JsonObject = {
    strict: isStrict(dialect),
    defer_loading: metadata.visibility.shouldDefer,
    ...Object.fromEntries(HINTS.map(({ name, annotation }) => [annotation, worstCase[name]])),
  };
  const said = [definition, ...Object.values(definition).filter(isObject)].flatMap((each) => Object.entries(each));
  for (const [field, value] of said) {
    if (Object.hasOwn(expected, field) && value !== expected[field]) {
      fault(path, `${field} is ${JSON.stringify(value)} there, not ${JSON.stringify(expected[field])}`);
    }
  }
  const missing = fieldsToState(lowered).find((field) => !said.some(([each]) => each === field));
  if (missing !== undefined) fault(path, `${missing} is left out`);
}

/** Hints that an entry must state, since clients choose their own defaults. */
function fieldsToState({ tool, dialect }: LoweredTool): readonly string[] {
  const { family } = dialects[dialect];
  if (family === "mcp") return HINTS.map(({ annotation }) => annotation);
  // Cohere's strict mode is a request key; a key on the tool is refused.
  const strict = strictVariant(dialect) === undefined || family === "cohere" ? [] : ["strict"];
  return family === "anthropic" && tool.metadata.visibility.shouldDefer ? [...strict, "defer_loading"] : strict;
}
