import { thrownText } from "../../../compiler/src/diagnostics/thrown-text.js";
import { errorCode } from "../fs/error-code.js";

/**
 * Explains a failure of `fetch`, to be read after the name of the host: `cannot be reached (ECONNREFUSED)`. `fetch`
 * itself says only that it failed. `undefined` for any other failure.
 */
export function networkFailure(error: unknown): string | undefined {
  if (error instanceof DOMException && error.name === "TimeoutError") return "does not answer in time";
  if (!(error instanceof TypeError) || error.cause === undefined) return undefined;
  return `cannot be reached (${errorCode(error.cause) ?? thrownText(error.cause)})`;
}
