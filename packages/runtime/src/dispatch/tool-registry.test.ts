import { describe, expect, test, vi } from "vitest";
import { plainDecoders } from "@hasp/schema/internal/runtime";
import { bindTool } from "../codegen/v1/bind-tool.js";
import type { ToolSpec } from "../codegen/v1/tool-spec.js";
import type { DispatchEvent, McpTool } from "./state/dispatcher-types.js";
import type { ToolDefinition, AnyTool, Tool } from "../tool/definition.js";
import { buildTool } from "../tool/tool.js";
import { createPermissions } from "./permissions/create-permissions.js";
import { createEquippedDispatcher as createDispatcher, anyObject, callsOf, reader, writer } from "./tools.testing.js";
import { providerSearch } from "../extensions/search/tool-search.js";

const names = (dispatcher: { definitions(dialect: string): readonly object[] }): unknown[] =>
  dispatcher.definitions("anthropic").map((entry) => (entry as { name: string }).name);
const codes = async (dispatcher: ReturnType<typeof createDispatcher>, ...called: string[]): Promise<unknown[]> =>
  (await dispatcher.dispatch(callsOf(...called))).map((result) => result.error?.code ?? "ok");
const mcpTool = (name: string, parts: Partial<McpTool> = {}): McpTool => ({
  name,
  inputSchema: { type: "object" },
  execute: () => "ok",
  ...parts,
});

describe("the list", () => {
  test("the list is sorted by name, frozen, and the same object until the tools change", () => {
    const dispatcher = createDispatcher({ tools: [reader("b"), reader("a"), reader("C")] });
    expect(names(dispatcher)).toEqual(["C", "a", "b"]);
    expect(dispatcher.definitions("anthropic")).toBe(dispatcher.definitions("anthropic"));
    expect(Object.isFrozen(dispatcher.definitions("anthropic")[0])).toBe(true);
  });

  test("the digest of the list depends only on its content", () => {
    const one = createDispatcher({ tools: [reader("a"), reader("b")] });
    const two = createDispatcher({ tools: [reader("b"), reader("a")] });
    expect(one.definitionsDigest("mcp")).toMatch(/^[0-9a-f]{64}$/);
    expect(one.definitionsDigest("mcp")).toBe(two.definitionsDigest("mcp"));
    expect(one.definitionsDigest("mcp")).not.toBe(one.definitionsDigest("anthropic"));
  });

  test.each([
    ["anthropic", { name: "a", description: "Reads a.", input_schema: anyObject, strict: false }],
    [
      "openai-chat",
      { type: "function", function: { name: "a", description: "Reads a.", parameters: anyObject, strict: false } },
    ],
    [
      "openai-responses",
      { type: "function", name: "a", description: "Reads a.", parameters: anyObject, strict: false },
    ],
    ["gemini-json-schema", { name: "a", description: "Reads a.", parametersJsonSchema: anyObject }],
    [
      "mcp",
      {
        name: "a",
        description: "Reads a.",
        inputSchema: anyObject,
        annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
      },
    ],
  ])("the list shows a hand-built tool in the shape of %s", (dialect, entry) => {
    expect(createDispatcher({ tools: [reader("a")] }).definitions(dialect)).toEqual([entry]);
  });

  test("the list takes a compiled tool's own entry, and its wire name and decoder for its calls", async () => {
    const definition = { name: "rd", input_schema: { type: "object", required: ["p"] } };
    const execute = vi.fn(() => "ok");
    const tool = reader("read_the_document", execute, {
      dialects: {
        "anthropic-strict": {
          name: "rd",
          definition,
          codec: { kind: "object", properties: { path: { wire: "p" }, lines: { absent: "null" } } },
        },
      },
      parts: { decoders: plainDecoders },
    });
    const dispatcher = createDispatcher({ tools: [tool], dialect: "anthropic-strict" });
    expect(dispatcher.definitions("anthropic-strict")).toEqual([definition]);
    const [result] = await dispatcher.dispatch(callsOf(["rd", { p: "a", lines: null }]));
    expect(result).toMatchObject({ isError: false, toolName: "read_the_document", calledAs: "rd" });
    expect(execute).toHaveBeenCalledWith({ path: "a" }, expect.anything());
  });

  test("the list leaves out and reports a hand-built tool if the dialect accepts lowered schemas only", () => {
    const tool = reader("compiled", () => "ok", {
      dialects: { "anthropic-strict": { definition: { name: "compiled" } } },
    });
    const dispatcher = createDispatcher({ tools: [tool, reader("by_hand")] });
    expect(dispatcher.definitions("anthropic-strict")).toEqual([{ name: "compiled" }]);
    expect(dispatcher.excluded).toMatchObject([{ toolName: "by_hand", code: "not-in-dialect" }]);
  });

  test("the mode plan lists only tools with READ_ONLY calls, and refuses the calls of others as before", async () => {
    const rules = [{ when: () => true, class: "READ_ONLY" }] as const;
    const tools = [
      writer("a_writer"),
      reader("b_reader"),
      writer("c_both", () => "ok", { concurrency: { rules } }),
      writer("d_deferred", () => "ok", { visibility: { load: "deferred", searchHint: "d" } }),
    ];
    const permissions = createPermissions();
    const dispatcher = createDispatcher({ tools, permissions });
    const before = dispatcher.definitions("anthropic");
    permissions.mode = "plan";
    expect(names(dispatcher)).toEqual(["b_reader", "c_both"]);
    const fixed = dispatcher.definitions("anthropic", { isFixed: true });
    expect(fixed.map(({ name }) => name)).toEqual(["a_writer", "b_reader", "c_both", "read_result"]);
    expect(await codes(dispatcher, "a_writer", "b_reader", "c_both")).toEqual(["plan-mode", "ok", "ok"]);
    permissions.mode = "ask";
    expect(names(dispatcher).filter((name) => name !== "read_result")).toEqual(
      before.map((entry) => (entry as { name: string }).name),
    );
    expect(await codes(dispatcher, "a_writer")).toEqual(["ok"]);
  });

  test("the list is empty for a known dialect that no tool can join", () => {
    expect(createDispatcher({ tools: [reader("a")] }).definitions("openai-chat-strict")).toEqual([]);
  });

  test("the list throws for an unknown dialect", () => {
    expect(() => createDispatcher({ tools: [reader("a")] }).definitions("antropic")).toThrow(
      /No dialect is called "antropic"/,
    );
  });
});

