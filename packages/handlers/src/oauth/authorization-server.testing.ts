import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type TokenAnswer = { readonly status?: number; readonly body: object | string };

/**
 * An authorization server on this machine. Its token endpoint answers as the test says and records its requests. At
 * `/orders` it is also a service that takes one `Authorization` only.
 */
export async function authorizationServer(
  answerTokens: (form: URLSearchParams, count: number) => TokenAnswer,
  serviceToken?: string,
): Promise<{
  readonly url: string;
  readonly requests: readonly { readonly form: URLSearchParams; readonly authorization: string | undefined }[];
  [Symbol.asyncDispose](): Promise<void>;
}> {
  const requests: { form: URLSearchParams; authorization: string | undefined }[] = [];
  const server = createServer((request, response) => void answer(request, response));
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "", "http://localhost");
    if (url.pathname === "/.well-known/openid-configuration") {
      const issuer = `http://${request.headers.host}`;
      const metadata = { issuer, token_endpoint: `${issuer}/token`, authorization_endpoint: `${issuer}/authorize` };
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(metadata));
      return;
    }
    if (url.pathname === "/authorize") {
      const callback = new URL(url.searchParams.get("redirect_uri") ?? "");
      callback.searchParams.set("state", url.searchParams.get("state") ?? "");
      callback.searchParams.set("code", "the-code");
      response.writeHead(302, { location: callback.href }).end();
      return;
    }
    if (url.pathname === "/orders") {
      const isKnown = request.headers.authorization === serviceToken;
      response.writeHead(isKnown ? 200 : 401, { "content-type": "application/json" });
      response.end(JSON.stringify(isKnown ? ["o1"] : { error: request.headers.authorization }));
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const form = new URLSearchParams(Buffer.concat(chunks).toString());
    if (url.pathname === "/device") {
      const body = {
        device_code: "dc",
        user_code: "ABCD-EFGH",
        verification_uri: "https://example.com/device",
        expires_in: 60,
        interval: 0.01,
      };
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
      return;
    }
    requests.push({ form, authorization: request.headers.authorization });
    const { status = 200, body } = answerTokens(form, requests.length);
    response.writeHead(status, { "content-type": "application/json" });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  }
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
