/** Invalid parameters of a method. */
export const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;

export class RequestError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}
