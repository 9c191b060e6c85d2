import { describe, expect, test } from "vitest";
import { buildTool, createDispatcher } from "@hasp/runtime";
import type { CallStore, Question } from "@hasp/runtime/call-store";
import { durableCalls } from "../durable/durable-calls.js";
import { memoryCallStore } from "../calls/memory-call-store.js";
import { createAnswerHandler, type AnswerHandlerOptions } from "./create-answer-handler.js";
import { createAnswerLink, type AnswerLinkOptions } from "./answer-link.js";

const SECRET = "a secret of more than thirty-two characters";
const URL_OF_PAGE = "https://host.example/answers";

interface World {
  readonly store: CallStore;
  readonly question: Question;
  readonly other: Question;
  readonly handle: (request: Request) => Promise<Response>;
  readonly handler: (options: Partial<AnswerHandlerOptions>) => (request: Request) => Promise<Response>;
  link(options?: Partial<AnswerLinkOptions>, question?: Question): Promise<string>;
  /** Lists the recorded answers, accepted or not. */
  answers(): Promise<readonly string[]>;
}

async function worldOf(input: object = { to: "bob" }, principal: string | undefined = "ann"): Promise<World> {
  const store = memoryCallStore();
  const pay = buildTool({
    name: "pay",
    description: "Pays.",
    input: { type: "object", additionalProperties: true },
    execute: () => "paid",
  });
  const durable = durableCalls({ store, principal });
  const turns = createDispatcher({ tools: [pay], extensions: [durable] }).use(durable);
  const questions = await Promise.all(
    ["t", "u"].map(async (turnId) => {
      const outcome = await turns.run([{ id: "1", name: "pay", input: input as never }], { turnId });
      return (outcome.status === "waiting" ? outcome.questions[0] : undefined) as Question;
    }),
  );
  const [question, other] = questions as [Question, Question];
  const handler: World["handler"] = (options) => createAnswerHandler({ turns, secret: SECRET, ...options });
  return {
    store,
    question,
    other,
    handler,
    handle: handler({}),
    link: (options, about = question) => createAnswerLink(about, { url: URL_OF_PAGE, secret: SECRET, ...options }),
    answers: async () =>
      (await store.records({}))
        .filter(({ by }) => by !== undefined)
        .map(({ to, by, code }) => [to, by, code].join(" ")),
  };
}

function post(link: string, body: string, headers: Record<string, string> = {}): Request {
  return new Request(link, {
    method: "POST",
    body,
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
  });
}

test("a person may let the call run with another input, and not where the link only refuses", async () => {
  const { link, handle, store } = await worldOf();
  const url = await link();
  expect(await (await handle(new Request(url))).text()).toContain('<textarea name="input"');
  const refusing = await link({ decisions: ["deny"] });
  expect(await (await handle(new Request(refusing))).text()).not.toContain("<textarea");
  const response = await handle(post(url, "decision=allow&input=%7B%22to%22%3A%22ann%22%7D"));
  expect(response.status).toBe(200);
  expect((await store.read("t"))?.calls[0]).toMatchObject({ state: "allowed", edit: { to: "ann" } });
});

test("a link shows the question, and one confirmation there decides it", async () => {
  const { link, handle, store, answers } = await worldOf();
  const url = await link();
  for (const method of ["GET", "HEAD", "GET"]) {
    const page = await handle(new Request(url, { method }));
    expect(page.status).toBe(200);
    const text = await page.text();
    expect(text).toContain("<h1>Run <code>pay</code>?</h1>");
    expect(text).toContain("&quot;to&quot;:&quot;bob&quot;");
    expect(text).toContain("<dd>ann</dd>");
    // The Enter key presses the first button.
    expect(text.indexOf('value="deny"')).toBeLessThan(text.indexOf('value="allow"'));
  }
  expect((await store.questions({ isOpen: true })).length).toBe(2);
  const decided = await handle(post(url, "decision=allow&reason=+as+agreed+", { "sec-fetch-site": "same-origin" }));
  expect([decided.status, await decided.text()]).toEqual([200, expect.stringContaining("Allowed: pay")]);
  const again = await handle(post(url, "decision=deny"));
  expect([again.status, await again.text()]).toEqual([410, expect.stringContaining("Already decided")]);
  expect((await handle(new Request(url))).status).toBe(410);
  expect(await answers()).toEqual(["allowed ann ", "allowed ann already-decided"]);
});

test("only one of many links to a question counts if all are used at once", async () => {
  const { link, handle } = await worldOf();
  const urls = await Promise.all(Array.from({ length: 8 }, () => link()));
  const statuses = await Promise.all(urls.map(async (url) => (await handle(post(url, "decision=allow"))).status));
  expect(statuses.toSorted()).toEqual([200, ...Array.from({ length: 7 }, () => 410)]);
});

