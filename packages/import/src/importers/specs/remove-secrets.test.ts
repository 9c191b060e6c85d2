import { expect, test } from "vitest";
import { removeSecrets } from "./remove-secrets.js";

const KEY = `sk_live_${"a1".repeat(15)}`;

test("removes values that look like secrets from an import, and keeps values that decide", () => {
  const { value, removed } = removeSecrets({
    description: `Call it with ${KEY}, please.`,
    input: {
      enum: [KEY],
      default: KEY,
      examples: ["fine", KEY, { token: KEY }],
      properties: { default: { type: "string", description: KEY }, ok: { type: "string", default: "sk" } },
    },
    "x-samples": { curl: `curl -u ${KEY}:` },
  });
  expect(value).toEqual({
    description: "Call it with [removed], please.",
    input: {
      enum: [KEY],
      examples: ["fine"],
      properties: { default: { type: "string", description: "[removed]" }, ok: { type: "string", default: "sk" } },
    },
  });
  expect(removed).toBe(5);
});
