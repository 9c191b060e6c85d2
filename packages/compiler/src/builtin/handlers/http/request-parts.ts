import type { JsonValue } from "@hasp/schema";
import type { HttpBodyKind, HttpDeclaration, SpecBind } from "../../../model/handlers/declaration.js";
import {
  type Reference,
  findReferencesInTemplate,
  findReferencesInValue,
  type ReferenceRole,
} from "../base/references.js";

/** Lists the values that a request takes from a call, in the order of its parts. */
export function findHttpReferences(declaration: HttpDeclaration, bind: SpecBind): readonly Reference[] {
  const { path, headers = {}, cookies = {}, body } = declaration;
  const kind = findBodyKind(declaration);
  const valuesAt = (values: JsonValue, at: string, role: ReferenceRole): readonly Reference[] =>
    findReferencesInValue(values, at, role, bind);
  return [
    ...findReferencesInTemplate(path, "/path", "path", bind),
    ...queryReferences(declaration, bind),
    ...valuesAt(headers, "/headers", "header"),
    ...valuesAt(cookies, "/cookies", "cookie"),
    ...(kind === undefined ? [] : valuesAt(body?.[kind] ?? null, `/body/${kind}`, "body")),
  ];
}

/** Returns the query as a map; a list of names is short for one. */
export function readQuery({ query = {} }: Pick<HttpDeclaration, "query">): { readonly [name: string]: JsonValue } {
  return isNames(query) ? Object.fromEntries(query.map((name) => [name, `input.${name}`])) : query;
}

function queryReferences(declaration: HttpDeclaration, bind: SpecBind): readonly Reference[] {
  const { query = {} } = declaration;
  if (!isNames(query)) return findReferencesInValue(query, "/query", "query", bind);
  return query.flatMap((name, index) =>
    findReferencesInValue(`input.${name}`, `/query/${index}`, "query", bind).map((each) => ({ ...each, text: name })),
  );
}

function isNames(query: NonNullable<HttpDeclaration["query"]>): query is readonly string[] {
  return Array.isArray(query);
}

export function findBodyKind({ body }: HttpDeclaration): HttpBodyKind | undefined {
  return (["json", "form", "multipart", "binary"] as const).find((kind) => body?.[kind] !== undefined);
}
