import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { main } from "../../packages/hasp/src/cli/main.js";
import { recordingTerminal } from "../../packages/hasp/src/cli/shell/terminal.testing.js";
import { authorizationServer } from "../../packages/handlers/src/oauth/authorization-server.testing.js";
import { hasp, minimalSpec, project, startHasp } from "./command-line.js";

const runtime = resolve(import.meta.dirname, "../../packages/runtime");
const state = mkdtempSync(join(tmpdir(), "hasp-state-"));
let server: Awaited<ReturnType<typeof authorizationServer>>;
let folder = "";
let files = { "package.json": "", "specs/a.tool.yaml": "", "hasp.config.yaml": "" };

beforeAll(async () => {
  // The service refuses the first token, as it would one that was withdrawn.
  server = await authorizationServer(
    (_form, count) => ({
      body: { access_token: `the-token-${count}`, token_type: "Bearer", refresh_token: "the-refresh-token" },
    }),
    "Bearer the-token-2",
  );
  const client = `clientId: agent, tokenUrl: "${server.url}/token"`;
  files = {
    "package.json": "{}",
    "specs/a.tool.yaml": minimalSpec(
      "a",
      "handler: { http: { connection: orders-api, method: GET, path: /orders } }\n",
    ),
    "hasp.config.yaml": `connections:
  orders-api: { http: { baseUrl: "${server.url}", allowPrivateAddresses: true, auth: { oauth2: { flow: authorizationCode, authorizationUrl: "${server.url}/authorize", ${client} } } } }
  jobs-api: { http: { baseUrl: "https://api.example.com", allowPrivateAddresses: true, auth: { oauth2: { flow: clientCredentials, ${client}, clientSecret: { env: SECRET } } } } }
  open-api: { http: { baseUrl: "https://api.example.com" } }
`,
  };
  folder = project(files);
  mkdirSync(join(folder, "node_modules/@hasp"), { recursive: true });
  process.env["XDG_STATE_HOME"] = state;
});

afterAll(async () => {
  delete process.env["XDG_STATE_HOME"];
  rmSync(state, { recursive: true });
  await server[Symbol.asyncDispose]();
});

test("without the package, the command says what to install", () => {
  // A package manager that runs the tests may name folders of its own.
  const { code, out } = startHasp(folder, ["login", "orders-api"], { NODE_PATH: "" });
  expect(code).toBe(2);
  expect(out).toContain("npm install @hasp/handlers");
});

test("a person logs in with the page that is shown, and out again; no token is printed", async () => {
  symlinkSync(runtime, join(folder, "node_modules/@hasp/runtime"));
  const terminal = recordingTerminal(folder);
  const printed: string[] = [];
  const code = await main(["login", "orders-api"], {
    ...terminal,
    error: (text) => {
      printed.push(text);
      const page = /^ {2}(http\S+)$/mu.exec(text)?.[1];
      if (page !== undefined) void fetch(page);
    },
    out: (text) => void printed.push(text),
  });
  expect([code, printed.join("")]).toEqual([
    0,
    expect.stringMatching(
      /^Open this page[^]+press Ctrl-C to cancel\.\n[^]*orders-api: logged in\. Calls of this user/u,
    ),
  ]);
  expect(printed.join("")).toContain(`orders-api; its tokens go to ${server.url} only:`);
  expect(printed.join("")).toContain(`Calls of this user to ${server.url} now`);
  const [file = ""] = readdirSync(join(state, "hasp/tokens"));
  expect(JSON.parse(readFileSync(join(state, "hasp/tokens", file), "utf8"))).toMatchObject({
    accessToken: "the-token-1",
  });
  expect(printed.join("")).not.toMatch(/the-(?:refresh-)?token/u);

  expect((await hasp(folder, ["build"])).code).toBe(0);
  const input = '{"id":"x"}';
  const called = await hasp(folder, ["call", "a", input, "--allow"]);
  expect([called.code, called.out]).toEqual([0, expect.stringContaining('["o1"]')]);
  expect(called.out + called.error).not.toMatch(/the-(?:refresh-)?token/u);

  const asked: unknown[] = [];
  const elsewhere = createServer((request, response) => {
    asked.push(request.headers.authorization);
    response.end("[]");
  });
  await once(elsewhere.listen(0, "127.0.0.1"), "listening");
  const other = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
  const copy = project({
    ...files,
    "hasp.config.yaml": files["hasp.config.yaml"].replace(`baseUrl: "${server.url}"`, `baseUrl: "${other}"`),
  });
  cpSync(join(folder, "node_modules"), join(copy, "node_modules"), { recursive: true });
  expect((await hasp(copy, ["build"])).code).toBe(0);
  expect((await hasp(copy, ["call", "a", input, "--allow"])).out).toContain(`orders-api has no token for ${other}.`);
  expect(asked).toEqual([]);
  elsewhere.close();

  expect((await hasp(folder, ["login", "--forget", "orders-api"])).out).toBe(
    "orders-api: logged out. The tokens are deleted.\n",
  );
  expect((await hasp(folder, ["login", "--forget", "orders-api"])).out).toBe(
    "orders-api: there was no login to remove.\n",
  );
  expect(readdirSync(join(state, "hasp/tokens"))).toEqual([]);
});

test.each([
  ["order-api", 'There is no connection "order-api" that uses OAuth. Did you mean "orders-api"?'],
  ["jobs-api", 'The connection "jobs-api" needs no login'],
  ["open-api", 'The connection "open-api" needs no login'],
])("%s is refused", async (name, message) => {
  const { code, out } = await hasp(folder, ["login", name]);
  expect(code).toBe(2);
  expect(out).toContain(message);
});
