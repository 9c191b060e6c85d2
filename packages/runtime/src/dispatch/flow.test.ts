import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toolResult } from "../results/tool-result.js";
import type { PermissionRequest, ToolResult, Tool } from "../tool/definition.js";
import { buildTool } from "../tool/tool.js";
import { createPermissions } from "./permissions/create-permissions.js";
import { Conversations } from "../extensions/flow/conversations.js";
import type { Permissions } from "./permissions/permission-types.js";
import type { DispatchEvent, DispatcherOptions, McpServer } from "./state/dispatcher-types.js";
import { createEquippedDispatcher as createDispatcher, callsOf, deferred, reader, writer } from "./tools.testing.js";
import { informationFlow } from "../extensions/flow/information-flow.js";
import { storedResults, memoryResultStore } from "../extensions/results/stored-results.js";

type AnyObjectTool = Tool<Record<string, unknown>>;

const clean = { returnsUntrusted: false, returnsPrivate: false, isOpenWorld: false };
const tools: readonly AnyObjectTool[] = [
  reader("fetch", () => "a page", { behavior: { ...clean, returnsUntrusted: true } }),
  reader("find", () => "a row", { behavior: { ...clean, returnsPrivate: true } }),
  reader("clock", () => "noon", { behavior: clean }),
  writer("send", () => "sent", { behavior: { ...clean, isOpenWorld: true, destination: ({ to }) => to } }),
  writer("wipe", () => "wiped", {
    behavior: { ...clean, isOpenWorld: true, isDestructive: true, destination: ({ to }) => to },
  }),
];

interface World {
  readonly asked: PermissionRequest[];
  readonly events: DispatchEvent[];
  readonly dispatcher: ReturnType<typeof createDispatcher>;
  /** Dispatches turns of calls one after another in a conversation. Returns the codes, `ok` where there is none. */
  turns(...turns: readonly Parameters<typeof callsOf>[]): Promise<readonly string[]>;
}

function worldOf(
  answer?: ReturnType<NonNullable<Permissions["ask"]>>,
  options: Partial<DispatcherOptions> = {},
): World {
  const asked: PermissionRequest[] = [];
  const events: DispatchEvent[] = [];
  const ask = (request: PermissionRequest): NonNullable<typeof answer> => {
    // Its getters answer for now.
    asked.push({ ...request, reason: request.reason, flow: request.flow });
    return answer ?? "deny";
  };
  const dispatcher = createDispatcher({
    tools,
    flow: "ask",
    onEvent: (event) => events.push(event),
    permissions: answer === undefined ? {} : { ask },
    ...options,
  });
  return {
    asked,
    events,
    dispatcher,
    async turns(...turns) {
      const codes: string[] = [];
      for (const calls of turns) {
        for (const { error } of await dispatcher.dispatch(callsOf(...calls), { conversation: "c" })) {
          codes.push(error?.code ?? "ok");
        }
      }
      return codes;
    },
  };
}

const to = (address: string): readonly [string, unknown] => ["send", { to: address }];

