import { readText } from "../../../runtime/src/web/read-text.js";

type ReadMessage = { readonly message: unknown } | { readonly fault: "too-large" | "unreadable" };

/** Reads a request's body as JSON, up to a limit. */
export async function readMessage(request: Request, maxBytes: number): Promise<ReadMessage> {
  const read = await readText(request, maxBytes);
  if ("fault" in read) return read;
  try {
    return { message: JSON.parse(read.text) };
  } catch {
    return { fault: "unreadable" };
  }
}
