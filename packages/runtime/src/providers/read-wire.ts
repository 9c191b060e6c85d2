import type { JsonObject } from "@hasp/schema";
import { isObject } from "@hasp/base/json";
import type { ToolCall } from "../tool/definition.js";

interface ReadDefinition {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly strict: boolean;
}

/** Reads an entry of any provider's list. Throws a `TypeError` if it has no name. */
export function readDefinition(entry: JsonObject): ReadDefinition {
  const body = objectAt(entry, "function") ?? objectAt(entry, "toolSpec") ?? entry;
  const { name, description, strict } = body;
  if (typeof name !== "string") throw new TypeError("An entry of this list has no name.");
  return {
    name,
    description: typeof description === "string" ? description : "",
    inputSchema: schemaOf(entry, body),
    strict: strict === true,
  };
}

function schemaOf(entry: JsonObject, body: JsonObject): JsonObject {
  const bedrock = objectAt(entry, "toolSpec");
  if (bedrock !== undefined) return objectAt(objectAt(bedrock, "inputSchema") ?? {}, "json") ?? NO_PROPERTIES;
  return (
    objectAt(body, "inputSchema") ??
    objectAt(body, "input_schema") ??
    objectAt(body, "parameters") ??
    objectAt(body, "parametersJsonSchema") ??
    NO_PROPERTIES
  );
}

const NO_PROPERTIES: JsonObject = Object.freeze({ type: "object", properties: Object.freeze({}) });

function objectAt(parent: JsonObject, key: string): JsonObject | undefined {
  const value = Object.hasOwn(parent, key) ? parent[key] : undefined;
  return isObject(value) ? value : undefined;
}

/** Marks the last call as truncated if the response was cut off: the cut went through it or something it depends on. */
export function withTruncation(calls: readonly ToolCall[], wasCutOff: boolean): readonly ToolCall[] {
  if (!wasCutOff) return calls;
  return calls.map((call, index) => (index === calls.length - 1 ? { ...call, truncated: true } : call));
}

/** Reads an id or a name from a response; `""` if there is none, so that the call is answered as malformed. */
export function readWord(value: unknown): string {
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : "";
}
