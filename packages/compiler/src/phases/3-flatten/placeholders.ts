import type { JsonSchema, SchemaObject } from "@hasp/schema";
import { keywordRow, subschemasOf } from "@hasp/schema/vocabulary";
import { suggestionsFor } from "../../diagnostics/closest.js";
import type { Diagnostic } from "../../diagnostics/diagnostic.js";
import type { ToolModel } from "../../model/tool.js";
import { flattenDiagnostics } from "./diagnostics.js";
import { unescapeToken } from "../../model/json-pointer.js";
import { own } from "../../model/own.js";

const STATES = ["running", "done", "failed", "rejected", "progress"] as const;

/** Reports `display` placeholders that no input can fill: a misspelt one would silently print nothing. */
export function findUnknownPlaceholders(tool: ToolModel, input: JsonSchema): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  for (const state of STATES) {
    const template = tool.spec.display?.[state] ?? "";
    for (const [placeholder, path = ""] of template.matchAll(/\{([^{}]*)\}/gu)) {
      const keys = new Set<string>();
      if (hasField(input, input, path, keys)) continue;
      const location = tool.locate(`/display/${state}`);
      const parameters = { placeholder, nearest: suggestionsFor(path, keys) };
      diagnostics.push(flattenDiagnostics("unknown-placeholder", location, parameters, { tool: tool.name }));
    }
  }
  return diagnostics;
}

/** True if some input may have a field at a dotted path. Collects the names found instead in `keys`. */
function hasField(schema: JsonSchema, root: JsonSchema, path: string, keys: Set<string>): boolean {
  const parts = partsOf(schema, root);
  if (!parts.some((part) => part.properties !== undefined)) return parts.every(mayBeObject);
  if (parts.some(letsOtherKeysIn)) return true;
  const [first = "", ...rest] = path.split(".");
  for (const { properties = {} } of parts) {
    // A key that contains dots takes precedence over a path.
    if (Object.hasOwn(properties, path)) return true;
    const child = own(properties, first);
    if (child !== undefined && hasField(child, root, rest.join("."), keys)) return true;
    for (const key of Object.keys(properties)) keys.add(key);
  }
  return false;
}

function letsOtherKeysIn({
  additionalProperties = false,
  unevaluatedProperties = false,
  patternProperties,
}: SchemaObject): boolean {
  return additionalProperties !== false || unevaluatedProperties !== false || patternProperties !== undefined;
}

function mayBeObject({ type = "object", enum: values, const: value }: SchemaObject): boolean {
  return values === undefined && value === undefined && (type === "object" || type.includes("object"));
}

/** The schemas that apply to one value: the schema itself, its branches, and their references. */
function partsOf(schema: JsonSchema, root: JsonSchema): readonly SchemaObject[] {
  const parts = new Set<SchemaObject>();
  const waiting: (JsonSchema | undefined)[] = [schema];
  while (waiting.length > 0) {
    const part = waiting.pop();
    if (typeof part !== "object" || parts.has(part)) continue;
    parts.add(part);
    for (const { keyword, schema: inner } of subschemasOf(part)) {
      if (keywordRow(keyword)?.applies === "inPlace") waiting.push(inner);
    }
    waiting.push(definition(part, root));
  }
  return [...parts];
}

function definition({ $ref }: SchemaObject, root: JsonSchema): JsonSchema | undefined {
  if ($ref === undefined || typeof root !== "object") return undefined;
  const name = unescapeToken($ref.replace("#/$defs/", ""));
  return $ref === "#" ? root : root.$defs?.[name];
}
