import type { IncomingMessage } from "node:http";
import { NotExecuted } from "@hasp/runtime";
import type { FetchUrlHandler, FetchUrlInput } from "../generated/tools/fetch-url.js";
import type { AgentContext } from "../context.js";
import { createMarkdownWriter } from "../services/markdown.js";

const mostRedirects = 5;

/** Refuses an address inside the private network before anybody is asked. */
export function publicHost(
  { url }: FetchUrlInput,
  { context }: { readonly context: Pick<AgentContext, "network"> },
): true | string {
  return context.network.refusal(new URL(url)) ?? true;
}

/** Fetches a document by GET, HTML as Markdown. Redirects stay on the host that was permitted. */
export const execute: FetchUrlHandler["execute"] = async ({ url, accept, maxBytes }, { context, signal }) => {
  let address = new URL(url);
  for (let redirects = 0; redirects <= mostRedirects; redirects += 1) {
    const response = await context.network.get(address, { accept }, signal);
    const { statusCode: status = 0, headers } = response;
    const isRedirect = status >= 300 && status < 400 && headers.location !== undefined;
    if (!isRedirect) {
      return {
        status,
        contentType: headers["content-type"] ?? "",
        ...(await readDocument(response, address, maxBytes)),
      };
    }
    response.destroy();
    address = nextAddress(headers.location ?? "", address);
  }
  throw new NotExecuted(`${url} redirects more than ${mostRedirects} times`);
};

function nextAddress(location: string, from: URL): URL {
  const next = URL.canParse(location, from.href) ? new URL(location, from) : undefined;
  if (next?.host === from.host) return next;
  throw new NotExecuted(
    `${from.href} redirects to ${next?.href ?? JSON.stringify(location)}. To follow it, fetch that.`,
  );
}

async function readDocument(
  response: IncomingMessage,
  address: URL,
  maxBytes: number,
): Promise<{ text: string; truncated: boolean }> {
  const isHtml = /^(?:text\/html|application\/xhtml\+xml)\b/i.test(response.headers["content-type"] ?? "");
  const page = isHtml ? createMarkdownWriter(address) : createTextWriter();
  const decoder = new TextDecoder();
  let bytes = 0;
  let truncated = false;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    const kept = chunk.subarray(0, maxBytes - bytes);
    bytes += kept.length;
    page.write(decoder.decode(kept, { stream: true }));
    truncated = kept.length < chunk.length;
    if (truncated) break;
  }
  page.write(decoder.decode());
  return { text: page.end(), truncated };
}

/** Creates a writer that keeps a text as it is. */
function createTextWriter(): { write(text: string): void; end(): string } {
  const parts: string[] = [];
  return { write: (text) => void parts.push(text), end: () => parts.join("") };
}
