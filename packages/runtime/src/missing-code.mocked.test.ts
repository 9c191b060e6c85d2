import { afterEach, expect, test, vi } from "vitest";
import { memoryCallStore } from "./calls/memory-call-store.js";
import { callsOf, writer } from "./dispatch/tools.testing.js";
import type { Dispatcher, DispatcherOptions } from "./dispatch/state/dispatcher-types.js";

const STORED_TURNS = "./extensions/durable/stored-turns.js";

/** Creates a dispatcher whose installation has lost the code of stored turns, as after an update in place. */
async function createWithoutStoredTurns(options: DispatcherOptions): Promise<Dispatcher> {
  vi.resetModules();
  vi.doMock(STORED_TURNS, () => {
    throw new Error("the file is gone");
  });
  const { createDispatcher } = await import("./create-dispatcher.js");
  return createDispatcher(options);
}

afterEach(() => vi.doUnmock(STORED_TURNS));

test("a stored turn whose code is gone runs nothing, and runs once the code is back", async () => {
  const run = vi.fn(() => "done");
  const options = { tools: [writer("write", run)], callStore: memoryCallStore() };
  const dispatcher = await createWithoutStoredTurns(options);
  const begin = (): ReturnType<Dispatcher["run"]> => dispatcher.run(callsOf("write"), { turnId: "turn" });
  await expect(begin()).rejects.toThrow();
  expect(run).not.toHaveBeenCalled();
  vi.doUnmock(STORED_TURNS);
  expect((await begin()).results.map(({ isError }) => isError)).toEqual([false]);
  expect(run).toHaveBeenCalledTimes(1);
});
