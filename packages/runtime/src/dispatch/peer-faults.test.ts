import { expect, test, vi } from "vitest";
import * as anthropic from "../providers/anthropic.js";
import type { ToolCall, ToolResult } from "../tool/definition.js";
import type { McpTool } from "./state/dispatcher-types.js";
import { buildTool } from "../tool/tool.js";
import { toolResult } from "../results/tool-result.js";
import { measureContent } from "../results/content.js";
import { createPermissions } from "./permissions/create-permissions.js";
import {
  createEquippedDispatcher as createDispatcher,
  callsOf,
  deferred,
  never,
  reader,
  sleep,
  writer,
  type Options,
} from "./tools.testing.js";
import { storedResults } from "../extensions/results/stored-results.js";

// Faults reported against other dispatchers, each with its issue.

const codes = (results: readonly ToolResult[]): (string | undefined)[] => results.map((result) => result.error?.code);
const openObject = { type: "object", additionalProperties: true } as const;

test("1 anthropics/claude-code#2959: an interrupt leaves no call without its result", async () => {
  const dispatcher = createDispatcher({
    tools: [
      reader(
        "wait",
        (_input, { signal }: Options) =>
          new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("stopped")))),
        { behavior: { interruptBehavior: "cancel" } },
      ),
      writer("later"),
    ],
  });
  const turn = dispatcher.dispatch(callsOf("wait", "wait", "later"));
  await sleep(5);
  dispatcher.interrupt();
  const results = await turn;
  expect(results.map((result) => result.callId)).toEqual(["1", "2", "3"]);
  expect(anthropic.toToolResultBlocks(results)).toHaveLength(3);
});

test("2 anomalyco/opencode#5750: results are one contiguous list of blocks in call order, with nothing in between", async () => {
  const results = await createDispatcher({
    tools: [reader("a"), writer("b")],
    hooks: { guard: () => ({ note: "a note" }) },
  }).dispatch(callsOf("a", "b", "nope", "a"));
  const blocks = anthropic.toToolResultBlocks(results);
  expect(blocks.map((block) => [block.type, block.tool_use_id])).toEqual(
    ["1", "2", "3", "4"].map((id) => ["tool_result", id]),
  );
});

test("3 anthropics/claude-code#86001: denied, not started, interrupted and unknown are told apart", async () => {
  const controller = new AbortController();
  const started = deferred();
  const tools = [
    writer("asks", () => "ok", { behavior: { requiresPermission: true } }),
    writer("runs", (_input, { signal }: Options) => {
      started.resolve();
      return new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("killed"))));
    }),
    writer("waits"),
  ];
  const turn = createDispatcher({ tools }).dispatch(callsOf("asks", "runs", "waits"), { signal: controller.signal });
  await started.promise;
  controller.abort();
  expect((await turn).map((result) => [result.error?.phase, result.error?.code, result.error?.effect])).toEqual([
    ["permission", "no-one-to-ask", "none"],
    ["execute", "aborted", "unknown"],
    ["execute", "aborted", "none"],
  ]);
});

test("4 earendil-works/pi#2327: two edits of one file in one turn both survive", async () => {
  let file = "";
  const edit = buildTool<{ add: string }>({
    name: "edit",
    description: "d",
    input: openObject,
    behavior: { requiresPermission: false, isDestructive: false, isOpenWorld: false },
    async execute({ add }) {
      const before = file;
      await sleep(5);
      file = before + add;
    },
  });
  await createDispatcher({ tools: [edit] }).dispatch(callsOf(["edit", { add: "a" }], ["edit", { add: "b" }]));
  expect(file).toBe("ab");
});

test("5 earendil-works/pi#2692: a read after a write in one turn sees the write", async () => {
  let file = "old";
  const tools = [
    writer("write", async () => {
      await sleep(5);
      file = "new";
    }),
    reader("read", () => file),
  ];
  const results = await createDispatcher({ tools }).dispatch(callsOf("read", "write", "read"));
  expect(results.map((result) => (result.content[0]?.type === "text" ? result.content[0].text : ""))).toEqual([
    "old",
    "Done. The tool returned nothing.",
    "new",
  ]);
});