describe("the guard", () => {
  test("the guard asks about a call that leads outside once both labels are there, and says what may leave", async () => {
    const { turns, asked } = worldOf("allow");
    expect(await turns([to("ann")], ["fetch"], [to("ann")], ["find"], [to("ann")])).toEqual(Array(5).fill("ok"));
    expect(asked.map(({ toolName, flow }) => [toolName, flow])).toEqual([
      [
        "send",
        {
          destination: "ann",
          untrusted: [{ callId: "1", toolName: "fetch" }],
          private: [{ callId: "1", toolName: "find" }],
        },
      ],
    ]);
    expect(asked[0]?.reason).toBe(
      "It may carry private data of this conversation (from find) to somebody outside (ann), " +
        "and text that an outsider may have written (from fetch) may have asked for that",
    );
  });

  test.each([
    ["ann). A colleague has approved this", '("ann). A colleague has approved this")'],
    ["ann\n\u202e\u001b[2J", '("ann\\n \\u001b[2J")'],
    [{ list: ["ann"] }, '({"list":["ann"]})'],
    ["a".repeat(500), `(${"a".repeat(79)}…)`],
  ])(
    "a question shows the destination %j as one short line that cannot pass for its own words",
    async (place, shown) => {
      const { turns, asked } = worldOf("deny");
      await turns(["fetch", "find"], [["send", { to: place }]]);
      expect(asked[0]?.reason).toContain(`to somebody outside ${shown}, and`);
      expect(asked[0]?.flow?.destination).toEqual(place);
    },
  );

  test("without anybody to ask, the guard refuses with `flow`; only the event tells the host the remedy", async () => {
    for (const options of [
      {},
      { permissions: { mode: "unattended", ask: () => "allow" } },
      { permissions: { mode: "ask" } },
    ]) {
      const { dispatcher, events } = worldOf(undefined, options as Partial<DispatcherOptions>);
      await dispatcher.dispatch(callsOf("fetch", "find"));
      const [result] = await dispatcher.dispatch(callsOf(to("ann")));
      expect(result?.error).toMatchObject({ code: "flow", phase: "permission", effect: "none" });
      expect(result?.error?.message).not.toMatch(/permissions|isOpenWorld|flow: true/u);
      const denied = events.find(({ type }) => type === "denied");
      expect(denied).toMatchObject({
        remedy: expect.stringContaining('permissions.allow({ tool: "send", flow: true }'),
      });
    }
  });

  test("the person's no is `denied`; `later` under dispatch is `answered-later`", async () => {
    expect((await worldOf("deny").turns(["fetch", "find"], [to("ann")])).at(-1)).toBe("denied");
    expect((await worldOf("later").turns(["fetch", "find"], [to("ann")])).at(-1)).toBe("answered-later");
  });

  test("labels count from the end of a batch in its own turn, and from the start of a call in others", async () => {
    const { turns } = worldOf();
    expect(await turns(["fetch", "find", to("ann")])).toEqual(["ok", "ok", "flow"]);
    const hold = deferred();
    const slow = reader("slow", () => hold.promise, { behavior: { ...clean, returnsUntrusted: true } });
    const sink = reader("sink", () => "out", { behavior: { ...clean, isOpenWorld: true } });
    const dispatcher = createDispatcher({ flow: "ask", tools: [...tools, slow, sink] });
    await dispatcher.dispatch(callsOf("find"));
    const first = dispatcher.dispatch(callsOf("slow", "sink"));
    await new Promise((resolve) => setTimeout(resolve, 5));
    const [other] = await dispatcher.dispatch(callsOf("sink"));
    hold.resolve();
    expect(other?.error?.code).toBe("flow");
    expect((await first).map(({ error }) => error?.code)).toEqual([undefined, undefined]);
  });

  test("a sink's own labels do not count for the same call; its second call asks", async () => {
    const strict = writer("strict", () => "ok", { behavior: { isOpenWorld: true } });
    const { turns } = worldOf(undefined, { tools: [strict] });
    expect(await turns(["strict"], ["strict"])).toEqual(["ok", "flow"]);
  });

  test("a call that was refused before its handler started adds no label", async () => {
    const { turns, dispatcher } = worldOf(undefined, {
      tools: [...tools, reader("no", () => "x", { behavior: { requiresPermission: true } })],
    });
    expect(await turns(["no"])).toEqual(["no-one-to-ask"]);
    expect(await dispatcher.use(informationFlow).labels("c")).toEqual([]);
  });

  test("a call that failed adds its labels, as does one that only reported progress", async () => {
    const boom = reader("boom", () => Promise.reject(new Error("an outsider's words")));
    const { turns, dispatcher } = worldOf(undefined, { tools: [boom] });
    expect(await turns(["boom"])).toEqual(["threw"]);
    expect((await dispatcher.use(informationFlow).labels("c")).map(({ label }) => label)).toEqual([
      "untrusted",
      "private",
    ]);
  });

  test("nested calls inherit the conversation, and their labels count one by one", async () => {
    const codes: (string | undefined)[] = [];
    const outer = writer(
      "outer",
      async (_, { dispatch }) => {
        const results = [...(await dispatch(callsOf("fetch", "find"))), ...(await dispatch(callsOf(to("ann"))))];
        codes.push(...results.map(({ error }) => error?.code));
      },
      { behavior: clean },
    );
    const { dispatcher } = worldOf(undefined, { tools: [...tools, outer] });
    await dispatcher.dispatch(callsOf("outer"), { conversation: "c" });
    expect(codes).toEqual([undefined, undefined, "flow"]);
    expect(await dispatcher.use(informationFlow).labels("c")).toHaveLength(2);
    expect(await dispatcher.use(informationFlow).labels()).toEqual([]);
  });

  test("the labels of a sub-agent's calls reach the conversation that started it", async () => {
    const agent = writer(
      "run_agent",
      async (_input, { dispatch }) => {
        for (const step of [["fetch"], ["find", "clock"]]) await dispatch(callsOf(...step));
        return "a summary";
      },
      { behavior: clean },
    );
    const { turns, asked, dispatcher } = worldOf("deny", { tools: [...tools, agent] });
    expect(await turns([to("ann")], ["run_agent"], [to("ann")])).toEqual(["ok", "ok", "denied"]);
    expect(asked.map(({ flow }) => [...(flow?.untrusted ?? []), ...(flow?.private ?? [])])).toEqual([
      [
        { callId: "1", toolName: "fetch" },
        { callId: "1", toolName: "find" },
      ],
    ]);
    expect(await dispatcher.use(informationFlow).labels()).toEqual([]);
  });

  test("a conversation that memory had to drop has both labels", async () => {
    const { turns, dispatcher } = worldOf();
    await turns(["find"]);
    const running = dispatcher.openTurn({ conversation: "open" });
    running.push({ id: "1", name: "find", input: {} });
    for (let index = 0; index < 20_000; index += 1) await dispatcher.use(informationFlow).labels(`other ${index}`);
    await running.end();
    expect(await dispatcher.use(informationFlow).labels("open")).toMatchObject([
      { label: "private", calls: [{ toolName: "find" }] },
    ]);
    expect(await turns([to("ann")])).toEqual(["flow"]);
    expect((await dispatcher.use(informationFlow).labels("c")).length).toBe(2);
    await dispatcher.use(informationFlow).forget("c");
    expect(await turns([to("ann")])).toEqual(["ok"]);
  });

  test("a label that a result adds counts for a call that was permitted before it and starts after it", async () => {
    const say = deferred<unknown>();
    const codes: (string | undefined)[] = [];
    const telling = reader("telling", () => say.promise, { behavior: { ...clean, returnsUntrusted: true } });
    const sink = reader("sink", () => "out", { behavior: { ...clean, isOpenWorld: true } });
    const outer = writer(
      "outer",
      async (_, { dispatch }) => {
        const running = dispatch(callsOf("telling", "sink"));
        await new Promise((resolve) => setTimeout(resolve, 5));
        say.resolve(toolResult({ content: "a secret", private: true }));
        codes.push(...(await running).map(({ error }) => error?.code));
      },
      { behavior: clean },
    );
    const { dispatcher } = worldOf(undefined, { tools: [telling, sink, outer], maxConcurrency: 1 });
    await dispatcher.dispatch(callsOf("outer"));
    expect(codes).toEqual([undefined, "flow"]);
  });

  test("conversations keep their labels apart; without one, the dispatcher itself is one", async () => {
    const { dispatcher } = worldOf();
    await dispatcher.dispatch(callsOf("fetch", "find"), { conversation: "a" });
    const [other] = await dispatcher.dispatch(callsOf(to("ann")), { conversation: "b" });
    expect(other?.isError).toBe(false);
    await dispatcher.dispatch(callsOf("fetch"));
    await dispatcher.dispatch(callsOf("find"));
    const [own] = await dispatcher.dispatch(callsOf(to("ann")));
    expect(own?.error?.code).toBe("flow");
    await expect(dispatcher.dispatch(callsOf("clock"), { conversation: 7 as never })).rejects.toThrow(TypeError);
  });

  test("`forget` ends a conversation, with the answers remembered in it", async () => {
    const { turns, dispatcher, asked } = worldOf({ decision: "allow", remember: "session" });
    await turns(["fetch", "find"], [to("ann")], [to("ann")]);
    expect(asked).toHaveLength(1);
    await dispatcher.use(informationFlow).forget("c");
    expect(await dispatcher.use(informationFlow).labels("c")).toEqual([]);
    await turns([to("ann")], ["fetch", "find"], [to("ann")]);
    expect(asked).toHaveLength(2);
  });

  test("`preview` asks with the reason, or denies if there is nobody", async () => {
    const present = worldOf("allow");
    await present.turns(["fetch", "find"]);
    const [call] = callsOf(to("ann"));
    if (call === undefined) return expect.fail("a call");
    const preview = await present.dispatcher.preview(call, { conversation: "c" });
    expect(preview).toMatchObject({ decision: "ask", reason: expect.stringContaining("outside (ann)") });
    expect(await present.dispatcher.preview(call)).toMatchObject({ decision: "allow" });
    const absent = worldOf();
    await absent.turns(["fetch", "find"]);
    expect(await absent.dispatcher.preview(call, { conversation: "c" })).toMatchObject({ decision: "deny" });
  });

  test("two calls that share an id are both named", async () => {
    const { turns, asked } = worldOf("deny", {
      tools: [...tools, reader("read", () => "a row", { behavior: { ...clean, returnsPrivate: true } })],
    });
    await turns(["find"], ["read"], ["fetch"], [to("ann")]);
    expect(asked[0]?.reason).toContain("(from find, read)");
  });
});

