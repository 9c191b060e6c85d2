import { replacesMethod } from "@hasp/base/declared";
import { type Effect, findProperty, listBranches, mayBe, parseSource, readLiteral } from "@hasp/compiler/handlers";
import type { SpecHttp } from "./http-schema.js";
import { isObject, escapeToken, own } from "@hasp/base/json";
import type { FlatTool } from "@hasp/compiler";
import { readQuery } from "./http-handler.js";

/** The parts of a declaration that decide its effects. */
export type HttpRequestShape = Pick<SpecHttp, "method" | "query" | "headers" | "body" | "parameters">;

/** Finds a request's effects by its method (RFC 9110 §9.2). A service may differ; only an approved claim can say so. */
export function findHttpEffects(shape: HttpRequestShape, tool?: Pick<FlatTool, "input" | "spec">): readonly Effect[] {
  const { method, query = {}, headers = {}, body } = shape;
  const at = "/method";
  const brought = tool === undefined ? [] : broughtNames(shape, tool);
  const overridden = findOverride(query, headers, brought);
  if (overridden !== undefined) return [overridden];
  const open = brought.find(({ name }) => name === undefined);
  if (open !== undefined) {
    return [{ verdict: "unknown", reason: "sends parameters that the call names", at: open.at }];
  }
  switch (method) {
    case "GET":
    case "HEAD":
    case "OPTIONS":
    case "TRACE":
      if (body === undefined) return [{ verdict: "reads", reason: `sends ${article(method)}, which only reads`, at }];
      return [
        {
          verdict: "writes",
          reason: `sends ${article(method)} with a body: HTTP gives such a body no meaning, so nothing shows that it only reads`,
          at: "/body",
        },
      ];
    case "QUERY":
      return [{ verdict: "reads", reason: "sends a QUERY, which only reads", at }];
    case "PUT":
      return [{ verdict: "writes", idempotent: true, reason: "sends a PUT, which replaces something", at }];
    case "DELETE":
      return [
        {
          verdict: "writes",
          destructive: true,
          idempotent: true,
          reason: "sends a DELETE, which deletes something",
          at,
        },
      ];
    case "PATCH":
      return [{ verdict: "writes", reason: "sends a PATCH, which changes something", at }];
    default:
      return [
        { verdict: "writes", idempotent: false, reason: `sends ${article(method)}, which may change something`, at },
      ];
  }
}

interface BroughtName {
  readonly name: string | undefined;
  readonly at: string;
}

/** Lists the parameter names from exploded objects: each property becomes a parameter. */
function broughtNames(
  { query, parameters }: HttpRequestShape,
  { input, spec }: Pick<FlatTool, "input" | "spec">,
): readonly BroughtName[] {
  const values = Object.entries(query === undefined ? {} : readQuery({ query }));
  return values.flatMap(([parameter, value], index): readonly BroughtName[] => {
    const { style = "form", explode = style === "form", contentType } = own(parameters?.query, parameter) ?? {};
    if (contentType !== undefined || style === "deepObject" || !explode) return [];
    const at = `/query/${Array.isArray(query) ? index : escapeToken(parameter)}`;
    const stated = readLiteral(value)?.value ?? value;
    if (isObject(stated)) return Object.keys(stated).map((name) => ({ name, at }));
    const source = typeof value === "string" ? parseSource(value, spec.bind ?? {}) : undefined;
    // The host vouches for the context's values.
    if (source?.source !== "input") return [];
    const { schemas } = findProperty(input.schema, source.path);
    if (!mayBe(schemas, input.schema, ["object"])) return [];
    return schemas.flatMap((schema) => {
      const parts = listBranches(schema, input.schema).flatMap((branch) => branch.parts);
      const isClosed = parts.some(({ additionalProperties }) => additionalProperties === false);
      const isOpen = !isClosed || parts.some(({ patternProperties }) => patternProperties !== undefined);
      const names = parts.flatMap(({ properties = {} }) => Object.keys(properties));
      return [...names, ...(isOpen ? [undefined] : [])].map((name) => ({ name, at }));
    });
  });
}

function findOverride(
  query: NonNullable<HttpRequestShape["query"]>,
  headers: NonNullable<HttpRequestShape["headers"]>,
  brought: readonly BroughtName[],
): Effect | undefined {
  const parameters = Array.isArray(query) ? query.map((name, index) => [name, index] as const) : named(query);
  const places = [
    ...named(headers).map(([name, key]) => ({ name, at: `/headers/${key}` })),
    ...parameters.map(([name, key]) => ({ name, at: `/query/${key}` })),
    ...brought,
  ];
  const found = places.find(({ name }) => name !== undefined && replacesMethod(name));
  return found && { verdict: "writes", reason: `lets "${found.name}" replace the method of the request`, at: found.at };
}

function named(values: object): readonly (readonly [name: string, key: string])[] {
  return Object.keys(values).map((name) => [name, escapeToken(name)]);
}

function article(method: string): string {
  return `${/^[AEIO]/u.test(method) ? "an" : "a"} ${method}`;
}
