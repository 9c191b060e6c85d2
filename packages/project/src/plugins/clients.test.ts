import { expect, test } from "vitest";
import type { Client } from "@hasp/compiler/model";
import { completePlan, type PluginPlan } from "@hasp/compiler/model";
import { readPluginShape } from "@hasp/compiler/plugins";
import type { JsonObject } from "@hasp/schema";
import { withPlugins } from "../config/dialects.js";

const said = { effect: "fails every request", source: "acme/desk#1", date: "2026-08-18" };
const DESK: Client = { id: "acme/desk", title: "Desk", facts: { descriptionLength: { ...said, most: 100 } } };
const cursor: Client = { id: "cursor", title: "Cursor", facts: {} };
const plugins = [{ name: "acme", clients: [DESK] } as unknown as PluginPlan];

test("withPlugins adds the facts of a plugin's client", () => {
  const clients = [cursor, { id: DESK.id, title: "", facts: {} }];
  const { value, diagnostics } = withPlugins({ ...completePlan({}), clients }, plugins);
  expect(diagnostics).toEqual([]);
  expect(value.clients).toEqual([cursor, DESK]);
});

test("withPlugins reports a client that no plugin provides, with the nearest one", () => {
  const plan = { ...completePlan({}), clients: [{ id: "acme/desc", title: "", facts: {} }] };
  expect(withPlugins(plan, plugins).diagnostics).toMatchObject([
    {
      code: "config/unknown-client",
      message: 'No plugin provides the client "acme/desc". Did you mean "acme/desk"?',
    },
  ]);
});

test.each<[what: string, change: object, message: string]>([
  ["a cut of 0", { facts: { descriptionLength: { ...said, most: 0 } } }, '"clients[0].facts.descriptionLength.most"'],
  ["no fact", { facts: {} }, '"clients[0].facts"'],
  ["an unknown fact", { facts: { cut: { ...said, most: 1 } } }, 'The key "cut" is not known'],
  [
    "a fact without a source",
    { facts: { tools: { most: 1, effect: "x", date: "2026-08-18" } } },
    '"source" is missing',
  ],
  ["a month of 13", { facts: { tools: { ...said, most: 1, date: "2026-13-01" } } }, "a day, such as 2026-08-18"],
  ["names without the tool's", { facts: { nameLength: { ...said, most: 9, form: "{server}" } } }, 'has no "{tool}"'],
  [
    "names that leave no room for the tool's",
    { facts: { nameLength: { ...said, most: 4, form: "mcp_{server}_{tool}" } } },
    "allows names of 4 characters, and the shortest of its form has 7.",
  ],
  ["a class that ends first", { facts: { nameCharacters: { ...said, only: "[z-a]" } } }, "not a class of characters"],
  ["a class that could hang", { facts: { nameCharacters: { ...said, only: "(a+)+" } } }, "not a class of characters"],
  ["a name of another plugin", { id: "other/desk" }, 'must begin with "acme/"'],
])("a plugin's client with %s is refused", (_, change, message) => {
  const shape = readPluginShape({ name: "acme", clients: [{ ...DESK, ...change }] } as unknown as JsonObject);
  expect("problem" in shape && shape.problem).toContain(message);
});