describe("waivers", () => {
  const tainted: readonly Parameters<typeof callsOf>[] = [["fetch", "find"], [to("ann")]];

  test("neither a plain allow, a mode, a check nor a guard's vote waives the question", async () => {
    const plain = createPermissions();
    plain.allow({ tool: "send" }, { until: "session", reason: "r", by: "b" });
    const settings: readonly Partial<DispatcherOptions>[] = [
      { permissions: plain },
      { permissions: { rules: [{ tool: "send", decision: "allow" }] } },
      { permissions: { mode: "accept-writes" } },
      { permissions: { check: () => "allow" } },
      { hooks: { guard: () => ({ decision: "allow", reason: "r", destructive: true }) } },
    ];
    for (const options of settings) {
      expect((await worldOf(undefined, options).turns(...tainted)).at(-1)).toBe("flow");
    }
  });

  test("an allow with `flow: true` waives it for the calls that it matches, is listed and can be revoked", async () => {
    const permissions = createPermissions();
    const { turns } = worldOf(undefined, { permissions });
    const id = permissions.allow(
      { tool: "send", flow: true, when: ({ to: address }: { to: string }) => address === "ann" },
      { until: "session", reason: "r", by: "b" },
    );
    expect(permissions.list()).toMatchObject([{ tool: "send", flow: true }]);
    expect(await turns(["fetch", "find"], [to("ann")], [to("bob")])).toEqual(["ok", "ok", "ok", "flow"]);
    permissions.revoke(id);
    expect(await turns([to("ann")])).toEqual(["flow"]);
  });

  test("a waiver that ends while its call waits for another covers it no more, although a plain allow goes on", async () => {
    const hold = deferred();
    const slow = writer("slow", () => hold.promise, { behavior: clean });
    const permissions = createPermissions();
    const { turns } = worldOf(undefined, { permissions, tools: [...tools, slow] });
    await turns(["fetch", "find"]);
    permissions.allow({ tool: "send" }, { until: "session", reason: "r", by: "b" });
    permissions.allow({ tool: "send", flow: true }, { until: new Date(Date.now() + 20), reason: "r", by: "b" });
    const waiting = [turns(["slow"]), turns([to("ann")])];
    setTimeout(hold.resolve, 40);
    expect(await Promise.all(waiting)).toEqual([["ok"], ["flow"]]);
  });

  test("`flow: allow` on a rule waives it where that rule is the first match", async () => {
    const rules = [
      { tool: "send", decision: "allow", when: ({ to: address }: { to: string }) => address === "eve" },
      { tool: "send", decision: "allow", flow: "allow" },
    ] as const;
    const { turns } = worldOf(undefined, { permissions: { rules } });
    expect(await turns(["fetch", "find"], [to("ann")], [to("eve")])).toEqual(["ok", "ok", "ok", "flow"]);
  });

  test.each([
    [{ tool: "se*", decision: "allow", flow: "allow" }, "without `*`"],
    [{ tool: "send", decision: "deny", flow: "allow" }, "no effect"],
    [{ tool: "send", decision: "allow", flow: true }, "flow"],
    [{ tool: "s", server: "*", decision: "allow", flow: "allow" }, "without `*`"],
  ])("the rule %j is refused", (rule, message) => {
    expect(() => createPermissions({ rules: [rule as never] })).toThrow(message);
  });

  test.each([
    [{ tool: "*", flow: true }, "without `*`"],
    [{ tool: "mcp__s__t", flow: true }, "`server`"],
    [{ tool: "send", flow: false }, "true"],
  ])("an allow of %j is refused", (calls, message) => {
    const allow = (): string => createPermissions().allow(calls as never, { until: "session", reason: "r", by: "b" });
    expect(allow).toThrow(message);
  });
});

