import { closed, flag, ref, text } from "@hasp/compiler/model";
import { type JsonObject, toRecord } from "@hasp/base/json";
import type { DeclaredValue, HandlerFormats } from "@hasp/compiler/handlers";

/** OpenAPI's names for serialization styles. */
export const HTTP_STYLES = [
  "simple",
  "label",
  "matrix",
  "form",
  "spaceDelimited",
  "pipeDelimited",
  "deepObject",
] as const;

/** `$defs` of a declaration. */
const httpDefinitions: JsonObject = {
  HttpStyle: closed({
    minProperties: 1,
    properties: {
      style: {
        description: "OpenAPI's name of the style.",
        enum: [...HTTP_STYLES],
      },
      explode: flag("Whether each item of a list or member of an object is a parameter of its own."),
      allowReserved: flag("Whether reserved characters are sent as they are."),
      contentType: text("A media type, such as `application/json`: the value is sent as text of that type."),
    },
  }),
  HttpStyles: {
    type: "object",
    minProperties: 1,
    additionalProperties: ref("HttpStyle", "How this value is written."),
  },
};

export interface SpecHttp {
  readonly connection: string;
  readonly method: string;
  /** With placeholders: `/customers/{customerId}/orders`. */
  readonly path: string;
  /** Values by name; a list of names is short for `{ name: input.name }`. */
  readonly query?: readonly string[] | { readonly [name: string]: DeclaredValue };
  readonly headers?: { readonly [name: string]: DeclaredValue };
  readonly cookies?: { readonly [name: string]: DeclaredValue };
  readonly body?: SpecHttpBody;
  /** The styles of values that differ from OpenAPI's default for their place. */
  readonly parameters?: { readonly [Place in HttpPlace]?: { readonly [name: string]: HttpStyle } };
  /** JSON Pointer of the output in the answer. */
  readonly result?: string;
  readonly pagination?: SpecPagination;
}

export type HttpPlace = "path" | "query" | "headers" | "cookies";

interface HttpStyle {
  readonly style?: string;
  readonly explode?: boolean;
  readonly allowReserved?: boolean;
  readonly contentType?: string;
}

export type HttpBodyKind = "json" | "form" | "multipart" | "binary";

/** The body of a request: exactly one of the four kinds. */
interface SpecHttpBody extends Partial<Record<HttpBodyKind, DeclaredValue>> {
  readonly mediaType?: string;
  readonly encoding?: { readonly [property: string]: HttpStyle };
}

type SpecPagination = { readonly maxPages: number } & (
  | { readonly link: true }
  | { readonly cursor: { readonly from: string; readonly query: string } }
);

/** Methods that handlers can send: those of RFC 9110, QUERY, and registered ones (WebDAV and others). */
// prettier-ignore
export const HTTP_METHODS = [
  "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "QUERY",
  "COPY", "LINK", "LOCK", "MKCOL", "MOVE", "PROPFIND", "PROPPATCH", "REPORT", "SEARCH", "UNLINK", "UNLOCK",
] as const;
export const MEDIA_TYPE = "^[\\w!#$&^.+-]+/[\\w!#$&^.+-]+(;[\\t\\x20-\\x7e]*)?$";