test("6 google-gemini/gemini-cli#26643: a tool that says nothing of concurrency runs alone", async () => {
  let live = 0;
  const silent = buildTool({
    name: "silent",
    description: "d",
    input: openObject,
    behavior: { isOpenWorld: false },
    execute: async () => {
      expect((live += 1)).toBe(1);
      await sleep(2);
      live -= 1;
    },
  });
  const results = await createDispatcher({
    tools: [silent],
    permissions: { rules: [{ tool: "silent", decision: "allow" }] },
  }).dispatch(callsOf("silent", "silent", "silent"));
  expect(codes(results)).toEqual([undefined, undefined, undefined]);
});

test("7 pydantic/pydantic-ai#7007: eight hundred calls of one turn run ten at a time", async () => {
  let live = 0;
  let most = 0;
  const look = reader("look", async () => {
    most = Math.max(most, (live += 1));
    await sleep(0);
    live -= 1;
  });
  await createDispatcher({ tools: [look] }).dispatch(callsOf(...Array.from({ length: 800 }, () => "look")));
  expect(most).toBe(10);
});

test("8 anthropics/claude-code#64346: a negative answer stops no sibling", async () => {
  const grep = reader("grep", () => toolResult({ content: "exit 1", isError: true }), {
    behavior: { abortsSiblingsOnError: true },
  });
  const results = await createDispatcher({
    tools: [
      grep,
      reader("look", async () => {
        await sleep(5);
        return "seen";
      }),
    ],
  }).dispatch(callsOf("grep", "look", "grep", "look"));
  expect(results.map((result) => result.isError)).toEqual([true, false, true, false]);
});

test("9 google/adk-python#7172: no sibling still works when the batch has returned", async () => {
  let live = 0;
  const slow = reader("slow", async (_input, { signal }: Options) => {
    live += 1;
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => setTimeout(resolve, 20)));
    live -= 1;
  });
  const bad = reader(
    "bad",
    async () => {
      await sleep(2);
      throw new Error("no");
    },
    { behavior: { abortsSiblingsOnError: true } },
  );
  await createDispatcher({ tools: [slow, bad] }).dispatch(callsOf("slow", "slow", "bad"));
  expect(live).toBe(0);
});

test("10 mastra-ai/mastra#18594: a hung tool does not stall the turn", async () => {
  const results = await createDispatcher({
    tools: [reader("hung", never, { limits: { timeoutSeconds: 0.01 } }), reader("look")],
  }).dispatch(callsOf("hung", "look"));
  expect(codes(results)).toEqual(["timeout", undefined]);
});

test("11 TulipFarm/tulipfarm#181: a payment that lands after its timeout is unknown, never repeated, and its end is reported", async () => {
  let paid = 0;
  const late: unknown[] = [];
  const pay = writer(
    "pay",
    async () => {
      await sleep(40);
      paid += 1;
    },
    { limits: { timeoutSeconds: 0.01, maxRetries: 3 } },
  );
  const dispatcher = createDispatcher({
    tools: [pay],
    onEvent: (event) => event.type === "settled-late" && late.push(event.outcome),
  });
  const [result] = await dispatcher.dispatch(callsOf("pay"));
  expect(result?.error).toMatchObject({ code: "timeout", effect: "unknown", indeterminate: true });
  expect(result?.error?.message).toMatch(/^Do not repeat this call before you have checked/);
  await sleep(60);
  expect([paid, late]).toEqual([1, ["returned"]]);
});

test("12 vercel/ai#7656: an abort ends the sleep before a retry", async () => {
  const controller = new AbortController();
  const busy = reader(
    "busy",
    () => {
      throw Object.assign(new Error("busy"), { retryable: true });
    },
    { limits: { maxRetries: 3 } },
  );
  const turn = createDispatcher({ tools: [busy], retryDelayMs: () => 60_000 }).dispatch(callsOf("busy"), {
    signal: controller.signal,
  });
  await sleep(5);
  controller.abort();
  expect((await turn)[0]?.isError).toBe(true);
});

