import { expect, test } from "vitest";
import { toolResult } from "../results/tool-result.js";
import { buildTool } from "../tool/tool.js";
import type { ToolDefinition } from "../tool/definition.js";
import type { DispatchEvent } from "./state/dispatcher-types.js";
import { createEquippedDispatcher as createDispatcher, callsOf, reader } from "./tools.testing.js";

const output = { type: "object", properties: { total: { type: "integer" } }, required: ["total"] } as const;

async function answer(outputCheck: ToolDefinition["outputCheck"], value: unknown): Promise<readonly unknown[]> {
  const problems: unknown[] = [];
  const onEvent = (event: DispatchEvent): void => {
    if (event.type === "problem") problems.push([event.code, event.toolName, event.message]);
  };
  const tool = reader("count", () => value, { output, outputCheck });
  const [result] = await createDispatcher({ tools: [tool], onEvent }).dispatch(callsOf("count"), { context: {} });
  return [result?.isError, result?.output, result?.error?.code, problems];
}

const wrong = { total: "3" };

test("an output that does not fit fails the call, is reported, or passes unseen", async () => {
  const refusal = [true, undefined, "invalid-output", []];
  expect(await answer(undefined, wrong)).toEqual(refusal);
  expect(await answer("enforce", wrong)).toEqual(refusal);
  expect(await answer("report", wrong)).toEqual([
    false,
    wrong,
    undefined,
    [
      [
        "output-mismatch",
        "count",
        expect.stringMatching(/^The output of count was passed on: it does not fit the declared output:\n- .*total/u),
      ],
    ],
  ]);
  expect(await answer("off", wrong)).toEqual([false, wrong, undefined, []]);
});

test("an output that fits is no event, and one that is missing is treated like one that does not fit", async () => {
  expect(await answer("report", { total: 3 })).toEqual([false, { total: 3 }, undefined, []]);
  const text = toolResult({ content: "no JSON" });
  expect(await answer("enforce", text)).toEqual([true, undefined, "invalid-output", []]);
  expect(await answer("report", text)).toEqual([
    false,
    undefined,
    undefined,
    [["output-mismatch", "count", "The output of count was passed on: its spec declares an output, but there is none"]],
  ]);
  expect(await answer("off", text)).toEqual([false, undefined, undefined, []]);
});

test("every output check refuses a result that is not JSON", async () => {
  expect(await answer("off", 1n)).toEqual([true, undefined, "invalid-output", []]);
});

test("another word is refused", () => {
  const definition = { name: "a", description: "b", input: { type: "object" }, outputCheck: "never", execute: () => 1 };
  expect(() => buildTool(definition as never)).toThrow("`outputCheck` must be enforce");
});
