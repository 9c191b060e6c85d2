import { thrownText } from "../../../compiler/src/diagnostics/thrown-text.js";
import { networkFailure } from "../../../project/src/network/bounded-fetch.js";
import { MEGABYTE, MEGABYTES_LIMIT } from "../../../compiler/src/phases/1-load/limits.js";

const TIMEOUT = 15_000;

/** Fetches a schema without following redirects. */
export async function fetchRemote(
  address: string,
): Promise<{ readonly bytes: Uint8Array } | { readonly reason: string }> {
  try {
    const response = await fetch(address, { redirect: "error", signal: AbortSignal.timeout(TIMEOUT) });
    if (!response.ok) return { reason: `the server answered ${response.status}` };
    const bytes = await readBytes(response);
    return bytes === undefined ? { reason: `it has more than ${MEGABYTES_LIMIT} MB` } : { bytes };
  } catch (error) {
    const failure = networkFailure(error);
    return { reason: failure === undefined ? thrownText(error) : `the server ${failure}` };
  }
}

/** Returns `undefined` if the body is too large. */
async function readBytes(response: Response): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > MEGABYTES_LIMIT * MEGABYTE) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
