import { lookup } from "node:dns";
import type { IncomingMessage } from "node:http";
import type { LookupFunction } from "node:net";
import { isPublicAddress } from "@hasp/base/declared";
import { printThrown } from "@hasp/base/diagnostics";
import { isPrivateHost } from "@hasp/compiler/handlers";
import { MEGABYTE, MEGABYTES_LIMIT } from "@hasp/compiler/source";
import { networkFailure } from "@hasp/project";

const MOST_REDIRECTS = 5;
const TOO_LARGE = { reason: `it has more than ${MEGABYTES_LIMIT} MB` };

interface FetchedDocument {
  readonly text: string;
  readonly address: string;
}

/**
 * Fetches a document from the user's address. Refuses names that resolve to private addresses: users must write an IP
 * address or localhost, which also permits http, and redirects to that host. Limits size and time. Returns a sentence
 * without its full stop on failure.
 */
export async function fetchDocument(
  address: string,
  seconds: number,
): Promise<FetchedDocument | { readonly reason: string }> {
  const signal = AbortSignal.timeout(seconds * 1000);
  let url = new URL(address);
  const { hostname } = url;
  const isPrivate = isPrivateHost(address);
  try {
    for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
      // The user has named one private host, and no other.
      const mayBePrivate = isPrivate && url.hostname === hostname;
      if (url.protocol !== "https:" && !mayBePrivate) {
        return { reason: "only https URLs are fetched, and http URLs only from this machine or network" };
      }
      if (!mayBePrivate && isPrivateHost(url.href)) return { reason: `${url.host} is not a public address` };
      const answer = await get(url, mayBePrivate, signal);
      if ("location" in answer) {
        url = new URL(answer.location, url);
        continue;
      }
      return "reason" in answer ? answer : { text: answer.text, address: url.href };
    }
    return { reason: `it redirects more than ${MOST_REDIRECTS} times` };
  } catch (error) {
    return { reason: signal.aborted ? `it did not arrive within ${seconds} seconds` : printThrown(error) };
  }
}

type FetchAnswer = { readonly text: string } | { readonly location: string } | { readonly reason: string };

async function get(url: URL, allowsPrivate: boolean, signal: AbortSignal): Promise<FetchAnswer> {
  const { request } = url.protocol === "https:" ? await import("node:https") : await import("node:http");
  return new Promise((resolve, reject) => {
    const headers = { accept: "application/json, application/yaml, */*;q=0.5", "accept-encoding": "identity" };
    const sent = request(url, { headers, signal, lookup: lookupFor(allowsPrivate), agent: false }, (response) => {
      const { statusCode = 0, headers: got } = response;
      if (statusCode >= 300 && statusCode < 400 && got.location !== undefined) {
        response.destroy();
        resolve({ location: got.location });
      } else if (statusCode !== 200) {
        response.destroy();
        resolve({ reason: `the server answered ${statusCode}` });
      } else readText(response).then(resolve, reject);
    });
    sent.once("error", reject);
    sent.end();
  });
}

async function readText(response: IncomingMessage): Promise<FetchAnswer> {
  const bytes = await readBytes(response as AsyncIterable<Uint8Array>);
  return bytes === undefined ? TOO_LARGE : { text: bytes.toString("utf8") };
}

/** Finds the addresses of a name for the socket, which connects to one of these and no other. */
function lookupFor(allowsPrivate: boolean): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, "", 0);
      const [first] = addresses;
      if (first === undefined || (!allowsPrivate && !addresses.every((each) => isPublicAddress(each.address)))) {
        return callback(new Error(`${hostname} resolves to an address that is not public`), "", 0);
      }
      return options.all === true ? callback(null, addresses) : callback(null, first.address, first.family);
    });
  };
}

const TIMEOUT = 15_000;

/** Fetches a schema without following redirects. */
export async function fetchRemote(
  address: string,
): Promise<{ readonly bytes: Uint8Array } | { readonly reason: string }> {
  try {
    const response = await fetch(address, { redirect: "error", signal: AbortSignal.timeout(TIMEOUT) });
    if (!response.ok) return { reason: `the server answered ${response.status}` };
    const bytes = await readBytes(response.body ?? []);
    return bytes === undefined ? TOO_LARGE : { bytes };
  } catch (error) {
    const failure = networkFailure(error);
    return { reason: failure === undefined ? printThrown(error) : `the server ${failure}` };
  }
}

async function readBytes(body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > MEGABYTES_LIMIT * MEGABYTE) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
