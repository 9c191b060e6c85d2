import { expect, test } from "vitest";
import { buildTool } from "@hasp/runtime";
import { selectOfferedTools } from "./served-tools.js";

test("a tool whose calls somebody else executes is offered only where somebody does", () => {
  const tool = buildTool({
    name: "choose_date",
    description: "Asks the person for a date.",
    input: { type: "object", additionalProperties: false },
    external: true,
  });
  const pick = (executesExternal: boolean) =>
    selectOfferedTools([tool as never], {
      only: undefined,
      allowed: new Set(["choose_date"]),
      environment: {},
      executesExternal,
    });
  expect(pick(true).offered).toHaveLength(1);
  expect(pick(false)).toMatchObject({
    offered: [],
    withheld: [{ name: "choose_date", reason: expect.stringContaining("somebody else executes its calls") as string }],
  });
});
