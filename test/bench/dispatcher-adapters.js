// Dispatchers of several frameworks for the conformance kit, each driven by its own public way. Each gets its own
// settings where it has them: timeouts, retries, approval, and one call at a time for a turn with a tool that writes.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { buildTool, createDispatcher } from "@hasp/runtime";
import { Command, MemorySaver } from "@langchain/langgraph";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { Agent, Runner, Usage, tool as agentsTool } from "@openai/agents-core";
import * as ai6 from "ai";
import * as ai7 from "ai-newest";
import { MockLanguageModelV4 } from "ai-newest/test";
import { MockLanguageModelV3 } from "ai/test";
import { transform } from "esbuild";
import {
  AIMessage,
  createAgent,
  fakeModel,
  humanInTheLoopMiddleware,
  tool as langChainTool,
  ToolMessage,
  toolRetryMiddleware,
} from "langchain";
import { z } from "zod";

const zodOf = ({ input }) => z.fromJSONSchema(input);
const offered = (tools) => tools.filter(({ isDenied }) => !isDenied);
const mostAtOnce = (tools) => (tools.every(({ isReadOnly }) => isReadOnly) ? undefined : 1);
const asText = (value) => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""));
const versionOf = (name) =>
  JSON.parse(readFileSync(new URL(`../node_modules/${name}/package.json`, import.meta.url), "utf8")).version;

/** The cases that several frameworks leave to their host, with the reasons. */
const HOST = {
  aborts: {
    "answers every call of an aborted turn and starts no further one": "an abort ends the run without answers",
    "runs nothing of a turn that was aborted before it began": "an abort ends the run without answers",
  },
  edits: { "edited answers": "an approval has no input" },
  asking: { "refuses a call if the person cannot be asked": "the host asks between two runs" },
  limits: {
    limits: "tools bound their own results",
    "shortens an output of somebody else": "who executes a call bounds its output",
  },
  retries: { "repeats a reader after a transient failure": "tools are not retried" },
  timeouts: { timeouts: "tools have no timeout", "repeats no writer whose time was up": "tools have no timeout" },
};

/** The dispatcher of this project. */
export const hasp = {
  name: "hasp",
  version: versionOf("@hasp/runtime"),
  async run({ tools, calls, signal, ask }) {
    const dispatcher = createDispatcher({
      tools: tools.map((each) =>
        buildTool({
          name: each.name,
          description: each.description,
          input: each.input,
          ...(each.output !== undefined && { output: each.output }),
          concurrency: { class: each.isReadOnly ? "READ_ONLY" : "UNSAFE" },
          behavior: { requiresPermission: each.needsPermission, isDestructive: false, isOpenWorld: false },
          limits: { timeoutSeconds: each.timeoutMs / 1000, maxRetries: each.maxRetries },
          ...(each.isExternal ? { external: true } : { execute: each.execute }),
        }),
      ),
      external: ({ toolName, input }, options) => tools.find(({ name }) => name === toolName).execute(input, options),
      permissions: {
        deny: tools.filter(({ isDenied }) => isDenied).map(({ name }) => name),
        async ask(call) {
          const answer = await ask(call);
          return typeof answer === "string" ? answer : { decision: "allow", input: answer.input };
        },
      },
      retryDelayMs: () => 1,
    });
    const results = await dispatcher.dispatch(calls, { signal });
    return results.map(({ callId, content, isError }) => ({
      callId,
      isError,
      text: content.map(({ text }) => text ?? "").join("\n"),
    }));
  },
};

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: 1, reasoning: undefined },
};

/** The reply of an AI SDK model: these calls, or the end. */
function aiReply(calls) {
  const isLast = calls.length === 0;
  return {
    content: isLast
      ? [{ type: "text", text: "done" }]
      : calls.map(({ id, name, input }) => ({ type: "tool-call", toolCallId: id, toolName: name, input })),
    finishReason: { unified: isLast ? "stop" : "tool-calls", raw: undefined },
    usage,
    warnings: [],
  };
}

/** The answers in the last request to an AI SDK model. */
function aiAnswers(requests) {
  return requests
    .at(-1)
    .prompt.filter(({ role }) => role === "tool")
    .flatMap(({ content }) => content)
    .filter(({ type }) => type === "tool-result")
    .map(({ toolCallId, output }) => ({
      callId: toolCallId,
      text: asText(output.value ?? output.reason ?? output.type),
      isError: /^(?:error|execution-denied)/u.test(output.type),
    }));
}

