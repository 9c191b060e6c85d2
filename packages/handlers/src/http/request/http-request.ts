/** The encoding of a parameter, in OpenAPI's words and with its defaults. */
export interface ParameterStyle {
  /** Path: `simple`, `label`, `matrix`. Query: `form`, `spaceDelimited`, `pipeDelimited`, `deepObject`. Header: `simple`. Cookie: `form`. */
  readonly style?:
    | "simple"
    | "label"
    | "matrix"
    | "form"
    | "spaceDelimited"
    | "pipeDelimited"
    | "deepObject"
    | undefined;
  /** Writes each item or property as a parameter of its own. Default: only for the styles `form` and `deepObject`. */
  readonly explode?: boolean | undefined;
  /** Keeps characters such as `/` and `:` of a query value, except those that would begin another parameter. */
  readonly allowReserved?: boolean | undefined;
  /** With a JSON type, the value is sent as JSON text. In `multipart`, the type of the part. */
  readonly contentType?: string | undefined;
}

export interface ParameterStyles {
  readonly [name: string]: ParameterStyle;
}

/** JSON values by the name of their parameter. `undefined` and `null` leave a parameter out. */
export interface ParameterValues {
  readonly [name: string]: unknown;
}

/**
 * The body of a request; none for the value `undefined`. `multipart` sends each item of a list as a part, `{ base64 }`
 * or `{ text }` (with optional `filename` and `mediaType`) as a file, and any other object as JSON. `binary` takes `{
 * base64 }`, `{ text }`, or a string, which is sent as UTF-8.
 */
export type HttpBody = (
  | { readonly json: unknown }
  | { readonly form: unknown; readonly encoding?: ParameterStyles }
  | { readonly multipart: unknown; readonly encoding?: ParameterStyles }
  | { readonly binary: unknown }
) & {
  /** The `Content-Type`, if it differs from the usual one of this kind of body. */
  readonly mediaType?: string | undefined;
};

export interface HttpRequest {
  /** One value per placeholder of the path. */
  readonly path?: ParameterValues | undefined;
  readonly query?: ParameterValues | undefined;
  readonly headers?: ParameterValues | undefined;
  readonly cookies?: ParameterValues | undefined;
  readonly body?: HttpBody | undefined;
}

/** A method in capitals: `GET`, `POST`, `QUERY` or any other except `CONNECT`. */
type HttpMethod = Uppercase<string>;

/** Reads a paginated list and joins its pages. */
export type HttpPagination = {
  readonly maxPages: number;
} & (
  | {
      /** The next page is the `rel="next"` of the `Link` header, on the same origin. */
      readonly link: true;
    }
  | {
      /** Takes the cursor from the JSON Pointer `from` of an answer, and sends it as the parameter `query`. */
      readonly cursor: { readonly from: string; readonly query: string };
    }
);

export interface HttpDeclaration<Input, Context> {
  readonly method: HttpMethod;
  /** The path below the connection's base URL, with placeholders: `/customers/{customerId}/orders`. */
  readonly path: string;
  /** The values to send, from the call's input and the host's context. */
  readonly request?: ((input: Input, context: Context) => HttpRequest) | undefined;
  /** Encodings that differ from OpenAPI's defaults. */
  readonly styles?:
    | {
        readonly path?: ParameterStyles | undefined;
        readonly query?: ParameterStyles | undefined;
        readonly headers?: ParameterStyles | undefined;
        readonly cookies?: ParameterStyles | undefined;
      }
    | undefined;
  /** A JSON Pointer to the part of the answer that becomes the output. Default: the whole answer. */
  readonly result?: string | undefined;
  /** The header that carries the idempotency key of the call. */
  readonly idempotencyHeader?: string | undefined;
  readonly pagination?: HttpPagination | undefined;
}
