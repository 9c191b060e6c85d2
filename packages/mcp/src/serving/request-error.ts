/** The parameters of a request are not what its method takes. */
export const INVALID_PARAMS = -32602;
/** The request cannot be served, through no fault in it. */
export const INTERNAL_ERROR = -32603;

/** An error of a request, with its JSON-RPC code. */
export class RequestError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}
