import { describe, expect, test, vi } from "vitest";
import { createEquippedDispatcher as createDispatcher, callsOf, reader, writer } from "../tools.testing.js";
import { createPermissions } from "./create-permissions.js";
import type { DispatcherOptions } from "../state/dispatcher-types.js";
import type { ToolCall } from "../../tool/definition.js";
import type { PermissionPolicy, Permissions } from "./permission-types.js";

const policy: PermissionPolicy = {
  deny: ["drop_*"],
  rules: [{ tool: "write", when: (input: { to: string }) => input.to === "draft", decision: "allow" }],
  mode: "accept-writes",
};

test("settings, or a policy that was compiled, are the beginning", () => {
  const permissions = createPermissions({ ...policy, deny: ["drop_*", { server: "github", tool: "delete_*" }] });
  expect(permissions.mode).toBe("accept-writes");
  expect(permissions.list()).toMatchObject([
    { id: "deny-1", decision: "deny", tool: "drop_*" },
    { id: "deny-2", decision: "deny", server: "github", tool: "delete_*" },
  ]);
});

test("list returns permissions in force with id, reason, start and end", () => {
  vi.useFakeTimers({ now: new Date("2030-01-01T00:00:00Z") });
  try {
    const permissions = createPermissions();
    const until = new Date("2030-01-01T01:00:00Z");
    const denied = permissions.deny("drop_table", { reason: "freeze", by: "ops" });
    const allowed = permissions.allow({ tool: "write", input: { to: "a" } }, { until, reason: "asked for", by: "ada" });
    expect(permissions.list()).toEqual([
      {
        id: denied,
        decision: "deny",
        tool: "drop_table",
        reason: "freeze",
        by: "ops",
        since: "2030-01-01T00:00:00.000Z",
      },
      {
        id: allowed,
        decision: "allow",
        tool: "write",
        until,
        reason: "asked for",
        by: "ada",
        since: "2030-01-01T00:00:00.000Z",
      },
    ]);
    until.setFullYear(2040);
    vi.setSystemTime(new Date("2030-01-01T01:00:00Z"));
    expect(permissions.list().map(({ id }) => id)).toEqual([denied]);
    expect(permissions.revoke(denied)).toBe(true);
    expect(permissions.revoke(denied)).toBe(false);
    expect(permissions.list()).toEqual([]);
  } finally {
    vi.useRealTimers();
  }
});

test("a dispatcher takes them, and several may share them", async () => {
  const permissions = createPermissions({ deny: ["read"] });
  const tools = [reader("read"), writer("write")];
  for (const dispatcher of [createDispatcher({ tools, permissions }), createDispatcher({ tools, permissions })]) {
    expect((await dispatcher.dispatch(callsOf("read")))[0]?.error?.code).toBe("denied");
  }
});

test.each(["allow", "deny"] as const)(
  "a remembered %s settles the calls of its own conversation and principal, and of no others",
  async (decision) => {
    const places = [
      {},
      { principal: "ann" },
      { principal: "bob" },
      { conversation: "ann" },
      { conversation: "c", principal: "ann" },
      { conversation: "c", principal: "bob" },
    ];
    const asked: unknown[] = [];
    const permissions = createPermissions({
      ask: ({ context }) => (asked.push(context), { decision, remember: "session" }),
    });
    const tools = [writer("write", () => "ok", { behavior: { requiresPermission: true } })];
    const dispatchers = [1, 2].map(() => createDispatcher({ tools, permissions }));
    const [call] = callsOf(["write", { to: "a" }]) as [ToolCall];
    for (const dispatcher of dispatchers) {
      for (const context of [...places, ...places]) await dispatcher.dispatch([call], { ...context, context });
      for (const place of places) expect(await dispatcher.preview(call, place)).toMatchObject({ decision });
      expect(dispatcher.definitions("mcp")).toHaveLength(1);
    }
    const [nowhere, ann, bob] = places;
    // A conversation without a name is the dispatcher's own.
    expect(asked).toEqual([...places, nowhere, ann, bob]);
  },
);

