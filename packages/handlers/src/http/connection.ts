import { SecretPatterns } from "@hasp/runtime/internal";
import { checkAuth, type HttpAuth } from "./auth.js";
import type { CheckedConnection } from "./call.js";
import { type FetchFunction, fetchTransport } from "./network/fetch-transport.js";
import { createNodeTransport } from "./network/node-transport.js";
import type { Resolver } from "./network/vetted-client.js";
import { createAddressReader, type HttpBaseUrl } from "./service-address.js";

export interface HttpConnectionOptions<Context = unknown> {
  readonly name: string;
  /** An `http:` or `https:` URL with the path that all requests share, or a variable that holds an allowed URL. */
  readonly baseUrl: HttpBaseUrl;
  readonly auth?: HttpAuth<Context> | undefined;
  /** Allows loopback, private networks and the metadata services of clouds. Default `false`. */
  readonly allowPrivateAddresses?: boolean | undefined;
  /** Other hosts to which redirects may lead: `files.example.com`, `files.example.com:8443` or `*.example.com`. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Seconds for one request, with its redirects and its whole answer. Default 30. */
  readonly timeoutSeconds?: number | undefined;
  /** Megabytes (2^20 bytes) of an answer, as received and after decompression. Default 10. */
  readonly maxResponseMb?: number | undefined;
  /** Finds the addresses of a host, each of which is then vetted. Default: the system's resolver. */
  readonly resolve?: Resolver | undefined;
  /** Replaces the network, in tests or for a proxy: no address is vetted, and unset secrets are left out. */
  readonly fetch?: FetchFunction | undefined;
}

const MOST_SECONDS = 86_400;

/** The largest `maxResponseMb`, just below the platform's longest string. */
const MOST_MEGABYTES = 500;

export interface HttpConnection<Context = unknown> {
  readonly name: string;
  readonly baseUrl: HttpBaseUrl;
  readonly [SETTINGS]: { readonly auth: HttpAuth<Context> | undefined };
}

/** The key of the settings that a connection keeps for its handlers. */
export const SETTINGS: unique symbol = Symbol.for("hasp.httpConnection");

/**
 * Describes a service for {@link httpHandler}. Nothing is read or connected before the first call. Requests ignore
 * proxy variables such as `HTTP_PROXY`. Runs where `node:http` exists; not on edge workers, which cannot choose the
 * address of a request. Throws a `TypeError` for options that can never work.
 */
export function httpConnection<Context = unknown>(options: HttpConnectionOptions<Context>): HttpConnection<Context> {
  const { name, baseUrl, auth, allowPrivateAddresses, allowedHosts = [], resolve } = options;
  const { timeoutSeconds = 30, maxResponseMb = 10, fetch } = options;
  const address = createAddressReader(baseUrl, name);
  for (const [option, value, most] of [
    ["timeoutSeconds", timeoutSeconds, MOST_SECONDS],
    ["maxResponseMb", maxResponseMb, MOST_MEGABYTES],
  ] as const) {
    if (!(value > 0 && value <= most)) {
      throw new TypeError(`httpConnection: \`${option}\` of ${name} must be a number above 0, at most ${most}.`);
    }
  }
  if (auth !== undefined) checkAuth(auth as HttpAuth<never>, name);
  const maxBytes = Math.floor(maxResponseMb * 2 ** 20);
  const settings: CheckedConnection<Context> = {
    address,
    auth,
    allowedHosts: allowedHosts.map((host) => host.toLowerCase()),
    timeoutSeconds,
    maxBytes,
    transport:
      fetch === undefined
        ? createNodeTransport({ resolve, allowPrivateAddresses, maxBytes })
        : fetchTransport(fetch, maxBytes),
    patterns: new SecretPatterns(),
    isLenient: fetch !== undefined,
  };
  return Object.freeze({ name, baseUrl, [SETTINGS]: settings });
}