const httpSchema: JsonObject = closed({
  description: "Sends one HTTP request. No code is needed.",
  required: ["connection", "method", "path"],
  properties: {
    connection: ref("ConnectionName", "The connection whose service is called."),
    method: { description: "The method of the request.", enum: [...HTTP_METHODS] },
    path: {
      description:
        "The path after the connection's `baseUrl`. `{name}` inserts a bound value or the input property of that name, encoded; `{context.name}` inserts a member of the context.",
      type: "string",
      pattern: "^/[^?#\\s\\\\]*$",
      "x-expected": "a path such as /customers/{customerId}, without query and fragment",
      examples: ["/customers/{customerId}/orders"],
    },
    query: {
      description: "The parameters after `?`, by name. A list of names is short for `{ name: input.name }`.",
      if: { type: "array" },
      then: { uniqueItems: true, items: { type: "string", minLength: 1 } },
      else: { $ref: "#/$defs/DeclaredValues" },
      examples: [["limit", "status"], { "page[size]": "input.limit" }],
    },
    headers: {
      description: "Headers by name.",
      $ref: "#/$defs/DeclaredValues",
      examples: [{ "X-Trace": "context.traceId" }],
    },
    cookies: ref("DeclaredValues", "Cookies by name."),
    body: closed({
      description: "The body of the request: exactly one of json, form, multipart and binary.",
      oneOf: ["json", "form", "multipart", "binary"].map((kind) => ({ required: [kind] })),
      "x-expected": "an object with exactly one of json, form, multipart and binary",
      properties: {
        json: {
          description: "Sent as JSON: a value, or a map or list of values.",
          $ref: "#/$defs/DeclaredValue",
          examples: ["input.order", { customer: "context.customerId", items: "input.items" }],
        },
        form: ref("DeclaredValue", "Sent as application/x-www-form-urlencoded."),
        multipart: ref(
          "DeclaredValue",
          "Sent as multipart/form-data. A part that is `{ base64 }` or `{ text }`, with or without `filename` and `mediaType`, is a file.",
        ),
        binary: ref("DeclaredValue", "Sent as bytes: `{ base64 }` or `{ text }`, or a text."),
        mediaType: {
          description: "The body's media type, where it is not the usual one of its kind.",
          type: "string",
          pattern: MEDIA_TYPE,
          "x-expected": "a media type such as application/merge-patch+json",
          examples: ["application/merge-patch+json"],
        },
        encoding: ref(
          "HttpStyles",
          "How properties of a form or multipart body are written: OpenAPI's encoding object.",
        ),
      },
    }),
    parameters: closed({
      description:
        "How values are written where that differs from OpenAPI's default: `simple` in paths and headers, `form` in queries and cookies.",
      minProperties: 1,
      properties: toRecord(["path", "query", "headers", "cookies"], (place) =>
        ref("HttpStyles", `Values of \`${place}\`, by the name that is sent.`),
      ),
      examples: [{ query: { filter: { style: "deepObject", explode: true } } }],
    }),
    result: {
      description: "JSON Pointer of the output in the service's answer. Default: the whole answer.",
      $ref: "#/$defs/JsonPointer",
      examples: ["/items"],
    },
    pagination: closed({
      description:
        "Fetches further pages and joins the lists at `result`. `link: true` follows `Link` headers; `cursor` reads a cursor from each answer.",
      required: ["maxPages"],
      oneOf: [{ required: ["link"] }, { required: ["cursor"] }],
      "x-expected": "{ link: true, maxPages } or { cursor: { from, query }, maxPages }",
      properties: {
        link: { description: "Follow the header `Link` with `rel=next`.", const: true },
        cursor: closed({
          description: "Read the next cursor from the answer and send it as a query parameter.",
          required: ["from", "query"],
          properties: {
            from: ref("JsonPointer", "JSON Pointer of the next cursor in the answer."),
            query: text("The query parameter that takes it."),
          },
        }),
        maxPages: { description: "Most pages that one call fetches.", type: "integer", minimum: 1, maximum: 1000 },
      },
      examples: [{ link: true, maxPages: 10 }],
    }),
  },
  examples: [{ connection: "orders-api", method: "GET", path: "/customers/{customerId}/orders", query: ["limit"] }],
});

const httpConnectionSchema: JsonObject = closed({
  description: "A service that is reached over HTTP.",
  required: ["baseUrl"],
  properties: {
    baseUrl: {
      description:
        "Scheme, host and path prefix; the path of each request is appended. If it differs between environments, the variable that holds it, and every address that it may hold.",
      if: { type: "object" },
      then: {
        required: ["env", "allowed"],
        additionalProperties: false,
        properties: {
          env: ref("VariableName", "The environment variable."),
          allowed: {
            description: "The addresses that approvals cover.",
            type: "array",
            minItems: 1,
            uniqueItems: true,
            items: { $ref: "#/$defs/HttpUrl" },
          },
        },
        "x-expected": "{ env: <VARIABLE>, allowed: [<URL>, …] }",
      },
      else: { $ref: "#/$defs/HttpUrl" },
      examples: [
        "https://api.example.com/v2",
        { env: "ORDERS_URL", allowed: ["https://api.example.com/v2", "https://staging.example.com/v2"] },
      ],
    },
    auth: ref("Auth", "How requests are authorized: one way, or a list of ways that are all sent. Default: none."),
    allowedHosts: {
      description: "Further hosts to which redirects may lead. Default: none but the host of `baseUrl`.",
      type: "array",
      uniqueItems: true,
      items: { type: "string", pattern: "^[^\\s/?#@]+$", "x-expected": "a host such as cdn.example.com" },
      examples: [["cdn.example.com"]],
    },
    allowPrivateAddresses: flag("Permits loopback and private addresses, which are otherwise refused. Default: false."),
    timeoutSeconds: {
      description: "Seconds that one request may take.",
      type: "number",
      exclusiveMinimum: 0,
      maximum: 86_400,
    },
    maxResponseMb: {
      description: "Megabytes that one answer may have, once it is unpacked.",
      type: "number",
      exclusiveMinimum: 0,
    },
  },
  examples: [{ baseUrl: "https://api.example.com", auth: { bearer: { env: "ORDERS_TOKEN" } } }],
});

const httpRespondSchema: JsonObject = closed({
  description: "The service's answer, for a handler over HTTP.",
  properties: {
    status: { description: "The status. Default: 200.", type: "integer", minimum: 100, maximum: 599 },
    headers: {
      description: "Headers by name.",
      type: "object",
      additionalProperties: { type: "string" },
    },
    body: { description: "The body: a string as it is, any other value as JSON." },
  },
});

const httpRequestSchema: JsonObject = closed({
  description: "The request, for a handler over HTTP.",
  properties: {
    method: { description: "The method.", type: "string" },
    path: { description: "The path with its encoded values, without the query.", type: "string" },
    query: { description: "The query parameters by name.", type: "object" },
    headers: { description: "Headers by name; others may be sent too.", type: "object" },
    body: { description: "The body: JSON as its value, anything else as text." },
  },
});

export const httpFormats: HandlerFormats = {
  declaration: httpSchema,
  connection: httpConnectionSchema,
  respond: httpRespondSchema,
  request: httpRequestSchema,
  definitions: httpDefinitions,
};
