import type { JsonObject } from "@hasp/schema";
import { isObject } from "../../../json/is-object.js";
import { errorAnswer } from "./json-answer.js";

/** Parts of an input that clients of 2026-07-28 also send as headers, because the schema says `x-mcp-header`. */
export interface ParamHeaders {
  /**
   * The answer to a call whose headers are not those of its input; `undefined` for any other request. What is in
   * front of the server decides by the headers, and must not be told something else than the tool.
   */
  refusalOf(message: unknown, headers: Headers): Response | undefined;
}

interface Declaration {
  readonly path: readonly string[];
  readonly header: string;
}

const PROTOCOL_VERSION = "io.modelcontextprotocol/protocolVersion";
const HEADER_MISMATCH = -32020;
const NUMBER = /^-?\d+(?:\.\d+)?$/u;
const BASE64 = /^=\?base64\?(?<bytes>(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)\?=$/u;
const ENCODED = /^=\?base64\?.*\?=$/u;

/** Reads the headers of the listed tools. `nameOf` tells the name of a tool from what a call may call it. */
export function paramHeaders(
  definitions: () => readonly JsonObject[],
  nameOf: (called: string) => string,
): ParamHeaders {
  let of: readonly JsonObject[] | undefined;
  let byName: ReadonlyMap<string, readonly Declaration[]> = new Map();

  function declared(name: string): readonly Declaration[] {
    const now = definitions();
    if (now !== of) {
      byName = new Map(now.map((tool) => [String(tool["name"]), declarationsIn(tool["inputSchema"], [])]));
      of = now;
    }
    return byName.get(name) ?? [];
  }

  return {
    refusalOf(message, headers) {
      if (!isObject(message) || message["method"] !== "tools/call" || !isObject(message["params"])) return undefined;
      const { name, arguments: input, _meta: meta } = message["params"];
      if (typeof name !== "string" || !isObject(meta) || meta[PROTOCOL_VERSION] === undefined) return undefined;
      const wrong = declared(nameOf(name)).find(
        ({ path, header }) => !agrees(headers.get(header), valueAt(input, path)),
      );
      if (wrong === undefined) return undefined;
      const text = `The header ${wrong.header} does not match ${wrong.path.join(".")} of the call.`;
      const { id } = message;
      return errorAnswer(400, HEADER_MISMATCH, text, typeof id === "string" || typeof id === "number" ? id : null);
    },
  };
}

/** The properties of an object, and of objects in it, that have a header. */
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
  return path.reduce<unknown>(
    (value, name) => (isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined),
    input,
  );
}

/** Whether a header says the value. A value that is absent, or that no header can say, has none. */
function agrees(header: string | null, value: unknown): boolean {
  if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean") return true;
  const said = header === null ? undefined : decoded(header);
  if (typeof value === "number" && said !== undefined && NUMBER.test(said)) return Number(said) === value;
  return said === String(value);
}

/** The text of a header, which may be in Base64; `undefined` if that is damaged. */
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
