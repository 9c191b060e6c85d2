import Anthropic from "@anthropic-ai/sdk";
import { providerSearch } from "@hasp/runtime/search";
import { createDispatcher } from "@hasp/runtime";
import { toAnthropicRunnableTools } from "@hasp/runtime/anthropic";
import OpenAI from "openai";
import { describe, expect, test } from "vitest";
import { registry } from "../../tools-spec/src/generated/registry.js";
import { hasShared } from "../schema/shared.testing.js";
import { openAnthropicApi } from "./anthropic-api.testing.js";
import { openOpenAiApi } from "./openai-api.testing.js";

// The worked example, compiled: what real clients send of it, held against an independent reading of what the APIs
// refuse.
const env = { SMTP_URL: "smtp://127.0.0.1", DATABASE_URL: "postgres://127.0.0.1" };
const open = { features: () => true, permissions: { ask: () => "deny" as const }, env };

describe.skipIf(!hasShared)(
  "the lists of a compiled toolset, by real clients (skipped where ../shared is not there)",
  () => {
    test("Anthropic's client takes the compiled list", async () => {
      const api = await openAnthropicApi([]);
      const client = new Anthropic({ apiKey: "none", baseURL: api.url, maxRetries: 0 });
      const tools = toAnthropicRunnableTools(
        createDispatcher({ tools: registry, extensions: [providerSearch], ...open }),
      );
      await client.beta.messages.toolRunner({
        model: "m",
        max_tokens: 1,
        messages: [{ role: "user", content: "go" }],
        tools,
      });
      expect(api.refusals).toEqual([]);
      // The list is fixed, so that it holds the reader of long results from the start.
      expect(api.requests[0]?.["tools"]).toHaveLength(registry.names.length + 1);
    });

    test.each(["openai-responses", "openai-responses-strict"])(
      "the client takes the compiled list: %s",
      async (dialect) => {
        const api = await openOpenAiApi([]);
        const client = new OpenAI({ apiKey: "none", baseURL: `${api.url}/v1`, maxRetries: 0 });
        const dispatcher = createDispatcher({ tools: registry, dialect, ...open });
        const tools = dispatcher.definitions(dialect) as unknown as OpenAI.Responses.Tool[];
        await client.responses.create({ model: "m", input: [{ role: "user", content: "go" }], tools });
        expect(api.refusals).toEqual([]);
        expect(tools.length).toBeGreaterThan(5);
      },
    );

    test("a strict list with one optional field would be refused", async () => {
      const api = await openOpenAiApi([]);
      const client = new OpenAI({ apiKey: "none", baseURL: `${api.url}/v1`, maxRetries: 0 });
      const parameters = {
        type: "object",
        properties: { a: { type: "string" } },
        required: [],
        additionalProperties: false,
      };
      const tool = { type: "function" as const, name: "x", description: "x", parameters, strict: true };
      await expect(client.responses.create({ model: "m", input: "go", tools: [tool] })).rejects.toThrow(
        /not all required/u,
      );
    });
  },
);