describe("what is hostile decides nothing", () => {
  type Attack = (world: World) => Request | Promise<Request>;
  const tokenOf = (link: string): string => new URL(link).searchParams.get("answer") ?? "";
  const withToken = (token: string): string => `${URL_OF_PAGE}?answer=${encodeURIComponent(token)}`;
  const changed = (token: string, change: (grant: Record<string, unknown>) => object): string => {
    const [payload = "", signature = ""] = token.split(".");
    const grant = JSON.parse(Buffer.from(payload, "base64url").toString()) as Record<string, unknown>;
    return `${Buffer.from(JSON.stringify(change(grant))).toString("base64url")}.${signature}`;
  };
  const forged = (change: (grant: Record<string, unknown>, world: World) => object): Attack => {
    return async (world) =>
      post(withToken(changed(tokenOf(await world.link()), (grant) => change(grant, world))), "decision=allow");
  };
  const body = (text: string, headers?: Record<string, string>): Attack => {
    return async ({ link }) => post(await link(), text, headers);
  };

  const attacks: { readonly [name: string]: readonly [status: number, attack: Attack] } = {
    "no token": [403, () => post(URL_OF_PAGE, "decision=allow")],
    "an empty token": [403, () => post(withToken(""), "decision=allow")],
    "a token that is no base64": [403, () => post(withToken("ä.ö"), "decision=allow")],
    "a token of a megabyte": [403, () => post(withToken(`${"a".repeat(1_000_000)}.b`), "decision=allow")],
    "the id of the question as token": [403, ({ question }) => post(withToken(question.id), "decision=allow")],
    "a truncated signature": [403, async ({ link }) => post((await link()).slice(0, -2), "decision=allow")],
    "no signature": [403, async ({ link }) => post((await link()).replace(/\.[^.]*$/u, "."), "decision=allow")],
    "a token with another part": [403, async ({ link }) => post(`${await link()}.x`, "decision=allow")],
    "another question": [403, forged((grant, { other }) => ({ ...grant, questionId: other.id }))],
    "another person": [403, forged((grant) => ({ ...grant, by: "eve" }))],
    "a link that a model read, as another": [
      403,
      async (world) => {
        const link = await world.link({}, { ...world.question, isShownToModel: true } as Question);
        const unmarked = changed(tokenOf(link), (grant) => ({ ...grant, isShownToModel: undefined }));
        return post(withToken(unmarked), "decision=allow");
      },
    ],
    "a later expiry": [403, forged((grant) => ({ ...grant, expires: 9e15 }))],
    "more decisions": [403, forged((grant) => ({ ...grant, decisions: ["allow", "deny", "allow"] }))],
    "another secret": [
      403,
      async ({ link }) =>
        post(await link({ secret: "another secret of at least thirty-two characters" }), "decision=allow"),
    ],
    "an expired link": [403, async ({ link }) => post(await link({ expiresAt: new Date(0) }), "decision=allow")],
    "a link for somebody else": [403, async ({ link }) => post(await link({ by: "eve" }), "decision=allow")],
    "a decision that the link does not permit": [
      400,
      async ({ link }) => post(await link({ decisions: ["deny"] }), "decision=allow"),
    ],
    "no decision": [400, body("")],
    "both decisions": [400, body("decision=deny&decision=allow")],
    "two inputs": [400, body("decision=allow&input=%7B%7D&input=%7B%7D")],
    "an input that is no JSON": [400, body("decision=allow&input=%7Bto")],
    "an unknown decision": [400, body("decision=maybe")],
    "a decision in the address": [200, async ({ link }) => new Request(`${await link()}&decision=allow`)],
    "another method in a header": [
      200,
      async ({ link }) => new Request(await link(), { headers: { "x-http-method-override": "POST" } }),
    ],
    "another method in the address": [200, async ({ link }) => new Request(`${await link()}&_method=POST`)],
    PUT: [405, async ({ link }) => new Request(await link(), { method: "PUT", body: "decision=allow" })],
    OPTIONS: [405, async ({ link }) => new Request(await link(), { method: "OPTIONS" })],
    JSON: [403, body('{"decision":"allow"}', { "content-type": "application/json" })],
    "plain text": [403, body("decision=allow", { "content-type": "text/plain" })],
    "a form of another site": [403, body("decision=allow", { "sec-fetch-site": "cross-site" })],
    "a body of a megabyte": [403, body(`decision=allow&reason=${"x".repeat(1_000_000)}`)],
  };

  test.each(Object.entries(attacks))("a hostile request decides nothing: %s", async (_name, [status, attack]) => {
    const world = await worldOf();
    const response = await world.handle(await attack(world));
    expect(response.status).toBe(status);
    expect((await world.store.questions({ isOpen: true })).length).toBe(2);
    expect((await world.answers()).filter((answer) => !answer.includes("not-permitted"))).toEqual([]);
  });
});

test.each([
  ["a person who is signed in", "ann", 200],
  ["another person", "eve", 403],
  ["nobody", undefined, 403],
] as const)("a link of a host whose users sign in works for the person it names: %s", async (_who, person, status) => {
  const { link, handler } = await worldOf();
  const handle = handler({ signedIn: () => person });
  expect((await handle(post(await link(), "decision=deny"))).status).toBe(status);
  expect((await handle(new Request(await link({ by: "eve" })))).status).toBe(person === "eve" ? 200 : 403);
});

