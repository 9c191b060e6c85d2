import { afterEach, describe, expect, test } from "vitest";
import { dialects } from "@hasp/schema";
import { endpoints } from "@hasp/schema/probe";
import { type Provider, providerOf } from "../schema/providers.testing.js";
import { hasp, haspJson, type JsonRun, project } from "./command-line.js";
import { playProvider, type ProviderServer, startProvider } from "./provider-server.testing.js";

const key = "sk-probe-0123456789";
const servers: ProviderServer[] = [];

async function start(answer: Parameters<typeof startProvider>[0]): Promise<ProviderServer> {
  const server = await startProvider(answer);
  servers.push(server);
  return server;
}

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function probe(dialect: string, { url }: ProviderServer, ...more: readonly string[]): Promise<JsonRun> {
  const words = ["probe", dialect, "a-model", "--url", url, "--env", "KEY", "--yes", ...more];
  return haspJson(project(), words, { KEY: key });
}

interface Judged {
  readonly at: string;
  readonly verdict: string;
  readonly reason: string | null;
}

function factsOf({ data }: JsonRun): readonly Judged[] {
  return data["facts"] as readonly Judged[];
}

/** Facts in which hasp is stricter than the provider: its common rule for names, and a shape of typed schemas. */
const STRICTER_THAN_SOURCES: { readonly [dialect: string]: readonly string[] } = {
  "cohere-v2": ["/toolName/maxLength", "/toolName/further", "/limits/requestProperties"],
  "cohere-v2-strict": ["/toolName/maxLength", "/toolName/further"],
  moonshot: ["/shapes/items"],
  ollama: ["/toolName/maxLength", "/toolName/further"],
};

/** Members of a dialect that say nothing about what its provider takes. */
const NO_FACTS = ["id", "family", "title", "entry", "confidence", "checkedOn", "variants", "notes", "wrap"];

test.each(Object.entries(endpoints).flatMap(([id, endpoint]) => (endpoint === undefined ? [] : [id])))(
  "the facts about %s hold at a server that plays its provider, and each member of its table has one",
  async (dialect) => {
    const server = await start(playProvider(providerOf(dialect)));
    const run = await probe(dialect, server);
    const facts = factsOf(run);
    const changed = facts.flatMap(({ at, verdict }) => (verdict === "changed" ? [at] : []));
    expect(changed).toEqual(STRICTER_THAN_SOURCES[dialect] ?? []);
    expect(run.code).toBe(changed.length === 0 ? 0 : 1);
    expect(facts.filter(({ verdict, reason }) => verdict === "not judged" && reason?.includes("refused"))).toEqual([]);

    const isSaid = (member: string): boolean => facts.some(({ at }) => at.split("/")[1] === member);
    const silent = Object.entries(dialects[dialect as keyof typeof dialects]).filter(
      ([member, value]) =>
        !NO_FACTS.includes(member) && value !== "any" && Object.keys(value).length > 0 && !isSaid(member),
    );
    expect(silent).toEqual([]);
    expect(server.requests.every(({ headers }) => JSON.stringify(headers).includes(key))).toBe(true);
    expect(JSON.stringify(run.data)).not.toContain(key);
  },
);

