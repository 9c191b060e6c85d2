/** This machine's names for itself. */
export const LOOPBACK_HOSTS: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];

/**
 * Explains why a request is refused whose `Host` or `Origin` is of another site; `undefined` if it is not. A page of
 * another site could reach a server on this machine by its own name that leads here (DNS rebinding). Programs other
 * than browsers send no `Origin`.
 */
export function foreignRequest({ headers, url }: Request, hosts: readonly string[]): string | undefined {
  const host = nameIn(`http://${headers.get("host") ?? hostIn(url)}`);
  if (host === undefined || !hosts.includes(host)) return "This server does not accept that host name.";
  const origin = headers.get("origin");
  if (origin === null) return undefined;
  const from = /^https?:\/\//u.test(origin) ? nameIn(origin) : undefined;
  return from !== undefined && hosts.includes(from)
    ? undefined
    : "Pages of that origin are not allowed to use this server.";
}

/** Requests without a network, such as those between workers, have no `Host` header. */
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
