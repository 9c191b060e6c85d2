import { eachSubschema, followReference, KEYWORDS, linearPattern, walkSchema } from "@hasp/schema/internal/keywords";
import type { JsonObject, JsonSchema, JsonValue, SchemaObject } from "@hasp/schema";
import type { SchemaKeyword } from "@hasp/schema/vocabulary";
import { appendToPointer, setOwn, isObject, parsePointer } from "@hasp/base/json";
import { isSecretSchema } from "./secret-schema.js";

const SECRET = "[secret]";

interface WithoutSecrets {
  readonly value: JsonValue;
  /** The pointers of the hidden parts, without secret keys. */
  readonly hidden: readonly string[];
  /** The texts, numbers and undeclared keys in the hidden parts. */
  readonly secrets: readonly string[];
  /** The members that were left out because no schema describes them, by pointer. */
  readonly unknown: JsonObject;
}

/**
 * Copies a value without the parts that any schema branch declares secret (`writeOnly`, `password`, `x-secret`). With
 * `keepsUnknown: false`, it leaves out members that no schema describes, too: one may be a secret with a misspelt name.
 */
export function removeSecrets(
  value: JsonValue,
  schema: JsonSchema,
  { keepsUnknown = true }: { readonly keepsUnknown?: boolean } = {},
): WithoutSecrets {
  const hidden: string[] = [];
  const secrets: string[] = [];
  const unknown: Record<string, JsonValue> = {};
  const learn = (part: JsonValue, schemas: readonly JsonSchema[]): void => {
    if (typeof part === "string" || typeof part === "number") secrets.push(String(part));
    if (typeof part !== "object" || part === null) return;
    const nodes = inPlace(schemas, schema) ?? [];
    const type = Array.isArray(part) ? "array" : "object";
    for (const [key, member] of Object.entries(part)) {
      if (type === "object" && !isDeclared(nodes, key)) secrets.push(key);
      learn(member as JsonValue, partSchemas(nodes, type, key));
    }
  };
  const copy = (part: JsonValue, schemas: readonly JsonSchema[], pointer: string): JsonValue => {
    const nodes = inPlace(schemas, schema);
    if (nodes === undefined || nodes.some(isSecretSchema)) {
      hidden.push(pointer);
      learn(part, schemas);
      return SECRET;
    }
    if (nodes.length === 0 && keepsUnknown) return part;
    if (Array.isArray(part)) {
      return part.map((item: JsonValue, index) =>
        copy(item, partSchemas(nodes, "array", String(index)), `${pointer}/${index}`),
      );
    }
    if (!isObject(part)) return part;
    const members: Record<string, JsonValue> = {};
    const haveSecretNames = nodes.some(({ propertyNames }) => isSecret(propertyNames, schema));
    let shownName = "";
    for (const [name, member] of Object.entries(part)) {
      if (!keepsUnknown && !isKnown(nodes, name)) {
        unknown[appendToPointer(pointer, name)] = member;
        continue;
      }
      // Each gets another mark: keys must differ.
      shownName = haveSecretNames ? shownName + SECRET : name;
      const place = appendToPointer(pointer, shownName);
      if (haveSecretNames) {
        hidden.push(place);
        secrets.push(name);
      }
      setOwn(members, shownName, copy(member, partSchemas(nodes, "object", name), place));
    }
    return members;
  };
  return { value: copy(value, [schema], ""), hidden, secrets, unknown };
}

/** Cuts a pointer into a value before the first name that the schema does not spell out: such a name is a value itself. */
export function keepDeclared(pointer: string, value: unknown, root: JsonSchema): string {
  let schemas: readonly JsonSchema[] = [root];
  let part = value;
  let kept = "";
  for (const token of parsePointer(pointer)) {
    const nodes = inPlace(schemas, root) ?? [];
    const type = Array.isArray(part) ? "array" : "object";
    if (type === "object" && !isDeclared(nodes, token)) break;
    kept = appendToPointer(kept, token);
    schemas = partSchemas(nodes, type, token);
    part = (Object(part) as { readonly [token: string]: unknown })[token];
  }
  return kept;
}

