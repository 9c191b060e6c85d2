import { MEGABYTE, MEGABYTES_LIMIT } from "../../../compiler/src/phases/1-load/limits.js";

/** Fetches like the platform. An answer that exceeds hasp's limit ends with an error. */
export async function boundedFetch(url: string | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  if (response.body === null) return response;
  let size = 0;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      size += chunk.byteLength;
      if (size > MEGABYTES_LIMIT * MEGABYTE) {
        controller.error(new Error(`its answer has more than ${MEGABYTES_LIMIT} MB`));
      } else controller.enqueue(chunk);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(counter), { status, statusText, headers });
}
