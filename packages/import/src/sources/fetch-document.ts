import { lookup } from "node:dns";
import type { IncomingMessage } from "node:http";
import type { LookupFunction } from "node:net";
import { isPublicAddress } from "../../../runtime/src/declared/public-address.js";
import { thrownText } from "../../../compiler/src/diagnostics/thrown-text.js";
import { isPrivateHost } from "../../../compiler/src/builtin/handlers/base/check-address.js";
import { MEGABYTE, MEGABYTES_LIMIT } from "../../../compiler/src/phases/1-load/limits.js";

const MOST_REDIRECTS = 5;

interface FetchedDocument {
  readonly text: string;
  readonly address: string;
}

/**
 * Fetches a document from the user's address. Refuses names that resolve to private addresses: users must write an IP
 * address or localhost, which also permits http. Limits size and time. Returns a sentence without its full stop on
 * failure.
 */
export async function fetchDocument(
  address: string,
  seconds: number,
): Promise<FetchedDocument | { readonly reason: string }> {
  const signal = AbortSignal.timeout(seconds * 1000);
  let url = new URL(address);
  const isPrivate = isPrivateHost(address);
  try {
    for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
      if (url.protocol !== "https:" && !(isPrivate && isPrivateHost(url.href))) {
        return { reason: "only https URLs are fetched, and http URLs only from this machine or network" };
      }
      if (!isPrivate && isPrivateHost(url.href)) return { reason: `${url.host} is not a public address` };
      const answer = await get(url, isPrivate, signal);
      if ("location" in answer) {
        url = new URL(answer.location, url);
        continue;
      }
      return "reason" in answer ? answer : { text: answer.text, address: url.href };
    }
    return { reason: `it redirects more than ${MOST_REDIRECTS} times` };
  } catch (error) {
    return { reason: signal.aborted ? `it did not arrive within ${seconds} seconds` : thrownText(error) };
  }
}

type Answer = { readonly text: string } | { readonly location: string } | { readonly reason: string };

async function get(url: URL, allowsPrivate: boolean, signal: AbortSignal): Promise<Answer> {
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

async function readText(response: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MEGABYTES_LIMIT * MEGABYTE) {
      response.destroy();
      return { reason: `it has more than ${MEGABYTES_LIMIT} MB` };
    }
    chunks.push(chunk);
  }
  return { text: Buffer.concat(chunks).toString("utf8") };
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
