import fc from "fast-check";
import { expect, onTestFinished, test, vi } from "vitest";
import { canonicalText, sha256 } from "@hasp/base/json";
import { buildTool, type DispatchEvent } from "@hasp/runtime";
import { type CallStore, TurnConflict } from "@hasp/runtime/call-store";
import { memoryCallStore } from "../calls/memory-call-store.js";
import { createHost } from "./durable.testing.js";

/** Schemas in which the PIN is secret, each with an input that has it. */
const PLACES: readonly { readonly schema: object; readonly inputWith: (pin: string) => object }[] = [
  { schema: { properties: { pin: { type: "string", writeOnly: true } } }, inputWith: (pin) => ({ pin }) },
  {
    schema: {
      properties: { card: { type: "object", additionalProperties: { type: "string" }, "x-secret": true } },
    },
    inputWith: (pin) => ({ card: { pin } }),
  },
  {
    schema: { properties: { pins: { type: "array", items: { type: "string", format: "password" } } } },
    inputWith: (pin) => ({ pins: [pin] }),
  },
];
const CANDIDATES = Array.from({ length: 1000 }, (_, index) => String(index).padStart(3, "0"));

test.each(PLACES)("no question, audit record or event gives a short secret back by its digests: %j", async (place) => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...CANDIDATES), fc.boolean(), fc.boolean(), async (pin, asks, isStored) => {
      const store = memoryCallStore();
      const left: unknown[] = [];
      const host = () =>
        createHost({
          tools: [
            buildTool<object>({
              name: "unlock",
              description: "Unlocks.",
              input: { type: "object", ...place.schema },
              behavior: { isDestructive: false, requiresPermission: asks },
              execute: () => "open",
            }),
          ],
          onEvent: (event: DispatchEvent) => left.push(event),
          ...(isStored ? { callStore: store } : { permissions: { ask: (request) => (left.push(request), "allow") } }),
        });
      const call = { id: "1", name: "unlock", input: place.inputWith(pin) };
      if (isStored) {
        await host().run([call], { turnId: "t" });
        for (const { id } of await store.questions({})) await host().answer(id, { decision: "allow", by: "ada" });
        const outcome = await host().resume("t");
        expect(outcome.status === "settled" && outcome.results[0]?.isError).toBe(false);
        left.push(await store.questions({}), await store.records({}));
      } else {
        left.push(...(await host().dispatch([call])));
        const preview = await host().preview(call);
        left.push(preview.decision === "invalid" ? preview : { ...preview, input: undefined });
      }
      const text = JSON.stringify(left);
      const digests = new Set(text.match(/[0-9a-f]{64}/gu));
      expect(digests.size).toBeGreaterThan(0);
      const keys = CANDIDATES.filter((candidate) => {
        const input = sha256(`unlock\n${canonicalText(place.inputWith(candidate) as never)}`);
        const key = sha256(["t", "1", "unlock", input].join("\n"));
        return digests.has(input) || digests.has(key);
      });
      expect(keys).toEqual([]);
    }),
    { numRuns: 8 },
  );
});

const look = buildTool<object>({
  name: "look",
  description: "Looks.",
  input: { type: "object", additionalProperties: true },
  concurrency: { class: "READ_ONLY" },
  behavior: { requiresPermission: false, isOpenWorld: false },
  execute: () => "seen",
});
const callWith = (pin: string) => ({ id: "1", name: "look", input: { pin } });

/** The digest of the calls of a turn with this PIN. */
async function digestOf(pin: string, turnId: string, digestKey?: string, callStore = memoryCallStore()) {
  const host = createHost({ tools: [look], callStore, digestKey });
  await host.run([callWith(pin)], { turnId });
  return (await callStore.read(turnId))?.callsDigest ?? "";
}

test("the digest of a turn's calls is another one in every turn, and with a key it gives no secret back", async () => {
  const [one, other] = [await digestOf("042", "t"), await digestOf("042", "u")];
  expect(one).not.toBe(other);
  const [salt] = one.split(".");
  vi.spyOn(crypto, "randomUUID").mockReturnValue(salt as ReturnType<typeof crypto.randomUUID>);
  onTestFinished(() => void vi.restoreAllMocks());
  // Who reads the salt can try all values, but not without the key.
  expect(await digestOf("042", "t")).toBe(one);
  const keyed = await digestOf("042", "t", "a key of the host");
  for (const pin of ["041", "042", "043"]) expect(await digestOf(pin, "t")).not.toBe(keyed);
});

test("a turn knows its calls again with the same key only, and those of an earlier version", async () => {
  const callStore = memoryCallStore();
  await digestOf("042", "t", "key", callStore);
  const run = (pin: string, digestKey?: string, store: CallStore = callStore) =>
    createHost({ tools: [look], callStore: store, digestKey }).run([callWith(pin)], { turnId: "t" });
  expect((await run("042", "key")).status).toBe("settled");
  for (const [pin, key] of [["041", "key"], ["042", "other"], ["042"]] as const) {
    await expect(run(pin, key)).rejects.toThrow(TurnConflict);
  }
  const unsalted = sha256(
    `${canonicalText(["1", "look", undefined, undefined] as never)}\n${canonicalText({ pin: "042" })}`,
  );
  const earlier: CallStore = {
    ...callStore,
    read: async (turnId) => {
      const turn = await callStore.read(turnId);
      return turn && { ...turn, callsDigest: unsalted };
    },
  };
  expect((await run("042", undefined, earlier)).status).toBe("settled");
  await expect(run("041", undefined, earlier)).rejects.toThrow(TurnConflict);
});
