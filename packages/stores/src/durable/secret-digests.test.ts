import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalText, sha256 } from "@hasp/base/json";
import { buildTool, type DispatchEvent } from "@hasp/runtime";
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