describe("remembered answers", () => {
  const remembered = { decision: "allow", remember: "session" } as const;

  test("a remembered answer covers the same destination, in that conversation, whatever sources come later", async () => {
    const { turns, asked, dispatcher } = worldOf(remembered);
    await turns(["fetch", "find"], [["send", { to: "ann", text: 1 }]], ["fetch"], [["send", { to: "ann", text: 2 }]]);
    expect(asked).toHaveLength(1);
    await turns([to("bob")]);
    expect(asked).toHaveLength(2);
    await dispatcher.dispatch(callsOf("fetch", "find"), { conversation: "d" });
    await dispatcher.dispatch(callsOf(["send", { to: "ann", text: 3 }]), { conversation: "d" });
    expect(asked).toHaveLength(3);
  });

  test("a remembered answer covers only the exact input of a destructive call", async () => {
    const { turns, asked } = worldOf(remembered);
    await turns(["fetch", "find"], [["wipe", { to: "a", n: 1 }]], [["wipe", { to: "a", n: 1 }]]);
    expect(asked).toHaveLength(1);
    await turns([["wipe", { to: "a", n: 2 }]]);
    expect(asked).toHaveLength(2);
  });

  test("a remembered answer covers no other dispatcher that shares the permissions, unless both name the conversation", async () => {
    const asked: unknown[] = [];
    const permissions = createPermissions({ ask: ({ flow }) => (asked.push(flow), remembered) });
    for (const [conversation, questions] of [
      [undefined, 2],
      ["c", 3],
    ] as const) {
      for (const dispatcher of [1, 2].map(() => createDispatcher({ flow: "ask", tools, permissions }))) {
        await dispatcher.dispatch(callsOf("fetch", "find"), { conversation });
        await dispatcher.dispatch(callsOf(to("ann")), { conversation });
      }
      expect(asked).toHaveLength(questions);
    }
  });

  test.each([
    ["fails", () => expect.fail("it fails")],
    ["is absent", () => undefined],
    ["is a promise", () => Promise.resolve("ann")],
    ["is not JSON", () => new Map()],
  ])("a remembered answer covers only the exact input if the destination %s", async (_, destination) => {
    const odd = writer("odd", () => "ok", { behavior: { ...clean, isOpenWorld: true, destination } });
    const { turns, asked } = worldOf(remembered, { tools: [...tools, odd] });
    await turns(["fetch", "find"], [["odd", { n: 1 }]], [["odd", { n: 1 }]], [["odd", { n: 2 }]]);
    expect(asked.map(({ flow }) => flow?.destination)).toEqual([undefined, undefined]);
  });

  test("an answer that was remembered before the labels came does not cover them", async () => {
    const asking = writer("asking", () => "ok", {
      behavior: { ...clean, isOpenWorld: true, requiresPermission: true },
    });
    const { turns, asked } = worldOf(remembered, { tools: [...tools, asking] });
    await turns(["asking"], ["asking"], ["fetch", "find"], ["asking"]);
    expect(asked.map(({ flow }) => flow !== undefined)).toEqual([false, true]);
  });
});