test("13 openai/openai-agents-js#723: malformed arguments are a result, empty ones are {}", async () => {
  const results = await createDispatcher({ tools: [reader("t", (input) => input)] }).dispatch(
    callsOf(["t", "{oops"], ["t", ""]),
  );
  expect(results.map((result) => result.error?.code ?? result.output)).toEqual(["invalid-json", {}]);
});

test("14 earendil-works/pi#5697: a list sent as text is taken where a list is due, also by MCP tools", async () => {
  const inputSchema = {
    type: "object",
    properties: { tags: { type: "array", items: { type: "string" } }, note: { type: "string" } },
  } as const;
  const tool: McpTool = { name: "t", inputSchema, execute: (input) => input };
  const dispatcher = createDispatcher({
    tools: [],
    mcp: [{ server: "s", tools: [tool] }],
    permissions: { rules: [{ server: "s", tool: "t", decision: "allow" }] },
  });
  expect((await dispatcher.dispatch(callsOf(["mcp__s__t", { tags: '["a"]', note: '["a"]' }])))[0]?.output).toEqual({
    tags: ["a"],
    note: '["a"]',
  });
});

test("15 earendil-works/pi#786: the tool gets the coerced input, the transcript keeps the raw one", async () => {
  const execute = vi.fn(() => "ok");
  const call: ToolCall = { id: "1", name: "t", input: { n: "3" } };
  await createDispatcher({
    tools: [reader("t", execute, { input: { type: "object", properties: { n: { type: "integer" } } } })],
  }).dispatch([call]);
  expect(execute).toHaveBeenCalledWith({ n: 3 }, expect.anything());
  expect(call.input).toEqual({ n: "3" });
});

test("16 vercel/ai#19063: a truncated call is answered, never run", async () => {
  const execute = vi.fn();
  const { calls } = anthropic.toToolCalls({
    stop_reason: "max_tokens",
    content: [{ type: "tool_use", id: "1", name: "write", input: { half: "a fi" } }],
  });
  const [result] = await createDispatcher({ tools: [writer("write", execute)] }).dispatch(calls);
  expect(result?.error).toMatchObject({ code: "truncated", effect: "none" });
  expect(execute).not.toHaveBeenCalled();
});

test("17 anthropics/claude-code#33106: a hook's block holds for MCP tools", async () => {
  const execute = vi.fn();
  const dispatcher = createDispatcher({
    tools: [],
    mcp: [{ server: "s", tools: [{ name: "t", inputSchema: { type: "object" }, execute }] }],
    permissions: { rules: [{ server: "s", tool: "t", decision: "allow" }] },
    hooks: { guard: () => ({ block: "no" }) },
  });
  expect(codes(await dispatcher.dispatch(callsOf("mcp__s__t")))).toEqual(["blocked"]);
  expect(execute).not.toHaveBeenCalled();
});

test("18 anomalyco/opencode#23045: deny holds for MCP tools too, in the list and for calls", async () => {
  const dispatcher = createDispatcher({
    tools: [reader("look")],
    mcp: [{ server: "s", tools: [{ name: "t", inputSchema: { type: "object" }, execute: () => "ok" }] }],
    permissions: { deny: ["mcp__*"] },
  });
  expect(dispatcher.definitions("mcp").map((entry) => entry["name"])).toEqual(["look"]);
  expect(codes(await dispatcher.dispatch(callsOf("mcp__s__t")))).toEqual(["denied"]);
});

