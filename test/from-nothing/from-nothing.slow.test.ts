// From an empty folder to an agent that runs, for each thing that a team may already have. The commands are those that
// the import prints; the loop is the README's; the model is a loopback server that refuses what Anthropic's API
// refuses.
import { execFile, spawnSync } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { hasp } from "../cli/command-line.js";
import { openAnthropicApi } from "../clients/anthropic-api.testing.js";
import { createFolder, type GuideFolder } from "../guides/guide-folder.js";
import { LIBRARY_CHECK } from "../sample.js";

/** A team's sources, and its hand-written files. */
interface Start {
  readonly files: Readonly<Record<string, string>>;
  /** The import, given the address of a service. */
  readonly importWords: (service: string) => readonly string[];
  readonly tool: string;
  /** True if the source makes a claim that can be approved. */
  readonly isSuggested: boolean;
  readonly input: object;
  /** The text that the model must receive in the end. */
  readonly answer: string;
}

const agentAllowing = (tool: string): string => `import Anthropic from "@anthropic-ai/sdk";
import { createDispatcher } from "@hasp/runtime";
import { toToolCalls, toToolResultBlocks } from "@hasp/runtime/anthropic";
import { tools } from "./generated/providers/anthropic.js";
import { registry } from "./generated/registry.js";

const client = new Anthropic({ apiKey: "none", baseURL: process.env["MODEL_URL"] ?? "", maxRetries: 0 });
const permissions = { rules: [{ tool: ${JSON.stringify(tool)}, decision: "allow", reason: "a test" }] } as const;
const dispatcher = createDispatcher({ tools: registry, dialect: "anthropic", permissions });
const messages: Anthropic.MessageParam[] = [{ role: "user", content: "go" }];
for (;;) {
  const response = await client.messages.create({ model: "claude-test", max_tokens: 100, tools: [...tools], messages });
  messages.push({ role: "assistant", content: response.content });
  const turn = toToolCalls(response);
  if (turn.calls.length === 0) break;
  messages.push({ role: "user", content: [...toToolResultBlocks(await dispatcher.dispatch(turn.calls), { turn })] });
}
process.exit(0);
`;

const memory = join(import.meta.dirname, "../node_modules/@modelcontextprotocol/server-memory/dist/index.js");

const starts: Readonly<Record<string, Start>> = {
  "an MCP server": {
    files: {},
    importWords: () => ["mcp", `"${process.execPath}" "${memory}"`, "--only", "search_nodes"],
    tool: "search_nodes",
    isSuggested: true,
    input: { query: "Ada" },
    answer: JSON.stringify({ entities: [], relations: [] }, undefined, 2),
  },
  "an OpenAPI document": {
    files: {
      "api.yaml": `openapi: 3.1.0
info: { title: Shop, version: "1" }
paths:
  /orders/{id}:
    get:
      operationId: getOrder
      description: Get one order.
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses: { "200": { description: ok, content: { application/json: { schema: { $ref: "#/components/schemas/Order" } } } } }
components: { schemas: { Order: { type: object, required: [id], properties: { id: { type: string } } } } }
`,
    },
    importWords: (service) => ["openapi", "api.yaml", "--url", service],
    tool: "getOrder",
    isSuggested: true,
    input: { id: "o1" },
    answer: '{"id":"/orders/o1"}',
  },
  "an array of tools": {
    files: {
      "tools.json": JSON.stringify([
        {
          name: "add",
          description: "Add two numbers.",
          input_schema: {
            type: "object",
            required: ["a", "b"],
            properties: { a: { type: "number" }, b: { type: "number" } },
          },
        },
      ]),
      "src/tools/add.ts": `import type { AddHandler } from "../generated/tools/add.js";

export const execute: AddHandler["execute"] = ({ a, b }) => ({ sum: a + b });
`,
    },
    importWords: () => ["anthropic", "tools.json"],
    tool: "add",
    isSuggested: false,
    input: { a: 1, b: 2 },
    answer: '{"sum":3}',
  },
  "a Zod module": {
    files: {
      "src/schemas.ts": `import { z } from "zod";
export const greetInput = z.object({ name: z.string().min(1), times: z.int().min(1).default(2) }).describe("Greet somebody.");
export const greetOutput = z.object({ text: z.string() });
`,
      "src/tools/greet.ts": `import type { GreetHandler } from "../generated/tools/greet.js";

export const execute: GreetHandler["execute"] = ({ name, times }) => ({ text: \`Hello \${name}! \`.repeat(times).trim() });
`,
    },
    importWords: () => ["zod", "src/schemas.ts"],
    tool: "greet",
    isSuggested: false,
    input: { name: "Ada" },
    answer: '{"text":"Hello Ada! Hello Ada!"}',
  },
};

describe.each(Object.entries(starts))("from %s", (_what, start) => {
  test("to a running agent", async () => {
    const folder = createFolder();
    onTestFinished(() => folder.remove());
    await run(folder, ["init"]);
    folder.write("hasp.config.yaml", "specs: [specs]\ndialects: [anthropic]\n");
    for (const [path, text] of Object.entries({ ...start.files, "src/agent.ts": agentAllowing(start.tool) })) {
      folder.write(path, text);
    }

    const printed = await run(folder, ["import", ...start.importWords(await openShop())]);
    const [, approve] = /`hasp (approve .*)`/u.exec(printed) ?? [];
    expect(approve !== undefined).toBe(start.isSuggested);
    if (approve !== undefined) {
      await run(
        folder,
        [...approve.matchAll(/"([^"]*)"|\S+/gu)].map(([word, quoted]) => quoted ?? word),
      );
    }
    await run(folder, ["build"]);
    expect(
      spawnSync("tsc", LIBRARY_CHECK, { cwd: folder.root, env: folder.environment, encoding: "utf8" }),
    ).toMatchObject({ status: 0 });

    const api = await openAnthropicApi([[{ type: "tool_use", id: "toolu_1", name: start.tool, input: start.input }]]);
    const environment = { ...folder.environment, MODEL_URL: api.url };
    await promisify(execFile)(process.execPath, ["dist/agent.js"], { cwd: folder.root, env: environment });
    expect(api.refusals).toEqual([]);
    expect(api.requests).toHaveLength(2);
    const messages = api.requests[1]?.["messages"] as readonly { readonly content: unknown }[];
    expect(messages.at(-1)?.content).toEqual([
      { type: "tool_result", tool_use_id: "toolu_1", content: [{ type: "text", text: start.answer }] },
    ]);
  });
});

async function run(folder: GuideFolder, words: readonly string[]): Promise<string> {
  const { code, out, error } = await hasp(folder.root, words);
  expect(code, `hasp ${words.join(" ")}\n${out}\n${error}`).toBe(0);
  return out;
}

/** An API that returns the path it was asked for. */
async function openShop(): Promise<string> {
  const server = createServer(
    (request, response) =>
      void response.setHeader("content-type", "application/json").end(JSON.stringify({ id: request.url })),
  );
  onTestFinished(() => void server.close());
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