describe("a link that a model reads", () => {
  const linkOfModel = async ({ question, link }: World): Promise<string> =>
    link({}, { ...question, isShownToModel: true } as Question);

  test("decides nothing where nobody signs in: neither opened, nor confirmed as a person would", async () => {
    const world = await worldOf();
    const url = await linkOfModel(world);
    const headers = { "sec-fetch-site": "same-origin" };
    for (const request of [new Request(url), post(url, "decision=allow"), post(url, "decision=allow", headers)]) {
      const response = await world.handle(request);
      expect([response.status, await response.text()]).toEqual([403, expect.stringContaining("needs a sign-in")]);
    }
    expect((await world.store.questions({ isOpen: true })).length).toBe(2);
    expect(await world.answers()).toEqual([]);
  });

  test.each([
    ["the person it names", "ann", 200],
    ["another person", "eve", 403],
    ["nobody, as a model's own request", undefined, 403],
  ] as const)("is confirmed on a site that signs in only by %s", async (_who, person, status) => {
    const world = await worldOf();
    const handle = world.handler({ signedIn: () => person });
    expect((await handle(post(await linkOfModel(world), "decision=allow"))).status).toBe(status);
    expect((await world.store.questions({ isOpen: true })).length).toBe(status === 200 ? 1 : 2);
  });
});

test("a secret can be replaced while links are under way", async () => {
  const { link, handler } = await worldOf();
  const [old, next] = [await link(), "the next secret, of thirty-two characters and more"];
  const handle = handler({ secret: [next, SECRET] });
  expect((await handle(new Request(old))).status).toBe(200);
  expect((await handle(new Request(await link({ secret: [next, SECRET] })))).status).toBe(200);
  expect((await handler({ secret: next })(new Request(old))).status).toBe(403);
});

test("hostile text is text: no markup, no hidden characters, nothing loaded, nothing framed", async () => {
  const hostile = `</pre><script>alert(1)</script><img src=x onerror="alert('1')">&amp;\u202E\u200B\u0000`;
  const { link, handle } = await worldOf({ [hostile]: hostile }, hostile);
  const response = await handle(new Request(await link()));
  const text = await response.text();
  expect(text).not.toMatch(/<script|<img|<\/pre>[^]*<\/pre>|[\u202E\u200B\0]/u);
  expect(text).toContain("&lt;script&gt;");
  expect(text).toContain("\\u{202e}");
  const policy = response.headers.get("content-security-policy") ?? "";
  expect(policy).toMatch(
    /^default-src 'none'; style-src 'nonce-[0-9a-f-]{36}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/u,
  );
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
  });
});

test("an input that is too long to be seen cannot be allowed, only refused", async () => {
  const { link, handle } = await worldOf({ text: "x".repeat(60_000) });
  const url = await link();
  const text = await (await handle(new Request(url))).text();
  expect(text.length).toBeLessThan(5000);
  expect(text).not.toContain('value="allow"');
  expect((await handle(post(url, "decision=allow"))).status).toBe(400);
  expect((await handle(post(url, "decision=deny"))).status).toBe(200);
});

test("a store that fails is a page, not an exception", async () => {
  const { link, handler } = await worldOf();
  const failing = { ...memoryCallStore(), questions: () => Promise.reject(new Error("hunter2")) };
  const response = await handler({ turns: { store: failing, answer: expect.fail } })(new Request(await link()));
  expect([response.status, (await response.text()).includes("hunter2")]).toEqual([503, false]);
});

test.each([TypeError, SyntaxError, Error])(
  "a %o of a store that fails is not taken for the person's mistake",
  async (Fault) => {
    const { link, handler, store } = await worldOf();
    const answer = () => Promise.reject(new Fault("hunter2"));
    const response = await handler({ turns: { store, answer } })(post(await link(), "decision=allow&input=%7B%7D"));
    expect([response.status, (await response.text()).includes("hunter2")]).toEqual([503, false]);
  },
);

test.each([
  [{ secret: "short" }, "at least 32"],
  [{ secret: [] }, "need a `secret`"],
  [{ secret: undefined as never }, "at least 32"],
  [{ url: "/answers" }, "absolute"],
  [{ url: "javascript:alert(1)" }, "absolute"],
  [{ url: "https://example.com/answers#top" }, "without a #fragment"],
  [{ decisions: [] }, "decisions"],
  [{ decisions: ["later" as never] }, "decisions"],
  [{ expiresAt: new Date("never") }, "must be a date"],
  [{ expiresAt: "2030-01-01T00:00:00Z" as never }, "must be a date"],
])("options %j throw a TypeError", async (options, message) => {
  const { link } = await worldOf();
  await expect(link(options as Partial<AnswerLinkOptions>)).rejects.toThrow(message);
});
