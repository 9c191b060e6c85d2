import { expect, test } from "vitest";
import type { AnyTool } from "../tool/definition.js";
import { createPermissions } from "./permissions/create-permissions.js";
import type { Dispatcher } from "./state/dispatcher-types.js";
import { createEquippedDispatcher as createDispatcher, callsOf, reader, writer } from "./tools.testing.js";
import { toolSearchOver } from "../extensions/search/tool-search.js";
import { storedResults } from "../extensions/results/stored-results.js";

const names = (dispatcher: Dispatcher): unknown[] => dispatcher.definitions("mcp").map((tool) => tool["name"]);
const codes = async (dispatcher: Dispatcher, ...calls: Parameters<typeof callsOf>): Promise<unknown[]> =>
  (await dispatcher.dispatch(callsOf(...calls))).map(({ error }) => error?.code ?? "ok");

test("a denied tool leaves the list at once, the rest keeps its order, and it returns at the end", () => {
  const permissions = createPermissions();
  const dispatcher = createDispatcher({ tools: [reader("a"), reader("b"), reader("c")], permissions });
  const before = dispatcher.definitions("mcp");
  expect(dispatcher.definitions("mcp")).toBe(before);
  const id = permissions.deny("a");
  expect(names(dispatcher)).toEqual(["b", "c"]);
  permissions.revoke(id);
  expect(names(dispatcher)).toEqual(["b", "c", "a"]);
});

test("tools that arrive later are appended by name, and their aliases never resolve", async () => {
  let tools: AnyTool[] = [reader("m", () => "ok", { aliases: ["old_m"] })];
  const dispatcher = createDispatcher({ tools, refreshTools: () => tools });
  tools = [...tools, reader("z"), reader("b", () => "ok", { aliases: ["old_b"] })];
  await dispatcher.refresh();
  expect(names(dispatcher)).toEqual(["m", "b", "z"]);
  expect(await codes(dispatcher, "old_m", "b", "old_b")).toEqual(["ok", "ok", "unknown-tool"]);
});

test("a list that costs too much defers all but what is always loaded; the search names what it finds, unchanged", async () => {
  const long = { description: "x".repeat(400) };
  const tools = [
    reader("a", () => "ok", long),
    reader("b", () => "ok", long),
    reader("c", () => "ok", { visibility: { load: "always" } }),
  ];
  expect(names(createDispatcher({ tools, extensions: [toolSearchOver(1000)] }))).toEqual(["a", "b", "c"]);
  const dispatcher = createDispatcher({ tools, extensions: [toolSearchOver(100)] });
  expect(names(dispatcher)).toEqual(["c", "tool_search"]);
  const search = dispatcher.definitions("mcp")[1];
  expect(search?.["description"]).toContain("The tools are: a, b.");
  expect(await codes(dispatcher, "a", ["tool_search", { query: "a" }])).toEqual(["not-loaded", "ok"]);
  expect(names(dispatcher)).toEqual(["c", "tool_search", "a"]);
  expect(dispatcher.definitions("mcp")[1]).toEqual(search);
  expect(await codes(dispatcher, "a")).toEqual(["ok"]);
});

test("the list stays as it is within a turn, so that all that it names may be called", async () => {
  const permissions = createPermissions();
  let isOpen = false;
  const seen: unknown[] = [];
  const tools = [
    reader("deferred", () => "ok", { visibility: { load: "deferred" } }),
    reader("enabled", () => "ok", { isEnabled: () => isOpen }),
    reader("long", () => "x".repeat(2000), { limits: { maxResultSizeChars: 100 } }),
    reader("change", () => {
      isOpen = true;
      permissions.revoke(permissions.deny("nothing"));
    }),
    reader("list", () => void seen.push(names(dispatcher))),
  ];
  const dispatcher: Dispatcher = createDispatcher({ tools, permissions });
  const before = names(dispatcher);
  const turn = dispatcher.openTurn();
  const results: unknown[] = [];
  for (const [name, input] of [
    ["tool_search", { query: "deferred" }],
    ["long", {}],
    ["change", {}],
  ] as const) {
    turn.push({ id: name, name, input });
  }
  await new Promise((wake) => setTimeout(wake, 20));
  turn.push({ id: "list", name: "list", input: {} });
  results.push(...(await turn.end()).map(({ error }) => error?.code ?? "ok"));
  expect([results, seen]).toEqual([["ok", "ok", "ok", "ok"], [before]]);
  expect(names(dispatcher)).toEqual([...before, "deferred", "enabled", "read_result"]);
});