test("a call to a tool that does not exist is told of those that do, and of no hidden one", async () => {
  const tools = [reader("look"), reader("denied"), writer("later", () => "ok", { visibility: { load: "deferred" } })];
  const [result] = await createDispatcher({ tools, permissions: { deny: ["denied"] } }).dispatch(callsOf("lok"));
  expect(result?.error?.message).toBe(
    'There is no tool called "lok". Did you mean "look"? The tools are: look, tool_search.',
  );
});

describe("gates", () => {
  const gated = reader("gated", () => "ok", { visibility: { featureGate: "BETA" } });
  test.each<[string, ((name: string) => boolean) | undefined, boolean]>([
    ["no features", undefined, false],
    ["true", () => true, true],
    ["false", () => false, false],
    ["truthy", (() => 1) as never, false],
    [
      "a throw",
      () => {
        throw new Error("no");
      },
      false,
    ],
  ])("a feature gate opens only for true: %s", async (_name, features, open) => {
    const dispatcher = createDispatcher({ tools: [gated], features });
    expect(names(dispatcher)).toEqual(open ? ["gated"] : []);
    expect(await codes(dispatcher, "gated")).toEqual([open ? "ok" : "unknown-tool"]);
  });

  test("isEnabled is asked again as a turn begins; only true enables", async () => {
    let enabled: unknown = true;
    const tool = reader("t", () => "ok", { isEnabled: () => enabled as boolean });
    const dispatcher = createDispatcher({ tools: [tool] });
    expect(await codes(dispatcher, "t")).toEqual(["ok"]);
    enabled = "yes";
    expect(await codes(dispatcher, "t")).toEqual(["tool-gone"]);
    expect(names(dispatcher)).toEqual([]);
    enabled = true;
    expect(await codes(dispatcher, "t")).toEqual(["unknown-tool"]);
    expect(names(dispatcher)).toEqual(["t"]);
  });
});