/** The output of a client of the AI SDK, as `addToolOutput` brings it into the messages. */
async function answerOfClient(tools, { toolCallId, toolName, input }) {
  const about = { type: "tool-result", toolCallId, toolName };
  try {
    const value = await tools.find(({ name }) => name === toolName).execute(input, {});
    return { ...about, output: { type: typeof value === "string" ? "text" : "json", value } };
  } catch (error) {
    return { ...about, output: { type: "error-text", value: error.message } };
  }
}

function aiSdk(version, { generateText, tool, stepCountIs }, Model, timeouts) {
  return {
    name: "AI SDK",
    version,
    leavesToHost: { ...HOST.aborts, ...HOST.asking, ...HOST.edits, ...HOST.limits, ...HOST.retries, ...timeouts },
    async run({ tools, calls, signal, ask }) {
      const requests = [];
      const step = async (messages, isFirst) => {
        let replies = isFirst ? [calls] : [];
        const model = new Model({
          doGenerate: async (request) => {
            requests.push(request);
            const [next = []] = replies;
            replies = [];
            return aiReply(next);
          },
        });
        return generateText({
          model,
          messages,
          abortSignal: signal,
          stopWhen: stepCountIs(3),
          toolCallConcurrency: mostAtOnce(tools),
          timeout: { tools: Object.fromEntries(tools.map((each) => [`${each.name}Ms`, each.timeoutMs])) },
          tools: Object.fromEntries(
            offered(tools).map((each) => [
              each.name,
              tool({
                description: each.description,
                inputSchema: zodOf(each),
                needsApproval: each.needsPermission,
                ...(each.output !== undefined && { outputSchema: z.fromJSONSchema(each.output) }),
                // The client executes the calls of a tool without `execute`.
                ...(!each.isExternal && {
                  execute: (input, { abortSignal }) => each.execute(input, { signal: abortSignal }),
                }),
              }),
            ]),
          ),
        });
      };
      const start = [{ role: "user", content: "go" }];
      const first = await step(start, true);
      const asked = first.content.filter(({ type }) => type === "tool-approval-request");
      if (asked.length > 0) {
        const content = [];
        for (const { approvalId, toolCall } of asked) {
          const decision = await ask({ callId: toolCall.toolCallId, input: toolCall.input });
          content.push({ type: "tool-approval-response", approvalId, approved: decision === "allow" });
        }
        await step([...start, ...first.response.messages, { role: "tool", content }], false);
      }
      const answered = new Set(
        first.content.flatMap(({ type, toolCallId }) => (/-(?:result|error)$/u.test(type) ? [toolCallId] : [])),
      );
      const open = first.toolCalls.filter(
        ({ toolName, toolCallId }) =>
          tools.some(({ name, isExternal, needsPermission }) => name === toolName && isExternal && !needsPermission) &&
          !answered.has(toolCallId),
      );
      if (open.length > 0) {
        const outputs = await Promise.all(open.map((call) => answerOfClient(tools, call)));
        await step([...start, ...first.response.messages, { role: "tool", content: outputs }], false);
      }
      return aiAnswers(requests);
    },
  };
}