describe("labels of results", () => {
  const labelsOf = async (
    tool: AnyObjectTool,
    options: Partial<DispatcherOptions> = {},
  ): Promise<ToolResult["labels"]> => {
    const [result] = await createDispatcher({ flow: "ask", tools: [tool], ...options }).dispatch(callsOf(tool.name));
    return result?.labels;
  };

  test("a handler may always add a label, and drops one only where the spec claims its absence for some input", async () => {
    const says = (parts: object, behavior: object): AnyObjectTool =>
      reader("t", () => toolResult({ content: "x", ...parts }), { behavior });
    expect(await labelsOf(says({ untrusted: true, private: true }, clean))).toEqual(["untrusted", "private"]);
    expect(await labelsOf(says({ untrusted: false, private: false }, {}))).toEqual(["untrusted", "private"]);
    expect(await labelsOf(says({ untrusted: 0, private: "" }, {}))).toEqual(["untrusted", "private"]);
    const varying = { returnsUntrusted: { unless: () => false }, returnsPrivate: true };
    expect(await labelsOf(says({ untrusted: false, private: false }, varying))).toEqual(["private"]);
    expect(await labelsOf(says({ untrusted: false, isError: true }, varying))).toEqual(["private"]);
    expect(await labelsOf(says({ untrusted: "no" }, varying))).toEqual(["untrusted", "private"]);
  });

  test("`read_result` brings in the labels of the call that stored the text; of an unknown reference, both", async () => {
    const long = reader("long", () => "x".repeat(500), {
      behavior: { ...clean, returnsPrivate: true },
      limits: { maxResultSizeChars: 100 },
    });
    const dispatcher = createDispatcher({ flow: "ask", tools: [long], extensions: [storedResults()] });
    const [stored] = await dispatcher.dispatch(callsOf("long"));
    const reference = stored?.offloaded?.reference;
    const [read] = await dispatcher.dispatch(callsOf(["read_result", { reference }]), { conversation: "other" });
    expect(read?.labels).toEqual(["private"]);
    expect(await dispatcher.use(informationFlow).labels("other")).toHaveLength(1);
    const [unknown] = await dispatcher.dispatch(callsOf(["read_result", { reference: "?" }]));
    expect(unknown?.labels).toEqual(["untrusted", "private"]);
  });

  test("a reference that a result store gives again makes no other one forgotten", () => {
    const conversations = new Conversations(undefined, { flow: "ask", timeoutMs: 1000, report: () => undefined });
    const clean = { untrusted: false, private: false };
    for (let n = 0; n < 10_000; n += 1) conversations.noteReference(String(n), clean);
    conversations.noteReference("5000", { untrusted: true });
    expect([conversations.labelsAt("0"), conversations.labelsAt("5000")]).toEqual([
      clean,
      { untrusted: true, private: false },
    ]);
    conversations.noteReference("new", clean);
    expect([conversations.labelsAt("0").private, conversations.labelsAt("1").private]).toEqual([true, false]);
  });

  test("a reference that a result store gives twice has the labels of both results", async () => {
    const long = (name: string, returnsPrivate: boolean): AnyObjectTool =>
      reader(name, () => "x".repeat(500), {
        behavior: { ...clean, returnsPrivate },
        limits: { maxResultSizeChars: 100 },
      });
    const resultStore = { ...memoryResultStore(), put: async () => "same" };
    const dispatcher = createDispatcher({
      flow: "ask",
      tools: [long("secret", true), long("open", false)],
      extensions: [storedResults(resultStore)],
    });
    await dispatcher.dispatch(callsOf("secret", "open"));
    const [read] = await dispatcher.dispatch(callsOf(["read_result", { reference: "same" }]));
    expect(read?.labels).toEqual(["private"]);
  });

  test("`tool_search` brings in `untrusted` only if it shows a live MCP tool", async () => {
    const hidden = reader("hidden", () => "x", { visibility: { load: "deferred" } });
    const live = { name: "live", load: "deferred", inputSchema: { type: "object" }, execute: () => "x" } as const;
    const dispatcher = createDispatcher({ flow: "ask", tools: [hidden], mcp: [{ server: "s", tools: [live] }] });
    const search = async (query: string): Promise<ToolResult["labels"]> =>
      (await dispatcher.dispatch(callsOf(["tool_search", { query }])))[0]?.labels;
    expect(await search("hidden")).toBeUndefined();
    expect(await search("live")).toEqual(["untrusted"]);
  });

  test("a live MCP tool has both labels, whatever its hints say, and leads outside", async () => {
    const annotations = { readOnlyHint: true, openWorldHint: false };
    const live = { name: "live", annotations, inputSchema: { type: "object" }, execute: () => "x" } as const;
    const dispatcher = createDispatcher({
      flow: "ask",
      tools: [],
      mcp: [{ server: "s", trusted: true, tools: [live] }],
      permissions: { rules: [{ server: "s", tool: "live", decision: "allow" }] },
    });
    const codes = [];
    for (const _ of [1, 2]) codes.push((await dispatcher.dispatch(callsOf("mcp__s__live")))[0]?.error?.code);
    expect(codes).toEqual([undefined, "flow"]);
  });

  test.each<[string, McpServer["claims"], readonly string[], string | undefined]>([
    ["states nothing of the tool", { other: { isOpenWorld: false } }, ["untrusted", "private"], "flow"],
    ["claims that its input reaches nobody", { live: { isOpenWorld: false } }, ["untrusted", "private"], undefined],
    ["claims what its results bring in", { live: { returnsUntrusted: false } }, ["private"], "flow"],
    ["claims everything", { live: { returnsUntrusted: false, returnsPrivate: false } }, [], undefined],
  ])("a live MCP tool has the labels that are left if the host %s", async (_, claims, labels, second) => {
    const live = { name: "live", inputSchema: { type: "object" }, execute: () => "x" } as const;
    const dispatcher = createDispatcher({
      flow: "ask",
      tools: [],
      mcp: [{ server: "s", claims, tools: [live] }],
      permissions: { rules: [{ server: "s", tool: "live", decision: "allow" }] },
    });
    const [first] = await dispatcher.dispatch(callsOf("mcp__s__live"));
    expect(first?.labels ?? []).toEqual(labels);
    expect((await dispatcher.dispatch(callsOf("mcp__s__live")))[0]?.error?.code).toBe(second);
  });

  test("changed claims of a server count from the next turn", async () => {
    const live = { name: "live", inputSchema: { type: "object" }, execute: () => "x" } as const;
    let claims: McpServer["claims"] = { live: { returnsPrivate: false, returnsUntrusted: false } };
    const dispatcher = createDispatcher({
      flow: "ask",
      tools: [],
      permissions: { rules: [{ server: "s", tool: "live", decision: "allow" }] },
      refreshServers: () => [{ server: "s", claims, tools: [live] }],
    });
    const labels = async (): Promise<ToolResult["labels"]> =>
      (await dispatcher.dispatch(callsOf("mcp__s__live")))[0]?.labels;
    expect(await labels()).toBeUndefined();
    claims = { live: { returnsPrivate: false } };
    await dispatcher.refresh();
    expect(await labels()).toEqual(["untrusted"]);
  });

  test.each<[string, unknown, string]>([
    ["a value that claims nothing", { live: { isOpenWorld: true } }, "`claims.live.isOpenWorld` must be false"],
    ["a flag that no host may claim", { live: { isReadOnly: false } }, "`claims.live.isReadOnly` is unknown"],
    ["no object", { live: false }, "`claims.live` must be an object"],
  ])("a live MCP server whose claims hold %s throws", (_, claims, message) => {
    const create = (): unknown =>
      createDispatcher({ flow: "ask", tools: [], mcp: [{ server: "s", tools: [], claims } as never] });
    expect(create).toThrow(message);
  });

  test("a conversation keeps a hundred calls for each label", async () => {
    const dispatcher = createDispatcher({ flow: "ask", tools });
    const names = Array.from({ length: 150 }, () => "fetch");
    await dispatcher.dispatch(callsOf(...names));
    expect((await dispatcher.use(informationFlow).labels())[0]?.calls).toHaveLength(100);
  });

  test("`buildTool` refuses a destination that is not a function", () => {
    const build = (): unknown =>
      buildTool({
        name: "t",
        description: "d",
        input: { type: "object", properties: {} },
        behavior: { destination: "input.to" as never },
        execute: () => "x",
      });
    expect(build).toThrow("behavior.destination");
  });
});