describe("refreshTools", () => {
  test("refreshTools changes the tools between turns, never within one", async () => {
    let tools = [reader("a")];
    const grow = reader("grow", () => {
      tools = [reader("a"), reader("b")];
    });
    tools.push(grow);
    const dispatcher = createDispatcher({ tools, refreshTools: () => tools });
    const before = dispatcher.definitions("mcp");
    expect(await codes(dispatcher, "grow", "b")).toEqual(["ok", "unknown-tool"]);
    expect(dispatcher.definitions("mcp")).not.toBe(before);
    expect(await codes(dispatcher, "b", "grow")).toEqual(["ok", "unknown-tool"]);
  });

  test("refreshTools is asked once before the first list, and as each turn ends", async () => {
    let count = 0;
    const refreshTools = (): readonly AnyTool[] => [reader(`t${(count += 1)}`)];
    const dispatcher = createDispatcher({ tools: [reader("t")], refreshTools });
    expect([count, names(dispatcher), names(dispatcher), count]).toEqual([0, ["t1"], ["t1"], 1]);
    const turn = dispatcher.openTurn();
    expect(count).toBe(1);
    turn.push({ id: "1", name: "t1", input: {} });
    expect((await turn.end())[0]?.isError).toBe(false);
    expect([count, names(dispatcher)]).toEqual([2, ["t2"]]);
  });

  test("a first turn without a list waits for refreshTools", async () => {
    const refreshTools = async (): Promise<readonly AnyTool[]> => [reader("later")];
    expect(await codes(createDispatcher({ tools: [], refreshTools }), "later")).toEqual(["ok"]);
  });

  test("turns without a list that begin at once all wait for the first refreshTools, which is asked once for them", async () => {
    let count = 0;
    const refreshTools = async (): Promise<readonly AnyTool[]> => ((count += 1), [reader("later")]);
    const dispatcher = createDispatcher({ tools: [], refreshTools });
    const turns = [dispatcher.openTurn(), dispatcher.openTurn()];
    expect(count).toBe(1);
    for (const turn of turns) turn.push({ id: "1", name: "later", input: {} });
    const results = await Promise.all(turns.map((turn) => turn.end()));
    expect(results.flat().map(({ error }) => error?.code ?? "ok")).toEqual(["ok", "ok"]);
  });

  test("a tool that changes after the list runs as it was listed; one that only has a new handler runs with that", async () => {
    const say = (name: string, word: string, description = "Says."): AnyTool =>
      reader(name, () => word, { description });
    let tools = [say("changed", "as listed"), say("same", "old handler")];
    const dispatcher = createDispatcher({ tools, refreshTools: () => tools });
    const words = async (): Promise<unknown[]> =>
      (await dispatcher.dispatch(callsOf("changed", "same"))).map(
        ({ content }) => (content[0] as { text: string }).text,
      );
    names(dispatcher);
    tools = [say("changed", "as it is now", "Says something else."), say("same", "new handler")];
    await dispatcher.refresh();
    expect(await words()).toEqual(["as listed", "new handler"]);
    names(dispatcher);
    expect(await words()).toEqual(["as it is now", "new handler"]);
  });

  test("a tool that a search has found is called without another list, and a preview judges by the same tools", async () => {
    let tools = [reader("a", () => "ok", { visibility: { load: "deferred" } }), reader("gone")];
    const dispatcher = createDispatcher({ tools, refreshTools: () => tools });
    names(dispatcher);
    await dispatcher.dispatch(callsOf(["tool_search", { query: "a" }]));
    tools = [...tools.slice(0, 1), reader("new")];
    await dispatcher.refresh();
    expect(await codes(dispatcher, "a", "gone", "new")).toEqual(["ok", "tool-gone", "unknown-tool"]);
    const previews = await Promise.all(callsOf("a", "gone", "new").map((call) => dispatcher.preview(call)));
    expect(previews.map((each) => ("code" in each ? each.code : each.decision))).toEqual([
      "allow",
      "tool-gone",
      "unknown-tool",
    ]);
  });

  test("a tool with a name that only programs reserve does not run before a list has shown it", async () => {
    let tools = [reader("a")];
    const dispatcher = createDispatcher({ tools, refreshTools: () => tools });
    names(dispatcher);
    tools = [...tools, reader("run_program"), reader("search_tools")];
    await dispatcher.refresh();
    expect(await codes(dispatcher, "run_program", "search_tools")).toEqual(["unknown-tool", "unknown-tool"]);
    names(dispatcher);
    expect(await codes(dispatcher, "run_program", "search_tools")).toEqual(["ok", "ok"]);
  });

  test("refreshTools keeps the same list if it returns the same tools", async () => {
    const tools = [reader("a")];
    const dispatcher = createDispatcher({ tools, refreshTools: () => Promise.resolve({ tools }) });
    const before = dispatcher.definitions("mcp");
    await dispatcher.dispatch(callsOf("a"));
    expect(dispatcher.definitions("mcp")).toBe(before);
  });

  test("refresh assembles the tools on demand", async () => {
    let tools = [reader("a")];
    const dispatcher = createDispatcher({ tools, refreshTools: async () => ({ tools }) });
    tools = [reader("b")];
    expect(names(dispatcher)).toEqual(["a"]);
    await dispatcher.refresh();
    expect(names(dispatcher)).toEqual(["b"]);
  });

  test.each<[string, () => never | Promise<never>]>([
    [
      "throws",
      () => {
        throw new Error("offline");
      },
    ],
    ["rejects", () => Promise.reject(new Error("offline"))],
    ["never answers", () => new Promise<never>(() => undefined)],
    ["gives a tool that was not built", (() => [{ name: "x" }]) as never],
    ["gives two tools of one name", (() => [reader("x"), reader("x")]) as never],
  ])("refreshTools that %s leaves the tools unchanged and is reported", async (_name, refreshTools) => {
    const events: DispatchEvent[] = [];
    const dispatcher = createDispatcher({
      tools: [reader("a")],
      refreshTools,
      hookTimeoutMs: 10,
      onEvent: (event) => events.push(event),
    });
    expect(await codes(dispatcher, "a")).toEqual(["ok"]);
    expect(events.find((event) => event.type === "problem")).toMatchObject({ code: "refresh-failed" });
  });
});