const openAIAgents = {
  name: "OpenAI Agents",
  version: versionOf("@openai/agents-core"),
  leavesToHost: {
    ...HOST.aborts,
    ...HOST.asking,
    ...HOST.edits,
    ...HOST.limits,
    ...HOST.retries,
    "answers a call that somebody else could not execute": "`errorFunction` says what was wrong",
    "answers a call whose tool throws, and runs its siblings": "`errorFunction` says what was wrong",
    "names the property that is wrong": "`errorFunction` says what was wrong",
  },
  async run({ tools, calls, signal, ask }) {
    const requests = [];
    const model = {
      async getResponse(request) {
        requests.push(request);
        const output =
          requests.length === 1
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
    const agent = new Agent({
      name: "conformance",
      model,
      tools: offered(tools).map((each) =>
        agentsTool({
          name: each.name,
          description: each.description,
          parameters: zodOf(each),
          needsApproval: each.needsPermission,
          timeoutMs: each.timeoutMs,
          execute: (input, _context, details) => each.execute(input, { signal: details?.signal }),
        }),
      ),
    });
    const runner = new Runner({
      tracingDisabled: true,
      toolExecution: { maxFunctionToolConcurrency: mostAtOnce(tools) ?? null },
      toolNotFoundBehavior: "return_error_to_model",
    });
    let result = await runner.run(agent, "go", { signal, toolNotFoundBehavior: "return_error_to_model" });
    if (result.interruptions.length > 0) {
      for (const interruption of result.interruptions) {
        const { callId, arguments: input } = interruption.rawItem;
        const decision = await ask({ callId, input: JSON.parse(input) });
        result.state[decision === "allow" ? "approve" : "reject"](interruption);
      }
      result = await runner.run(agent, result.state, { signal });
    }
    return requests
      .at(-1)
      .input.filter(({ type }) => type === "function_call_result")
      .map(({ callId, output }) => ({ callId, text: asText(output?.text ?? output), isError: undefined }));
  },
};

/** Parses calls as the chat models of LangChain do: text that is not JSON becomes an invalid call. */
function langChainMessage(calls) {
  const parsed = calls.map(({ id, name, input }) => {
    try {
      return { id, name, args: JSON.parse(input || "{}"), type: "tool_call" };
    } catch (error) {
      return { id, name, args: input, error: error.message, type: "invalid_tool_call" };
    }
  });
  return new AIMessage({
    content: "",
    tool_calls: parsed.filter(({ type }) => type === "tool_call"),
    invalid_tool_calls: parsed.filter(({ type }) => type === "invalid_tool_call"),
  });
}

const langGraph = {
  name: "LangGraph",
  version: `${versionOf("@langchain/langgraph")}, langchain ${versionOf("langchain")}`,
  leavesToHost: {
    ...HOST.aborts,
    ...HOST.asking,
    ...HOST.limits,
    ...HOST.timeouts,
    "ends although a tool ignores the abort": "an abort ends the run without answers",
  },
  async run({ tools, calls, signal, ask }) {
    const asking = offered(tools).filter(({ needsPermission }) => needsPermission);
    const retrying = offered(tools).filter(({ maxRetries }) => maxRetries > 0);
    const agent = createAgent({
      model: fakeModel().respond(langChainMessage(calls)).respond(new AIMessage("done")),
      tools: offered(tools).map((each) =>
        langChainTool((input, config) => each.execute(input, { signal: config.signal }), {
          name: each.name,
          description: each.description,
          schema: zodOf(each),
        }),
      ),
      middleware: [
        ...(asking.length === 0
          ? []
          : [
              humanInTheLoopMiddleware({
                interruptOn: Object.fromEntries(
                  asking.map(({ name }) => [name, { allowedDecisions: ["approve", "edit", "reject"] }]),
                ),
              }),
            ]),
        ...retrying.map(({ name, maxRetries }) =>
          toolRetryMiddleware({
            tools: [name],
            maxRetries,
            initialDelayMs: 1,
            jitter: false,
            retryOn: ({ code }) => code === "ECONNRESET",
          }),
        ),
      ],
      checkpointer: new MemorySaver(),
    });
    const options = { configurable: { thread_id: "conformance" }, signal };
    let outcome = await agent.invoke({ messages: [{ role: "user", content: "go" }] }, options);
    const [interrupt] = outcome.__interrupt__ ?? [];
    if (interrupt !== undefined) {
      const decisions = [];
      const askable = calls.filter((call) => asking.some(({ name }) => name === call.name));
      for (const [index, { args }] of interrupt.value.actionRequests.entries()) {
        const decision = await ask({ callId: askable[index].id, input: args });
        const { name } = askable[index];
        const edit = { type: "edit", editedAction: { name, args: decision.input } };
        decisions.push(typeof decision === "object" ? edit : { type: decision === "allow" ? "approve" : "reject" });
      }
      outcome = await agent.invoke(new Command({ resume: { decisions } }), options);
    }
    return outcome.messages
      .filter((message) => ToolMessage.isInstance(message))
      .map((message) => ({
        callId: message.tool_call_id,
        text: asText(message.content),
        isError: message.status === "error",
      }));
  },
};

/** Loads Mastra from a folder outside this repository; `undefined` where it cannot be installed. */
async function loadMastra() {
  const source = readFileSync(new URL("../clients/mastra-package.testing.ts", import.meta.url), "utf8");
  const { code } = await transform(source, { loader: "ts", format: "esm" });
  const { installMastra } = await import(`data:text/javascript;base64,${Buffer.from(code).toString("base64")}`);
  const folder = installMastra();
  if (folder === undefined) return undefined;
  const root = join(folder, "node_modules/@mastra/core");
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const load = async (path) => {
    const entry = manifest.exports[path].import;
    return import(pathToFileURL(join(root, typeof entry === "string" ? entry : entry.default)).href);
  };
  const modules = await Promise.all([".", "./agent", "./tools", "./storage"].map(load));
  return { version: manifest.version, ...Object.assign({}, ...modules) };
}

function mastra({ version, createTool, Agent: MastraAgent, Mastra, InMemoryStore }) {
  return {
    name: "Mastra",
    version,
    leavesToHost: { ...HOST.aborts, ...HOST.asking, ...HOST.edits, ...HOST.limits, ...HOST.retries, ...HOST.timeouts },
    async run({ tools, calls, signal, ask }) {
      const requests = [];
      const model = {
        specificationVersion: "v3",
        provider: "script",
        modelId: "script",
        supportedUrls: {},
        doGenerate: async (request) => {
          requests.push(request);
          return aiReply(requests.length === 1 ? calls : []);
        },
        doStream: async () => {
          throw new Error("not asked for");
        },
      };
      const conformance = new MastraAgent({
        id: "conformance",
        name: "conformance",
        instructions: "Go.",
        model,
        tools: Object.fromEntries(
          offered(tools).map((each) => [
            each.name,
            createTool({
              id: each.name,
              description: each.description,
              inputSchema: zodOf(each),
              ...(each.output !== undefined && { outputSchema: z.fromJSONSchema(each.output) }),
              requireApproval: each.needsPermission,
              execute: (input, context) => each.execute(input, { signal: context?.abortSignal }),
            }),
          ]),
        ),
      });
      const agent = new Mastra({
        agents: { conformance },
        storage: new InMemoryStore(),
        logger: false,
      }).getAgent("conformance");
      const options = { maxSteps: 3, abortSignal: signal, toolCallConcurrency: mostAtOnce(tools) };
      let outcome = await agent.generate("go", options);
      while (outcome.finishReason === "suspended") {
        const { toolCallId, args } = outcome.suspendPayload;
        const decision = await ask({ callId: toolCallId, input: args });
        const answer = { ...options, runId: outcome.runId, toolCallId };
        outcome = await (decision === "allow"
          ? agent.approveToolCallGenerate(answer)
          : agent.declineToolCallGenerate(answer));
      }
      if (outcome.error !== undefined) throw outcome.error;
      // A refused or invalid call is a plain result to Mastra; only its text says what was wrong.
      return aiAnswers(requests).map((answer) => ({ ...answer, isError: answer.isError || undefined }));
    },
  };
}

const mcp = {
  name: "MCP SDK",
  version: versionOf("@modelcontextprotocol/sdk"),
  leavesToHost: {
    ...HOST.limits,
    ...HOST.retries,
    order: "the client sends each call when it likes",
    permission: "the client asks before it calls",
    "tells the model with which input the call ran": "the client asks before it calls",
    "runs only one of two calls that share an id": "the client has its own ids",
    "answers every call of an aborted turn and starts no further one": "the client sends each call when it likes",
    "starts no writer beside one whose time is up and that still runs": "the client sends each call when it likes",
  },
  async run({ tools, calls, signal, ask }) {
    const server = new McpServer({ name: "conformance", version: "1" });
    for (const each of offered(tools)) {
      server.registerTool(
        each.name,
        {
          description: each.description,
          inputSchema: zodOf(each),
          ...(each.output !== undefined && { outputSchema: z.fromJSONSchema(each.output) }),
          annotations: { readOnlyHint: each.isReadOnly },
        },
        async (input, extra) => {
          const value = await each.execute(input, { signal: extra.signal });
          const structured = each.output !== undefined && { structuredContent: value };
          return { content: [{ type: "text", text: asText(value) }], ...structured };
        },
      );
    }
    const [near, far] = InMemoryTransport.createLinkedPair();
    const client = new Client({ name: "conformance", version: "1" });
    await Promise.all([server.connect(far), client.connect(near)]);
    const byName = new Map(tools.map((each) => [each.name, each]));
    // The loop of a host that adds no care of its own.
    return Promise.all(
      calls.map(async ({ id, name, input }) => {
        const each = byName.get(name);
        try {
          const parsed = input === "" ? {} : JSON.parse(input);
          const decision = each?.needsPermission ? await ask({ callId: id, input: parsed }) : "allow";
          if (decision === "deny") return { callId: id, text: "Refused.", isError: true };
          const options = { signal, timeout: each?.timeoutMs };
          const running = decision === "allow" ? parsed : decision.input;
          const result = await client.callTool({ name, arguments: running }, undefined, options);
          return {
            callId: id,
            text: result.content.map(({ text }) => text ?? "").join("\n"),
            isError: result.isError === true,
          };
        } catch (error) {
          return { callId: id, text: String(error.message), isError: true };
        }
      }),
    );
  },
};

/** Loads the adapters of the peers by name; without Mastra where that cannot be installed. */
export async function loadPeers() {
  const modules = await loadMastra();
  return [
    aiSdk(versionOf("ai"), ai6, MockLanguageModelV3, HOST.timeouts),
    aiSdk(versionOf("ai-newest"), ai7, MockLanguageModelV4, {}),
    langGraph,
    ...(modules === undefined ? [] : [mastra(modules)]),
    mcp,
    openAIAgents,
  ];
}
