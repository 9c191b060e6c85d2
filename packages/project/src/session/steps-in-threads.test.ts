import { compile, CompileCache, type CompileResult, type SourceText } from "@hasp/compiler";
import { completePlan } from "@hasp/compiler/model";
import { expect, test } from "vitest";
import { builtInPlugins } from "../plugins/built-in.js";
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
    place: { $ref: ../common.json#/$defs/place }
concurrency: { class: ${index % 2 === 0 ? "READ_ONLY" : "UNSAFE"} }
`;
    return { uri: `specs/tool_${index}.tool.yaml`, role: "spec", text };
  }),
  {
    uri: "common.json",
    role: "shared",
    text: JSON.stringify({
      $defs: {
        id: { allOf: [{ type: "string" }, { minLength: 3 }], description: "An id." },
        place: {
          description: "Where the record lies.",
          type: "object",
          properties: {
            room: { type: "string", description: "The name of a room, as on its door." },
            shelf: { type: "integer", description: "The number of a shelf, from the left.", default: 1 },
          },
        },
      },
    }),
  },
];
const plan = completePlan({ dialects: ["openai-responses-strict", "gemini"] });
const plugins = builtInPlugins;
const onProgress = (): void => undefined;

async function result(cache: CompileCache): Promise<unknown> {
  const { diagnostics, tools, toolsets, losses }: CompileResult = await compile(sources, plan, {
    cache,
    plugins,
    emits: false,
  });
  return {
    diagnostics,
    losses,
    tools: tools.map(({ name, input, worstCase }) => ({ name, schema: input.schema, worstCase })),
    lists: toolsets.flatMap(({ lists }) => lists.map((list) => list.tools.map(({ definition }) => definition))),
  };
}

test.each([1, 2, 3])("%i threads change no result", async (most) => {
  const cache = new CompileCache();
  await runStepsInThreads(sources, { plan, plugins, cache, emits: false, onProgress }, { least: 4, most });
  // Those of the other threads are among them; two tools are broken.
  const lowered = cache.newSteps().filter(({ title }) => title === "Lowering tools");
  expect(lowered).toHaveLength(most === 1 ? 0 : 10);
  expect(await result(cache)).toEqual(await result(new CompileCache()));
});

test.each([1, 2, 3])("%i threads emit what one does", async (most) => {
  const sound = sources.filter(({ text }) => !text.includes("missing"));
  const unlocked = { ...plan, unlocked: true };
  const cache = new CompileCache();
  const threads = await runStepsInThreads(
    sound,
    { plan: unlocked, plugins, cache, emits: true, onProgress },
    { least: 3, most },
  );
  let emitted = 0;
  const helpers = threads && {
    // This thread emits nothing before the others have.
    have: () => true,
    async emit(names: unknown) {
      await threads.emit(names);
      emitted = cache.newSteps().filter(({ title }) => title === "Emitting tools").length;
    },
  };
  const { files } = await compile(sound, unlocked, { cache, plugins, helpers });
  threads?.end();
  expect(emitted).toBe([0, 5, 6][most - 1]);
  expect(files.find(({ path }) => path.endsWith("types.ts"))?.text).toContain("Place");
  expect(files).toEqual((await compile(sound, unlocked, { plugins })).files);
});

test("work that a thread cannot be given is done without it", async () => {
  const cache = new CompileCache();
  const emits = false;
  const unsendable = { ...plan, dialects: [...plan.dialects], locations: { "/x": (() => 0) as never } };
  await runStepsInThreads(sources, { plan: unsendable, plugins, cache, emits, onProgress }, { least: 4, most: 3 });
  expect(await result(cache)).toEqual(await result(new CompileCache()));
});
