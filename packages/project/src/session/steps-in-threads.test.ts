import { CompileCache, type CompileResult, type SourceText } from "@hasp/compiler";
import { completePlan } from "@hasp/compiler/model";
import { expect, test } from "vitest";
import { builtInPlugins, compile } from "../plugins/built-in.js";
import { runStepsInThreads } from "./steps-in-threads.js";

/** Tools that share a file, with findings of each phase: a broken reference, a poor text, a constraint that is lost. */
const sources: readonly SourceText[] = [
  ...Array.from({ length: 12 }, (_, index): SourceText => {
    const reference = index % 5 === 4 ? "missing" : "id";
    const text = `hasp: 1
name: tool_${index}
description: ${index % 3 === 0 ? "Query." : `Reads the record with number ${index} of an order book.`}
input:
  type: object
  properties:
    id: { $ref: ../common.json#/$defs/${reference} }
    code: { type: string, pattern: "^(?=a)[a-z]{2}$", description: Two letters. }
concurrency: { class: ${index % 2 === 0 ? "READ_ONLY" : "UNSAFE"} }
`;
    return { uri: `specs/tool_${index}.tool.yaml`, role: "spec", text };
  }),
  {
    uri: "common.json",
    role: "shared",
    text: JSON.stringify({ $defs: { id: { allOf: [{ type: "string" }, { minLength: 3 }], description: "An id." } } }),
  },
];
const plan = completePlan({ dialects: ["openai-responses-strict", "gemini"] });
const plugins = builtInPlugins;
const onProgress = (): void => undefined;

async function result(cache: CompileCache): Promise<unknown> {
  const { diagnostics, tools, toolsets, losses }: CompileResult = await compile(sources, plan, { cache, emits: false });
  return {
    diagnostics,
    losses,
    tools: tools.map(({ name, input, worstCase }) => ({ name, schema: input.schema, worstCase })),
    lists: toolsets.flatMap(({ lists }) => lists.map((list) => list.tools.map(({ definition }) => definition))),
  };
}

test.each([1, 2, 3])("%i threads change no result", async (most) => {
  const cache = new CompileCache();
  await runStepsInThreads(sources, { plan, plugins, cache, onProgress }, { least: 4, most });
  // Those of the other threads are among them; two tools are broken.
  const lowered = cache.newSteps().filter(({ title }) => title === "Lowering tools");
  expect(lowered).toHaveLength(most === 1 ? 0 : 10);
  expect(await result(cache)).toEqual(await result(new CompileCache()));
});

test("work that a thread cannot be given is done without it", async () => {
  const cache = new CompileCache();
  const unsendable = { ...plan, dialects: [...plan.dialects], locations: { "/x": (() => 0) as never } };
  await runStepsInThreads(sources, { plan: unsendable, plugins, cache, onProgress }, { least: 4, most: 3 });
  expect(await result(cache)).toEqual(await result(new CompileCache()));
});
