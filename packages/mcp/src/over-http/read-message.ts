import { readText } from "../../../runtime/src/web/read-text.js";

/** The JSON of a request's body, or why there is none. */
type ReadMessage = { readonly message: unknown } | { readonly fault: "too-large" | "unreadable" };

/** Reads a request's body as JSON. Reads no further than the most bytes that it may have. */
export async function readMessage(request: Request, maxBytes: number): Promise<ReadMessage> {
  const read = await readText(request, maxBytes);
  if ("fault" in read) return read;
  try {
    return { message: JSON.parse(read.text) };
  } catch {
    return { fault: "unreadable" };
  }
}
