import { expect, test } from "vitest";
import { httpEffects, type HttpRequestShape } from "./effects.js";

test.each<[HttpRequestShape, object]>([
  [{ method: "GET" }, { verdict: "reads", at: "/method" }],
  [{ method: "HEAD", query: ["limit"], headers: { Accept: "text/plain" } }, { verdict: "reads" }],
  [{ method: "QUERY", body: { json: "input.query" } }, { verdict: "reads" }],
  [{ method: "OPTIONS" }, { verdict: "reads" }],
  [
    { method: "GET", body: { json: "input.query" } },
    { verdict: "writes", at: "/body" },
  ],
  [
    { method: "GET", headers: { "X-HTTP-Method-Override": "DELETE" } },
    { verdict: "writes", at: "/headers/X-HTTP-Method-Override" },
  ],
  [
    { method: "GET", query: ["limit", "_method"] },
    { verdict: "writes", at: "/query/1" },
  ],
  [
    { method: "GET", query: { _method: "input.method" } },
    { verdict: "writes", at: "/query/_method" },
  ],
  [{ method: "POST" }, { verdict: "writes", idempotent: false }],
  [{ method: "PATCH" }, { verdict: "writes" }],
  [{ method: "PUT" }, { verdict: "writes", idempotent: true }],
  [{ method: "DELETE" }, { verdict: "writes", destructive: true, idempotent: true }],
  [{ method: "PURGE" }, { verdict: "writes", idempotent: false }],
])("%j", (declaration, effect) => {
  expect(httpEffects(declaration)).toMatchObject([effect]);
});