describe("a provider that has changed", () => {
  type Change = (provider: Provider) => Provider;
  const loosely =
    (rules: object): Change =>
    (provider) => ({ ...provider, loose: { ...provider.loose, ...rules } });
  const strictly =
    (change: (rules: NonNullable<Provider["strict"]>) => object): Change =>
    (provider) => ({
      ...provider,
      strict: { ...provider.strict, ...change(provider.strict ?? {}) },
    });

  test.each<[what: string, dialect: string, change: Change, path: string, was: unknown, is: unknown]>([
    ["refuses a keyword", "mistral", loosely({ refused: ["maxLength"] }), "/keywords/maxLength", "keep", "words"],
    ["takes fewer tools", "openai-chat", (old) => ({ ...old, tools: 64 }), "/limits/tools", 128, 64],
    ["takes more tools", "openai-chat", (old) => ({ ...old, tools: 200 }), "/limits/tools", 128, 200],
    [
      "takes longer names",
      "mistral",
      (old) => ({ ...old, toolName: /^[\w-]{1,128}$/ }),
      "/toolName/maxLength",
      64,
      128,
    ],
    [
      "refuses arrays without items",
      "mistral",
      loosely({ refused: ["items:missing"] }),
      "/shapes/items",
      "optional",
      "demanded",
    ],
    [
      "no longer demands each property",
      "openai-chat-strict",
      strictly(({ refused = [] }) => ({ refused: refused.filter((word) => word !== "required:some") })),
      "/shapes/optional",
      "null",
      "omitted",
    ],
    [
      "refuses a format",
      "anthropic-strict",
      strictly(({ formats = [] }) => ({ formats: formats.filter((format) => format !== "duration") })),
      "/formats/3",
      "duration",
      undefined,
    ],
  ])("the patch says so if a provider %s", async (_, dialect, change, path, was, is) => {
    const server = await start(playProvider(change(providerOf(dialect))));
    const { code, diagnostics, data } = await probe(dialect, server, "--only", `fact:${path}`);
    expect({ code, codes: diagnostics.map((each) => each.code) }).toEqual({ code: 1, codes: ["cli/fact-changed"] });
    expect(data["patch"]).toEqual([
      { op: "test", path, value: was },
      is === undefined ? { op: "remove", path } : { op: "replace", path, value: is },
    ]);
  });

  test("the patch says how many cache marks a provider took that takes any number", async () => {
    const { findFaults: _, ...careless } = providerOf("anthropic");
    const run = await probe("anthropic", await start(playProvider(careless)), "--only", "fact:/fieldRules/most");
    expect(run.data["patch"]).toMatchObject([{ op: "test" }, { path: "/fieldRules/most/cache_control", value: 16 }]);
  });

  test("the day of a run is in the patch only if every question was answered, the last one too", async () => {
    const play = playProvider(providerOf("mistral"));
    const steady = await start(play);
    expect((await probe("mistral", steady)).data["patch"]).toMatchObject([{ path: "/checkedOn" }]);
    const all = steady.requests.length;
    const flaky = await start((body, request, response) => {
      if (!body.includes("uniqueItems")) return play(body, request, response);
      response.statusCode = 503;
      response.end("{}");
    });
    const { data, code } = await probe("mistral", flaky);
    expect({ code, patch: data["patch"] }).toEqual({ code: 2, patch: [] });
    let questions = 0;
    const silentAtEnd = await start((body, request, response) => {
      questions += 1;
      if (questions < all) return play(body, request, response);
      response.statusCode = 503;
      response.end("{}");
    });
    const unsure = await probe("mistral", silentAtEnd);
    expect({ code: unsure.code, patch: unsure.data["patch"] }).toEqual({ code: 2, patch: [] });
  });
});

describe("a hostile server", () => {
  const json =
    (status: number, value: unknown, headers = {}): Parameters<typeof startProvider>[0] =>
    (_, __, response) =>
      void response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(value));

  test.each<[what: string, reason: string, answer: Parameters<typeof startProvider>[0]]>([
    [
      "garbage",
      "status 200, and its answer is no JSON object",
      (_, __, response) => void response.end("\u0000\u001B[2J<html>"),
    ],
    ["an empty answer", "status 200, and its answer is no JSON object", (_, __, response) => void response.end()],
    ["a list", "status 200, and its answer is no JSON object", json(200, [])],
    ["a redirect", "it redirects, which the probe does not follow", json(307, {}, { location: "http://127.0.0.1:1/" })],
    ["a refusal of the key", "status 401: no such key", json(401, { error: { message: "no such key" } })],
    ["a limit on requests", "status 429: slower", json(429, { message: "slower" })],
    ["a failure", "status 500: oops", json(500, { error: "oops" })],
    ["a refusal of everything", "does not take a plain list: status 400: no", json(400, { error: { message: "no" } })],
    ["consent to everything", "the server takes anything", json(200, { id: "1" })],
    ["an error in a 200", "status 200: behind me", json(200, { error: { message: "behind me" } })],
    ["too large an answer", "has more than 1 MB", (_, __, response) => void response.end("x".repeat(2_000_000))],
    [
      "a promise of 100 MB",
      "has more than 1 MB",
      (_, __, response) => void response.writeHead(200, { "content-length": 1e8 }).write("{"),
    ],
    ["a closed connection", "the connection failed", (_, request) => void request.socket.destroy()],
  ])("a server that answers with %s lets no fact be judged", async (_, reason, answer) => {
    const server = await start(answer);
    const { code, diagnostics } = await probe("openai-chat", server);
    expect({ code, codes: diagnostics.map((each) => each.code) }).toEqual({ code: 2, codes: ["cli/probe-failed"] });
    expect(diagnostics[0]?.message).toContain(reason);
    expect(server.requests.length).toBeLessThanOrEqual(2);
  });

  test("a server that repeats the key, also encoded, in its answer does not get it printed", async () => {
    const echoes = [key, Buffer.from(key).toString("base64"), encodeURIComponent(`${key}=`)];
    const server = await start((_, request, response) => {
      response.statusCode = 401;
      response.end(JSON.stringify({ error: { message: `${request.headers.authorization} ${echoes.join(" ")}` } }));
    });
    const words = ["probe", "mistral", "a-model", "--url", server.url, "--env", "KEY", "--yes"];
    for (const format of ["pretty", "json"]) {
      const { out, error } = await hasp(project(), [...words, "--format", format], { KEY: key });
      expect(out + error).toContain("401");
      for (const echo of echoes.slice(0, 2)) expect(out + error).not.toContain(echo);
    }
  });

  test("a server that asks to wait is asked again, twice at most", async () => {
    const play = playProvider(providerOf("mistral"));
    const waits = { first: 2, all: 0 };
    const slow = json(429, { message: "slower" }, { "retry-after": "0" });
    const server = await start((body, request, response) => {
      waits.all += 1;
      if (waits.all <= waits.first) slow(body, request, response);
      else play(body, request, response);
    });
    expect((await probe("mistral", server, "--only", "fact:/patterns")).code).toBe(0);
    const never = await start(slow);
    expect(await probe("mistral", never)).toMatchObject({ code: 2, diagnostics: [{ code: "cli/probe-failed" }] });
    expect(never.requests.length).toBe(3);
  });

  test("a server that stops answering is not asked again", async () => {
    const play = playProvider(providerOf("mistral"));
    let count = 0;
    const server = await start((body, request, response) => {
      count += 1;
      if (count <= 10) play(body, request, response);
      else json(429, { message: "slower" })(body, request, response);
    });
    const run = await probe("mistral", server);
    expect(factsOf(run).filter(({ verdict }) => verdict === "holds").length).toBeGreaterThan(5);
    expect(server.requests.length).toBe(13);
  });

  test("a server that begins to refuse everything is not believed", async () => {
    const play = playProvider(providerOf("mistral"));
    let count = 0;
    const server = await start((body, request, response) => {
      count += 1;
      if (count <= 10) play(body, request, response);
      else json(400, { error: { message: "no credit" } })(body, request, response);
    });
    const { code, diagnostics } = await probe("mistral", server);
    expect({ code, message: diagnostics[0]?.message }).toEqual({
      code: 2,
      message: expect.stringContaining("by the end, the server refuses the plain list, too: status 400: no credit"),
    });
  });
});

