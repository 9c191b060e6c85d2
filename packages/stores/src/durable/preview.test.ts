import { expect, test } from "vitest";
import { memoryCallStore } from "../calls/memory-call-store.js";
import { createHost as createDispatcher, reader, writer, type HostOptions } from "./durable.testing.js";

const input = { type: "object", properties: { n: { type: "integer", default: 1 } } } as const;
const ran: string[] = [];
const tools = [
  reader("look", () => ran.push("look"), { input }),
  writer("wipe", () => ran.push("wipe"), { behavior: { isDestructive: true } }),
  writer("picky", () => ran.push("picky"), { validate: [{ that: () => false, message: "never right" }] }),
];
const call = (name: string, given: object = {}): { id: string; name: string; input: object } => ({
  id: "1",
  name,
  input: given,
});
const previewWith = async (options: Partial<HostOptions>, name: string, given?: object): Promise<unknown> =>
  await createDispatcher({ tools, ...options }).preview(call(name, given));

test("with a call store a question can wait, unless nobody may be asked", async () => {
  const callStore = memoryCallStore();
  expect(await previewWith({ callStore }, "wipe")).toMatchObject({ decision: "ask" });
  expect(await previewWith({ callStore, permissions: { mode: "unattended" } }, "wipe")).toMatchObject({
    decision: "deny",
  });
});
