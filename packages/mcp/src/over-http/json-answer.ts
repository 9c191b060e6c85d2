import { readText } from "../../../runtime/src/declared/http.js";

const JSON_HEADERS = { "content-type": "application/json" } as const;

/** Writes a JSON-RPC answer whose result is already text. */
export function withId(id: string | number, result: string): Response {
  return new Response(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`, {
    status: 200,
    headers: JSON_HEADERS,
  });
}

/** Writes a JSON-RPC error. `id` is that of the request, if known. */
export function errorAnswer(status: number, code: number, message: string, id: string | number | null): Response {
  return new Response(JSON.stringify({ jsonrpc: "2.0", error: { code, message }, id }), {
    status,
    // The unread rest of the request must not be taken for the next one.
    headers: status === 413 ? { ...JSON_HEADERS, connection: "close" } : JSON_HEADERS,
  });
}

/** Refuses a request before its method is read. */
export function refusal(status: number, message: string, code = -32000): Response {
  return errorAnswer(status, code, message, null);
}

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
