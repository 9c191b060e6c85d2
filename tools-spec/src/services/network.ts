import { lookup } from "node:dns";
import { get as getHttp, type IncomingMessage, type RequestOptions } from "node:http";
import { get as getHttps } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { NotExecuted } from "@hasp/runtime";
import { isPublicAddress } from "@hasp/handlers/http";

/** The public internet. The policy decides which hosts need no question. */
export interface Network {
  /** Returns `undefined` if the URL may be fetched, otherwise the reason why not. Looks nothing up. */
  refusal(url: URL): string | undefined;
  /** Sends a GET without following redirects. The address that it connects to is the one that was checked. */
  get(url: URL, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<IncomingMessage>;
}

/** Opens the network. `allowPrivate` allows addresses inside this machine and its private network, for tests. */
export function openNetwork({ allowPrivate = false }: { readonly allowPrivate?: boolean } = {}): Network {
  const refusal = (url: URL): string | undefined => {
    if (url.protocol !== "http:" && url.protocol !== "https:") return "only http and https can be fetched";
    if (url.username !== "" || url.password !== "") return "the address must not contain a user name or a password";
    const host = url.hostname.replace(/^\[|\]$/g, "");
    return !allowPrivate && isIP(host) !== 0 && !isPublicAddress(host) ? privateHost(host) : undefined;
  };
  return {
    refusal,
    get: (url, headers, signal) =>
      new Promise((resolve, reject) => {
        const reason = refusal(url);
        if (reason !== undefined) return reject(new NotExecuted(`${url.href} was not fetched: ${reason}`));
        const options: RequestOptions = { headers, signal, ...(allowPrivate ? {} : { lookup: publicLookup }) };
        const request = url.protocol === "https:" ? getHttps(url, options, resolve) : getHttp(url, options, resolve);
        request.on("error", reject);
      }),
  };
}

const privateHost = (host: string): string => `${host} is inside the private network`;

/** Resolves a host name and refuses it if one of its addresses is not public, so that DNS cannot lead a request inside. */
const publicLookup: LookupFunction = (host, options, callback) => {
  lookup(host, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return callback(error, "", 0);
    const [first] = addresses;
    if (first === undefined || addresses.some(({ address }) => !isPublicAddress(address))) {
      return callback(new NotExecuted(privateHost(host)), "", 0);
    }
    if (options.all === true) callback(null, addresses);
    else callback(null, first.address, first.family);
  });
};
