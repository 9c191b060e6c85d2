// `hasp serve --http` behind Debian's nginx, with nginx's own defaults: it buffers answers, and tells the server its own
// name unless it is told to pass on that of the client.
import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { findProgram } from "../missing-programs.js";
import { bin, createServedProject, type ServedProject } from "./served-project.testing.js";

const NGINX = findProgram("nginx");
const AUDIENCE = "https://tools.example/mcp";
const children: ChildProcess[] = [];
let project: ServedProject;
let bearer = "";
let proxy = "";

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const configuration = (folder: string, port: number, origin: string): string => `
daemon off; master_process off; pid ${folder}/nginx.pid; error_log ${folder}/error.log;
events { worker_connections 128; }
http {
  access_log off;
  client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
  server {
    listen 127.0.0.1:${port};
    location / { proxy_pass ${origin}; proxy_set_header Host $host; proxy_set_header X-Forwarded-For $remote_addr; }
  }
}
`;

beforeAll(async () => {
  if (NGINX === undefined) return;
  project = await createServedProject();
  const { privateKey, publicKey } = await generateKeyPair("ES256");
  project.write("jwks.json", JSON.stringify({ keys: [await exportJWK(publicKey)] }));
  project.write(
    "auth.yaml",
    `issuer: https://issuer.example\naudience: ${AUDIENCE}\njwks: jwks.json\nscopes: { read: readers }\n`,
  );
  const token = new SignJWT({ iss: "https://issuer.example", aud: AUDIENCE, sub: "ann", scope: "read" });
  bearer = `Bearer ${await token.setProtectedHeader({ alg: "ES256" }).setExpirationTime("10m").sign(privateKey)}`;
  const { CI: _ci, ...env } = process.env;
  const server = spawn(process.execPath, [bin, "serve", "--http", "0", "--auth", "auth.yaml"], {
    cwd: project.folder,
    env,
  });
  children.push(server);
  let said = "";
  server.stderr.on("data", (chunk) => (said += String(chunk)));
  await vi.waitFor(() => expect(said).toContain("/mcp."), { timeout: 30_000 });
  const origin = /http:\/\/[^/]+/u.exec(said)?.[0] ?? "";
  const folder = join(project.folder, "nginx");
  mkdirSync(folder);
  const port = await freePort();
  writeFileSync(join(folder, "nginx.conf"), configuration(folder, port, origin));
  children.push(spawn(NGINX, ["-p", folder, "-c", join(folder, "nginx.conf")], { stdio: "ignore" }));
  proxy = `http://127.0.0.1:${port}`;
  await vi.waitFor(async () => expect((await fetch(`${proxy}/healthz`)).status).toBe(200), { timeout: 10_000 });
});
afterAll(() => {
  for (const child of children) child.kill("SIGKILL");
  project?.remove();
});

async function connect(mode: "legacy" | { readonly pin: string }): Promise<Client> {
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
  const requestInit = { headers: { authorization: bearer } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${proxy}/mcp`), { requestInit }));
  return client;
}

/** The status of a request with headers that `fetch` does not let a program set. */
async function statusOf(headers: Record<string, string>, body = "{"): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(`${proxy}/mcp`, { method: "POST", headers: { authorization: bearer, ...headers } });
    sent.once("response", (response) => resolve(response.resume().statusCode));
    sent.once("error", reject);
    sent.end(body);
  });
}

describe.skipIf(NGINX === undefined)("behind nginx", () => {
  test.each<[revision: string, mode: "legacy" | { readonly pin: string }]>([
    ["2025-11-25", "legacy"],
    ["2026-07-28", { pin: "2026-07-28" }],
  ])("a client of %s hears progress while the call runs, and stops it by going away", async (revision, mode) => {
    const client = await connect(mode);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["look", "wait"]);
    const file = `heard-${revision}.txt`;
    // The call ends only after its progress has come through.
    const result = client.callTool(
      { name: "wait", arguments: { id: file } },
      { onprogress: () => project.write(file, "") },
    );
    expect(await result).toMatchObject({ isError: false });
    const log = join(project.folder, "log.txt");
    const aborted = (): number => (existsSync(log) ? readFileSync(log, "utf8").split("aborted").length - 1 : 0);
    const before = aborted();
    // A server without sessions cannot tell which call a notice of cancellation is about: closing the connection is.
    const gone = new AbortController();
    const leave = (): void => (mode === "legacy" ? void client.close() : gone.abort());
    const call = client.callTool(
      { name: "wait", arguments: { id: "never" } },
      { signal: gone.signal, onprogress: leave },
    );
    await expect(call).rejects.toThrow();
    await vi.waitFor(() => expect(aborted()).toBe(before + 1), { timeout: 20_000 });
    await client.close();
  });

  test("the name of the client's host decides, and nothing that a client says of itself", async () => {
    const json = { "content-type": "application/json", accept: "application/json, text/event-stream" };
    // 400: let in, and not JSON.
    expect(await statusOf({ ...json, host: "tools.example" })).toBe(400);
    expect(await statusOf({ ...json, host: "evil.example" })).toBe(403);
    expect(await statusOf({ ...json, host: "evil.example", "x-forwarded-host": "tools.example" })).toBe(403);
    expect(await statusOf({ ...json, host: "tools.example", origin: "https://evil.example" })).toBe(403);
    expect(await statusOf({ ...json, host: "tools.example", authorization: "", "x-forwarded-user": "ann" })).toBe(401);
  });
});
