import { describe, expect, test, vi } from "vitest";
import type { PermissionRequest } from "../tool/definition.js";
import type { DispatchEvent, DispatcherOptions } from "./state/dispatcher-types.js";
import { createPermissions } from "./permissions/create-permissions.js";
import type { LivePermissions, Permissions } from "./permissions/permission-types.js";
import { buildTool } from "../tool/tool.js";
import {
  createEquippedDispatcher as createDispatcher,
  anyObject,
  callsOf,
  never,
  reader,
  writer,
} from "./tools.testing.js";

const safe = reader("safe");
const asks = writer("asks", () => "ok", { behavior: { requiresPermission: true } });
const destroys = writer("destroys", () => "ok", { behavior: { isDestructive: true } });
const destroysAndAsks = buildTool({
  name: "purge_all",
  description: "d",
  input: anyObject,
  execute: () => "ok",
  aliases: ["wipe"],
});
const odd = {
  name: "odd",
  description: "d",
  input: anyObject,
  behavior: { requiresPermission: false, isDestructive: false },
  execute: () => "ok",
} as const;
const tools = [safe, asks, destroys, destroysAndAsks];

/** Returns `ok` or the code of the refusal. */
async function outcome(
  tool: string,
  permissions: Permissions | LivePermissions,
  rest: Partial<DispatcherOptions> = {},
): Promise<string> {
  const [result] = await createDispatcher({ tools, permissions, ...rest }).dispatch(callsOf([tool, { at: 1 }]));
  if (result?.isError === true) expect(result.error).toMatchObject({ effect: "none" });
  return result?.error?.code ?? "ok";
}

const allow = (tool: string): Permissions => ({ rules: [{ tool, decision: "allow" }] });
const boom = (): never => {
  throw new Error("boom");
};

describe("what needs no permission", () => {
  test("a call that needs no permission runs unasked", async () => expect(await outcome("safe", {})).toBe("ok"));
  test("a destructive call never runs unasked", async () =>
    expect(await outcome("destroys", {})).toBe("no-one-to-ask"));
  test("the need for permission is decided per call", async () => {
    const varies = writer("varies", () => "ok", {
      behavior: { requiresPermission: { unless: (input) => input["dry"] === true } },
    });
    const results = await createDispatcher({ tools: [varies] }).dispatch(
      callsOf(["varies", { dry: true }], ["varies", {}]),
    );
    expect(results.map((result) => result.error?.code)).toEqual([undefined, "no-one-to-ask"]);
  });
});

describe("step 1, deny", () => {
  test.each([
    ["the name", "asks"],
    ["a wildcard", "a*"],
    ["everything", "*"],
  ])("a deny by %s beats an allow", async (_name, pattern) => {
    expect(await outcome("asks", { deny: [pattern], ...allow("asks") })).toBe("denied");
  });

  test("a deny of an alias denies the tool under every name", async () => {
    const permissions = { deny: ["wipe"], ...allow("purge_all") };
    expect(await outcome("purge_all", permissions)).toBe("denied");
    expect(await outcome("wipe", permissions)).toBe("denied");
  });

  test("a deny takes the tool off the list", () => {
    const names = createDispatcher({ tools, permissions: { deny: ["wipe", "s*"] } })
      .definitions("anthropic")
      .map((entry) => entry["name"]);
    expect(names).toEqual(["asks", "destroys"]);
  });
});

describe("step 2, rules", () => {
  test.each<[string, string, Permissions | LivePermissions, string]>([
    ["an allow by name", "asks", allow("asks"), "ok"],
    ["an allow by wildcard", "asks", allow("*"), "ok"],
    ["a wildcard inside the name", "asks", allow("a*s"), "ok"],
    ["no allow by wildcard for a destructive call", "destroys", allow("*"), "no-one-to-ask"],
    ["no allow by part of the name for a destructive call", "purge_all", allow("purge_*"), "no-one-to-ask"],
    ["an allow by name for a destructive call", "purge_all", allow("purge_all"), "ok"],
    ["no allow by an alias", "wipe", createPermissions(allow("wipe")), "no-one-to-ask"],
    [
      "a deny by an alias",
      "purge_all",
      {
        rules: [
          { tool: "wipe", decision: "deny" },
          { tool: "purge_all", decision: "allow" },
        ],
      },
      "denied",
    ],
    [
      "the first that matches",
      "asks",
      {
        rules: [
          { tool: "asks", decision: "deny" },
          { tool: "asks", decision: "allow" },
        ],
      },
      "denied",
    ],
    [
      "a condition on the input that holds",
      "asks",
      { rules: [{ tool: "asks", when: (input: { at: number }) => input.at === 1, decision: "allow" }] },
      "ok",
    ],
    [
      "a condition that does not hold",
      "asks",
      { rules: [{ tool: "asks", when: () => false, decision: "allow" }] },
      "no-one-to-ask",
    ],
    [
      "a condition that is only truthy denies",
      "asks",
      { rules: [{ tool: "asks", when: (() => 1) as never, decision: "allow" }] },
      "denied",
    ],
    ["a condition that throws denies", "safe", { rules: [{ tool: "safe", when: boom, decision: "allow" }] }, "denied"],
    ["an ask where nobody is", "safe", { rules: [{ tool: "safe", decision: "ask" }] }, "no-one-to-ask"],
    ["a deny for what needs no permission", "safe", { rules: [{ tool: "s*", decision: "deny" }] }, "denied"],
    ["a pattern in which only * is special", "asks", allow("*ask."), "no-one-to-ask"],
  ])("rules decide this case: %s", async (_name, tool, permissions, expected) =>
    expect(await outcome(tool, permissions)).toBe(expected),
  );

  test("rules tell the model their reason", async () => {
    const [result] = await createDispatcher({
      tools,
      permissions: { rules: [{ tool: "asks", decision: "deny", reason: "Not on Fridays." }] },
    }).dispatch(callsOf("asks"));
    expect(result?.error).toMatchObject({ phase: "permission", message: "Not on Fridays." });
  });
});

