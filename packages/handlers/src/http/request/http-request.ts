/** How a parameter is written, in OpenAPI's words; what is left out is OpenAPI's default for the place. */
export interface ParameterStyle {
  /** Path: `simple`, `label`, `matrix`. Query: `form`, `spaceDelimited`, `pipeDelimited`, `deepObject`. Header: `simple`. Cookie: `form`. */
  readonly style?:
    "simple" | "label" | "matrix" | "form" | "spaceDelimited" | "pipeDelimited" | "deepObject" | undefined;
  /** Whether each item or property is a parameter of its own. Default: whether the style is `form` or `deepObject`. */
  readonly explode?: boolean | undefined;
  /** Leaves characters such as `/` and `:` of a query value as they are; never those that would begin another parameter. */
  readonly allowReserved?: boolean | undefined;
  /** A JSON type sends the value as JSON text. In `multipart`, the type of the part. */
  readonly contentType?: string | undefined;
}

/** Styles by the name of a parameter. */
export interface ParameterStyles {
  readonly [name: string]: ParameterStyle;
}

/**
 * The values of parameters by name: JSON values. `undefined` leaves a parameter out; so does `null`, which no URL and
 * no header can express.
 */
export interface ParameterValues {
  readonly [name: string]: unknown;
}

/**
 * The body of a request. `undefined` in place of the value sends none.
 *
 * - `json`: any JSON value.
 * - `form`: an object, as `application/x-www-form-urlencoded`.
 * - `multipart`: an object, as `multipart/form-data`. A list is one part per item; `{ base64 }` or `{ text }`, with
 *   `filename` and `mediaType` if wanted, is a file; any other object is a part of JSON.
 * - `binary`: `{ base64 }`, `{ text }`, or a string, which is sent as UTF-8.
 */
export type HttpBody = (
  | { readonly json: unknown }
  | { readonly form: unknown; readonly encoding?: ParameterStyles }
  | { readonly multipart: unknown; readonly encoding?: ParameterStyles }
  | { readonly binary: unknown }
) & {
  /** The `Content-Type`, if it is not the usual one of this kind of body. */
  readonly mediaType?: string | undefined;
};

/** What one call sends: the values of the parameters, by place, and the body. */
export interface HttpRequest {
  /** One value per placeholder of the path. */
  readonly path?: ParameterValues | undefined;
  readonly query?: ParameterValues | undefined;
  readonly headers?: ParameterValues | undefined;
  readonly cookies?: ParameterValues | undefined;
  readonly body?: HttpBody | undefined;
}

/** The method of a request, in capitals: `GET`, `POST`, `QUERY` or any other but `CONNECT`. */
export type HttpMethod = Uppercase<string>;

/** Reads a list that a service divides into pages, and joins them. */
export type HttpPagination = {
  /** The most pages that one call reads. */
  readonly maxPages: number;
} & (
  | {
      /** The next page is where the header `Link` says `rel="next"`, on the same origin. */
      readonly link: true;
    }
  | {
      /** The next page is asked for with a value from the last: `from` is a JSON Pointer into the answer, `query` the parameter. */
      readonly cursor: { readonly from: string; readonly query: string };
    }
);

/** A tool that is one request. */
export interface HttpDeclaration<Input, Context> {
  readonly method: HttpMethod;
  /** The path below the connection's base URL, with placeholders: `/customers/{customerId}/orders`. */
  readonly path: string;
  /** The values to send, from the call's input and the host's context. */
  readonly request?: ((input: Input, context: Context) => HttpRequest) | undefined;
  /** How parameters are written where that differs from OpenAPI's defaults. */
  readonly styles?:
    | {
        readonly path?: ParameterStyles | undefined;
        readonly query?: ParameterStyles | undefined;
        readonly headers?: ParameterStyles | undefined;
        readonly cookies?: ParameterStyles | undefined;
      }
    | undefined;
  /** A JSON Pointer to the part of the answer that is the output. Default: all of it. */
  readonly result?: string | undefined;
  /** The header that carries the idempotency key of the call. */
  readonly idempotencyHeader?: string | undefined;
  readonly pagination?: HttpPagination | undefined;
}
