import { readText } from "@hasp/base/declared";

const JSON_HEADERS = { "content-type": "application/json" } as const;

/** Writes a JSON-RPC answer whose result is already text. */
export function withId(id: string | number, result: string): Response {
  return new Response(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`, {
    status: 200,
    headers: JSON_HEADERS,
  });
}

/** Writes a JSON-RPC error for a request whose id is unknown. */
export function refusal(status: number, message: string, code = -32000): Response {
  return new Response(JSON.stringify({ jsonrpc: "2.0", error: { code, message }, id: null }), {
    status,
    // The unread rest of the request must not be taken for the next one.
    headers: status === 413 ? { ...JSON_HEADERS, connection: "close" } : JSON_HEADERS,
  });
}

type ReadMessage = { readonly message: unknown } | { readonly fault: "too-large" | "unreadable" };

export async function readMessage(request: Request, maxBytes: number): Promise<ReadMessage> {
  const read = await readText(request, maxBytes);
  if ("fault" in read) return read;
  try {
    return { message: JSON.parse(read.text) };
  } catch {
    return { fault: "unreadable" };
  }
}

/** This machine's names for itself. */
export const LOOPBACK_HOSTS: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];

/**
 * Explains why a foreign `Host` or `Origin` is refused; `undefined` if neither is foreign. A page of another site could
 * reach a server on this machine through a domain that resolves to it (DNS rebinding). Only browsers send an `Origin`.
 */
export function findForeignRequest({ headers, url }: Request, hosts: readonly string[]): string | undefined {
  const host = nameIn(`http://${headers.get("host") ?? hostIn(url)}`);
  if (host === undefined || !hosts.includes(host)) return "This server does not accept that host name.";
  const origin = headers.get("origin");
  if (origin === null) return undefined;
  const from = /^https?:\/\//u.test(origin) ? nameIn(origin) : undefined;
  return from !== undefined && hosts.includes(from)
    ? undefined
    : "Pages of that origin are not allowed to use this server.";
}

/** Returns the host of a URL. Requests without a network, such as those between workers, have no `Host` header. */
function hostIn(url: string): string {
  return /^[a-z]+:\/\/(?<host>[^/?#]*)/u.exec(url)?.groups?.["host"] ?? "";
}

function nameIn(url: string): string | undefined {
  try {
    return new URL(url).hostname;
  } catch {
    return undefined;
  }
}
