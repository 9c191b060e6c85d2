import type { JsonSchema } from "@hasp/schema";
import { expect, test } from "vitest";
import { findHttpEffects, type HttpRequestShape } from "./effects.js";

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
])("finds the effects of a request: %j", (declaration, effect) => {
  expect(findHttpEffects(declaration)).toMatchObject([effect]);
});

const closed = { type: "object", properties: { state: { type: "string" } }, additionalProperties: false } as const;
const overriding = { ...closed, properties: { _method: { type: "string" } } } as const;
const open = { type: "object", additionalProperties: { type: "string" } } as const;
const deep = { parameters: { query: { filter: { style: "deepObject", explode: true } } } } as const;

test.each<[string, JsonSchema, Partial<HttpRequestShape>, object]>([
  ["a closed object", closed, {}, { verdict: "reads" }],
  ["a text", { type: "string" }, {}, { verdict: "reads" }],
  ["a list", { type: "array", items: { type: "string" } }, {}, { verdict: "reads" }],
  ["a map", open, {}, { verdict: "unknown", at: "/query/0" }],
  ["a map by pattern", { ...closed, patternProperties: { "^x": true } }, {}, { verdict: "unknown" }],
  ["anything", {}, {}, { verdict: "unknown" }],
  ["a map or a text", { anyOf: [{ type: "string" }, open] }, {}, { verdict: "unknown" }],
  ["a map in brackets", open, deep, { verdict: "reads" }],
  [
    "a map as JSON",
    open,
    { parameters: { query: { filter: { contentType: "application/json" } } } },
    { verdict: "reads" },
  ],
  ["a map in one value", open, { parameters: { query: { filter: { explode: false } } } }, { verdict: "reads" }],
  ["an object that names the method", overriding, {}, { verdict: "writes", at: "/query/0" }],
  ["a map of the author", {}, { query: { filter: { ".method": "x" } } }, { verdict: "writes", at: "/query/filter" }],
])("finds parameter names in the query %s", (_what, filter, more, effect) => {
  const schema = { type: "object", properties: { filter }, additionalProperties: false };
  const tool = { input: { schema }, spec: {} } as never;
  expect(findHttpEffects({ method: "GET", query: ["filter"], ...more }, tool)).toMatchObject([effect]);
});
