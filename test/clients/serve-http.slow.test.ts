import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { hasp, startHasp, type Run } from "../cli/command-line.js";
import { bin, createServedProject, type ServedProject } from "./served-project.testing.js";
import { isSample } from "../sample.js";

const AUDIENCE = "https://tools.example/mcp";
let project: ServedProject;
let token: (claims?: object) => Promise<string>;
beforeAll(async () => {
  project = await createServedProject();
  const { privateKey, publicKey } = await generateKeyPair("ES256");
  project.write("jwks.json", JSON.stringify({ keys: [await exportJWK(publicKey)] }));
  project.write(
    "auth.yaml",
    `issuer: https://issuer.example\naudience: ${AUDIENCE}\njwks: jwks.json\nscopes: { read: readers }\n`,
  );
  token = (claims = {}) =>
    new SignJWT({ iss: "https://issuer.example", aud: AUDIENCE, sub: "ann", scope: "read", ...claims })
      .setProtectedHeader({ alg: "ES256" })
      .setExpirationTime("10m")
      .sign(privateKey);
});
afterAll(() => project.remove());

interface Served {
  readonly child: ChildProcess;
  readonly url: string;
  readonly origin: string;
  readonly errors: () => string;
}

/** `hasp serve --http` as a child, once it listens. */
async function serve(...words: readonly string[]): Promise<Served> {
  const { CI: _ci, ...env } = process.env;
  const child = spawn(process.execPath, [bin, "serve", "--http", "0", ...words], { cwd: project.folder, env });
  onTestFinished(() => void child.kill("SIGKILL"));
  let said = "";
  child.stderr.on("data", (chunk) => (said += String(chunk)));
  await expect.poll(() => said, { timeout: 30_000 }).toContain("/mcp.");
  const url = /http:\S+\/mcp/u.exec(said)?.[0] ?? "";
  return { child, url, origin: new URL(url).origin, errors: () => said };
}

const bearerOf = (text: string | undefined): RequestInit =>
  text === undefined ? {} : { headers: { authorization: `Bearer ${text}` } };

async function connect(url: string, mode: "legacy" | { readonly pin: string }, bearer?: string): Promise<Client> {
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: bearerOf(bearer) }));
  onTestFinished(() => client.close());
  return client;
}

async function connectV1(url: string, bearer?: string): Promise<Client> {
  const client = new ClientV1({ name: "test", version: "1" });
  await client.connect(new TransportV1(new URL(url), { requestInit: bearerOf(bearer) }) as never);
  onTestFinished(() => client.close());
  return client as unknown as Client;
}

const namesOf = async (client: Client): Promise<readonly string[]> =>
  (await client.listTools()).tools.map(({ name }) => name);

describe("on this machine", () => {
  test("clients of both versions and revisions list and call; a signal lets calls end, and ends the server", async () => {
    const { child, url, origin } = await serve("--permit", "note");
    const clients = [await connectV1(url), await connect(url, "legacy"), await connect(url, { pin: "2026-07-28" })];
    for (const client of clients) {
      expect(client.getServerVersion()).toMatchObject({ name: expect.stringMatching(/^hasp-serve-/u) });
      expect(client.getInstructions()).toBe("Look before you note.");
      expect(await namesOf(client)).toEqual(["look", "note", "wait"]);
      expect(await client.callTool({ name: "look", arguments: { id: "a", times: "2" } })).toMatchObject({
        structuredContent: { seen: "aa" },
      });
    }
    expect(await (await fetch(`${origin}/healthz`)).text()).toBe("ok\n");
    expect((await fetch(`${origin}/other`)).status).toBe(404);
    const running = clients.map((client) => client.callTool({ name: "wait", arguments: { id: "never" } }));
    await new Promise((resolve) => setTimeout(resolve, 300));
    child.kill("SIGTERM");
    // Each call is answered, and none is lost.
    expect(await Promise.all(running)).toEqual(running.map(() => expect.objectContaining({ isError: true })));
    const [code] = (await once(child, "exit")) as [number];
    expect([code, readFileSync(join(project.folder, "log.txt"), "utf8").trim().split("\n").at(-1)]).toEqual([
      0,
      "closed",
    ]);
  });

  test("refuses other names and pages, and bodies that are too large, and goes on", async () => {
    const { origin, url } = await serve();
    const send = (headers: Record<string, string>, body: Iterable<string>): Promise<number> =>
      new Promise((resolve, reject) => {
        const sent = request(url, { method: "POST", headers: { "content-type": "application/json", ...headers } });
        sent.once("response", (response) => resolve(response.resume().statusCode ?? 0));
        // The server stops listening to what it refuses.
        sent.on("error", (error) => setTimeout(reject, 1000, error));
        for (const part of body) sent.write(part);
        sent.end();
      });
    const list = ['{"jsonrpc":"2.0","id":1,"method":"tools/list"}'];
    expect(await send({ host: "rebound.example" }, list)).toBe(403);
    expect(await send({ origin: "https://evil.example" }, list)).toBe(403);
    expect(
      await send(
        {},
        Array.from({ length: 100 }, () => " ".repeat(1_000_000)),
      ),
    ).toBe(413);
    expect(await send({ "content-length": "100000000" }, [])).toBe(413);
    expect((await fetch(`${origin}/healthz`)).status).toBe(200);
  });
});

