import type { JsonValue } from "@hasp/schema";
import type { HandlerKind } from "../base/handler-kind.js";
import { type Reference, referencesInTemplate, referencesInValue, type ReferenceRole } from "../base/references.js";
import type { HttpBodyKind, HttpDeclaration, SpecBind } from "../../model/handlers/declaration.js";
import { isList } from "../../model/json-kind.js";
import { httpConnectionSchema, httpRequestSchema, httpRespondSchema, httpSchema } from "./http-schema.js";

/** `handler.http`: one HTTP request. */
export const http: HandlerKind<"http"> = {
  name: "http",
  schema: httpSchema,
  connectionSchema: httpConnectionSchema,
  respond: httpRespondSchema,
  request: httpRequestSchema,
  references,
};

function references(declaration: HttpDeclaration, bind: SpecBind): readonly Reference[] {
  const { path, headers, cookies, body } = declaration;
  const valuesAt = (values: { readonly [name: string]: JsonValue } | undefined, at: string, role: ReferenceRole) =>
    values === undefined ? [] : referencesInValue(values, at, role, bind);
  const kind = bodyKindOf(declaration);
  return [
    ...referencesInTemplate(path, "/path", "path", bind),
    ...queryReferences(declaration, bind),
    ...valuesAt(headers, "/headers", "header"),
    ...valuesAt(cookies, "/cookies", "cookie"),
    ...(kind === undefined ? [] : referencesInValue(body?.[kind] ?? null, `/body/${kind}`, "body", bind)),
  ];
}

/** The query as a map; a list of names is short for one. */
export function queryOf({ query }: HttpDeclaration): { readonly [name: string]: JsonValue } {
  return isList(query as JsonValue | undefined)
    ? Object.fromEntries((query as readonly string[]).map((name) => [name, `input.${name}`]))
    : ((query ?? {}) as { readonly [name: string]: JsonValue });
}

function queryReferences(declaration: HttpDeclaration, bind: SpecBind): readonly Reference[] {
  const found = referencesInValue(queryOf(declaration), "/query", "query", bind);
  if (!Array.isArray(declaration.query)) return found;
  return found.map((reference, index) => ({ ...reference, at: `/query/${index}` }));
}

/** Which of the four kinds of bodies a declaration has. */
export function bodyKindOf({ body }: HttpDeclaration): HttpBodyKind | undefined {
  return (["json", "form", "multipart", "binary"] as const).find((kind) => body?.[kind] !== undefined);
}
