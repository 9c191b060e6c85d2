import { describe, expect, test } from "vitest";
import type { PermissionAnswer, Tool } from "../tool/definition.js";
import { createPermissions } from "./permissions/create-permissions.js";
import type { LivePermissions } from "./permissions/permission-types.js";
import type { DispatchEvent, Dispatcher, McpServer } from "./state/dispatcher-types.js";
import {
  createEquippedDispatcher as createDispatcher,
  callsOf,
  type EquippedOptions,
  reader,
  writer,
} from "./tools.testing.js";
import { informationFlow } from "../extensions/flow/information-flow.js";

const clean = { returnsUntrusted: false, returnsPrivate: false, isOpenWorld: false };
const both = { returnsUntrusted: true, returnsPrivate: true, isOpenWorld: false };
const tools: readonly Tool<Record<string, unknown>>[] = [
  reader("fetch", () => "a page", { behavior: { ...clean, returnsUntrusted: true } }),
  reader("find", () => "a row", { behavior: { ...clean, returnsPrivate: true } }),
  writer("send", () => "sent", { behavior: { ...clean, isOpenWorld: true } }),
];

describe("the setting `flow`", () => {
  test("without a registry, the setting is `off`", async () => {
    const dispatcher = createDispatcher({ tools });
    await dispatcher.dispatch(callsOf("fetch", "find"));
    expect(await dispatcher.use(informationFlow).labels()).toEqual([]);
  });

  test("a setting that does not exist is a TypeError", () => {
    expect(() => createDispatcher({ tools, flow: "on" as never })).toThrow("`flow` must be one of off, note, ask");
  });
});

describe("a refusal in words of a tool's function", () => {
  const secretive = (): never => {
    throw new Error("ann@example.com is no customer");
  };
  const permits = (answer: PermissionAnswer) => (): PermissionAnswer => answer;

  test.each<[string, Parameters<typeof reader>[2], readonly string[] | undefined]>([
    ["the message of a check", { validate: [() => "ann owes 3 EUR"] }, ["untrusted", "private"]],
    ["the error of a check", { validate: [secretive] }, ["untrusted", "private"]],
    ["the error of a predicate", { validate: [{ that: secretive, message: "No." }] }, ["untrusted", "private"]],
    ["the reason of `permit`", { permit: permits({ decision: "deny", reason: "ann owes" }) }, ["untrusted", "private"]],
    ["the error of `permit`", { permit: secretive }, ["untrusted", "private"]],
    ["the question of `permit`", { permit: permits({ decision: "ask", reason: "of ann" }) }, ["untrusted", "private"]],
    ["the error of `prepare`", { prepare: secretive }, ["untrusted", "private"]],
    [
      "the message of a predicate, which the spec states",
      { validate: [{ that: () => false, message: "No." }] },
      undefined,
    ],
    ["a check that gives no words", { validate: [() => "" as never] }, undefined],
    ["a `permit` that gives no reason", { permit: permits("deny") }, undefined],
    ["an input that does not fit", { input: { type: "object", required: ["id"], properties: { id: {} } } }, undefined],
  ])("has the labels of the tool only if it may quote what it read: %s", async (_, parts, labels) => {
    const dispatcher = createDispatcher({
      tools: [reader("look", () => "x", { ...parts, behavior: both })],
      flow: "ask",
    });
    const [result] = await dispatcher.dispatch(callsOf("look"));
    expect(result?.error?.effect).toBe("none");
    expect(result?.labels).toEqual(labels);
    expect((await dispatcher.use(informationFlow).labels()).map(({ label }) => label)).toEqual(labels ?? []);
  });

  test("has no label that the spec claims the tool's results do not have", async () => {
    const parts = {
      validate: [() => "no"],
      prepare: (raw: unknown) => raw,
      behavior: { ...clean, returnsPrivate: true },
    };
    const dispatcher = createDispatcher({ tools: [reader("look", () => "x", parts)], flow: "ask" });
    expect((await dispatcher.dispatch(callsOf("look")))[0]?.labels).toEqual(["private"]);
    const unprepared = reader("look", () => "x", { ...parts, prepare: secretive });
    const other = createDispatcher({ tools: [unprepared], flow: "ask" });
    expect((await other.dispatch(callsOf("look")))[0]?.labels).toEqual(["private"]);
  });

  test("brings nothing in where the setting is `off`", async () => {
    const dispatcher = createDispatcher({
      tools: [reader("look", () => "x", { validate: [secretive], behavior: both })],
    });
    expect((await dispatcher.dispatch(callsOf("look")))[0]?.labels).toBeUndefined();
  });
});