test("19 oops-rs/mentra#30: an input that a hook changed is validated and permitted again", async () => {
  const execute = vi.fn();
  const input = {
    type: "object",
    required: ["path"],
    properties: { path: { type: "string" } },
    additionalProperties: false,
  } as const;
  const permitted: unknown[] = [];
  const changed = async (path: unknown): Promise<(string | undefined)[]> =>
    codes(
      await createDispatcher({
        tools: [writer("rm", execute, { input, behavior: { requiresPermission: true } })],
        hooks: { transform: () => ({ input: { path } }) },
        permissions: {
          check: (request) => {
            permitted.push(request.input);
            return (request.input as { path: string }).path === "/tmp" ? "allow" : "deny";
          },
        },
      }).dispatch(callsOf(["rm", { path: "/tmp" }])),
    );
  expect(await changed(7)).toEqual(["invalid-input"]);
  expect(await changed("/")).toEqual(["denied"]);
  // The classifier judges only the input that would run.
  expect(permitted).toEqual([{ path: "/" }]);
  expect(execute).not.toHaveBeenCalled();
});

test("20 vercel/ai#15947: an approval is for one call, one tool and one input", async () => {
  const approved = new Set<string>();
  const check = ({ callId, inputDigest }: { callId: string; inputDigest: string }): "allow" | "deny" =>
    approved.has(`${callId} ${inputDigest}`) ? "allow" : "deny";
  const seen: string[] = [];
  const tools = [
    writer("pay", () => "ok", { behavior: { requiresPermission: true } }),
    writer("give", () => "ok", { behavior: { requiresPermission: true } }),
  ];
  const dispatcher = createDispatcher({
    tools,
    permissions: {
      check: (request) => {
        seen.push(`${request.callId} ${request.inputDigest}`);
        return check(request);
      },
    },
  });
  await dispatcher.dispatch([{ id: "a", name: "pay", input: { amount: 1 } }]);
  approved.add(seen[0] ?? "");
  const forged = [
    [{ id: "a", name: "pay", input: { amount: 1 } }],
    [{ id: "a", name: "pay", input: { amount: 1000 } }],
    [{ id: "a", name: "give", input: { amount: 1 } }],
    [{ id: "b", name: "pay", input: { amount: 1 } }],
  ];
  const answers = [];
  for (const calls of forged) answers.push(...codes(await dispatcher.dispatch(calls)));
  expect(answers).toEqual([undefined, "denied", "denied", "denied"]);
});

test("21 openclaw/openclaw#58037: the list has one order, whatever order servers connect in", () => {
  const tool = (name: string): McpTool => ({ name, inputSchema: { type: "object" }, execute: () => "ok" });
  const [a, b] = [
    { server: "a", tools: [tool("x"), tool("y")] },
    { server: "b", tools: [tool("z")] },
  ];
  const one = createDispatcher({ tools: [reader("m"), reader("c")], mcp: [a, b] });
  const two = createDispatcher({ tools: [reader("c"), reader("m")], mcp: [b, { ...a, tools: a.tools.toReversed() }] });
  expect(JSON.stringify(one.definitions("anthropic"))).toBe(JSON.stringify(two.definitions("anthropic")));
});

test("22 modelcontextprotocol/typescript-sdk#1643: what is listed is what is enforced", async () => {
  const input = {
    type: "object",
    oneOf: [
      { required: ["a"], properties: { a: { type: "string" } } },
      { required: ["b"], properties: { b: { type: "number" } } },
    ],
    unevaluatedProperties: false,
  } as const;
  const dispatcher = createDispatcher({ tools: [reader("t", () => "ok", { input })] });
  expect(dispatcher.definitions("mcp")[0]?.["inputSchema"]).toEqual(input);
  expect(codes(await dispatcher.dispatch(callsOf(["t", { a: "x" }], ["t", { c: 1 }], ["t", {}])))).toEqual([
    undefined,
    "invalid-input",
    "invalid-input",
  ]);
});