/** True if a schema declares some part secret. */
export function declaresSecrets(root: JsonSchema): boolean {
  let isFound = false;
  walkSchema(root, ({ schema }) => {
    isFound ||= typeof schema === "object" && isSecretSchema(schema);
  });
  return isFound;
}

function isDeclared(nodes: readonly SchemaObject[], name: string): boolean {
  return nodes.some(({ properties = {} }) => Object.hasOwn(properties, name));
}

/** True if some schema says more of a member than whether there may be one. */
function isKnown(nodes: readonly SchemaObject[], name: string): boolean {
  const parts = partSchemas(nodes, "object", name);
  return isDeclared(nodes, name) || parts.some((part) => typeof part === "object" && Object.keys(part).length > 0);
}

function isSecret(schema: JsonSchema | undefined, root: JsonSchema): boolean {
  return schema !== undefined && (inPlace([schema], root)?.some(isSecretSchema) ?? true);
}

/** Collects all schemas of one value. `undefined` if a reference dangles: then anything may be secret. */
function inPlace(schemas: readonly JsonSchema[], root: JsonSchema): readonly SchemaObject[] | undefined {
  const nodes = new Set<SchemaObject>();
  const pending: (JsonSchema | undefined)[] = [...schemas];
  while (pending.length > 0) {
    const node = pending.pop();
    if (node === undefined) return undefined;
    if (typeof node === "boolean" || nodes.has(node)) continue;
    nodes.add(node);
    for (const reference of [node.$ref, node.$dynamicRef]) {
      if (typeof reference !== "string") continue;
      pending.push(followReference(root, reference)?.value as JsonSchema | undefined);
    }
    eachSubschema(node, (inner, keyword) => {
      if (!isPartKeyword(keyword) && "applies" in KEYWORDS[keyword]) pending.push(inner);
    });
  }
  return [...nodes];
}

type PartKeyword =
  | "contains"
  | "propertyNames"
  | { [K in SchemaKeyword]: (typeof KEYWORDS)[K] extends { readonly applies: "child" } ? K : never }[SchemaKeyword];

/** Tests, by keyword, for a subschema that may describe the part with this key. `step` is the subschema's own key. */
const PARTS: {
  readonly [K in PartKeyword]: (key: string, step: string | undefined, node: SchemaObject) => boolean;
} = {
  properties: (key, step) => step === key,
  patternProperties: (key, step) => matches(step ?? "", key, true),
  additionalProperties: isUndeclared,
  unevaluatedProperties: isUndeclared,
  propertyNames: () => false,
  prefixItems: (key, step) => step === key,
  items: (key, step, { prefixItems = [] }) => (step === undefined ? Number(key) >= prefixItems.length : step === key),
  additionalItems: () => true,
  unevaluatedItems: () => true,
  contains: () => true,
};

function partSchemas(nodes: readonly SchemaObject[], type: "array" | "object", key: string): readonly JsonSchema[] {
  const found: JsonSchema[] = [];
  for (const node of nodes) {
    eachSubschema(node, (inner, keyword, step) => {
      if (!isPartKeyword(keyword) || KEYWORDS[keyword].types[0] !== type) return;
      if (PARTS[keyword](key, step, node)) found.push(inner);
    });
  }
  return found;
}

function isPartKeyword(keyword: SchemaKeyword): keyword is PartKeyword {
  return Object.hasOwn(PARTS, keyword);
}

function isUndeclared(key: string, _step: string | undefined, node: SchemaObject): boolean {
  const { properties = {}, patternProperties = {} } = node;
  return (
    !Object.hasOwn(properties, key) && !Object.keys(patternProperties).some((pattern) => matches(pattern, key, false))
  );
}

function matches(pattern: string, name: string, untested: boolean): boolean {
  try {
    return linearPattern(pattern)?.test(name) ?? untested;
  } catch {
    return untested;
  }
}
