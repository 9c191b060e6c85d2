import type { JsonObject } from "@hasp/schema";
import { isObject, readOwnMember } from "@hasp/base/json";
import type { ServerRequest } from "../questions/server-request.js";

interface Declaration {
  readonly path: readonly string[];
  readonly header: string;
}

/** The code of the error for a wrong header. */
export const HEADER_MISMATCH = -32020;
const NUMBER = /^-?\d+(?:\.\d+)?$/u;
const BASE64 = /^=\?base64\?(?<bytes>(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)\?=$/u;
const ENCODED = /^=\?base64\?.*\?=$/u;

/**
 * Finds a header that differs from the value that the call would run with, since proxies decide by the headers. A
 * client of 2026-07-28 sends one for each value that it gives and the tool declares (`x-mcp-header`), and for no other.
 */
export function findWrongHeader(
  definition: JsonObject | undefined,
  { header: read, isModern, isOverHttp }: Pick<ServerRequest, "header" | "isModern" | "isOverHttp">,
  input: unknown,
  given: unknown,
): string | undefined {
  if (!isOverHttp) return undefined;
  const wrong = declarationsIn(definition?.["inputSchema"], []).find(({ path, header }) => {
    const said = read(header.toLowerCase());
    return said === null ? isModern && isSayable(valueAt(given, path)) : !agrees(said, valueAt(input, path));
  });
  return wrong && `The header ${wrong.header} does not match ${wrong.path.join(".")} of the call.`;
}

function declarationsIn(schema: unknown, path: readonly string[]): readonly Declaration[] {
  if (!isObject(schema)) return [];
  const { "x-mcp-header": header, properties } = schema;
  return [
    ...(typeof header === "string" && path.length > 0 ? [{ path, header: `Mcp-Param-${header}` }] : []),
    ...(isObject(properties)
      ? Object.entries(properties).flatMap(([name, inner]) => declarationsIn(inner, [...path, name]))
      : []),
  ];
}

function valueAt(input: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(readOwnMember, input);
}

function isSayable(value: unknown): value is string | number | boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

function agrees(header: string, value: unknown): boolean {
  const said = decoded(header);
  if (said === undefined || !isSayable(value)) return false;
  return typeof value === "number" && NUMBER.test(said) ? Number(said) === value : said === String(value);
}

function decoded(header: string): string | undefined {
  const bytes = BASE64.exec(header)?.groups?.["bytes"];
  if (bytes === undefined) return ENCODED.test(header) ? undefined : header;
  try {
    const codes = Uint8Array.from(atob(bytes), (character) => character.codePointAt(0) ?? 0);
    return new TextDecoder("utf-8", { fatal: true }).decode(codes);
  } catch {
    return undefined;
  }
}
