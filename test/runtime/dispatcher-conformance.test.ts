import { readFileSync } from "node:fs";
import { dispatcherConformance, type ConformanceTurn, type DispatcherAdapter } from "@hasp/testing";
import { describe, expect, test } from "vitest";
import manifest from "../package.json" with { type: "json" };

const { hasp } = (await import(new URL("../bench/dispatcher-adapters.js", import.meta.url).href)) as {
  readonly hasp: DispatcherAdapter;
};

describe("the dispatcher of hasp", () => {
  test.each(dispatcherConformance(hasp).map((each) => [`${each.group}: it ${each.name}`, each.run] as const))(
    "the dispatcher conforms in %s",
    (_name, run) => run(),
  );
});

/** Starts everything at once, asks about everything, repeats whatever fails, and checks nothing. */
const careless: DispatcherAdapter = {
  run: ({ tools, calls, ask }: ConformanceTurn) =>
    Promise.all(
      calls.map(async ({ id, name, input }) => {
        const tool = tools.find((each) => each.name === name);
        const parsed: unknown = JSON.parse(input);
        await ask({ callId: id, input: parsed });
        for (let attempt = 0; ; attempt += 1) {
          try {
            const text = JSON.stringify(await tool?.execute(parsed, {})) ?? "";
            return { callId: id, text, isError: false };
          } catch (error) {
            if (attempt >= (tool?.maxRetries ?? 0)) {
              return { callId: id, text: (error as Error).message, isError: true };
            }
          }
        }
      }),
    ),
};
/** Answers every call with an error and runs none. */
const refusing: DispatcherAdapter = {
  run: async ({ calls }) => calls.map(({ id }) => ({ callId: id, text: "no", isError: true })),
};

test("every case of the kit finds the fault of a careless dispatcher, or of one that refuses everything", async () => {
  const [first, second] = await Promise.all(
    [careless, refusing].map(async (adapter) => {
      const cases = dispatcherConformance(adapter);
      const ends = await Promise.allSettled(cases.map(({ run }) => run()));
      return cases.filter((_, index) => ends[index]?.status === "fulfilled").map(({ name }) => name);
    }),
  );
  expect(first?.filter((name) => second?.includes(name))).toEqual([]);
});

test("an adapter says which cases it leaves to its host, by group or by name, and no others", () => {
  const leavesToHost = { limits: "none", "answers a hundred calls of one turn": "too many" };
  const left = dispatcherConformance({ ...careless, leavesToHost }).filter(
    ({ leftToHost }) => leftToHost !== undefined,
  );
  expect(left.map(({ name, leftToHost }) => [name, leftToHost])).toEqual([
    ["answers a hundred calls of one turn", "too many"],
    ["shortens a result of ten million characters", "none"],
  ]);
  expect(() => dispatcherConformance({ ...careless, leavesToHost: { limit: "none" } })).toThrow(
    'no group or case is called "limit"',
  );
});

test("the page about conformance names the versions that are installed, and as many cases as there are", () => {
  const page = readFileSync(new URL("../../packages/hasp/docs/dispatcher-conformance.md", import.meta.url), "utf8");
  const { dependencies } = manifest;
  for (const title of [
    `AI SDK ${dependencies.ai}`,
    `AI SDK ${dependencies["ai-newest"].replace("npm:ai@", "")}`,
    `LangGraph ${dependencies["@langchain/langgraph"]}`,
    `langchain ${dependencies.langchain}`,
    `MCP SDK ${dependencies["@modelcontextprotocol/sdk"]}`,
    `OpenAI Agents ${dependencies["@openai/agents-core"]}`,
  ]) {
    expect(page).toContain(title);
  }
  const cases = dispatcherConformance(hasp);
  for (const group of new Set(cases.map((each) => each.group))) {
    const count = cases.filter((each) => each.group === group).length;
    expect(page).toContain(`| ${group}, of ${count} | ${count} |`);
  }
});
