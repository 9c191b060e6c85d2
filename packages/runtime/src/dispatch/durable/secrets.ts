import type { JsonSchema, JsonValue } from "@hasp/schema";
import { eachSubschema } from "@hasp/schema/vocabulary";
import { setOwn } from "../../json/copy-json.js";
import { isObject } from "../../json/is-object.js";
import { pointerTokens } from "../../json/pointer.js";

/** What is in a question for a value that nobody may read. */
const SECRET = "[secret]";

/**
 * A copy of an input in which every member whose name some part of the schema declares as secret is replaced: `writeOnly`,
 * `format: password` or `x-secret`. By name, wherever it stands: rather one value too many is hidden than one too few.
 */
export function withoutSecrets(input: JsonValue, schema: JsonSchema): JsonValue {
  const names = secretNames(schema);
  return names.size === 0 ? input : hide(input, names);
}

function secretNames(schema: JsonSchema): ReadonlySet<string> {
  const names = new Set<string>();
  const seen = new Map<object, Set<string>>();
  /** `name`: the property that the schema describes, itself or an item or an alternative of it. */
  const visit = (node: JsonSchema | undefined, name: string): void => {
    if (typeof node !== "object" || seen.get(node)?.has(name) === true) return;
    seen.set(node, (seen.get(node) ?? new Set()).add(name));
    if (isSecret(node)) names.add(name);
    if (typeof node.$ref === "string") visit(referred(schema, node.$ref), name);
    eachSubschema(node, (inner, keyword, step) => {
      visit(inner, keyword === "properties" && step !== undefined ? step : name);
    });
  };
  visit(schema, "");
  return names;
}

function referred(schema: JsonSchema, reference: string): JsonSchema | undefined {
  if (!reference.startsWith("#")) return undefined;
  let found: unknown = schema;
  for (const token of pointerTokens(reference)) found = (Object(found) as { readonly [key: string]: unknown })[token];
  return found as JsonSchema | undefined;
}

function isSecret(node: object): boolean {
  const { writeOnly, format, "x-secret": marked } = node as { readonly [keyword: string]: unknown };
  return writeOnly === true || format === "password" || marked === true;
}

function hide(value: JsonValue, names: ReadonlySet<string>): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => hide(item, names));
  if (!isObject(value)) return value;
  const copy: Record<string, JsonValue> = {};
  for (const [name, member] of Object.entries(value)) {
    setOwn(copy, name, names.has(name) ? SECRET : hide(member, names));
  }
  return copy;
}
