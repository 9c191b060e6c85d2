import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { type McpHandlerConnection, mcpHandler } from "@hasp/mcp/handler";
import { createDispatcher, type DispatchEvent, toolResult, buildTool } from "@hasp/runtime";
import { durableCalls, memoryCallStore } from "@hasp/stores";
import { commandHandler, type CommandSeam } from "@hasp/handlers/command";
import { httpConnection, httpHandler } from "@hasp/handlers/http";
import { startServer, type TestServer } from "../../packages/handlers/src/http/server.testing.js";
import { withTelemetry, type TelemetryOptions } from "@hasp/adapters/otel";
import { sqlHandler, type SqlConnection } from "@hasp/handlers/sql";
import { Redactor, findSecrets } from "@hasp/runtime/internal";

let server: TestServer;
beforeAll(async () => void (server = await startServer()));
beforeEach(() => server.reset());
afterAll(() => server.close());

/** A text that contains a secret in some form, and what of it must not survive. */
interface Planted {
  readonly text: string;
  readonly core: string;
  /** The text is the source of a JSON string already. */
  readonly isJson?: boolean;
}

const units = (text: string): number[] => Array.from({ length: text.length }, (_, index) => text.charCodeAt(index));
const bytes = (text: string): number[] => [...Buffer.from(text)];
const hex = (value: number, length: number): string => value.toString(16).padStart(length, "0");
const quoted = (text: string): string => JSON.stringify(text).slice(1, -1);
const same = (text: string): Planted => ({ text: `see ${text}!`, core: text });
const asJson = (text: string): Planted => ({ ...same(text), isJson: true });
const base64 = (secret: string, offset: number, encoding: BufferEncoding = "base64"): Planted => {
  const text = Buffer.from(`${"~".repeat(offset)}${secret}~~~`).toString(encoding);
  return { text, core: text.slice(4, 4 + Math.floor((bytes(secret).length * 8) / 6) - 4) };
};
/** Each character in another form than the one before. */
const mixed = (secret: string): string =>
  Array.from(secret, (character, index) => {
    const escaped = units(character).map((unit) => `\\u${hex(unit, 4).toUpperCase()}`);
    const ofUrls = bytes(character).map((byte) => `%${hex(byte, 2)}`);
    return [character, escaped.join(""), ofUrls.join("")][index % 3];
  }).join("");

/** Wraps a text, never beside a blank or a backslash. */
const wrapped = (secret: string, end = "\n"): string =>
  Array.from(secret).reduce((text, character, index) => {
    const isBroken = index % 6 === 0 && !/[\s\\]/u.test(`${text.at(-1)}${character}`);
    return `${text}${isBroken ? end : ""}${character}`;
  });

