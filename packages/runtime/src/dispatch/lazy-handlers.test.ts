import { expect, test, vi } from "vitest";
import { bindLazyTool } from "../codegen/v1/bind-tool.js";
import type { AnyTool } from "../tool/definition.js";
import { createEquippedDispatcher as createDispatcher, callsOf, reader } from "./tools.testing.js";

const spec = {
  name: "late",
  description: "d",
  handlerFile: "late.ts",
  metadata: {
    concurrency: { class: "READ_ONLY" },
    behavior: {
      isReadOnly: true,
      isDestructive: false,
      isIdempotent: true,
      isOpenWorld: false,
      requiresPermission: false,
    },
  },
  input: () => ({
    type: "object",
    required: ["a"],
    properties: { a: { type: "string" } },
    additionalProperties: false,
  }),
} as const;
const lazy = (load: () => Promise<object>): AnyTool => bindLazyTool(spec as never, load as never) as AnyTool;

test("`prepare`, `permit`, `isEnabled` and `display` of a handler work that is loaded on its first call, once", async () => {
  let isEnabled = true;
  const lines: (string | undefined)[] = [];
  const load = vi.fn(() =>
    Promise.resolve({
      prepare: (raw: unknown) => ({ a: "prepared", ...(raw as object) }),
      permit: ({ input }: { input: { a: string } }) => (input.a === "secret" ? "deny" : "allow"),
      isEnabled: () => isEnabled,
      display: { done: ({ output }: { output: unknown }) => `got ${String(output)}` },
      execute: ({ a }: { a: string }) => a,
    }),
  );
  const dispatcher = createDispatcher({
    tools: [lazy(load), reader("early")],
    onEvent: ({ line }) => line !== undefined && lines.push(line),
  });
  expect(dispatcher.definitions("mcp")).toHaveLength(2);
  expect(load).not.toHaveBeenCalled();
  const results = await dispatcher.dispatch(
    callsOf("early", "late", ["late", { a: "b" }], ["late", { a: "secret" }], "early"),
  );
  expect(results.map(({ error, content }) => error?.code ?? (content[0] as { text: string }).text)).toEqual([
    "ok",
    "prepared",
    "b",
    "denied",
    "ok",
  ]);
  expect(load).toHaveBeenCalledTimes(1);
  expect(lines).toEqual(["got prepared", "got b"]);
  isEnabled = false;
  expect((await dispatcher.dispatch(callsOf("late")))[0]?.error?.code).toBe("tool-gone");
  expect(dispatcher.definitions("mcp")).toHaveLength(1);
});

test("a handler that says that it is not enabled only when it is loaded does not run", async () => {
  const execute = vi.fn();
  const tool = lazy(() => Promise.resolve({ isEnabled: () => false, execute }));
  expect((await createDispatcher({ tools: [tool] }).dispatch(callsOf(["late", { a: "b" }])))[0]?.error?.code).toBe(
    "tool-gone",
  );
  expect(execute).not.toHaveBeenCalled();
});

test("one that cannot be loaded, or is not loaded in time, fails its call alone", async () => {
  const broken = lazy(() => Promise.reject(new Error("no such file")));
  const stuck = lazy(() => new Promise(() => undefined));
  for (const tool of [broken, stuck]) {
    const results = await createDispatcher({ tools: [tool, reader("early")], hookTimeoutMs: 10 }).dispatch(
      callsOf(["late", { a: "b" }], "early"),
    );
    expect(results.map(({ error }) => error?.code)).toEqual(["prepare-failed", undefined]);
    expect(results[0]?.error?.effect).toBe("none");
  }
});
