import type { JsonSchema, SchemaObject, JsonValue } from "@hasp/schema";
import { eachSubschema, keywordRow } from "@hasp/schema/vocabulary";
import { own } from "@hasp/base/json";
import type { FlatTool } from "../model/tool.js";
import { findSchemaAt, readListedValues } from "../model/schemas.js";
import { parsePlaceholder } from "./references.js";

interface FoundProperty {
  /** One per branch that declares it; empty if none does. */
  readonly schemas: readonly JsonSchema[];
  /** True if every value of the root has it, once defaults are filled in. */
  readonly isPresent: boolean;
  readonly isInEveryBranch: boolean;
}

export function findProperty(root: JsonSchema, path: readonly string[]): FoundProperty {
  let found: FoundProperty = { schemas: [root], isPresent: true, isInEveryBranch: true };
  for (const name of path) {
    const inner = found.schemas.map((schema) => findPropertyIn(schema, root, name));
    found = {
      schemas: inner.flatMap(({ schemas }) => schemas),
      isPresent: found.isPresent && inner.length > 0 && inner.every(({ isPresent }) => isPresent),
      isInEveryBranch: inner.length > 0 && inner.every(({ isInEveryBranch }) => isInEveryBranch),
    };
  }
  return found;
}

function findPropertyIn(schema: JsonSchema, root: JsonSchema, name: string): FoundProperty {
  const branches = listBranches(schema, root);
  const declaring = branches.filter(({ parts }) => parts.some((part) => own(part.properties, name) !== undefined));
  return {
    schemas: declaring.flatMap(({ parts }) => parts.flatMap((part) => declaredBy(part, name))),
    isPresent: branches.length > 0 && branches.every(({ parts }) => isPresentIn(parts, name)),
    isInEveryBranch: declaring.length > 0 && declaring.length === branches.length,
  };
}

/** Lists the names of the properties beside the last one of a path. */
export function listSiblings(root: JsonSchema, path: readonly string[]): readonly string[] {
  const branches = findProperty(root, path.slice(0, -1)).schemas.flatMap((schema) => listBranches(schema, root));
  return [...new Set(branches.flatMap(({ parts }) => parts.flatMap(({ properties = {} }) => Object.keys(properties))))];
}

function declaredBy({ properties }: SchemaObject, name: string): readonly JsonSchema[] {
  const found = own(properties, name);
  return found === undefined ? [] : [found];
}

function isPresentIn(parts: readonly SchemaObject[], name: string): boolean {
  return parts.some(({ required = [], properties }) => {
    const property = own(properties, name);
    return required.includes(name) || (typeof property === "object" && property.default !== undefined);
  });
}

interface Branch {
  readonly parts: readonly SchemaObject[];
}

const MOST_BRANCHES = 200;

export function listBranches(
  schema: JsonSchema,
  root: JsonSchema,
  within: readonly SchemaObject[] = [],
): readonly Branch[] {
  if (typeof schema !== "object" || within.includes(schema)) return [];
  const below = [...within, schema];
  let branches: readonly Branch[] = [{ parts: [schema] }];
  const combine = (options: readonly Branch[]): void => {
    if (options.length === 0) return;
    branches = branches
      .flatMap(({ parts }) => options.map((option) => ({ parts: [...parts, ...option.parts] })))
      .slice(0, MOST_BRANCHES);
  };
  const named = schema.$ref === undefined ? undefined : findSchemaAt(root, schema.$ref);
  if (named !== undefined) combine(listBranches(named, root, below));
  const alternatives = new Map<string, Branch[]>();
  eachSubschema(schema, (inner, keyword) => {
    if (keywordRow(keyword)?.applies !== "inPlace" || keyword === "not" || keyword === "if") return;
    const options = listBranches(inner, root, below);
    if (keyword === "allOf") combine(options);
    else alternatives.set(keyword, [...(alternatives.get(keyword) ?? []), ...options]);
  });
  for (const options of alternatives.values()) combine(options);
  return branches;
}

/** True unless flat schemas exclude these JSON types. */
export function mayBe(schemas: readonly JsonSchema[], root: JsonSchema, types: readonly string[]): boolean {
  return schemas.some((schema) => {
    if (typeof schema === "boolean") return schema;
    return listBranches(schema, root).some(({ parts }) => {
      const values = parts.flatMap((part) => readListedValues(part) ?? []);
      if (values.length > 0) return values.some((value) => types.includes(findType(value)));
      const stated = parts.flatMap((part) => (part.type === undefined ? [] : [[part.type].flat()]));
      return stated.every((each) => each.some((type) => types.includes(type === "integer" ? "number" : type)));
    });
  });
}

/** True unless a value's enum, bounds or pattern keeps its text from beginning with `-`. */
export function mayBeginWithDash(schemas: readonly JsonSchema[], root: JsonSchema): boolean {
  return schemas.some((schema) => {
    if (typeof schema === "boolean") return schema;
    return listBranches(schema, root).some(
      ({ parts }) =>
        !parts.some((part) => {
          const values = readListedValues(part);
          if (values !== undefined) return values.every((value) => !String(value).startsWith("-"));
          if (part.type === "boolean") return true;
          if (part.type === "integer" || part.type === "number") {
            return (part.minimum ?? part.exclusiveMinimum ?? -1) >= 0;
          }
          return part.pattern !== undefined && excludesDash(part.pattern);
        }),
    );
  });
}

/** True for `^` followed by a character or class other than `-`; other patterns count as unknown. */
function excludesDash(pattern: string): boolean {
  const first = /^\^(?:(?<letter>[A-Za-z0-9_/.])|\[(?<members>[^\]^\\][^\]\\]*)\])(?<times>[*?{|]?)/u.exec(
    pattern,
  )?.groups;
  if (first === undefined || pattern.includes("|") || first["times"] !== "") return false;
  const { letter, members = "" } = first;
  if (letter !== undefined) return true;
  // In a class, `-` is literal at either end; elsewhere it is a range, which may contain `-`.
  return (
    !members.startsWith("-") &&
    !members.endsWith("-") &&
    [...members.matchAll(/(?<from>.)-(?<to>.)/gu)].every(
      ({ groups }) => (groups?.["from"] ?? "") > "-" || (groups?.["to"] ?? "") < "-",
    ) &&
    !new RegExp(`^[${members}]$`, "u").test("-")
  );
}

function findType(value: JsonValue): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

/** True if a placeholder names an input property that is always a list. */
export function isListed(placeholder: string, { input, spec }: Pick<FlatTool, "input" | "spec">): boolean {
  const { source, path } = parsePlaceholder(placeholder, spec.bind ?? {});
  if (source !== "input") return false;
  const { schemas } = findProperty(input.schema, path);
  return schemas.length > 0 && schemas.every(isArray);
}

function isArray(schema: JsonSchema): boolean {
  return typeof schema === "object" && schema.type === "array";
}