describe("before anything is sent", () => {
  test.each<[what: string, words: readonly string[], hint: string]>([
    ["without --yes, where nobody can be asked", ["mistral", "m", "--env", "KEY"], "needs --yes, to send "],
    ["without a key", ["mistral", "m", "--yes"], "needs the provider's key"],
    ["with a variable that is not set", ["mistral", "m", "--yes", "--env", "NO_KEY"], "needs the provider's key"],
    [
      "with a variable that no environment has",
      ["mistral", "m", "--yes", "--env", "toString"],
      "needs the provider's key",
    ],
    ["with a key that is none", ["mistral", "m", "--yes", "--env", "SPLIT"], "needs the provider's key"],
    ["without a model", ["mistral", "--yes", "--env", "KEY"], "needs the name of a model"],
    ["without an address", ["openai-compatible", "m", "--yes"], "needs an address"],
    ["with plain http to elsewhere", ["mistral", "m", "--yes", "--url", "http://a.example"], "needs an address"],
    ["of a dialect that is no provider's", ["mcp", "m", "--yes"], "needs a provider"],
    ["of an unknown dialect", ["mistrl"], 'Did you mean "mistral"?'],
    ["of an unknown fact", ["mistral", "m", "--only", "fact:/limits/none"], 'There is no fact "/limits/none"'],
  ])("a probe %s is refused", async (_, words, hint) => {
    const run = await hasp(project(), ["probe", ...words], { KEY: key, SPLIT: `${key}\r\nx-more: 1`, CI: "true" });
    expect({ code: run.code, printed: run.out + run.error }).toEqual({
      code: 2,
      printed: expect.stringContaining(hint),
    });
    expect(run.out + run.error).not.toContain(key);
  });

  test("--dry-run prints the requests without a key and sends none", async () => {
    const server = await start(playProvider(providerOf("anthropic")));
    const { code, out } = await hasp(project(), [
      "probe",
      "anthropic",
      "--url",
      `${server.url}/base/?version=1`,
      "--dry-run",
    ]);
    const { address, requests } = JSON.parse(out) as {
      address: string;
      requests: readonly { must: string; body: object }[];
    };
    expect({ code, address, sent: server.requests.length }).toEqual({
      code: 0,
      address: `${server.url}/base/v1/messages?version=1`,
      sent: 0,
    });
    expect(requests.length).toBeGreaterThan(50);
    expect(requests[0]?.body).toMatchObject({ max_tokens: 1, tools: [{ name: "probe" }] });
  });
});