test("a condition that changes the permissions while a question is open decides nothing by it", async () => {
  const permissions = createPermissions({
    ask: () =>
      new Promise((answer) => {
        setTimeout(() => {
          permissions.deny("third");
          answer("deny");
        }, 5);
      }),
  });
  const needsPermission = { behavior: { requiresPermission: true } };
  const when = (): boolean => {
    permissions.deny("another");
    return false;
  };
  permissions.allow({ tool: "write", when }, { until: "session", reason: "r", by: "b" });
  const dispatcher = createDispatcher({ tools: [writer("write", () => "ok", needsPermission)], permissions });
  const [result] = await dispatcher.dispatch(callsOf("write"));
  expect(result?.error?.code).toBe("denied");
});

const allowLater = async (): Promise<"allow"> => "allow";

test.each<[string, Partial<DispatcherOptions>, Permissions, object]>([
  ["a person", {}, { ask: allowLater }, { behavior: { requiresPermission: true } }],
  ["a check", {}, { check: allowLater }, { behavior: { requiresPermission: true } }],
  ["its tool", {}, {}, { permit: allowLater }],
  ["a guard", { hooks: { guard: async () => undefined } }, {}, {}],
])("no handler starts after a deny, at whatever step %s decided about it", async (_who, options, settings, parts) => {
  const started = new Set<boolean>();
  for (let step = 0; step < 60; step += 1) {
    const permissions = createPermissions(settings);
    let isDenied = false;
    const run = (): void => void started.add(isDenied);
    const dispatcher = createDispatcher({ tools: [writer("write", run, parts)], permissions, ...options });
    const pending = dispatcher.dispatch(callsOf("write"));
    for (let passed = 0; passed < step; passed += 1) await undefined;
    permissions.deny("write");
    isDenied = true;
    await pending;
  }
  expect([...started]).toEqual([false]);
});

test("a turn that is stopped before its first call asks nobody", async () => {
  const ask = vi.fn(() => "allow" as const);
  const controller = new AbortController();
  const tools = [writer("write", () => "ok", { behavior: { requiresPermission: true } })];
  const dispatcher = createDispatcher({ tools, permissions: { ask } });
  const pending = dispatcher.dispatch(callsOf("write"), { signal: controller.signal });
  controller.abort();
  expect((await pending)[0]?.error).toMatchObject({ code: "aborted", effect: "none" });
  expect(ask).not.toHaveBeenCalled();
});

describe("a mistake is a TypeError that names its place", () => {
  const details = { until: "session", reason: "r", by: "b" } as const;
  const permissions = createPermissions();
  test.each<[string, () => unknown, RegExp]>([
    ["an unknown setting", () => createPermissions({ allow: ["x"] } as never), /createPermissions: `allow` is unknown/],
    [
      "a mode that does not exist",
      () => createPermissions({ mode: "yolo" as never }),
      /`mode` must be one of plan, ask/,
    ],
    ["such a mode later", () => (permissions.mode = "yolo" as never), /`mode` must be one of/],
    ["a rule without a decision", () => createPermissions({ rules: [{ tool: "x" }] as never }), /`rules\[0\]` needs/],
    ["a deny that is no pattern", () => permissions.deny(1 as never), /`pattern` needs server and tool/],
    [
      "a detail that is misspelt",
      () => permissions.deny("x", { because: "y" } as never),
      /`details\.because` is unknown/,
    ],
    ["an allow without a tool", () => permissions.allow({} as never, details), /`calls` needs tool/],
    [
      "an allow without an end",
      () => permissions.allow({ tool: "x" }, { reason: "r", by: "b" } as never),
      /needs until/,
    ],
    [
      "an end that is no date",
      () => permissions.allow({ tool: "x" }, { ...details, until: new Date("soon") }),
      /until/,
    ],
    [
      "an input that is no JSON",
      () => permissions.allow({ tool: "x", input: { a: 1n } as never }, details),
      /JSON|bigint/iu,
    ],
  ])("createPermissions throws a TypeError that names the place: %s", (_name, change, message) => {
    expect(change).toThrow(TypeError);
    expect(change).toThrow(message);
    expect(permissions.list()).toEqual([]);
  });
});
