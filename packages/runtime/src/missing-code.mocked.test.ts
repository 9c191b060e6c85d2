import { afterEach, expect, test, vi } from "vitest";
import { memoryCallStore } from "./calls/memory-call-store.js";
import { callsOf, reader, writer } from "./dispatch/tools.testing.js";
import type { Dispatcher, DispatcherOptions } from "./dispatch/state/dispatcher-types.js";

const RANKING = "./extensions/search/rank-tools.js";
const STORED_TURNS = "./extensions/durable/stored-turns.js";

/** Creates a dispatcher whose installation has lost a module that loads on use, as after an update in place. */
async function createWithout(module: string, options: DispatcherOptions): Promise<Dispatcher> {
  vi.resetModules();
  vi.doMock(module, () => {
    throw new Error("the file is gone");
  });
  const { createDispatcher } = await import("./create-dispatcher.js");
  return createDispatcher(options);
}

afterEach(() => {
  for (const module of [RANKING, STORED_TURNS]) vi.doUnmock(module);
});

test("a search whose code is gone fails alone, and works once the code is back", async () => {
  const tools = [reader("hidden", undefined, { visibility: { shouldDefer: true } }), writer("next", () => "done")];
  const dispatcher = await createWithout(RANKING, { tools });
  const calls = callsOf(["tool_search", { query: "hidden" }], "next");
  const results = await dispatcher.dispatch(calls);
  expect(results.map(({ error }) => error && [error.code, error.effect])).toEqual([["threw", "none"], undefined]);
  vi.doUnmock(RANKING);
  expect((await dispatcher.dispatch(calls)).map(({ isError }) => isError)).toEqual([false, false]);
});

test("a stored turn whose code is gone runs nothing, and runs once the code is back", async () => {
  const run = vi.fn(() => "done");
  const options = { tools: [writer("write", run)], callStore: memoryCallStore() };
  const dispatcher = await createWithout(STORED_TURNS, options);
  const begin = (): ReturnType<Dispatcher["run"]> => dispatcher.run(callsOf("write"), { turnId: "turn" });
  await expect(begin()).rejects.toThrow();
  expect(run).not.toHaveBeenCalled();
  vi.doUnmock(STORED_TURNS);
  expect((await begin()).results.map(({ isError }) => isError)).toEqual([false]);
  expect(run).toHaveBeenCalledTimes(1);
});
