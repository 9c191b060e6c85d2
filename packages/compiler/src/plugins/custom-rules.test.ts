import { describe, expect, test } from "vitest";
import { completePlan } from "../model/complete-plan.js";
import type { CustomRule } from "../model/plan.js";
import { compile } from "../../../../test/compiler/context.testing.js";

const SPEC = `hasp: 1
name: get_order
description: Look up one order.
owner: team-shop
tags: [orders, billing]
input: { type: object, required: [orderId], properties: { orderId: { type: string, description: The order. } } }
`;

/** The lines on which a rule finds fault with a spec. */
async function findLines(rule: Omit<CustomRule, "message">, text = SPEC): Promise<readonly (number | undefined)[]> {
  const plan = completePlan({ customRules: { "acme/rule": { ...rule, message: "Fix {it}." } } });
  const { diagnostics } = await compile([{ uri: "a.tool.yaml", text, role: "spec" }], plan, { emits: false });
  const found = diagnostics.filter(({ code }) => code === "acme/rule");
  for (const { message, severity } of found) expect(`${severity} ${message}`).toBe("error Fix {it}.");
  return found.map(({ location }) => location?.range.start.line);
}

describe("a rule about a spec", () => {
  test.each<[string, Omit<CustomRule, "message">, readonly number[]]>([
    ["accepts a value that matches", { on: "spec", field: "owner", matches: "^team-" }, []],
    ["rejects a value that does not match, at the value", { on: "spec", field: "owner", matches: "^squad-" }, [4]],
    ["rejects a missing value, at the name", { on: "spec", field: "visibility.searchHint", matches: "." }, [2]],
    [
      "lets a value be missing if it need not be there",
      { on: "spec", field: "visibility.searchHint", matches: ".", required: false },
      [],
    ],
    [
      "lets a value be missing that only has a maximum",
      { on: "spec", field: "visibility.searchHint", maxLength: 3 },
      [],
    ],
    ["rejects a forbidden field", { on: "spec", field: "tags", forbidden: true }, [5]],
    ["checks each item of a list", { on: "spec", field: "tags", oneOf: ["orders"] }, [5]],
    ["checks the length of a list", { on: "spec", field: "tags", maxLength: 1 }, [5]],
    ["rejects a value of another type", { on: "spec", field: "owner", minimum: 1 }, [4]],
    ["reads inside a field", { on: "spec", field: "limits.timeoutSeconds", required: true }, [2]],
  ])("a rule about a spec %s", async (_, rule, lines) => {
    expect(await findLines(rule)).toEqual(lines);
  });
});

test("a rule about parameters checks names and schemas", async () => {
  expect(await findLines({ on: "parameter", field: "name", matches: "^[a-z_]+$" })).toEqual([6]);
  expect(await findLines({ on: "parameter", field: "description", maxLength: 3 })).toEqual([6]);
  expect(await findLines({ on: "parameter", field: "description", required: true })).toEqual([]);
});

test("a rule about schemas checks each schema of input and output", async () => {
  const text = `${SPEC}output: { type: object, properties: { price: { type: number, description: The price. } } }\n`;
  expect(await findLines({ on: "schema", field: "type", oneOf: ["object", "string"] }, text)).toEqual([7]);
});

test("a text that is too long for its pattern breaks the rule", async () => {
  const text = SPEC.replace("team-shop", "a".repeat(100_000));
  expect(await findLines({ on: "spec", field: "owner", matches: "^(a{1,50}){1,50}$" }, text)).toEqual([4]);
});