describe("descriptions for a context", () => {
  interface Account {
    readonly account: { readonly plan: string; readonly secret: string };
  }
  const context = (plan: string): Account => ({ account: { plan, secret: "s3cret" } });
  const define = (parts: Partial<ToolDefinition<object, unknown, Account>>): Tool<object, unknown, Account> =>
    buildTool<object, unknown, Account>({
      name: "search",
      description: "Searches.",
      input: anyObject,
      needs: { context: ["account.plan"] },
      execute: () => "ok",
      ...parts,
    });
  const search = define({
    visibility: {
      describe: ({ account }) => `Searches. Members: ${Object.keys(account).join()}. The plan is ${account.plan}.`,
    },
  });

  test.each(["anthropic", "openai-responses", "openai-chat", "gemini", "bedrock-converse", "mcp"])(
    "a `%s` list has the description for the declared members of a context, and its other entries are the same objects",
    (dialect) => {
      const dispatcher = createDispatcher({ tools: [search, reader("look"), reader("zoom")] as never });
      const plain: readonly object[] = dispatcher.definitions(dialect);
      const free: readonly object[] = dispatcher.definitions(dialect, { context: context("free") });
      expect(JSON.stringify(plain)).toContain('"Searches."');
      const text = "Searches. Members: plan. The plan is free.";
      expect(JSON.stringify(free)).toBe(JSON.stringify(plain).replace('"Searches."', JSON.stringify(text)));
      expect([free[0], free[2]]).toEqual([plain[0], plain[2]]);
      expect([free[0] === plain[0], free[2] === plain[2], Object.isFrozen(free[1])]).toEqual([true, true, true]);
      expect(dispatcher.definitions(dialect, { context: context("free") })).toBe(free);
      expect(dispatcher.definitions(dialect, { context: context("paid") })).not.toEqual(free);
      expect(dispatcher.definitions(dialect)).toBe(plain);
    },
  );

  test.each([
    ["no tool has `describe`", [reader("look")]],
    ["the text is the plain one", [define({ visibility: { describe: () => "Searches." } })]],
  ])("the list stays the same object if %s", (_name, tools) => {
    const dispatcher = createDispatcher({ tools: tools as never });
    expect(dispatcher.definitions("mcp", { context: context("free") })).toBe(dispatcher.definitions("mcp"));
  });

  test.each<[string, () => unknown]>([
    [
      "throws",
      () => {
        throw new Error("no");
      },
    ],
    ["returns a promise", async () => "later"],
    ["returns no text", () => 7],
    ["returns an empty text", () => ""],
  ])("a `describe` that %s leaves the description, and is reported", (_name, describe) => {
    const codes: unknown[] = [];
    const tool = define({ visibility: { describe: describe as never } });
    const onEvent = (event: DispatchEvent): unknown => event.type === "problem" && codes.push(event.code);
    const dispatcher = createDispatcher({ tools: [tool] as never, onEvent });
    expect(dispatcher.definitions("mcp", { context: context("free") })).toBe(dispatcher.definitions("mcp"));
    expect(codes).toEqual(["describe-failed"]);
  });

  test("a `describe` sees only declared members, and cannot reach a prototype", () => {
    const seen: unknown[] = [];
    const tool = define({
      needs: { context: ["account", "account.plan", "__proto__.polluted", "user"] },
      visibility: { describe: (given) => String(seen.push(given)) },
    });
    const given = { ...context("free"), user: undefined, other: 1 };
    createDispatcher({ tools: [tool] as never }).definitions("mcp", { context: given });
    expect(Object.keys(seen[0] as object)).toEqual(["account", "__proto__", "user"]);
    expect((seen[0] as Account).account).toBe(given.account);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  test("buildTool refuses a `describe` that declares no member", () =>
    expect(() => define({ needs: {}, visibility: { describe: () => "x" } })).toThrow(
      /`visibility.describe` reads nothing; name the members/,
    ));
});

describe("names", () => {
  test("an alias resolves to its tool", async () => {
    const [result] = await createDispatcher({
      tools: [reader("stop_task", () => "ok", { aliases: ["kill_shell"] })],
    }).dispatch(callsOf("kill_shell"));
    expect(result).toMatchObject({ isError: false, toolName: "stop_task", calledAs: "kill_shell" });
  });

  test("a tool that arrives later under an alias is left out and reported; the alias keeps its tool", async () => {
    const first = reader("a", () => "a", { aliases: ["b"] });
    let tools = [first];
    const events: DispatchEvent[] = [];
    const dispatcher = createDispatcher({ tools, refreshTools: () => tools, onEvent: (event) => events.push(event) });
    const before = dispatcher.definitions("mcp");
    tools = [first, reader("b", () => "b")];
    await dispatcher.refresh();
    expect(dispatcher.definitions("mcp")).toBe(before);
    expect(dispatcher.excluded).toMatchObject([{ toolName: "b", code: "alias-taken" }]);
    expect(events).toMatchObject([{ type: "problem", toolName: "b", code: "alias-taken" }]);
    const [result] = await dispatcher.dispatch(callsOf("b"));
    expect(result).toMatchObject({ toolName: "a", calledAs: "b", content: [{ text: "a" }] });
    tools = [reader("b", () => "b")];
    await dispatcher.refresh();
    expect(await codes(dispatcher, "b")).toEqual(["tool-gone"]);
  });

  test.each([
    [
      "two claims on one alias",
      [reader("a", () => "ok", { aliases: ["x"] }), reader("b", () => "ok", { aliases: ["x"] })],
      /both claim the alias "x"/,
    ],
    [
      "a tool with the name of another's alias",
      [reader("a", () => "ok", { aliases: ["b"] }), reader("b")],
      /The tool "b" has the name that "a" claims as an alias/,
    ],
    ["two tools of one name", [reader("a"), reader("a")], /Two tools are called "a"/],
    ["something that was not built", [{ name: "a" }], /`tools\[0\]` is not a built tool/],
    ["no list", undefined, /needs `tools`/],
  ])("createDispatcher throws for %s", (_name, tools, message) => {
    expect(() => createDispatcher({ tools: tools as never })).toThrow(message);
  });

  test("the same tool twice is one tool", () => {
    const tool = reader("a");
    expect(names(createDispatcher({ tools: [tool, tool] }))).toEqual(["a"]);
  });

  test("a registry that holds tools may be given as it is", () => {
    expect(names(createDispatcher({ tools: { tools: [reader("a")] } }))).toEqual(["a"]);
  });
});

describe("live MCP tools", () => {
  test("live MCP tools are called mcp__server__tool, with other characters as `_`", async () => {
    const dispatcher = createDispatcher({
      tools: [reader("zz")],
      mcp: [{ server: "my.server", tools: [mcpTool("read file"), mcpTool("b")] }],
    });
    expect(names(dispatcher)).toEqual(["mcp__my_server__b", "mcp__my_server__read_file", "zz"]);
  });

  test("a long name of a live MCP tool is cut and ends with eight digits of a digest", () => {
    const [one, two] = names(
      createDispatcher({
        tools: [],
        mcp: [{ server: "s", tools: [mcpTool(`${"x".repeat(70)}1`), mcpTool(`${"x".repeat(70)}2`)] }],
      }),
    ) as string[];
    expect(one).toMatch(/^mcp__s__x+_[0-9a-f]{8}$/);
    expect([one?.length, two?.length]).toEqual([64, 64]);
    expect(one).not.toBe(two);
  });

  test("live MCP tools that would share a name are all excluded and reported", () => {
    const events: DispatchEvent[] = [];
    const mcp = [
      { server: "s", tools: [mcpTool("read-file"), mcpTool("read.file"), mcpTool("read_file"), mcpTool("other")] },
    ];
    const dispatcher = createDispatcher({ tools: [], mcp, onEvent: (event) => events.push(event) });
    expect(names(dispatcher)).toEqual(["mcp__s__other", "mcp__s__read-file"]);
    expect(dispatcher.excluded).toMatchObject([{ toolName: "mcp__s__read_file", code: "name-collision" }]);
    expect(events).toMatchObject([{ type: "problem", toolName: "mcp__s__read_file", code: "name-collision" }]);
  });

  test("a live MCP server whose id contains `__` throws", () => {
    expect(() => createDispatcher({ tools: [], mcp: [{ server: "a__b", tools: [] }] })).toThrow(/without "__"/);
  });

  test("live MCP tools need permission, however harmless they claim to be", async () => {
    const tool = mcpTool("look", { annotations: { readOnlyHint: true, destructiveHint: false } });
    for (const trusted of [true, false]) {
      const dispatcher = createDispatcher({
        tools: [],
        mcp: [{ server: "s", trusted, tools: [tool] }],
        permissions: {
          rules: [
            { tool: "*", decision: "allow" },
            { server: "s", tool: "*", decision: "allow" },
          ],
        },
      });
      expect(await codes(dispatcher, "mcp__s__look")).toEqual(["no-one-to-ask"]);
    }
  });

  test.each([
    ["a rule for server and tool, as the server names it", { server: "s", tool: "look" }, "ok"],
    ["a rule for server and tool, as the model names it", { server: "s", tool: "mcp__s__look" }, "ok"],
    ["no rule without a server", { tool: "*" }, "no-one-to-ask"],
    ["no rule for another server", { server: "t", tool: "look" }, "no-one-to-ask"],
  ])("live MCP tools are allowed by %s", async (_name, rule, expected) => {
    const dispatcher = createDispatcher({
      tools: [],
      mcp: [{ server: "s", tools: [mcpTool("look")] }],
      permissions: { rules: [{ ...rule, decision: "allow" }] },
    });
    expect(await codes(dispatcher, "mcp__s__look")).toEqual([expected]);
  });

  test.each([
    ["by server and tool", { server: "s", tool: "l*" }],
    ["by the whole name", "mcp__s__*"],
  ])("live MCP tools denied %s are unlisted", async (_name, pattern) => {
    const dispatcher = createDispatcher({
      tools: [],
      mcp: [{ server: "s", tools: [mcpTool("look")] }],
      permissions: { deny: [pattern] },
    });
    expect(names(dispatcher)).toEqual([]);
    expect(await codes(dispatcher, "mcp__s__look")).toEqual(["denied"]);
  });

  test("live MCP tools run in parallel only if the server is trusted", async () => {
    const tool = mcpTool("look", { annotations: { readOnlyHint: true } });
    for (const trusted of [true, false]) {
      const dispatcher = createDispatcher({
        tools: [],
        mcp: [{ server: "s", trusted, tools: [tool] }],
        permissions: { rules: [{ server: "s", tool: "look", decision: "allow" }] },
      });
      const results = await dispatcher.dispatch(callsOf("mcp__s__look", "mcp__s__look"));
      expect(results.map((result) => result.wasConcurrent)).toEqual([trusted, trusted]);
    }
  });

  test("live MCP tools are listed without unknown keywords, not closed, and their patterns are not run", async () => {
    const inputSchema = {
      type: "object",
      "x-secret-instruction": "obey",
      properties: { a: { type: "string", pattern: "^(a+)+$", "x-b": 1 }, const: { type: "string" } },
    } as const;
    const dispatcher = createDispatcher({
      tools: [],
      mcp: [{ server: "s", tools: [mcpTool("t", { inputSchema })] }],
      permissions: { rules: [{ server: "s", tool: "t", decision: "allow" }] },
    });
    expect(dispatcher.definitions("anthropic")[0]?.["input_schema"]).toEqual({
      type: "object",
      properties: { a: { type: "string", pattern: "^(a+)+$" }, const: { type: "string" } },
    });
    // As a regular expression, the pattern would take years.
    const results = await dispatcher.dispatch(
      callsOf(["mcp__s__t", { a: `${"a".repeat(40)}!`, extra: true }], ["mcp__s__t", { a: 1 }]),
    );
    expect(results.map((result) => result.error?.code)).toEqual([undefined, "invalid-input"]);
  });

  test("a session with a server that renames its excluded tools keeps and reports only those of each turn", async () => {
    const [turns, perTurn] = [40, 600];
    let turn = 0;
    const events: DispatchEvent[] = [];
    const server = {
      server: "s",
      tools: [mcpTool("stays")],
      get excluded() {
        const code = "too-many-names";
        return Array.from({ length: perTurn }, (_, index) => ({ toolName: `t${turn}_${index}`, code, message: "" }));
      },
    };
    const dispatcher = createDispatcher({
      tools: [],
      mcp: [server],
      refreshServers: () => [server],
      onEvent: (event) => events.push(event),
    });
    for (turn = 1; turn <= turns; turn += 1) {
      await dispatcher.refresh();
      expect(dispatcher.excluded).toHaveLength(perTurn);
    }
    expect(events.length).toBeLessThanOrEqual((turns + 1) * perTurn);
  });

  test("live MCP tools with undecidable schemas are excluded; the rest stays", () => {
    const dispatcher = createDispatcher({
      tools: [],
      mcp: [
        {
          server: "s",
          tools: [
            mcpTool("odd", {
              inputSchema: { type: "object", properties: { a: { $ref: "https://elsewhere.example/a" } } },
            }),
            mcpTool("fine"),
          ],
        },
      ],
    });
    expect(names(dispatcher)).toEqual(["mcp__s__fine"]);
    expect(dispatcher.excluded).toMatchObject([{ toolName: "mcp__s__odd", code: "unusable-schema" }]);
  });

  test("live MCP tools answer with the result of tools/call", async () => {
    const execute = (): unknown => ({
      content: [
        { type: "text", text: "hi" },
        { type: "resource_link", uri: "file:///a", name: "a" },
        { type: "audio" },
      ],
      structuredContent: { n: 1 },
      isError: false,
    });
    const dispatcher = createDispatcher({
      tools: [],
      mcp: [{ server: "s", tools: [mcpTool("t", { execute })] }],
      permissions: { rules: [{ server: "s", tool: "t", decision: "allow" }] },
    });
    const [result] = await dispatcher.dispatch(callsOf("mcp__s__t"));
    expect(result).toMatchObject({
      isError: false,
      output: { n: 1 },
      content: [{ text: "hi" }, { type: "resource", uri: "file:///a", text: "a" }, { type: "text" }],
    });
  });
});

describe("deferred tools", () => {
  const notebook = writer("edit_notebook", () => "ok", {
    visibility: { load: "deferred", searchHint: "jupyter ipynb cell" },
  });
  const chart = writer("draw_chart", () => "ok", {
    visibility: { load: "deferred" },
    description: "Draws a chart of numbers.",
  });
  const tools = [reader("look"), notebook, chart];

  test("deferred tools are absent until tool_search loads them, for the turns after", async () => {
    const dispatcher = createDispatcher({ tools });
    expect(names(dispatcher)).toEqual(["look", "tool_search"]);
    const [refused, found, early] = await dispatcher.dispatch(
      callsOf("edit_notebook", ["tool_search", { query: "ipynb" }], "edit_notebook"),
    );
    expect(refused?.error).toMatchObject({ phase: "lookup", code: "not-loaded", effect: "none" });
    expect(refused?.error?.message).toContain("tool_search");
    expect(found?.content[0]).toMatchObject({
      text: expect.stringContaining("edit_notebook: Writes edit_notebook.") as string,
    });
    expect(early?.error?.code).toBe("not-loaded");
    expect(names(dispatcher)).toEqual(["look", "tool_search", "edit_notebook"]);
    expect(await codes(dispatcher, "edit_notebook")).toEqual(["ok"]);
  });

  test.each([
    ["an exact name", "draw_chart", ["draw_chart"]],
    ["a word of the hint", "a Jupyter cell", ["edit_notebook"]],
    ["a word of the description", "numbers", ["draw_chart"]],
    ["the beginning of a word", "noteb", ["edit_notebook"]],
    ["most of the query", "draw a chart in a notebook", ["draw_chart"]],
    ["nothing", "zebra", []],
  ])("deferred tools are found by %s", async (_name, query, expected) => {
    const [result] = await createDispatcher({ tools }).dispatch(callsOf(["tool_search", { query }]));
    const text = result?.content[0]?.type === "text" ? result.content[0].text : "";
    expect([...text.matchAll(/^(?!input)(\w+): /gm)].map((match) => match[1])).toEqual(expected);
  });

  test("deferred tools that are denied or gated are never shown", async () => {
    const gated = writer("gated_chart", () => "ok", { visibility: { load: "deferred", featureGate: "X" } });
    const dispatcher = createDispatcher({ tools: [...tools, gated], permissions: { deny: ["draw_chart"] } });
    const [result] = await dispatcher.dispatch(callsOf(["tool_search", { query: "chart" }]));
    expect(result?.content[0]).toMatchObject({ text: expect.stringContaining("No tool fits") as string });
  });

  test("tool_search is absent if nothing is deferred or the provider searches", () => {
    expect(names(createDispatcher({ tools: [reader("look")] }))).toEqual(["look"]);
    const dispatcher = createDispatcher({ tools, extensions: [providerSearch] });
    expect(dispatcher.definitions("anthropic").map((entry) => [entry["name"], entry["defer_loading"]])).toEqual([
      ["draw_chart", true],
      ["edit_notebook", true],
      ["look", undefined],
    ]);
  });

  test("deferred tools can be called at once if the provider searches", async () => {
    expect(await codes(createDispatcher({ tools, extensions: [providerSearch] }), "edit_notebook")).toEqual(["ok"]);
  });

  test("the mark of a cached prefix stays on the last tool that has it", () => {
    const marked = (name: string, mark: object): ReturnType<typeof reader> =>
      reader(name, () => "ok", { dialects: { anthropic: { definition: { name, ...mark } } } });
    const mark = { cache_control: { type: "ephemeral" } };
    const dispatcher = createDispatcher({ tools: [marked("a", mark), marked("b", mark), marked("c", {})] });
    expect(dispatcher.definitions("anthropic")).toEqual([{ name: "a" }, { name: "b", ...mark }, { name: "c" }]);
  });

  test("deferred tools bear no provider's deferral once our own search has loaded them", async () => {
    const tool = reader("t", () => "ok", {
      visibility: { load: "deferred" },
      dialects: { anthropic: { definition: { name: "t", defer_loading: true } } },
    });
    const dispatcher = createDispatcher({ tools: [tool] });
    await dispatcher.dispatch(callsOf(["tool_search", { query: "t" }]));
    expect(dispatcher.definitions("anthropic")).toContainEqual({ name: "t" });
  });
});

test("holds what the host binds against the declared property, and tells the model neither value nor schema", async () => {
  const spec: ToolSpec = {
    name: "orders",
    description: "d",
    handlerFile: "orders.ts",
    metadata: {
      concurrency: { class: "READ_ONLY" },
      behavior: { requiresPermission: false, isDestructive: false, isOpenWorld: false },
    },
    input: () => ({
      type: "object",
      properties: { kind: { enum: ["a", "b"] } },
      required: ["kind"],
      additionalProperties: false,
    }),
    bind: { owner: "context.user.id", limit: "context.limit" },
    bound: {
      properties: { owner: { type: "string", maxLength: 5, pattern: "^[a-z]+$" } },
      anyOf: [
        { properties: { kind: { const: "a" }, limit: { type: "integer" } } },
        { properties: { kind: { const: "b" }, limit: { type: "string" } } },
      ],
    },
  };
  const tool = bindTool(spec, { execute: () => "ok" } as never);
  const dispatcher = createDispatcher<object>({ tools: [tool as never] });
  const call = async (id: unknown, limit: unknown, kind = "a"): Promise<string> => {
    const [result] = await dispatcher.dispatch(callsOf(["orders", { kind }]), { context: { user: { id }, limit } });
    return result?.error === undefined ? "ok" : `${result.error.phase}/${result.error.code}: ${result.error.message}`;
  };
  expect(await call("abc", 1)).toBe("ok");
  expect(await call("abc", "one", "b")).toBe("ok");
  for (const id of [{ a: 1 }, ["a"], 7, true, "abcdefg", "A", new Date(0), () => "a"]) {
    expect(await call(id, 1)).toMatch(
      /^semantic\/invalid-context: orders was not run: .*\n- context\.user\.id breaks `/u,
    );
  }
  expect(await call("abcdef", 1)).not.toMatch(/abcdef|5|\^/u);
  expect(await call("abc", "one")).toMatch(/- context\.limit breaks `type`$/u);
});

describe("needs", () => {
  const tool = buildTool({
    name: "db",
    description: "d",
    input: anyObject,
    needs: { env: ["DB_URL"], context: ["accountId"] },
    concurrency: { class: "READ_ONLY" },
    behavior: { requiresPermission: false },
    execute: () => "ok",
  });
  test("createDispatcher checks needs of the environment by name", () => {
    expect(() => createDispatcher({ tools: [tool], env: {} })).toThrow(/db needs DB_URL/);
    expect(() => createDispatcher({ tools: [tool], env: { DB_URL: "x" } })).not.toThrow();
  });
  test("a call checks its needs of the context", async () => {
    const dispatcher = createDispatcher<object>({ tools: [tool], env: { DB_URL: "x" } });
    expect((await dispatcher.dispatch(callsOf("db"), { context: {} }))[0]?.error?.code).toBe("missing-context");
    expect((await dispatcher.dispatch(callsOf("db"), { context: { accountId: 1 } }))[0]?.isError).toBe(false);
  });
});