describe("with --auth", () => {
  test("tokens decide who is served, and their scopes what", async () => {
    const { url, origin, errors } = await serve("--auth", "auth.yaml");
    const refused = await fetch(url, { method: "POST", body: "{}" });
    expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([
      401,
      expect.stringContaining('resource_metadata="https://tools.example/.well-known/oauth-protected-resource/mcp"'),
    ]);
    const other = { method: "POST", body: "{}", ...bearerOf(await token({ scope: "other" })) };
    expect((await fetch(url, other)).status).toBe(403);
    expect(await (await fetch(`${origin}/.well-known/oauth-protected-resource/mcp`)).json()).toMatchObject({
      resource: AUDIENCE,
      authorization_servers: ["https://issuer.example"],
      scopes_supported: ["read"],
    });
    for (const client of [
      await connectV1(url, await token()),
      await connect(url, { pin: "2026-07-28" }, await token()),
    ]) {
      expect(await namesOf(client)).toEqual(["look", "wait"]);
      expect(await client.callTool({ name: "note", arguments: { id: "x" } })).toMatchObject({ isError: true });
    }
    expect(errors()).not.toContain("eyJ");
  });

  test("a context is created for each call by a function that takes the caller, or shared by all, and hasp says so", async () => {
    project.write(
      "src/callers.ts",
      `import { appendFileSync } from "node:fs";
import type { Context } from "./context.js";
export const shared: Context = { log: () => undefined };
export function create(caller: { readonly principal: string }): Context {
  appendFileSync("callers.txt", caller.principal + " ");
  return { log: () => undefined };
}
`,
    );
    const { url, errors } = await serve("--auth", "auth.yaml", "--context", "src/callers.ts#create");
    for (const sub of ["ann", "bob", "ann"]) {
      const client = await connect(url, { pin: "2026-07-28" }, await token({ sub }));
      expect(await client.callTool({ name: "look", arguments: { id: "a" } })).toMatchObject({ isError: false });
    }
    expect(readFileSync(join(project.folder, "callers.txt"), "utf8")).toBe("ann bob ann ");
    expect(errors()).not.toContain("All callers share one context");
    const { errors: said } = await serve("--auth", "auth.yaml", "--context", "src/callers.ts#shared");
    expect(said()).toContain("All callers share one context");
  });

  test.skipIf(isSample)("a principal has 600 calls in a minute, and others have theirs", async () => {
    const { url } = await serve("--auth", "auth.yaml");
    const [ann, bob] = [await token(), await token({ sub: "bob" })];
    const statuses = new Map<number, number>();
    // What a minute grants comes back bit by bit: a slow machine needs more rounds.
    for (let round = 0; round < 60 && !statuses.has(429); round += 1) {
      const answers = await Promise.all(
        Array.from({ length: 50 }, () => fetch(url, { method: "POST", body: "{", ...bearerOf(ann) })),
      );
      for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    expect(statuses.get(400)).toBeGreaterThanOrEqual(600);
    expect(statuses.get(429)).toBeGreaterThan(0);
    const last = await fetch(url, { method: "POST", body: "{", ...bearerOf(ann) });
    expect(Number(last.headers.get("retry-after") ?? 1)).toBeLessThanOrEqual(1);
    expect((await fetch(url, { method: "POST", body: "{", ...bearerOf(bob) })).status).toBe(400);
  });
});

test("with --log, each call is one line of JSON without its input; --rate limits messages", async () => {
  const { url, errors } = await serve("--log", "--rate", "20");
  const client = await connect(url, { pin: "2026-07-28" });
  await client.callTool({ name: "look", arguments: { id: "s3cr3t-input" } });
  await client.callTool({ name: "look", arguments: { wrong: 1 } });
  const lines = (): readonly Record<string, unknown>[] =>
    errors()
      .split("\n")
      .filter((line) => line.startsWith("{"))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  await expect.poll(() => lines().length).toBe(2);
  expect(lines()[0]).toMatchObject({ tool: "look", class: "READ_ONLY", outcome: "ok", attempts: 1 });
  expect(lines()[1]).toMatchObject({ tool: "look", outcome: "error", effect: "none", attempts: 0 });
  expect(errors()).not.toContain("s3cr3t-input");
  const statuses: number[] = [];
  for (let count = 0; count < 30; count += 1) statuses.push((await fetch(url, { method: "POST", body: "{" })).status);
  expect(statuses).toContain(429);
});

test("--drain limits how long a call may go on after the signal", async () => {
  const before = readFileSync(join(project.folder, "src/tools/note.ts"), "utf8");
  project.write("src/tools/note.ts", "export const execute = () => new Promise((done) => setTimeout(done, 60_000));\n");
  try {
    const { url, child, errors } = await serve("--permit", "note", "--drain", "0.5");
    const client = await connect(url, { pin: "2026-07-28" });
    const called = client.callTool({ name: "note", arguments: { id: "x" } }).catch(() => undefined);
    await expect.poll(() => client.listTools().then(({ tools }) => tools.length)).toBeGreaterThan(0);
    await new Promise((resolve) => setTimeout(resolve, 500));
    child.kill("SIGTERM");
    await once(child, "exit");
    expect(errors()).toContain("A call is still running although the server was stopped");
    await called;
  } finally {
    project.write("src/tools/note.ts", before);
  }
});

test.each<[words: readonly string[], code: string]>([
  [["--rate", "many"], "--rate"],
  [["--http", "0", "--rate", "0"], "a whole number from 1"],
  [["--rate", "5"], "--rate works only with --http"],
  [["--drain", "0"], "--drain"],
  [["--http", "0.0.0.0:3000"], "serve/open-to-all"],
  [["--http", "localhost"], "serve/not-an-address"],
  [["--auth", "auth.yaml"], "serve/only-with-http"],
])("hasp serve %j is refused", async (words, code) => {
  const result = await hasp(project.folder, ["serve", ...words]);
  expect([result.code, result.out + result.error]).toEqual([2, expect.stringContaining(code)]);
});

describe("policies of toolsets", () => {
  beforeAll(async () => {
    project.write(
      "hasp.config.yaml",
      "specs: [specs]\ncontext: ./src/context.ts#Context\ndialects: [mcp]\n" +
        "toolsets: { readers: { include: [look, wait] }, desk: { include: [look, note], policy: policies/desk.yaml } }\n",
    );
    project.write(
      "policies/desk.yaml",
      "hasp: 1\ndeny: [look]\nrules:\n" +
        "  - { tool: note, when: input.id == 'agreed', decision: allow, reason: It was agreed. }\n" +
        "  - { tool: note, decision: deny, reason: Only what was agreed is noted. }\n",
    );
    project.write(
      "auth-desk.yaml",
      `issuer: https://issuer.example\naudience: ${AUDIENCE}\njwks: jwks.json\nscopes: { desk: desk, read: readers }\n`,
    );
    for (const words of [["approve", "desk.policy", "--yes", "--reason", "a test"], ["build"]]) {
      const { code, out, error } = await hasp(project.folder, words);
      expect(code, out + error).toBe(0);
    }
  });

  /** Makes two calls that only the policy tells apart, and returns their notes. */
  const notesOf = async (client: Client): Promise<readonly unknown[]> =>
    Promise.all(
      ["agreed", "other"].map(async (id) => (await client.callTool({ name: "note", arguments: { id } })).isError),
    );

  test("a policy holds for the callers whose scopes offer the toolset", async () => {
    const { url } = await serve("--auth", "auth-desk.yaml");
    const clerk = await connect(url, { pin: "2026-07-28" }, await token({ scope: "desk" }));
    expect([await namesOf(clerk), await notesOf(clerk)]).toEqual([["note"], [false, true]]);
    const both = await connect(url, { pin: "2026-07-28" }, await token({ scope: "read desk" }));
    expect([await namesOf(both), await notesOf(both)]).toEqual([
      ["note", "wait"],
      [false, true],
    ]);
  });

  test("the refusal of a call names the scope that offers it", async () => {
    const { url } = await serve("--auth", "auth-desk.yaml", "--allow", "wipe");
    const send = async (name: string, scope: string): Promise<Response> =>
      fetch(url, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          authorization: `Bearer ${await token({ scope })}`,
        },
        body: JSON.stringify({
          jsonrpc: "2.0",
          id: 1,
          method: "tools/call",
          params: { name, arguments: { id: "agreed" } },
        }),
      });
    const refused = await send("note", "read");
    expect(refused.status).toBe(403);
    expect(refused.headers.get("www-authenticate")).toMatch(/error="insufficient_scope".*scope="desk"/u);
    expect((await send("note", "desk")).status).toBe(200);
    expect((await send("wipe", "read")).status).toBe(200);
  });

  test("a policy holds for a built registry too, whose toolsets are those of the build", async () => {
    const registry = ["--registry", "src/generated/registry.ts", "--context", "src/context.ts"];
    const { url } = await serve(...registry, "--auth", "auth-desk.yaml");
    const clerk = await connect(url, { pin: "2026-07-28" }, await token({ scope: "desk" }));
    expect([await namesOf(clerk), await notesOf(clerk)]).toEqual([["note"], [false, true]]);
    const { url: readers } = await serve(...registry, "--toolset", "readers");
    expect(await namesOf(await connect(readers, "legacy"))).toEqual(["look", "wait"]);
    const unknown = startHasp(project.folder, ["serve", ...registry, "--toolset", "writers"]);
    expect([unknown.code, unknown.out + unknown.error]).toEqual([2, expect.stringMatching(/unknown-toolset/u)]);
  });

  test("decide a call of the shell with --toolset", () => {
    const call = (...words: string[]): Run => startHasp(project.folder, ["call", "note", ...words, "--dry-run"]);
    expect(call('{"id":"agreed"}', "--toolset", "desk").out).toMatch(/^permission +would be allowed/mu);
    expect(call('{"id":"other"}', "--toolset", "desk").out).toMatch(/Only what was agreed is noted/u);
    expect(call('{"id":"x"}', "--toolset", "readers")).toMatchObject({ code: 2 });
    expect(call('{"id":"x"}', "--toolset", "none")).toMatchObject({ code: 2 });
  });

  test("a policy holds for --toolset, before --permit; without it nobody can know which one holds", async () => {
    const { url } = await serve("--toolset", "desk", "--permit", "note");
    const client = await connect(url, "legacy");
    expect([await namesOf(client), await notesOf(client)]).toEqual([["note"], [false, true]]);
    const unclear = startHasp(project.folder, ["serve"]);
    expect([unclear.code, unclear.out + unclear.error]).toEqual([2, expect.stringContaining("serve/which-policy")]);
  });
});
