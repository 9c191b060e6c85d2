// What other libraries need for the same ten calls of a tool that does nothing, each by its own public way.
import { Agent, Runner, Usage, tool as agentsTool } from "@openai/agents-core";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { generateText, jsonSchema, tool as aiTool } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import { Ajv2020 } from "ajv/dist/2020.js";
import { z } from "zod";

/** The schema of the bench once more, for those that want zod. */
const shape = {
  id: z.string().regex(/^[a-z0-9-]+$/),
  name: z.string().min(1).max(80),
  kind: z.enum(["user", "group", "robot"]),
  limit: z.number().int().min(1).max(1000),
  ratio: z.number().min(0).max(1).optional(),
  active: z.boolean().optional(),
};

/**
 * Peers by name, each a maker of `(calls) => Promise` that runs calls `{ id, name, input }` (`input` is JSON text) of
 * the tool `execute` in one turn of a model that answers at once.
 */
export const peers = {
  /** `generateText`, one step, with a mock model. */
  ai: (schema, execute) => {
    const validate = new Ajv2020().compile(schema);
    const inputSchema = jsonSchema(schema, {
      validate: (value) =>
        validate(value) ? { success: true, value } : { success: false, error: new Error("invalid") },
    });
    let calls = [];
    const model = new MockLanguageModelV3({
      doGenerate: async () => ({
        content: calls.map(({ id, name, input }) => ({ type: "tool-call", toolCallId: id, toolName: name, input })),
        finishReason: { unified: "tool-calls", raw: undefined },
        usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } },
        warnings: [],
      }),
    });
    const tools = { nothing: aiTool({ description: "Does nothing.", inputSchema, execute }) };
    return async (given) => {
      calls = given;
      const { toolResults } = await generateText({ model, tools, prompt: "x" });
      if (toolResults.length !== given.length) throw new Error("ai did not run every call");
    };
  },

  /** A client and a server of the MCP SDK, joined in memory; the calls are sent together. */
  "MCP SDK, in memory": async (_schema, execute) => {
    const server = new McpServer({ name: "bench", version: "1" });
    server.registerTool("nothing", { description: "Does nothing.", inputSchema: shape }, async (input) => ({
      content: [{ type: "text", text: await execute(input) }],
    }));
    const [near, far] = InMemoryTransport.createLinkedPair();
    const client = new Client({ name: "bench", version: "1" });
    await Promise.all([server.connect(far), client.connect(near)]);
    return async (calls) => {
      await Promise.all(calls.map(({ name, input }) => client.callTool({ name, arguments: JSON.parse(input) })));
    };
  },

  /** The runner of the OpenAI Agents SDK, tracing off: a turn with the calls and one that ends. */
  "OpenAI Agents runner": (_schema, execute) => {
    let calls = [];
    let isAnswered = false;
    const model = {
      async getResponse() {
        isAnswered = !isAnswered;
        const output = isAnswered
          ? calls.map(({ id, name, input }) => ({
              type: "function_call",
              callId: id,
              name,
              arguments: input,
              status: "completed",
            }))
          : [
              {
                type: "message",
                role: "assistant",
                status: "completed",
                content: [{ type: "output_text", text: "done" }],
              },
            ];
        return { usage: new Usage(), output };
      },
      getStreamedResponse() {
        throw new Error("not asked for");
      },
    };
    // It validates zod schemas only, in its strict mode only: there every field must be present.
    const parameters = z.object({
      ...shape,
      ratio: shape.ratio.unwrap().nullable(),
      active: shape.active.unwrap().nullable(),
    });
    const nothing = agentsTool({ name: "nothing", description: "Does nothing.", parameters, execute });
    const agent = new Agent({ name: "bench", model, tools: [nothing] });
    const runner = new Runner({ tracingDisabled: true });
    return async (given) => {
      calls = given;
      const { newItems } = await runner.run(agent, "x");
      if (newItems.filter(({ type }) => type === "tool_call_output_item").length !== given.length) {
        throw new Error("not every call ran");
      }
    };
  },
};
