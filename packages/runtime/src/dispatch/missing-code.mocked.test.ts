import { afterEach, describe, expect, test, vi } from "vitest";
import type { DispatcherOptions } from "./state/dispatcher-types.js";
import { callsOf, reader, writer, type Options } from "./tools.testing.js";

/** Creates a dispatcher whose installation has lost one of the modules that load on use. */
async function dispatcherWithout(
  module: string,
  options: DispatcherOptions,
): Promise<ReturnType<typeof import("./dispatcher.js").createDispatcher>> {
  vi.resetModules();
  vi.doMock(module, () => {
    throw new Error("the file is gone");
  });
  const { createDispatcher } = await import("./dispatcher.js");
  return createDispatcher(options);
}

afterEach(() => {
  for (const name of ["cut-results", "ask", "hooks"]) vi.doUnmock(`./pipeline/${name}.js`);
  vi.doUnmock("./nested-calls.js");
});

describe("where a module that loads on use is gone, every call is answered, and", () => {
  test("a result that is too long is withheld, with its effect", async () => {
    const limits = { maxResultSizeChars: 100 };
    const tools = [
      reader("long", () => "x".repeat(500), { limits }),
      writer("write", () => "x".repeat(500), { limits }),
    ];
    const dispatcher = await dispatcherWithout("./pipeline/cut-results.js", { tools, turnResultBudgetChars: 50 });
    const results = await dispatcher.dispatch(callsOf("long", "write"));
    expect(results.map(({ error }) => [error?.code, error?.effect])).toEqual([
      ["internal-error", "none"],
      ["internal-error", "landed"],
    ]);
    expect(JSON.stringify(results)).not.toContain("xxx");
    vi.doUnmock("./pipeline/cut-results.js");
    const [again] = await dispatcher.dispatch(callsOf("long"));
    expect([again?.isError, JSON.stringify(again?.content).includes("Cut")]).toEqual([false, true]);
  });

  test("a result that a post-hook would redact is withheld, with its effect", async () => {
    const tools = [writer("write", () => "a secret"), reader("look", () => "a secret")];
    const hooks = { post: () => ({ content: "[redacted]" }) };
    const dispatcher = await dispatcherWithout("./pipeline/hooks.js", { tools, hooks });
    const results = await dispatcher.dispatch(callsOf("write", "look"));
    expect(results.map(({ error }) => [error?.code, error?.effect])).toEqual([
      ["internal-error", "landed"],
      ["internal-error", "none"],
    ]);
    expect(JSON.stringify(results)).not.toContain("secret");
  });

  test("a handler that dispatches fails, and lets the next call run", async () => {
    const tools = [
      writer("outer", async (_input, { dispatch }: Options) => (await dispatch(callsOf("look"))).length),
      reader("look"),
      writer("next", () => "done"),
    ];
    const dispatcher = await dispatcherWithout("./nested-calls.js", { tools });
    const [outer, next] = await dispatcher.dispatch(callsOf("outer", "next"));
    expect([outer?.error?.code, next?.isError]).toEqual(["threw", false]);
  });

  test.each([
    ["./pipeline/ask.js", { permissions: { ask: () => "allow" } }],
    ["./pipeline/hooks.js", { hooks: { guard: () => undefined }, permissions: { check: () => "allow" } }],
  ] as const)("nothing is run that %s would decide", async (module, options) => {
    const run = vi.fn();
    const tools = [writer("write", run, { behavior: { requiresPermission: true } })];
    const dispatcher = await dispatcherWithout(module, { tools, ...options } as DispatcherOptions);
    const [result] = await dispatcher.dispatch(callsOf("write"));
    expect(result?.error?.effect).toBe("none");
    expect(run).not.toHaveBeenCalled();
  });
});
