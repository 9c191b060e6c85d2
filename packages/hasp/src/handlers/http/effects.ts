import type { HttpDeclaration } from "../../model/handlers/declaration.js";
import { escapeToken } from "../../model/json-pointer.js";
import type { Effect } from "../base/effect.js";

/** What of a declaration tells what a request does. */
export type HttpRequestShape = Pick<HttpDeclaration, "method" | "query" | "headers" | "body">;

/**
 * Tells what a request does by what HTTP defines for its method (RFC 9110 §9.2). A service may do anything else; whoever
 * knows that it does not change anything at a POST approves the claim against the declaration.
 */
export function httpEffects({ method, query = {}, headers = {}, body }: HttpRequestShape): readonly Effect[] {
  const at = "/method";
  const overridden = overrideOf(query, headers);
  if (overridden !== undefined) return [overridden];
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

/** Headers and parameters by which services take another method for the one that is sent. */
const OVERRIDES: ReadonlySet<string> = new Set([
  "x-http-method-override",
  "x-http-method",
  "x-method-override",
  "_method",
]);

function overrideOf(
  query: NonNullable<HttpRequestShape["query"]>,
  headers: NonNullable<HttpRequestShape["headers"]>,
): Effect | undefined {
  const parameters = Array.isArray(query) ? query.map((name, index) => [name, index] as const) : named(query);
  const places = [
    ...named(headers).map(([name, key]) => ({ name, at: `/headers/${key}` })),
    ...parameters.map(([name, key]) => ({ name, at: `/query/${key}` })),
  ];
  const found = places.find(({ name }) => OVERRIDES.has(name.toLowerCase()));
  return found === undefined
    ? undefined
    : { verdict: "writes", reason: `lets "${found.name}" replace the method of the request`, at: found.at };
}

function named(values: object): readonly (readonly [name: string, key: string])[] {
  return Object.keys(values).map((name) => [name, escapeToken(name)]);
}

function article(method: string): string {
  return `${/^[AEIO]/u.test(method) ? "an" : "a"} ${method}`;
}
