// What the pages tell a newcomer to run must not be on its way out: the official package knows which models are.
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import Anthropic from "@anthropic-ai/sdk";
import { afterEach, expect, test, vi } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const pages = readdirSync(join(root, "packages/hasp/docs/guides")).map((name) => `packages/hasp/docs/guides/${name}`);
const text = pages.map((path) => readFileSync(join(root, path), "utf8")).join("\n");

afterEach(() => void vi.restoreAllMocks());

/** Collects the warnings of the official package about a model. */
async function warnings(model: string): Promise<readonly string[]> {
  const said: string[] = [];
  vi.spyOn(console, "warn").mockImplementation((line: string) => void said.push(line));
  const client = new Anthropic({ apiKey: "none", fetch: () => Promise.resolve(Response.json({ content: [] })) });
  await client.messages.create({ model, max_tokens: 1, messages: [{ role: "user", content: "Hello" }] });
  return said;
}

test("no page uses a model of Anthropic's that its package calls deprecated", async () => {
  const models = new Set(text.match(/\bclaude-[\w-]+/gu));
  expect(models.size).toBeGreaterThan(0);
  for (const model of models) expect(await warnings(model), model).toEqual([]);
  // The one that the pages used before: the question can be answered with yes.
  expect(await warnings("claude-sonnet-4-5")).toEqual([expect.stringContaining("deprecated")]);
});