test("a remembered allow covers neither a changed tool nor a destructive call", async () => {
  const asked: string[] = [];
  const make = (description: string): AnyTool =>
    writer("w", () => "ok", {
      description,
      behavior: { requiresPermission: true, isDestructive: { when: (input) => input["all"] === true } },
    });
  let tools = [make("one")];
  const permissions = createPermissions({
    ask: ({ input }) => {
      asked.push(JSON.stringify(input));
      return { decision: "allow", remember: "session" };
    },
  });
  const dispatcher = createDispatcher({ tools, permissions, refreshTools: () => tools });
  expect(
    await codes(
      dispatcher,
      ["w", { n: 1 }],
      ["w", { n: 2 }],
      ["w", { all: true }],
      ["w", { all: true }],
      ["w", { all: true, n: 3 }],
    ),
  ).toEqual(["ok", "ok", "ok", "ok", "ok"]);
  expect(asked).toEqual(['{"n":1}', '{"all":true}', '{"all":true,"n":3}']);
  tools = [make("another")];
  await dispatcher.refresh();
  await codes(dispatcher, ["w", { n: 4 }]);
  expect(asked).toHaveLength(4);
});

test("twenty results under a budget of 500 characters stay within it, in every form", async () => {
  const tools = [reader("text", () => "x".repeat(2000)), reader("rows", () => ({ rows: "y".repeat(2000) }))];
  for (const turnResultBudgetChars of [500, 30, 1]) {
    const results = await createDispatcher({ tools, turnResultBudgetChars }).dispatch(
      callsOf(...Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? "text" : "rows"))),
    );
    const content = results
      .flatMap((result) => result.content.map((block) => ("text" in block ? (block.text ?? "") : "")))
      .join("");
    expect(content.length).toBeLessThanOrEqual(turnResultBudgetChars);
    expect(
      results.map(({ output }) => (output === undefined ? "" : JSON.stringify(output))).join("").length,
    ).toBeLessThanOrEqual(turnResultBudgetChars);
  }
});

test("a store that fails half-way keeps what it could, and every result is within its limit", async () => {
  let puts = 0;
  const put = async (): Promise<string> => {
    puts += 1;
    if (puts > 2) throw new Error("no space left on /var/secret");
    return `r${puts}`;
  };
  const text = reader("text", () => "x".repeat(2000), { limits: { maxResultSizeChars: 200 } });
  const results = await createDispatcher({ tools: [text], extensions: [storedResults({ put })] }).dispatch(
    callsOf("text", "text", "text", "text"),
  );
  expect(results.map(({ offloaded }) => offloaded?.reference)).toEqual(["r1", "r2", undefined, undefined]);
  for (const { isError, content } of results) {
    expect(isError).toBe(false);
    const shown = content.map((block) => ("text" in block ? (block.text ?? "") : "")).join("");
    expect(shown.length).toBeLessThanOrEqual(200);
    expect(shown).not.toContain("secret");
  }
});

test("a structured output that is longer than the limit is left out and stored, its JSON in lines", async () => {
  const rows = reader("rows", () => ({ rows: ["a", "b", "c".repeat(300)] }), { limits: { maxResultSizeChars: 200 } });
  const dispatcher = createDispatcher({ tools: [rows] });
  const [result] = await dispatcher.dispatch(callsOf("rows"));
  expect(result).not.toHaveProperty("output");
  const [read] = await dispatcher.dispatch(
    callsOf(["read_result", { reference: result?.offloaded?.reference, length: 30 }]),
  );
  expect(read?.content[0]).toMatchObject({ text: expect.stringContaining('{\n  "rows": [\n    "a",') as string });
});

test.each([
  [reader, "none"],
  [writer, "unknown"],
] as const)("a `cancel` tool's result after an interrupt is discarded", async (make, effect) => {
  const tool = make(
    "t",
    (_input, { signal }) => new Promise((resolve) => signal.addEventListener("abort", () => resolve("late"))),
    {
      behavior: { interruptBehavior: "cancel" },
    },
  );
  const dispatcher = createDispatcher({ tools: [tool] });
  const pending = dispatcher.dispatch(callsOf("t"));
  await new Promise((wake) => setTimeout(wake, 5));
  dispatcher.interrupt();
  expect((await pending)[0]).toMatchObject({ isError: true, error: { code: "interrupted", effect } });
});