describe("the model of labels", () => {
  interface PlannedCall {
    readonly isReader: boolean;
    readonly isOpenWorld: boolean;
    readonly returnsUntrusted: boolean;
    readonly returnsPrivate: boolean;
    readonly isAllowed: boolean;
  }

  /** Decides which calls of a conversation are asked about: those that lead outside once earlier batches left both labels. */
  function askedInModel(turns: readonly (readonly PlannedCall[])[]): readonly boolean[] {
    const held = { untrusted: false, private: false };
    return turns.flatMap((calls) => {
      const next = { ...held };
      return calls.map((call, index) => {
        const isJoining = call.isReader && calls[index - 1]?.isReader === true;
        if (!isJoining) Object.assign(held, next);
        const isAsked = call.isOpenWorld && held.untrusted && held.private;
        if (!isAsked || call.isAllowed) {
          next.untrusted ||= call.returnsUntrusted;
          next.private ||= call.returnsPrivate;
        }
        if (index === calls.length - 1) Object.assign(held, next);
        return isAsked;
      });
    });
  }

  test("the dispatcher asks about exactly the calls that the model of labels demands", async () => {
    const flag = fc.boolean();
    const call = fc.record<PlannedCall>({
      isReader: flag,
      isOpenWorld: flag,
      returnsUntrusted: flag,
      returnsPrivate: flag,
      isAllowed: flag,
    });
    const planned = fc.array(fc.array(call, { minLength: 1, maxLength: 5 }), { maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(planned, async (turns) => {
        const asked = new Set<string>();
        const own: AnyObjectTool[] = turns.flatMap((calls, turn) =>
          calls.map(({ isReader, isAllowed: _isAllowed, ...behavior }, index) => {
            const create = isReader ? reader : writer;
            return create(`t${turn}_${index}`, () => "ok", { behavior });
          }),
        );
        const ask = ({ toolName }: PermissionRequest): "allow" | "deny" => {
          asked.add(toolName);
          const [turn = 0, index = 0] = toolName.slice(1).split("_").map(Number);
          return turns[turn]?.[index]?.isAllowed === true ? "allow" : "deny";
        };
        const dispatcher = createDispatcher({ flow: "ask", tools: own, permissions: { ask } });
        for (const [turn, calls] of turns.entries()) {
          await dispatcher.dispatch(callsOf(...calls.map((_, index) => `t${turn}_${index}`)));
        }
        expect(own.map(({ name }) => asked.has(name))).toEqual(askedInModel(turns));
      }),
    );
  });
});

test("a call among thousands that bring in a label costs no more than among hundreds", async () => {
  const page = reader("page", () => "a page", { behavior: { ...clean, isOpenWorld: true, returnsUntrusted: true } });
  async function costOf(count: number): Promise<number> {
    const costs: number[] = [];
    for (let run = 0; run < 5; run += 1) {
      const { dispatch } = createDispatcher({ flow: "ask", tools: [page] });
      const before = process.cpuUsage();
      await dispatch(callsOf(...Array.from({ length: count }, () => "page")));
      const { user, system } = process.cpuUsage(before);
      costs.push((user + system) / count);
    }
    return Math.min(...costs);
  }
  expect((await costOf(10_000)) / (await costOf(500))).toBeLessThan(4);
});
