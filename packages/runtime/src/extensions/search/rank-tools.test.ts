import { expect, test } from "vitest";
import { buildTool } from "../../tool/tool.js";
import { createRanking } from "./rank-tools.js";

function tool(name: string, description: string, properties: object = {}, title?: string): never {
  return buildTool({
    name,
    ...(title !== undefined && { title }),
    description,
    input: { type: "object", properties, additionalProperties: false } as never,
    execute: () => "done",
  }) as never;
}

const rank = createRanking([
  tool("create_invoice", "Creates an invoice for a customer.", {
    lines: {
      type: "array",
      items: { type: "object", properties: { vat: { type: "string", description: "Its surcharge." } } },
    },
  }),
  tool("list_invoices", "Lists invoices in the order of their dates."),
  tool("delete_customer", "Deletes a customer and every invoice."),
  tool("list_invoices_archive", "Lists invoices of earlier years."),
  tool("charge", "Takes money.", {}, "Refund or charge a card"),
]);

const namesFor = (query: string): readonly string[] => rank(query).map(({ name }) => name);

test("an exact name is first", () => {
  expect(namesFor("list_invoices")[0]).toBe("list_invoices");
  expect(namesFor("Charge")[0]).toBe("charge");
});

test("words count in every form, and so do their synonyms", () => {
  expect(namesFor("creating invoices")[0]).toBe("create_invoice");
  expect(namesFor("remove a customer")[0]).toBe("delete_customer");
  expect(namesFor("refund")).toEqual(["charge"]);
});

test("parameters and nested descriptions add to what the name says", () => {
  expect(namesFor("invoice with a surcharge")[0]).toBe("create_invoice");
});

test.each(["order a pizza", "a customer's shoe size in Paris", "weather", "", "the of a"])(
  "%j finds nothing rather than what shares a common word",
  (query) => {
    expect(namesFor(query)).toEqual([]);
  },
);
