import type { JsonObject, JsonValue } from "@hasp/schema";
import { dropUndefined, isObject } from "@hasp/base/json";
import { findPathProblem, HTTP_METHODS } from "@hasp/handlers/build";
import type { EntryReader } from "../entries/source-entry.js";
import type { ImportSource } from "../source/importer.js";
import { findInputName } from "../specs/names.js";
import type { OpenapiOperation } from "./operations.js";
import { type OpenapiPlace, readParameters, SECTIONS, readParameterSchema, readParameterStyle } from "./parameters.js";
import { findPagination, readOutput, readSuccess } from "./response.js";
import { readBody } from "./request-body.js";
import type { SecurityScheme } from "./security.js";

interface Request {
  readonly input: JsonObject;
  readonly output: JsonValue | undefined;
  readonly handler: JsonObject;
  readonly suggested: JsonObject | undefined;
}

/**
 * Combines parameters and body into one input: each parameter under its own name, the body under `body`, both changed
 * if handlers cannot write them. Returns `undefined` if some part cannot be expressed exactly.
 */
export function readRequest(
  operation: OpenapiOperation,
  connection: string,
  source: ImportSource,
  schemes: ReadonlyMap<string, SecurityScheme>,
  reader: EntryReader,
): Request | undefined {
  const { entry, method } = operation;
  if (!isObject(entry.value)) {
    reader.note("not-a-tool", reader.locate(""), undefined);
    return undefined;
  }
  if (!HTTP_METHODS.some((known) => known === method)) {
    reader.note("unsent-method", reader.locate(""), { tool: reader.name, method, methods: HTTP_METHODS });
    return undefined;
  }
  const all = readParameters(operation, source, schemes.values(), reader);
  const body = readBody(entry.value, operation, source, reader);
  if (all === undefined || body === "refused") return undefined;
  const keys = all.filter((each) => each.in === "header" && each.name.toLowerCase() === "idempotency-key");
  const sent = all.filter((each) => !keys.includes(each));
  const success = readSuccess(operation, source, reader);
  const pages = method === "GET" ? findPagination(success, sent, source) : undefined;
  // The handler sends the cursor itself, and the joined list holds none to pass on.
  const parameters = sent.filter((each) => each.isRequired || each.in !== "query" || each.name !== pages?.cursor);
  for (const { document, pointer } of keys) reader.note("idempotency-key", document.locate(pointer), undefined);
  const properties = new Map<string, JsonValue>();
  const required: string[] = [];
  const values: PlacedValues = { path: new Map(), query: new Map(), header: new Map(), cookie: new Map() };
  const styles: PlacedValues = { path: new Map(), query: new Map(), header: new Map(), cookie: new Map() };
  for (const parameter of parameters) {
    const schema = readParameterSchema(parameter, reader);
    if (schema === undefined) return undefined;
    const name = findInputName(parameter.name, parameter.in, (candidate) => properties.has(candidate));
    properties.set(name, schema);
    if (parameter.isRequired) required.push(name);
    // A path placeholder uses the input's name; other parameters map names to values.
    const nameInPlace = parameter.in === "path" ? name : parameter.name;
    values[parameter.in].set(parameter.name, `input.${name}`);
    const style = readParameterStyle(parameter, schema);
    if (style !== undefined) styles[parameter.in].set(nameInPlace, style);
  }
  const bodyName = findInputName("body", "request", (candidate) => properties.has(candidate));
  if (body !== undefined) {
    properties.set(bodyName, body.schema);
    if (body.isRequired) required.push(bodyName);
  }
  const { path, query } = targetOf(operation.path, values);
  const problem = findPathProblem(path);
  if (problem !== undefined) {
    reader.note("unsent-path", reader.locate(""), { tool: reader.name, path, problem });
    return undefined;
  }
  return {
    // Handlers send a key of their own, which stays the same when a call is repeated.
    suggested: keys.length > 0 ? { from: "Idempotency-Key", isIdempotent: "withKey" } : suggestByMethod(method),
    output: readOutput(pages?.list ?? success.schema, reader),
    input: dropUndefined({
      type: "object",
      required: required.length === 0 ? undefined : required,
      properties: Object.fromEntries(properties),
    }),
    handler: {
      http: dropUndefined({
        connection,
        method,
        path,
        query: queryOf(new Map([...query, ...values.query])),
        headers: mapOf(values.header),
        cookies: mapOf(values.cookie),
        body: body?.declaration(`input.${bodyName}`),
        parameters: mapOf(
          new Map(Object.entries(SECTIONS).map(([place, section]) => [section, mapOf(styles[place as OpenapiPlace])])),
        ),
        result: pages?.result,
        pagination: pages?.pagination,
      }),
    },
  };
}

function suggestByMethod(method: string): JsonObject | undefined {
  if (SAFE_METHODS.has(method)) return { from: "method", class: "READ_ONLY" };
  return method === "PUT" || method === "DELETE" ? { from: "method", isIdempotent: true } : undefined;
}

const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "TRACE", "QUERY"]);

type PlacedValues = { readonly [place in OpenapiPlace]: Map<string, JsonValue> };

function mapOf(values: ReadonlyMap<string, JsonValue | undefined>): JsonObject | undefined {
  const map = dropUndefined(Object.fromEntries(values));
  return Object.keys(map).length === 0 ? undefined : map;
}

function queryOf(values: ReadonlyMap<string, JsonValue>): JsonValue | undefined {
  const isOwn = [...values].every(([name, value]) => value === `input.${name}`);
  return isOwn && values.size > 0 ? [...values.keys()] : mapOf(values);
}

/** Splits a written path: some documents tell operations apart by a query or a fragment. */
function targetOf(
  written: string,
  values: PlacedValues,
): { readonly path: string; readonly query: ReadonlyMap<string, JsonValue> } {
  const [withQuery = ""] = written.split("#");
  const [path = "", query = ""] = withQuery.split("?");
  return {
    path: path.replaceAll(/[\s\\]/gu, encodeURIComponent).replaceAll(/\{([^{}]+)\}/gu, (placeholder, name: string) => {
      const value = values.path.get(name);
      return typeof value === "string" ? `{${value.slice("input.".length)}}` : placeholder;
    }),
    query: new Map(
      [...new URLSearchParams(query)].map(([name, value]) => {
        const [, placeholder = ""] = /^\{([^{}]+)\}$/u.exec(value) ?? [];
        return [name, values.path.get(placeholder) ?? literal(value)];
      }),
    ),
  };
}

/** Escapes a text so that handlers do not take it for a reference. */
function literal(text: string): JsonValue {
  return /^(?:input|context)\./u.test(text) ? { literal: text } : text;
}
