import { followReference } from "@hasp/schema/internal/keywords";
import type { JsonObject, JsonSchema, JsonValue, SchemaObject } from "@hasp/schema";
import { appendToPointer, findOrAdd, isObject, isStructured, own, parsePointer, setOwn } from "@hasp/base/json";
import { isSecretSchema } from "./secret-schema.js";
import type { ToolParts } from "./tool-parts.js";

/** Stands for a hidden part. */
export const SECRET = "[secret]";

/** The part of a tool that compiles the patterns of its schemas. Without it, each may match. */
interface MatchingTool {
  readonly patterns?: NameMatcher | undefined;
}

type NameMatcher = ToolParts["patterns"];

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
  { patterns, keepsUnknown = true }: MatchingTool & { readonly keepsUnknown?: boolean },
): WithoutSecrets {
  const hidden: string[] = [];
  const secrets: string[] = [];
  const unknown: Record<string, JsonValue> = {};
  const partSchemas = createPartFinder(patterns);
  const nodesOf = createNodeFinder(schema);
  const learn = (part: JsonValue, schemas: readonly JsonSchema[]): void => {
    if (typeof part === "string" || typeof part === "number") secrets.push(String(part));
    if (typeof part !== "object" || part === null) return;
    const nodes = nodesOf(schemas) ?? [];
    const type = Array.isArray(part) ? "array" : "object";
    for (const [key, member] of Object.entries(part)) {
      if (type === "object" && !isDeclared(nodes, key)) secrets.push(key);
      learn(member as JsonValue, partSchemas(nodes, type, key));
    }
  };
  const copy = (part: JsonValue, schemas: readonly JsonSchema[], pointer: string): JsonValue => {
    const nodes = nodesOf(schemas);
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
      if (!keepsUnknown && !isKnown(nodes, name, partSchemas)) {
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
export function keepDeclared(
  pointer: string,
  value: unknown,
  root: JsonSchema,
  { patterns }: MatchingTool,
  nodesOf: NodeFinder = createNodeFinder(root),
): string {
  const partSchemas = createPartFinder(patterns);
  let schemas: readonly JsonSchema[] = [root];
  let part = value;
  let kept = "";
  for (const token of parsePointer(pointer)) {
    const nodes = nodesOf(schemas) ?? [];
    const type = Array.isArray(part) ? "array" : "object";
    if (type === "object" && !isDeclared(nodes, token)) break;
    kept = appendToPointer(kept, token);
    schemas = partSchemas(nodes, type, token);
    part = (Object(part) as { readonly [token: string]: unknown })[token];
  }
  return kept;
}

/**
 * True if a schema of a document declares some part secret, or refers to nothing: then anything may be. A value in it,
 * such as a default, is read like a schema.
 */
export function declaresSecrets(schema: JsonSchema, root: JsonSchema = schema): boolean {
  const reached = new Set<JsonSchema>([schema]);
  // A set that grows during iteration is iterated to its new end.
  for (const each of reached as Set<SchemaObject>) {
    if (isSecretSchema(each)) return true;
    for (const inner of Object.values(each)) if (isStructured(inner)) reached.add(inner as JsonSchema);
    for (const target of listTargets(each, root)) {
      if (target === undefined) return true;
      reached.add(target);
    }
  }
  return false;
}

const IS_SECRET: SchemaObject = { writeOnly: true };

/** Lists the schemas that a schema refers to; `undefined` for a reference that dangles. */
function listTargets(schema: SchemaObject, root: JsonSchema): readonly (JsonSchema | undefined)[] {
  return [schema.$ref, schema.$dynamicRef].flatMap((reference) =>
    typeof reference === "string" ? [followReference(root, reference)?.value as JsonSchema | undefined] : [],
  );
}

function isDeclared(nodes: readonly SchemaObject[], name: string): boolean {
  return nodes.some(({ properties = {} }) => Object.hasOwn(properties, name));
}

/** True if some schema says more of a member than whether there may be one. */
function isKnown(nodes: readonly SchemaObject[], name: string, partSchemas: PartFinder): boolean {
  const parts = partSchemas(nodes, "object", name);
  return isDeclared(nodes, name) || parts.some((part) => typeof part === "object" && Object.keys(part).length > 0);
}

function isSecret(schema: JsonSchema | undefined, root: JsonSchema): boolean {
  return schema !== undefined && (inPlace([schema], root)?.some(isSecretSchema) ?? true);
}

type NodeFinder = (schemas: readonly JsonSchema[]) => ReturnType<typeof inPlace>;

/** Creates a function that keeps what it finds `inPlace`: many parts have the same schema. */
export function createNodeFinder(root: JsonSchema): NodeFinder {
  const known = new Map<JsonSchema | undefined, ReturnType<typeof inPlace>>();
  return (schemas) => {
    const collect = (): ReturnType<typeof inPlace> => inPlace(schemas, root);
    return schemas.length === 1 ? findOrAdd(known, schemas[0], collect) : collect();
  };
}

/** Collects all schemas of one value. `undefined` if a reference dangles: then anything may be secret. */
function inPlace(schemas: readonly JsonSchema[], root: JsonSchema): readonly SchemaObject[] | undefined {
  const nodes = new Set<SchemaObject>();
  const pending: (JsonSchema | undefined)[] = [...schemas];
  while (pending.length > 0) {
    const node = pending.pop();
    if (node === undefined) return undefined;
    if (!isStructured(node) || Array.isArray(node) || nodes.has(node)) continue;
    nodes.add(node);
    pending.push(...listTargets(node, root));
    // A text whose decoded content holds a secret is one as a whole.
    if (node.contentSchema !== undefined && declaresSecrets(node.contentSchema, root)) nodes.add(IS_SECRET);
    for (const [keyword, value] of Object.entries(node)) {
      const inner = own(IN_PLACE, keyword)?.(value as JsonSchema) ?? [];
      // Here, `undefined` is no dangling reference: the member is absent.
      pending.push(...inner.filter((each) => typeof each === "object"));
    }
  }
  return [...nodes];
}

// Their callers skip whatever is no schema, such as the lists of names in `dependencies`.
const listed = (value: JsonSchema): readonly JsonSchema[] => [value].flat();
const named = (value: JsonSchema): readonly JsonSchema[] => Object.values(Object(value) as object) as JsonSchema[];

/** Lists, by keyword, the subschemas that describe the same value. A test goes through the keywords of this and the next tables. */
const IN_PLACE: { readonly [keyword: string]: typeof listed } = {
  allOf: listed,
  anyOf: listed,
  oneOf: listed,
  not: listed,
  if: listed,
  then: listed,
  else: listed,
  dependentSchemas: named,
  dependencies: named,
};

interface PartsByKeyword {
  readonly [keyword: string]: (
    key: string,
    node: SchemaObject,
    patterns: NameMatcher,
  ) => readonly (JsonSchema | undefined)[];
}

/** Finds, by keyword, the subschemas of a node that may describe the member with this key. */
const MEMBERS: PartsByKeyword = {
  properties: (key, { properties = {} }) => [own(properties, key)],
  patternProperties: (key, { patternProperties = {} }, patterns) =>
    Object.entries(patternProperties).flatMap(([pattern, inner]) =>
      matches(pattern, key, patterns, true) ? [inner] : [],
    ),
  additionalProperties: (key, node, patterns) => (isUndeclared(key, node, patterns) ? [node.additionalProperties] : []),
  unevaluatedProperties: (key, node, patterns) =>
    isUndeclared(key, node, patterns) ? [node.unevaluatedProperties] : [],
};

/** Finds, by keyword, the subschemas of a node that may describe the item with this index. */
const ITEMS: PartsByKeyword = {
  prefixItems: (key, { prefixItems = [] }) => [prefixItems[Number(key)]],
  items: (key, { items, prefixItems = [] }) =>
    Array.isArray(items) ? [items[Number(key)]] : Number(key) >= prefixItems.length ? [items] : [],
  additionalItems: (_key, node) => [node.additionalItems],
  unevaluatedItems: (_key, node) => [node.unevaluatedItems],
  contains: (_key, node) => [node.contains],
};

type PartFinder = (nodes: readonly SchemaObject[], type: "array" | "object", key: string) => readonly JsonSchema[];

function createPartFinder(patterns: NameMatcher): PartFinder {
  return (nodes, type, key) => {
    const parts = type === "object" ? MEMBERS : ITEMS;
    const found: JsonSchema[] = [];
    for (const node of nodes) {
      for (const keyword of Object.keys(node)) {
        const find = own(parts, keyword);
        for (const inner of find?.(key, node, patterns) ?? []) if (inner !== undefined) found.push(inner);
      }
    }
    return found;
  };
}

function isUndeclared(
  key: string,
  { properties = {}, patternProperties = {} }: SchemaObject,
  patterns: NameMatcher,
): boolean {
  return (
    !Object.hasOwn(properties, key) &&
    !Object.keys(patternProperties).some((pattern) => matches(pattern, key, patterns, false))
  );
}

function matches(pattern: string, name: string, compile: NameMatcher, untested: boolean): boolean {
  try {
    return compile?.(pattern)?.test(name) ?? untested;
  } catch {
    return untested;
  }
}
