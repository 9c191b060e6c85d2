import { expect, test } from "vitest";
import { createEquippedDispatcher as createDispatcher, callsOf, reader, writer } from "../tools.testing.js";
import { deservesRetry } from "./transient.js";

const error = (parts: object): Error => Object.assign(new Error("no"), parts);
const loop = error({});
Object.assign(loop, { cause: loop });

test.each<[string, unknown, boolean]>([
  ...[
    ["EAI_AGAIN", "ECONNABORTED", "ECONNREFUSED", "ECONNRESET", "EHOSTUNREACH", "ENETDOWN", "ENETRESET", "ENETUNREACH"],
    [
      "EPIPE",
      "ETIMEDOUT",
      "UND_ERR_BODY_TIMEOUT",
      "UND_ERR_CONNECT_TIMEOUT",
      "UND_ERR_HEADERS_TIMEOUT",
      "UND_ERR_SOCKET",
    ],
  ]
    .flat()
    .map((code): [string, unknown, boolean] => [`the network's ${code}`, error({ code }), true]),
  ["a name that does not exist", error({ code: "ENOTFOUND" }), false],
  ["a certificate that is not trusted", error({ code: "DEPTH_ZERO_SELF_SIGNED_CERT" }), false],
  ["a client that was closed", error({ code: "UND_ERR_CLOSED" }), false],
  ["what lies behind a failed fetch", new TypeError("fetch failed", { cause: error({ code: "ECONNRESET" }) }), true],
  ...[429, 502, 503, 504].map((status): [string, unknown, boolean] => [`status ${status}`, error({ status }), true]),
  ["a status in the response", error({ response: { status: 503 } }), true],
  ...["40001", "40P01", "55P03", "57P01", "08006"].map((code): [string, unknown, boolean] => [
    `Postgres ${code}`,
    error({ code }),
    true,
  ]),
  ["a wrong password", error({ code: "28P01" }), false],
  ["status 500", error({ status: 500 }), false],
  ["any other error", new Error("no"), false],
  ["a text", "ECONNRESET", false],
  ["a cause that is its own", loop, false],
  ["what the handler says itself", error({ code: "ECONNRESET", retryable: false }), false],
  ["what the handler says itself, the other way", error({ retryable: true }), true],
])("deservesRetry recognises transient errors: %s", (_name, thrown, expected) =>
  expect(deservesRetry(thrown)).toBe(expected),
);

test("only a call that may be repeated is repeated", async () => {
  let attempts = 0;
  const fail = (): never => {
    attempts += 1;
    throw error({ code: "ECONNRESET" });
  };
  const limits = { limits: { maxRetries: 2 } };
  for (const [tool, expected] of [
    [reader("t", fail, limits), 3],
    [writer("t", fail, { behavior: { isIdempotent: true }, ...limits }), 3],
    [writer("t", fail, limits), 1],
    [reader("t", fail), 1],
  ] as const) {
    attempts = 0;
    await createDispatcher({ tools: [tool], retryDelayMs: () => 0 }).dispatch(callsOf("t"));
    expect(attempts).toBe(expected);
  }
});

test.each([
  ["as long as the error asks", 0.05, 2, 50],
  ["not at all for an error that asks for too long", 61, 1, 0],
])("the next attempt waits %s", async (_name, retryAfterSeconds, attempts, leastMs) => {
  const startedAt: number[] = [];
  const look = reader(
    "look",
    () => {
      startedAt.push(performance.now());
      throw error({ status: 429, retryAfterSeconds });
    },
    { limits: { maxRetries: 1 } },
  );
  await createDispatcher({ tools: [look], retryDelayMs: () => 0 }).dispatch(callsOf("look"));
  expect(startedAt).toHaveLength(attempts);
  // Timers may fire slightly early.
  expect((startedAt[1] ?? Infinity) - (startedAt[0] ?? 0)).toBeGreaterThan(leastMs * 0.9);
});
