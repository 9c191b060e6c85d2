import { SecretPatterns } from "../../../runtime/src/secrets/redactor.js";
import { checkAuth, type HttpAuth } from "./auth.js";
import { type FetchFunction, fetchTransport } from "./network/fetch-transport.js";
import { nodeTransport } from "./network/node-transport.js";
import type { Resolver } from "./network/vetted-client.js";
import { isHttp, type HttpSettings } from "./settings.js";

/** Settings of {@link httpConnection}. */
export interface HttpConnectionOptions<Context = unknown> {
  /** The name of the service, for error messages. */
  readonly name: string;
  /** The base of every path: an `http:` or `https:` URL, with a path if the service has one for all. */
  readonly baseUrl: string;
  /** Default: none. */
  readonly auth?: HttpAuth<Context> | undefined;
  /**
   * Allows addresses that are not public: loopback, private networks, the metadata services of clouds. Default `false`.
   */
  readonly allowPrivateAddresses?: boolean | undefined;
  /**
   * Hosts besides the base URL's own to which redirects may lead: `files.example.com`, `files.example.com:8443` or
   * `*.example.com`.
   */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Seconds for one request, with its redirects and its whole answer. Default 30. */
  readonly timeoutSeconds?: number | undefined;
  /** Megabytes (2^20 bytes) of an answer, as received and after decompression. Default 10. */
  readonly maxResponseMb?: number | undefined;
  /** Finds the addresses of a host, each of which is then vetted. Default: the system's resolver. */
  readonly resolve?: Resolver | undefined;
  /**
   * Replaces the network, in tests or to use a proxy: no address is vetted, and an unset secret is left out instead of
   * being an error.
   */
  readonly fetch?: FetchFunction | undefined;
}

/** A day. */
const MOST_SECONDS = 86_400;

/** Just below the longest string of the platform. */
const MOST_MEGABYTES = 500;

/** A service for HTTP tools. Made by {@link httpConnection}. */
export interface HttpConnection<Context = unknown> {
  readonly name: string;
  readonly baseUrl: string;
  readonly [SETTINGS]: { readonly auth: HttpAuth<Context> | undefined };
}

/** The key of the settings that a connection keeps for its handlers. */
export const SETTINGS: unique symbol = Symbol.for("hasp.httpConnection");

/**
 * Describes a service for {@link httpHandler}. Nothing is read or connected before the first call; open connections are
 * kept and reused. Requests go straight to the service: the variables that name a proxy are not read.
 *
 * Runs on Node, and on Deno and Bun as far as they provide `node:http`; not on edge workers, which cannot choose the
 * address of a request.
 *
 * Throws a `TypeError` for options that can never work.
 */
export function httpConnection<Context = unknown>(options: HttpConnectionOptions<Context>): HttpConnection<Context> {
  const { name, baseUrl, auth, allowPrivateAddresses, allowedHosts = [], resolve } = options;
  const { timeoutSeconds = 30, maxResponseMb = 10, fetch } = options;
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url === undefined || !isHttp(url) || url.username + url.password + url.search + url.hash !== "") {
    throw new TypeError(
      `httpConnection: \`baseUrl\` of ${name} must be an http: or https: URL without user, query and fragment.`,
    );
  }
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
  const settings: HttpSettings<Context> = {
    origin: url,
    prefix: url.pathname.replace(/\/+$/u, ""),
    auth,
    allowedHosts: allowedHosts.map((host) => host.toLowerCase()),
    timeoutSeconds,
    maxBytes,
    transport:
      fetch === undefined
        ? nodeTransport({ resolve, allowPrivateAddresses, maxBytes })
        : fetchTransport(fetch, maxBytes),
    patterns: new SecretPatterns(),
    isLenient: fetch !== undefined,
  };
  return Object.freeze({ name, baseUrl, [SETTINGS]: settings });
}
