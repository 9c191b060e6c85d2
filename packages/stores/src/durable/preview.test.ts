import { expect, test } from "vitest";
import { memoryCallStore } from "../calls/memory-call-store.js";
import { createHost, writer, type HostOptions } from "./durable.testing.js";

test("with a call store a question can wait, unless nobody may be asked", async () => {
  const tools = [writer("wipe", undefined, { behavior: { isDestructive: true } })];
  const callStore = memoryCallStore();
  const previewWith = async (options: Partial<HostOptions>): Promise<unknown> =>
    await createHost({ tools, callStore, ...options }).preview({ id: "1", name: "wipe", input: {} });
  expect(await previewWith({})).toMatchObject({ decision: "ask" });
  expect(await previewWith({ permissions: { mode: "unattended" } })).toMatchObject({ decision: "deny" });
});
