const JSON_HEADERS = { "content-type": "application/json" } as const;

/** A JSON-RPC answer whose result is ready as text. */
export function withId(id: string | number, result: string): Response {
  return new Response(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`, {
    status: 200,
    headers: JSON_HEADERS,
  });
}

/** A JSON-RPC error. `id` is that of the request, where it is known. */
export function errorAnswer(status: number, code: number, message: string, id: string | number | null): Response {
  return new Response(JSON.stringify({ jsonrpc: "2.0", error: { code, message }, id }), {
    status,
    // What was not read of the request must not be taken for the next one.
    headers: status === 413 ? { ...JSON_HEADERS, connection: "close" } : JSON_HEADERS,
  });
}

/** A request that is refused before anybody reads which method it has. */
export function refusal(status: number, message: string, code = -32000): Response {
  return errorAnswer(status, code, message, null);
}
