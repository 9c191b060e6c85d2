import type { JsonValue } from "@hasp/schema";
import type { DialectFact, ToolList } from "@hasp/schema/probe";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Ask, judgeFacts, patchTable, type PatchOperation } from "./judge.js";

const listOf = (size: number): ToolList => [{ size }];

/** A server that takes lists up to a size, and refuses others. */
function takesUpTo(most: number): Ask {
  return async (tools) =>
    tools !== "none" && Number(tools[0]?.["size"] ?? 0) <= most ? { kind: "taken" } : { kind: "refused", reason: "no" };
}

test("the patch names the limit of any server, up to four times that of the table", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 300 }),
      fc.integer({ min: 1, max: 4 }),
      fc.nat(299),
      async (size, times, less) => {
        const limit = Math.max(1, size * times - less);
        const fact: DialectFact = {
          at: "/limits/tools",
          says: "",
          keeps: [listOf(size)],
          breaks: listOf(size + 1),
          limit: { size, ofSize: listOf },
        };
        const result = await judgeFacts([fact], [], takesUpTo(limit), () => undefined);
        const patch =
          "judgements" in result ? patchTable({ limits: { tools: size } }, result.judgements, undefined) : [];
        expect(patch.at(-1)?.value).toBe(limit === size ? undefined : limit);
      },
    ),
  );
});

test("the patch takes any formats that a server refuses, and no others, out of the table", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(fc.string()), fc.array(fc.boolean()), async (formats, refusals) => {
      const isRefused = (index: number): boolean => refusals[index] === true;
      const facts = formats.map((_, index): DialectFact => ({
        at: `/formats/${index}`,
        says: "",
        keeps: [listOf(isRefused(index) ? 2 : 1)],
        otherwise: null,
      }));
      const result = await judgeFacts(facts, [], takesUpTo(1), () => undefined);
      const patch = "judgements" in result ? patchTable({ formats }, result.judgements, "2030-01-31") : [];
      const table = applyPatch({ formats: [...formats] }, patch);
      expect(table).toEqual({ formats: formats.filter((_, index) => !isRefused(index)), checkedOn: "2030-01-31" });
    }),
  );
});

/** Applies a patch to a table with one list; throws if a test in it fails. */
function applyPatch(table: { formats: JsonValue[]; checkedOn?: JsonValue }, patch: readonly PatchOperation[]): object {
  for (const { op, path, value = null } of patch) {
    const index = Number(path.split("/")[2]);
    if (op === "add") table.checkedOn = value;
    else if (op === "remove") table.formats.splice(index, 1);
    else if (table.formats[index] !== value) throw new Error(`${path} is ${JSON.stringify(table.formats[index])}`);
  }
  return table;
}