test("23 earendil-works/pi#2395: no code is made from text, neither for compiled nor for live tools", async () => {
  const forbid = (): never => {
    throw new EvalError("Code generation from strings disallowed for this context");
  };
  vi.stubGlobal("Function", forbid);
  vi.stubGlobal("eval", forbid);
  try {
    const dispatcher = createDispatcher({
      tools: [reader("t")],
      mcp: [
        {
          server: "s",
          tools: [
            { name: "m", inputSchema: { type: "object", properties: { a: { type: "integer" } } }, execute: () => "ok" },
          ],
        },
      ],
      permissions: { rules: [{ server: "s", tool: "m", decision: "allow", flow: "allow" }] },
    });
    expect(codes(await dispatcher.dispatch(callsOf("t", ["mcp__s__m", { a: "1" }])))).toEqual([undefined, undefined]);
  } finally {
    vi.unstubAllGlobals();
  }
});

test("24 QwenLM/qwen-code#4366: a long-lived signal has one listener a turn, and none after it", async () => {
  const { signal } = new AbortController();
  let listeners = 0;
  let most = 0;
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  vi.spyOn(signal, "addEventListener").mockImplementation((...args: Parameters<typeof add>) => {
    most = Math.max(most, (listeners += 1));
    add(...args);
  });
  vi.spyOn(signal, "removeEventListener").mockImplementation((...args: Parameters<typeof remove>) => {
    listeners -= 1;
    remove(...args);
  });
  const dispatcher = createDispatcher({
    tools: [reader("t", async (_input, options: Options) => void options.signal)],
  });
  for (let turn = 0; turn < 20; turn++) {
    await dispatcher.dispatch(callsOf(...Array.from({ length: 50 }, () => "t")), { signal });
  }
  expect([most, listeners]).toEqual([1, 0]);
});

test("25 charmbracelet/crush#3480: a huge MCP result does not reach the model whole", async () => {
  const huge = "x".repeat(4_000_000);
  const mcp = [
    {
      server: "s",
      tools: [
        {
          name: "t",
          inputSchema: { type: "object" } as const,
          execute: () => ({ content: [{ type: "text", text: huge }] }),
        },
      ],
    },
  ];
  const stored = deferred<number>();
  const resultStore = {
    put: ({ content }: { content: ToolResult["content"] }): string => {
      stored.resolve(measureContent(content));
      return "kept";
    },
  };
  const [result] = await createDispatcher({
    tools: [],
    mcp,
    extensions: [storedResults(resultStore)],
    permissions: { rules: [{ server: "s", tool: "t", decision: "allow" }] },
  }).dispatch(callsOf("mcp__s__t"));
  expect(measureContent(result?.content ?? [])).toBeLessThanOrEqual(100_000);
  expect(result?.offloaded).toEqual({ reference: "kept", sizeChars: 4_000_000 });
  expect(await stored.promise).toBe(4_000_000);
});

// Further issues from the comparison with peers.

test("pydantic-ai#6472, hermes-agent#100979: a hidden tool is refused at dispatch, not run unvalidated", async () => {
  const execute = vi.fn();
  const [result] = await createDispatcher({
    tools: [writer("hidden", execute, { visibility: { load: "deferred" } })],
  }).dispatch(callsOf("hidden"));
  expect(result?.error?.code).toBe("not-loaded");
  expect(execute).not.toHaveBeenCalled();
});

test("vercel/ai#19238: nobody is asked about a call that can never be valid", async () => {
  const ask = vi.fn(() => "allow" as const);
  const tool = writer("t", () => "ok", {
    input: { type: "object", required: ["a"], properties: { a: { type: "string" } } },
    behavior: { requiresPermission: true },
  });
  await createDispatcher({ tools: [tool], permissions: { ask } }).dispatch(callsOf("t"));
  expect(ask).not.toHaveBeenCalled();
});

test("claude-code#50728: a question to a person neither hangs nor answers itself when nobody is there", async () => {
  const tool = writer("ask_user", () => "yes", { behavior: { requiresUserInteraction: true } });
  expect(
    codes(
      await createDispatcher({
        tools: [tool],
        permissions: createPermissions({ ask: never, mode: "unattended" }),
      }).dispatch(callsOf("ask_user")),
    ),
  ).toEqual(["needs-interaction"]);
});