describe("steps 4 to 6, check and ask", () => {
  const no = vi.fn(() => "deny" as const);
  test.each<[string, Permissions | LivePermissions, string]>([
    ["check allows", { check: () => "allow" }, "ok"],
    ["check allows later", { check: () => Promise.resolve({ decision: "allow" }) }, "ok"],
    ["check denies", { check: () => ({ decision: "deny", reason: "r" }), ask: () => "allow" }, "denied"],
    ["check throws", { check: boom, ask: () => "allow" }, "denied"],
    ["check answers nothing", { check: (() => undefined) as never, ask: () => "allow" }, "denied"],
    ["check answers true", { check: (() => true) as never, ask: () => "allow" }, "denied"],
    ["check asks, a person allows", { check: () => "ask", ask: () => "allow" }, "ok"],
    ["check asks, nobody is there", { check: () => "ask" }, "no-one-to-ask"],
    ["a person allows", { ask: () => "allow" }, "ok"],
    ["a person refuses", { ask: no }, "denied"],
    ["a person answers `ask`", { ask: (() => "ask") as never }, "denied"],
    ["a question that throws", { ask: boom }, "denied"],
    ["not attended", createPermissions({ ask: () => "allow", mode: "unattended" }), "no-one-to-ask"],
    ["nobody to ask", {}, "no-one-to-ask"],
  ])("check and ask decide this case: %s", async (_name, permissions, expected) => {
    expect(await outcome("asks", permissions)).toBe(expected);
  });

  test("without anyone to ask, the event names both remedies and the model reads neither", async () => {
    const events: DispatchEvent[] = [];
    const dispatcher = createDispatcher({ tools, onEvent: (event) => events.push(event) });
    const [result] = await dispatcher.dispatch(callsOf("asks"));
    expect(events.find(({ type }) => type === "denied")).toMatchObject({
      remedy: expect.stringMatching(/permissions\.rules.*tool: "asks".*permissions\.ask/) as unknown,
    });
    expect(JSON.stringify(result)).not.toMatch(/permissions\.|interactive|decision/);
  });

  test("a check that hangs denies when its time is over", async () => {
    expect(await outcome("asks", { check: never }, { hookTimeoutMs: 10 })).toBe("denied");
  });
});

describe("a tool's own permit", () => {
  const permitting = (answer: unknown): ReturnType<typeof writer> =>
    writer("own", () => "ok", { behavior: { requiresPermission: false }, permit: () => answer as never });
  test.each<[string, unknown, Permissions, string]>([
    ["allow changes nothing", "allow", { rules: [{ tool: "own", decision: "deny" }] }, "denied"],
    ["allow lets pass what needs no permission", "allow", {}, "ok"],
    ["deny beats an allow", "deny", allow("own"), "denied"],
    ["ask forces the question, whatever a rule allows", "ask", { ...allow("own"), ask: () => "deny" }, "denied"],
    ["ask, answered", { decision: "ask" }, { ask: () => "allow" }, "ok"],
    ["ask without anybody", "ask", { ...allow("own"), ask: undefined }, "no-one-to-ask"],
    ["ask does not lift a deny", "ask", { rules: [{ tool: "own", decision: "deny" }], ask: () => "allow" }, "denied"],
    ["an answer that is none denies", "yes", allow("own"), "denied"],
    ["a promise of a denial", Promise.resolve("deny"), allow("own"), "denied"],
  ])("a tool's own permit decides this case: %s", async (_name, answer, permissions, expected) => {
    const [result] = await createDispatcher({
      tools: [permitting(answer)],
      permissions: createPermissions({ ask: () => "allow", ...permissions }),
    }).dispatch(callsOf("own"));
    expect(result?.error?.code ?? "ok").toBe(expected);
  });
});

