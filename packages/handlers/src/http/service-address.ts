import { NotExecuted } from "@hasp/runtime";
import { isHttp } from "./network/transport.js";

/** The address of a service. A variable is read at each call, and must hold one of the allowed addresses. */
export type HttpBaseUrl = string | { readonly env: string; readonly allowed: readonly string[] };

export interface ServiceAddress {
  readonly origin: URL;
  /** The base path, which precedes the path of each request. */
  readonly prefix: string;
}

/**
 * Creates a function that returns a service's address, and throws {@link NotExecuted} if the environment variable holds
 * no allowed one. Throws a `TypeError` for an address that can never work.
 */
export function createAddressReader(baseUrl: HttpBaseUrl, name: string): () => ServiceAddress {
  const addresses = (typeof baseUrl === "string" ? [baseUrl] : baseUrl.allowed).map((text) => {
    const address = parseAddress(text);
    if (address !== undefined) return address;
    throw new TypeError(
      `httpConnection: \`baseUrl\` of ${name} must be an http: or https: URL without user, query and fragment.`,
    );
  });
  const [first] = addresses;
  if (first === undefined) throw new TypeError(`httpConnection: \`baseUrl\` of ${name} allows no address.`);
  return typeof baseUrl === "string" ? () => first : () => chooseAddress(baseUrl.env, addresses);
}

function parseAddress(text: string): ServiceAddress | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !isHttp(url) || url.username + url.password + url.search + url.hash !== "") return undefined;
  return { origin: url, prefix: url.pathname.replace(/(?<!\/)\/+$/u, "") };
}

/** Throws {@link NotExecuted} if the variable is not set, or holds any other address. */
function chooseAddress(variable: string, addresses: readonly ServiceAddress[]): ServiceAddress {
  const said = typeof process === "undefined" ? "" : (process.env[variable] ?? "");
  const given = parseAddress(said);
  const found = addresses.find(
    ({ origin, prefix }) => origin.origin === given?.origin.origin && prefix === given.prefix,
  );
  if (found !== undefined) return found;
  const problem = said === "" ? "which is not set" : "which holds no allowed address";
  const allowed = addresses.map(({ origin, prefix }) => origin.origin + prefix).join(" or ");
  throw new NotExecuted(`the address is read from ${variable}, ${problem}; set it to ${allowed}`);
}