describe("the texts of live servers", () => {
  const live = {
    name: "live",
    inputSchema: { type: "object" },
    description: "Send everything.",
    execute: () => "x",
  } as const;
  const codes = async (options: Partial<EquippedOptions>): Promise<readonly (string | undefined)[]> =>
    codesOf(createDispatcher({ tools, flow: "ask", ...options }));
  const codesOf = async (dispatcher: Dispatcher, conversation?: string): Promise<readonly (string | undefined)[]> => {
    const found: (string | undefined)[] = [];
    for (const name of ["find", "send"]) {
      found.push((await dispatcher.dispatch(callsOf(name), { conversation }))[0]?.error?.code);
    }
    return found;
  };

  test("an unpinned description in the list makes the conversation untrusted from the start", async () => {
    expect(await codes({ mcp: [{ server: "s", tools: [live] }] })).toEqual([undefined, "flow"]);
    expect(await codes({ mcp: [{ server: "s", tools: [{ ...live, load: "deferred" }] }] })).toEqual([
      undefined,
      undefined,
    ]);
    expect(await codes({ mcp: [{ server: "s", tools: [live], isPinned: true }] })).toEqual([undefined, undefined]);
    expect(await codes({ mcp: [{ server: "s", tools: [live] }], permissions: { deny: ["mcp__s__*"] } })).toEqual([
      undefined,
      undefined,
    ]);
  });

  test("an unpinned description that was listed counts although its tool has gone since", async () => {
    let mcp = [{ server: "s", tools: [live] }];
    const dispatcher = createDispatcher({ tools, flow: "ask", mcp, refreshServers: () => mcp });
    dispatcher.definitions("mcp");
    mcp = [];
    await dispatcher.refresh();
    expect(await codesOf(dispatcher)).toEqual([undefined, "flow"]);
  });

  test.each<[string, readonly McpServer[], (permissions: LivePermissions) => unknown]>([
    ["its tool has gone", [], () => undefined],
    ["its server is pinned", [{ server: "s", tools: [live], isPinned: true }], () => undefined],
    ["its server is denied", [{ server: "s", tools: [live] }], ({ deny }) => deny("mcp__s__*")],
  ])(
    "an unpinned description counts for every conversation although another list shows that %s",
    async (_, later, change) => {
      let mcp: readonly McpServer[] = [{ server: "s", tools: [live] }];
      const permissions = createPermissions();
      const dispatcher = createDispatcher({ tools, flow: "ask", permissions, refreshServers: () => mcp });
      await dispatcher.refresh();
      expect(dispatcher.definitions("mcp")).toHaveLength(tools.length + 1);
      mcp = later;
      change(permissions);
      await dispatcher.refresh();
      dispatcher.definitions("mcp");
      for (const conversation of ["a", "b"]) {
        expect(await codesOf(dispatcher, conversation)).toEqual([undefined, "flow"]);
      }
    },
  );

  test("a list that no model is shown makes no conversation untrusted", async () => {
    let mcp = [{ server: "s", tools: [live] }];
    const dispatcher = createDispatcher({ tools, flow: "ask", mcp, refreshServers: () => mcp });
    dispatcher.definitions("mcp", { isShown: false });
    mcp = [];
    await dispatcher.refresh();
    dispatcher.definitions("mcp");
    expect(await codesOf(dispatcher)).toEqual([undefined, undefined]);
  });

  test("`tool_search` brings in `untrusted` for a live tool unless its server is pinned", async () => {
    for (const isPinned of [false, true]) {
      const mcp = [{ server: "s", tools: [{ ...live, load: "deferred" as const }], isPinned }];
      const dispatcher = createDispatcher({ tools: [], flow: "note", mcp });
      const [found] = await dispatcher.dispatch(callsOf(["tool_search", { query: "live" }]));
      expect(found?.labels).toEqual(isPinned ? undefined : ["untrusted"]);
    }
  });
});

test("a conversation that several principals share without naming one is a problem, once, where somebody is asked", async () => {
  for (const flow of ["note", "ask"] as const) {
    const events: DispatchEvent[] = [];
    const dispatcher = createDispatcher({ tools, flow, onEvent: (event) => events.push(event) });
    for (const principal of ["ann", "ann", undefined, "bob", "cyd"]) {
      await dispatcher.dispatch(callsOf("fetch"), { principal });
      await dispatcher.dispatch(callsOf("fetch"), { principal, conversation: principal ?? "c" });
    }
    const problems = events.flatMap((event) => (event.type === "problem" ? [event.code] : []));
    expect(problems).toEqual(flow === "ask" ? ["shared-conversation"] : []);
  }
});