describe("what is asked", () => {
  test.each<[string, unknown]>([
    ["nothing", undefined],
    ["another word", "yes"],
    ["an object without a decision", { reason: "fine" }],
    ["a decision of another function", { decision: "later", reason: "x" }],
    ["a throw", boom],
  ])("a permit or check that answers %s denies, says so, and is a problem of the host", async (_what, answer) => {
    const given = typeof answer === "function" ? (answer as () => never) : (): never => answer as never;
    for (const asker of ["permit", "check"] as const) {
      const problems: unknown[] = [];
      const tool = writer("odd", () => "ok", { behavior: { requiresPermission: asker === "check" } });
      const [result] = await createDispatcher({
        tools: [asker === "permit" ? buildTool({ ...odd, permit: given }) : tool],
        permissions: asker === "check" ? { check: given } : {},
        onEvent: (event) => event.type === "problem" && problems.push(event),
      }).dispatch(callsOf(["odd", {}]));
      expect(result?.error).toMatchObject({ phase: "permission", code: "denied", effect: "none" });
      const why = typeof answer === "function" ? "boom" : `\`${asker}\` must answer one of allow, deny, ask, not `;
      const message = expect.stringContaining(why) as string;
      expect(result?.error?.message).toEqual(message);
      expect(problems).toMatchObject([{ code: "permission-failed", toolName: "odd", message }]);
    }
  });

  test("a permission request names call, tool, class, flags and a digest of tool and input", async () => {
    const requests: PermissionRequest[] = [];
    const check = (request: PermissionRequest): "allow" => {
      requests.push(request);
      return "allow";
    };
    await createDispatcher({ tools, permissions: { check } }).dispatch(
      [
        { id: "a", name: "asks", input: { x: 1, y: 2 } },
        { id: "b", name: "asks", input: { y: 2, x: 1 } },
        { id: "c", name: "asks", input: { x: 2 } },
      ],
      { context: "me" },
    );
    const [a, b, c] = requests;
    expect(a).toMatchObject({
      callId: "a",
      toolName: "asks",
      input: { x: 1, y: 2 },
      context: "me",
      class: "UNSAFE",
      requiresPermission: true,
      isDestructive: false,
    });
    expect(a?.inputDigest).toMatch(/^[0-9a-f]{64}$/);
    expect(a?.inputDigest).toBe(b?.inputDigest);
    expect(a?.inputDigest).not.toBe(c?.inputDigest);
    expect(a?.toolDigest).toMatch(/^[0-9a-f]{64}$/);
  });

  test("a permission request cannot be changed by its receiver", async () => {
    const run = vi.fn();
    const tool = writer("asks", run, { behavior: { requiresPermission: true } });
    const check = (request: PermissionRequest): "allow" => {
      (request.input as { amount: number }).amount = 1_000_000;
      return "allow";
    };
    const [result] = await createDispatcher({ tools: [tool], permissions: { check } }).dispatch(
      callsOf(["asks", { amount: 1 }]),
    );
    expect(result?.error?.code).toBe("denied");
    expect(run).not.toHaveBeenCalled();
  });
});

describe("a tool that needs a person", () => {
  const askUser = writer("ask_user", () => "ok", { behavior: { requiresUserInteraction: true } });
  test("a tool that needs a person is unlisted and refused if nobody is there", async () => {
    const dispatcher = createDispatcher({ tools: [askUser] });
    expect(dispatcher.definitions("mcp")).toEqual([]);
    expect((await dispatcher.dispatch(callsOf("ask_user")))[0]?.error).toMatchObject({
      phase: "permission",
      code: "needs-interaction",
    });
  });
  test("a tool that needs a person is listed if somebody is there", async () => {
    const dispatcher = createDispatcher({ tools: [askUser], permissions: { ask: () => "allow" } });
    expect(dispatcher.definitions("mcp")).toHaveLength(1);
    expect((await dispatcher.dispatch(callsOf("ask_user")))[0]?.isError).toBe(false);
  });
});

test.each<[string, unknown, RegExp]>([
  ["an unknown key", { allow: ["x"] }, /`permissions\.allow` is unknown/],
  ["a deny that is no pattern", { deny: [1] }, /`permissions\.deny\[0\]`/],
  ["a rule without a decision", { rules: [{ tool: "x" }] }, /`permissions\.rules\[0\]`/],
])("%s is refused when the dispatcher is made", (_name, permissions, message) => {
  expect(() => createDispatcher({ tools, permissions: permissions as Permissions })).toThrow(message);
});
