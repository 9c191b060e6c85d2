import { createServer, type IncomingHttpHeaders, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { findRefusals, type Provider } from "../schema/providers.testing.js";

/** A server on loopback that records what it is asked. */
export interface ProviderServer {
  readonly url: string;
  readonly requests: { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: string }[];
  close(): Promise<void>;
}

/** Starts a server that answers each request by a function of its body. */
export async function startProvider(
  answer: (body: string, ...rest: Parameters<RequestListener>) => void,
): Promise<ProviderServer> {
  const requests: ProviderServer["requests"] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString();
      requests.push({ path: request.url ?? "", headers: request.headers, body });
      answer(body, request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Answers like a provider: refuses a list that breaks a rule, and names the rule. */
export function playProvider(provider: Provider): Parameters<typeof startProvider>[0] {
  return (body, request, response) => {
    const [refusal] = provider.path.test(request.url ?? "")
      ? findRefusals(provider, JSON.parse(body))
      : ["no such path"];
    response.statusCode = refusal === undefined ? 200 : 400;
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(refusal === undefined ? { id: "1", usage: {} } : { error: { message: refusal } }));
  };
}
