import type { JsonValue } from "@hasp/schema";
import { appendToPointer, isList, isObject, own } from "@hasp/base/json";
import type { SpecBind } from "../model/handlers.js";

export type ReferenceRole = "path" | "query" | "header" | "cookie" | "body" | "statement" | "argument" | "folder";

export interface ValueReference {
  /** JSON Pointer, inside the declaration, of the string that holds it. */
  readonly at: string;
  /** The reference as written: `input.limit`, `{path}`, `$id`. */
  readonly text: string;
  /** `bound` names a value that `bind` takes from the context. */
  readonly source: "input" | "context" | "bound";
  /** The members that lead to it: `input.a.b` is `["a", "b"]`. */
  readonly path: readonly string[];
  readonly role: ReferenceRole;
}

export type ValueSource = Pick<ValueReference, "source" | "path">;

/** Parses `input.x` and `context.x`; `undefined` for anything else, which is a literal. */
export function parseSource(text: string, bind: SpecBind): ValueSource | undefined {
  const [root, ...path] = text.split(".");
  if (path.length === 0 || path.includes("")) return undefined;
  if (root === "context") return { source: "context", path };
  if (root !== "input") return undefined;
  return { source: isBound(path, bind) ? "bound" : "input", path };
}

/** Parses a placeholder: a bound name, an input property, or `context.x`. */
export function parsePlaceholder(name: string, bind: SpecBind): ValueSource {
  const explicit = parseSource(name, bind);
  if (explicit !== undefined) return explicit;
  const path = name.split(".");
  return { source: isBound(path, bind) ? "bound" : "input", path };
}

function isBound([first = ""]: readonly string[], bind: SpecBind): boolean {
  return own(bind, first) !== undefined;
}

export function readLiteral(value: JsonValue): { readonly value: JsonValue } | undefined {
  return isObject(value) && Object.hasOwn(value, "literal") && Object.keys(value).length === 1
    ? { value: value["literal"] ?? null }
    : undefined;
}

export function findReferencesInValue(
  value: JsonValue,
  at: string,
  role: ReferenceRole,
  bind: SpecBind,
): readonly ValueReference[] {
  if (typeof value === "string") {
    const source = parseSource(value, bind);
    return source === undefined ? [] : [{ at, text: value, role, ...source }];
  }
  if (isList(value)) return value.flatMap((item, index) => findReferencesInValue(item, `${at}/${index}`, role, bind));
  if (!isObject(value) || readLiteral(value) !== undefined) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    findReferencesInValue(inner, appendToPointer(at, key), role, bind),
  );
}

export type TemplatePart = { readonly text: string } | { readonly name: string };

/** Splits a template at its placeholders, `{name}`. Empty and nested braces are text. */
export function splitTemplate(template: string): readonly TemplatePart[] {
  const parts: TemplatePart[] = [];
  let end = 0;
  for (const match of template.matchAll(/\{([^{}]+)\}/gu)) {
    if (match.index > end) parts.push({ text: template.slice(end, match.index) });
    parts.push({ name: match[1] ?? "" });
    end = match.index + match[0].length;
  }
  if (end < template.length) parts.push({ text: template.slice(end) });
  return parts;
}

export function findReferencesInTemplate(
  template: string,
  at: string,
  role: ReferenceRole,
  bind: SpecBind,
): readonly ValueReference[] {
  return splitTemplate(template).flatMap((part) =>
    "name" in part ? [{ at, text: `{${part.name}}`, role, ...parsePlaceholder(part.name, bind) }] : [],
  );
}
