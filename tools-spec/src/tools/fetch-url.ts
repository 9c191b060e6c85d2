import type { FetchUrlHandler } from "../generated/tools/fetch-url.js";

const mostRedirects = 5;

/** Fetches a document by GET. Checks every redirect, so that none leads into the private network. */
export const execute: FetchUrlHandler["execute"] = async ({ url, accept, maxBytes }, { context, signal }) => {
  let address = new URL(url);
  for (let redirects = 0; redirects <= mostRedirects; redirects += 1) {
    const refusal = await context.network.refusal(address);
    if (refusal !== undefined) throw new Error(`${address.href} was not fetched: ${refusal}.`);
    const response = await fetch(address, { headers: { accept }, redirect: "manual", signal }).catch(failed);
    const next = response.status >= 300 && response.status < 400 ? response.headers.get("location") : null;
    if (next === null) {
      return {
        status: response.status,
        contentType: response.headers.get("content-type") ?? "",
        ...(await readText(response, maxBytes)),
      };
    }
    await response.body?.cancel();
    address = new URL(next, address);
  }
  throw new Error(`${url} redirects more than ${mostRedirects} times.`);
};

/** A connection that could not be made or broke may work a moment later. */
function failed(error: unknown): never {
  throw error instanceof TypeError ? Object.assign(error, { retryable: true }) : error;
}

async function readText(response: Response, maxBytes: number): Promise<{ text: string; truncated: boolean }> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    const kept = chunk.subarray(0, maxBytes - bytes);
    bytes += kept.length;
    text += decoder.decode(kept, { stream: true });
    if (kept.length < chunk.length) return { text: text + decoder.decode(), truncated: true };
  }
  return { text: text + decoder.decode(), truncated: false };
}
