import { describe, expect, test } from "vitest";
import type { Client, ClientFacts } from "@hasp/compiler/model";
import { readPluginShape } from "@hasp/compiler/plugins";
import type { JsonObject } from "@hasp/schema";
import { clients } from "./all.js";
import { findClientFaults } from "./find-client-faults.js";

const all = Object.values(clients);

test.each(all)("the table of $id passes by the door of plugins", (client) => {
  const plugin = { name: "acme", clients: [{ ...client, id: `acme/${client.id}` }] };
  expect(readPluginShape(plugin as unknown as JsonObject)).not.toHaveProperty("problem");
});

test.each(all)("each fact of $id names a thread and its effect", ({ facts }) => {
  expect(Object.keys(facts)).not.toEqual([]);
  for (const { source, effect } of Object.values(facts)) {
    expect(source).toMatch(/^[\w.-]+\/[\w.-]+#\d+(?:, [\w.-]+\/[\w.-]+#\d+)*$/u);
    expect(effect).toMatch(/^[a-z][^.]*$/u);
  }
});

const said = { effect: "fails", source: "a/b#1", date: "2026-01-01" };
const clientWith = (facts: ClientFacts): Client => ({ id: "x", title: "X", facts });
const tree = { $defs: { Node: { properties: { child: { $ref: "#/$defs/Node" } } } }, $ref: "#/$defs/Node" };

describe("findClientFaults", () => {
  test.each<[fact: keyof ClientFacts, facts: ClientFacts, good: JsonObject, bad: JsonObject, pointer: string]>([
    [
      "nameLength",
      { nameLength: { ...said, form: "m_{server}_{tool}", most: 10 } },
      { name: "$&_1" },
      { name: "123456" },
      "/name",
    ],
    ["nameCharacters", { nameCharacters: { ...said, only: "[a-z]" } }, { name: "ab" }, { name: "a.b" }, "/name"],
    [
      "descriptionLength",
      { descriptionLength: { ...said, most: 4 } },
      { description: "1234" },
      { description: "12345" },
      "/description",
    ],
    [
      "arrayItems",
      { arrayItems: said },
      { inputSchema: { properties: { a: { type: "array", items: {} }, items: { type: "string" } } } },
      { inputSchema: { properties: { a: { anyOf: [{ type: "array", prefixItems: [true] }] } } } },
      "/inputSchema/properties/a/anyOf/0",
    ],
    [
      "outputRecursion",
      { outputRecursion: said },
      { outputSchema: { $defs: { A: { type: "string" } }, properties: { a: { $ref: "#/$defs/A" } } } },
      { outputSchema: tree },
      "/outputSchema",
    ],
  ])("finds what breaks %s, and nothing at the limit", (fact, facts, good, bad, pointer) => {
    expect(findClientFaults(good, clientWith(facts), "srv")).toEqual([]);
    expect(findClientFaults(bad, clientWith(facts), "srv")).toMatchObject([{ fact, pointer, effect: "fails" }]);
  });

  test("takes parts of other types for absent ones", () => {
    const entry = { name: 1, description: [], inputSchema: "", outputSchema: null };
    for (const client of all) expect(findClientFaults(entry, client)).toEqual([]);
  });
});