const ENCODINGS: { readonly [name: string]: (secret: string) => Planted } = {
  "as it is": same,
  "JSON as JavaScript writes it": (secret) => asJson(quoted(secret)),
  "JSON with \\/, as PHP writes it": (secret) => asJson(quoted(secret).replaceAll("/", "\\/")),
  "JSON with \\u002B, as ASP.NET writes it": (secret) =>
    asJson(quoted(secret).replaceAll(/[+&<>'`]/gu, (sign) => `\\u${hex(sign.charCodeAt(0), 4).toUpperCase()}`)),
  "JSON with \\u for every character": (secret) =>
    asJson(
      units(secret)
        .map((unit) => `\\u${hex(unit, 4)}`)
        .join(""),
    ),
  "JSON in JSON": (secret) => same(quoted(quoted(secret))),
  "\\x escapes": (secret) =>
    same(
      units(secret)
        .map((unit) => `\\${unit < 256 ? `x${hex(unit, 2)}` : `u${hex(unit, 4)}`}`)
        .join(""),
    ),
  "a URL": (secret) => same(encodeURIComponent(secret)),
  "a form": (secret) => same(new URLSearchParams({ a: secret }).toString().slice(2)),
  "a URL with every byte in lower case": (secret) =>
    same(
      bytes(secret)
        .map((byte) => `%${hex(byte, 2)}`)
        .join(""),
    ),
  "a URL in a URL": (secret) => same(encodeURIComponent(encodeURIComponent(secret))),
  HTML: (secret) =>
    same(secret.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&#34;").replaceAll("'", "&#x27;")),
  "HTML with every character": (secret) => same(Array.from(secret, (each) => `&#${each.codePointAt(0)};`).join("")),
  "a mixture": (secret) => same(mixed(secret)),
  hexadecimal: (secret) => same(Buffer.from(secret).toString("hex").toUpperCase()),
  "hexadecimal with blanks": (secret) =>
    same(
      bytes(secret)
        .map((byte) => hex(byte, 2).toUpperCase())
        .join(" "),
    ),
  "hexadecimal with 0x": (secret) =>
    same(
      bytes(secret)
        .map((byte) => `0x${hex(byte, 2)}`)
        .join(", "),
    ),
  "\\x escapes of bytes": (secret) =>
    same(
      bytes(secret)
        .map((byte) => `\\x${hex(byte, 2)}`)
        .join(""),
    ),
  "a list of bytes": (secret) => same(bytes(secret).join(",")),
  "a list of bytes over several lines": (secret) => same(bytes(secret).join(",\n        ")),
  "bytes by their index": (secret) => same(quoted(JSON.stringify(new Uint8Array(bytes(secret))).slice(1, -1))),
  "lines of six characters": (secret) => same(wrapped(secret)),
  "indented lines of six characters": (secret) => same(wrapped(secret, "\r\n\t    ")),
  "UTF-8 as Latin-1": (secret) => same(Buffer.from(secret).toString("latin1")),
  base64: (secret) => base64(secret, 0),
  "base64, one byte later": (secret) => base64(secret, 1),
  "base64, two bytes later": (secret) => base64(secret, 2),
  "base64 of URLs": (secret) => base64(secret, 1, "base64url"),
  "base64 with line breaks": (secret) => {
    const { text } = base64(secret, 0);
    const lines = text.replaceAll(/.{6}/gu, "$&\r\n");
    return { text: lines, core: lines.slice(8, 14) };
  },
  "base64 with indented lines": (secret) => {
    const { text } = base64(secret, 0);
    const lines = text.replaceAll(/.{6}/gu, "$&\n    ");
    return { text: lines, core: lines.slice(11, 17) };
  },
};

/** A planted text, also as the source of a JSON string. */
interface Plant {
  readonly text: string;
  readonly json: string;
}

type Execute = (input: never, options: never) => Promise<object>;

const api = (path = "/"): Execute => {
  const auth = { apiKey: { in: "query", name: "key", env: "SECRET" } } as const;
  const connection = httpConnection({ name: "api", baseUrl: server.origin, auth, allowPrivateAddresses: true });
  return httpHandler(connection, { method: "GET", path });
};
const answering = (status: number, type: string, body: string | Buffer): Execute => {
  server.answer = (_request, response) => void response.writeHead(status, { "content-type": type }).end(body);
  return api();
};
const printing = (
  stdout: "text" | "json" | "lines",
  end: Partial<Awaited<ReturnType<NonNullable<CommandSeam["run"]>>>>,
): Execute =>
  commandHandler(
    { argv: () => ["tool"], env: ["SECRET"], stdout },
    { run: async () => ({ stdout: "", stderr: "", exitCode: 0, ...end }) },
  );
const querying = (run: () => Promise<unknown>): Execute =>
  sqlHandler({ name: "db", run, secrets: findSecrets(env()), close: async () => undefined } as SqlConnection, {
    text: "SELECT 1",
  });
const serving = (callTool: (options: { onprogress: (update: object) => void }) => Promise<unknown>): Execute => {
  const client = {
    getProtocolEra: () => "modern",
    callTool: (_call: unknown, options: never) => callTool(options),
    listTools: async () => ({ tools: [] }),
  };
  const borrow = async () => ({ client, secrets: { secrets: [env()] }, discard() {}, release() {} });
  return mcpHandler({ name: "server", borrow, close: async () => undefined } as unknown as McpHandlerConnection, {
    tool: "t",
  });
};
const env = (): string => process.env["SECRET"] ?? "";
const json = "application/json";

/** Every way by which a service, a program, a database or a server may say something. */
const CHANNELS: { readonly [name: string]: (plant: Plant) => Execute } = {
  "http: a value in JSON": (plant) => answering(200, json, `{"a":[{"b":"${plant.json}"}]}`),
  "http: a key in JSON": (plant) => answering(200, json, `{"a":[{"${plant.json}":1}]}`),
  "http: text": ({ text }) => answering(200, "text/plain", text),
  "http: bytes": ({ text }) => answering(200, "application/octet-stream", Buffer.from(`\0\u{1F600}\u0001${text}`)),
  "http: an error in JSON": (plant) => answering(404, json, `{"error":"${plant.json}"}`),
  "http: an error in text": ({ text }) => answering(500, "text/plain", text),
  "http: an error that is thrown": ({ text }) => answering(503, "text/plain", text),
  "command: text": ({ text }) => printing("text", { stdout: text }),
  "command: lines": ({ text }) => printing("lines", { stdout: text }),
  "command: a value in JSON": (plant) => printing("json", { stdout: `{"a":"${plant.json}"}` }),
  "command: a key in JSON": (plant) => printing("json", { stdout: `{"${plant.json}":1}` }),
  "command: JSON that is damaged": (plant) => printing("json", { stdout: `{"a":"${plant.json}` }),
  "command: standard error": ({ text }) => printing("text", { stderr: text, exitCode: 1 }),
  "command: an error": ({ text }) =>
    commandHandler({ argv: () => ["tool"], env: ["SECRET"] }, { run: () => Promise.reject(new Error(text)) }),
  "sql: a cell": ({ text }) => querying(async () => ({ rows: [{ a: text }], rowCount: 1 })),
  "sql: a column": ({ text }) => querying(async () => ({ rows: [{ [text]: 1 }], rowCount: 1, truncated: true })),
  "sql: an error": ({ text }) => querying(() => Promise.reject(Object.assign(new Error(text), { code: "22P02" }))),
  "mcp: content": ({ text }) => serving(async () => ({ content: [{ type: "text", text }] })),
  "mcp: content beyond what is shown": ({ text }) =>
    serving(async () => ({ content: [{ type: "audio", data: btoa("a"), mimeType: text, annotations: { a: text } }] })),
  "mcp: bytes": ({ text }) =>
    serving(async () => ({
      content: [{ type: "image", mimeType: "image/png", data: Buffer.from(text).toString("base64") }],
    })),
  "mcp: structured content": ({ text }) =>
    serving(async () => ({ content: [], structuredContent: { [text]: [text] } })),
  "mcp: _meta": ({ text }) => serving(async () => ({ content: [], _meta: { [text]: text } })),
  "mcp: an error": ({ text }) => serving(async () => ({ content: [{ type: "text", text }], isError: true })),
  "mcp: an error of the protocol": ({ text }) =>
    serving(() => Promise.reject(Object.assign(new Error(text), { code: -32000, data: text, cause: text }))),
  "mcp: progress": ({ text }) =>
    serving(async ({ onprogress }) => {
      onprogress({ progress: 1, message: text });
      return { content: [] };
    }),
};

/** Everything that a host, a log or a model may see of a call. */
async function seenOf(execute: Execute): Promise<readonly string[]> {
  const events: unknown[] = [];
  const spans: unknown[] = [];
  const callStore = memoryCallStore();
  const durable = durableCalls({ store: callStore });
  const look = buildTool({
    name: "look",
    description: "Looks.",
    input: { type: "object", additionalProperties: false },
    concurrency: { class: "READ_ONLY" },
    behavior: { requiresPermission: false },
    limits: { maxRetries: 0 },
    execute: execute as never,
  });
  const dispatcher = createDispatcher(
    withTelemetry(
      { tools: [look], extensions: [durable], onEvent: (event: DispatchEvent) => events.push(event) },
      { tracer: recordingTracer(spans), recordArguments: true, recordResults: true },
    ),
  );
  const outcome = await dispatcher.use(durable).run([{ id: "1", name: "look", input: {} }], { turnId: "t" });
  expect(events.map((event) => (event as DispatchEvent).type)).toContain("settled");
  return textsIn([outcome, events, spans, await callStore.read("t")]);
}

/** Creates a tracer that keeps everything it is told. */
function recordingTracer(spans: unknown[]): NonNullable<TelemetryOptions["tracer"]> {
  const context = { traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331", traceFlags: 1 };
  const span: object = new Proxy(
    {},
    {
      get: (_target, member) =>
        member === "spanContext"
          ? () => context
          : (...told: unknown[]) => {
              spans.push(told);
              return span;
            },
    },
  );
  return {
    startSpan: (...told: unknown[]) => {
      spans.push(told);
      return span;
    },
  } as unknown as NonNullable<TelemetryOptions["tracer"]>;
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => [key, ...textsIn(member)]);
}

/** A secret with an unusual beginning, so that nothing of ours contains it. */
const secrets = fc
  .string({
    unit: fc.constantFrom(..."abcXYZ019+/=-_.~!@#$%^&*()[]{}|\\:;\"'<>,? \n\té€😀"),
    minLength: 8,
    maxLength: 30,
  })
  .map((text) => `Zq7${text}`);

/** The planted texts, or what of them must not survive, that were seen all the same. One call carries them all. */
async function leaks(channel: string, encodings: readonly string[], secret: string): Promise<readonly string[]> {
  vi.stubEnv("SECRET", secret);
  const planted = encodings.map((encoding) => ({
    encoding,
    ...(ENCODINGS[encoding]?.(secret) ?? expect.unreachable()),
  }));
  const text = planted.map((each) => each.text).join(" ; ");
  const json = planted.map((each) => (each.isJson ? each.text : quoted(each.text))).join(" ; ");
  const seen = await seenOf((CHANNELS[channel] ?? expect.unreachable())({ text, json }));
  // Bytes are passed on as base64.
  const readable = seen.flatMap((each) =>
    /^[\w+/]{16,}=*$/u.test(each) ? [each, Buffer.from(each, "base64").toString()] : [each],
  );
  const isSeen = (form: string): boolean => readable.some((each) => each.includes(form));
  return planted.filter(({ core }) => isSeen(secret) || isSeen(core)).map(({ encoding }) => encoding);
}

describe("no result, event, span, record or error holds a secret", () => {
  test.each(Object.keys(CHANNELS))("no result, event, span, record or error holds a secret: %s", async (channel) => {
    const encodings = Object.keys(ENCODINGS);
    // Few at a time, since some channels show an excerpt only.
    for (let index = 0; index < encodings.length; index += 3) {
      const some = encodings.slice(index, index + 3);
      expect(await leaks(channel, some, 'Zq7/a+s "s" & w0rd=é<€\\x')).toEqual([]);
    }
    await fc.assert(
      fc.asyncProperty(
        secrets,
        fc.shuffledSubarray(encodings, { minLength: 1, maxLength: 3 }),
        async (secret, some) => {
          expect(await leaks(channel, some, secret)).toEqual([]);
        },
      ),
      { numRuns: Number(process.env["HASP_FUZZ_RUNS"] ?? 2) },
    );
  });
});

describe("no function of the host puts a secret of an input into what people, logs and traces read", () => {
  const canary = "Zq7-canary";
  type Asked = { readonly input: { readonly password: string } };
  const says = ({ input }: Asked): string => `weak: ${input.password}`;
  const throws = (asked: Asked): never => {
    throw new Error(says(asked));
  };
  const other = { decision: "allow", input: { password: `${canary}-2` }, reason: `better: ${canary}-2` };

  test.each<[string, object]>([
    ["a guard that refuses", { hooks: { guard: (asked: Asked) => ({ decision: "deny", reason: says(asked) }) } }],
    ["a guard that blocks", { hooks: { guard: (asked: Asked) => ({ block: says(asked) }) } }],
    ["a guard that allows", { hooks: { guard: (asked: Asked) => ({ decision: "allow", reason: says(asked) }) } }],
    ["a guard that asks", { hooks: { guard: (asked: Asked) => ({ decision: "ask", reason: says(asked) }) } }],
    ["a guard that fails", { hooks: { guard: throws } }],
    ["a transform that fails", { hooks: { transform: throws } }],
    [
      "a transform that fails with the secret of an earlier one",
      { hooks: { transform: [() => ({ input: { password: `${canary}-2` } }), throws] } },
    ],
    [
      "a rule that fails",
      {
        permissions: {
          rules: [{ tool: "sign_in", decision: "ask", when: (_: unknown, asked: Asked) => throws(asked) }],
        },
      },
    ],
    ["a check that refuses", { permissions: { check: (asked: Asked) => ({ decision: "deny", reason: says(asked) }) } }],
    ["a check that allows", { permissions: { check: (asked: Asked) => ({ decision: "allow", reason: says(asked) }) } }],
    ["a check that asks", { permissions: { check: (asked: Asked) => ({ decision: "ask", reason: says(asked) }) } }],
    ["a check that fails", { permissions: { check: throws } }],
    ["a check that gives another secret", { permissions: { check: () => other } }],
  ])("nobody reads what is quoted by %s", async (_what, options) => {
    const events: DispatchEvent[] = [];
    const spans: unknown[] = [];
    const store = memoryCallStore();
    const durable = durableCalls({ store });
    const tool = buildTool({
      name: "sign_in",
      description: "Signs in.",
      input: { type: "object", properties: { password: { type: "string", writeOnly: true } } },
      behavior: { isDestructive: false },
      execute: () => "done",
    });
    const dispatcher = createDispatcher(
      withTelemetry(
        { tools: [tool], extensions: [durable], onEvent: (event) => events.push(event), ...options },
        { tracer: recordingTracer(spans), recordArguments: true, recordResults: true },
      ),
    );
    const call = { id: "1", name: "sign_in", input: { password: canary } };
    const { results } = await dispatcher.use(durable).run([call], { turnId: "t" });
    const seen = [results, events, spans, await store.questions({}), await store.records({})];
    expect(textsIn(seen).filter((text) => text.includes(canary))).toEqual([]);
  });
});

test("no excerpt ends inside a secret", async () => {
  const secret = "Zq7-0123456789-abcdefghij";
  vi.stubEnv("SECRET", secret);
  const parts = [secret.slice(0, 9), secret.slice(-9)];
  // Nine characters at either end of the secret must not show: no cut falls between two steps.
  for (let length = 900; length <= 1000; length += 5) {
    const long = `${"x".repeat(length)}${secret}${"y".repeat(1999)}`;
    const seen = await Promise.all([
      seenOf(printing("text", { stderr: `${secret}${"y".repeat(length + 1000)}`, exitCode: 1 })),
      seenOf(querying(() => Promise.reject(Object.assign(new Error(long), { code: "22P02" })))),
      seenOf(serving(() => Promise.reject(new Error(long)))),
      seenOf(answering(404, "text/plain", long)),
    ]);
    expect(seen.flat().filter((each) => parts.some((part) => each.includes(part)))).toEqual([]);
  }
});

test("leaves alone what no secret is in, and secrets shorter than four characters", () => {
  const redactor = new Redactor();
  redactor.add("abc");
  redactor.add("8080");
  redactor.add("Zq7/secret");
  const value = { a: ["abc", 18_080, null, { __proto__: null, b: "Zq7" }] };
  expect(redactor.value(value)).toBe(value);
  expect(redactor.value({ port: 8080 })).toEqual({ port: "[redacted]" });
});

test("takes out bytes of JSON, and keeps those around them", () => {
  const redactor = new Redactor();
  redactor.add("Zq7/secret");
  const data = [1, ...bytes("Zq7/secret"), 255];
  expect(redactor.value({ type: "Buffer", data })).toEqual({ type: "Buffer", data: [1, "[redacted]", 255] });
  expect(redactor.value(Buffer.from(data))).toEqual({ type: "Buffer", data: [1, "[redacted]", 255] });
  expect(redactor.value(new Uint8Array(data))).toEqual({ 0: 1, 1: "[redacted]", 2: 255 });
  const others = [[1, 2, 3], { 0: 1, 1: 2 }, [90, 113, 55, 300]];
  expect(redactor.value(others)).toBe(others);
});

test("takes out a secret whose blanks at both ends a header or a program has dropped", () => {
  const redactor = new Redactor();
  redactor.add(" \tZq7/secret\n");
  expect(redactor.text("token Zq7/secret.")).toBe("token [redacted].");
  expect(redactor.text(Buffer.from("Zq7/secret").toString("base64"))).not.toContain("cTcvc2VjcmV0");
});

test("takes time in proportion to a text of nothing but backslashes", () => {
  const redactor = new Redactor();
  for (const length of [1, 2, 3, 40]) redactor.add(`${"\\".repeat(length)}/"end`);
  redactor.add(`${"\n".repeat(40)}${"\\n".repeat(40)}${"1".repeat(40)}end`);
  const texts = ["\\", `${"\\".repeat(39)}/"`, "\\n", "\n", "1\n", "1\n        ", "49, ", "31 ", '"1":49,', "31\\n"];
  for (const text of texts.map((part) => part.repeat(100_000 / part.length))) {
    expect(redactor.text(text) === text).toBe(true);
  }
});

test("a database's URL is secret with its passwords, unless they are names", () => {
  const url = "postgres://ada:p%40ss-word@db/shop?sslpassword=of-the-key";
  expect(findSecrets(url)).toEqual([url, "p@ss-word", "of-the-key"]);
  expect(findSecrets("postgres://postgres:postgres@db/shop")).toEqual(["postgres://postgres:postgres@db/shop"]);
  expect(findSecrets("not a URL")).toEqual(["not a URL"]);
  expect(findSecrets("postgres://ada@db/shop", ["of-the-host", "ada"])).toEqual([
    "postgres://ada@db/shop",
    "of-the-host",
  ]);
});

test("takes out each longer string of a JSON secret, escaped or not", () => {
  const body = "MIIEvQIB".repeat(8);
  const key = `-----BEGIN PRIVATE KEY-----\n${body}\n-----END PRIVATE KEY-----\n`;
  const strings = fc.array(fc.string({ minLength: 8, maxLength: 20, unit: "binary" }), { maxLength: 4 });
  fc.assert(
    fc.property(strings, fc.string({ maxLength: 7 }), fc.nat(20), (members, short, depth) => {
      const inner = JSON.stringify({ [short]: [...members, key, short, 12345678] });
      const redactor = new Redactor();
      redactor.add(`${'{"a":['.repeat(depth)}${inner}${"]}".repeat(depth)}`);
      for (const text of [...members, key, body]) {
        expect(redactor.text(`<${text}>`)).toMatch(/^<(?:\[redacted\])+>$/u);
        expect(redactor.text(JSON.stringify(text))).not.toContain(text);
      }
      expect(redactor.text("a 1234567")).toBe("a 1234567");
    }),
    { numRuns: Number(process.env["HASP_FUZZ_RUNS"] ?? 4) },
  );
  const deep = `${"[".repeat(5000)}"of-the-key"${"]".repeat(5000)}`;
  expect(findSecrets(deep)).toContain("of-the-key");
});

test.each(['"quoted"-and-more', "\\share\\of-files", "C:\\folder-of-files\\", "plain-and-more"])(
  "leaves JSON valid in which it takes out %j",
  (secret) => {
    const redactor = new Redactor();
    redactor.add(secret, [secret]);
    expect(JSON.parse(redactor.text(JSON.stringify({ value: secret })))).toEqual({ value: "[redacted]" });
  },
);

test("takes out a secret of many characters", () => {
  const secret = Array.from({ length: 40 }, (_, index) => `${index}\\😀`).join("");
  const redactor = new Redactor();
  redactor.add(secret);
  expect(redactor.text(`<${secret}>`)).toMatch(/^<(?:\[redacted\])+>$/u);
});

test.each([
  ["the password of a URL", "postgres://ada:p%40ss-word@db/shop", "p@ss-word"],
  ["each line of a key", `-----BEGIN KEY-----\n${"MIIEvQIB".repeat(8)}\n-----END KEY-----\n`, "MIIEvQIB".repeat(8)],
])("takes out %s", (_, secret, part) => {
  const redactor = new Redactor();
  redactor.add(secret);
  expect(redactor.text(`"${part}" was refused`)).toBe('"[redacted]" was refused');
});

test("details are JSON, whatever a tool returns", async () => {
  const details: Record<string, unknown> = { big: 2n ** 64n, error: new TypeError("no"), at: new Date(0), f: () => 1 };
  details["self"] = details;
  const tool = buildTool({
    name: "look",
    description: "Looks.",
    input: { type: "object", additionalProperties: false },
    concurrency: { class: "READ_ONLY" },
    behavior: { requiresPermission: false },
    execute: () => toolResult({ content: "seen", details }),
  });
  const [result] = await createDispatcher({ tools: [tool] }).dispatch([{ id: "1", name: "look", input: {} }]);
  expect(JSON.parse(JSON.stringify(result?.details))).toEqual({
    big: "18446744073709551616",
    error: { name: "TypeError", message: "no" },
    at: "1970-01-01T00:00:00.000Z",
    self: "[circular]",
  });
});
