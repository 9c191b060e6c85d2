import { expect, test } from "vitest";
import { flatTool } from "../../../../test/compiler/flat-tool.testing.js";
import { listNeeded, listToolsetMembers } from "./toolset-members.js";
import type { FlowSetting } from "@hasp/runtime";
import type { FlatTool } from "./tool.js";

const ping = flatTool({ name: "ping", description: "Pings.", input: { type: "object" } });

const withWorst = (worst: Partial<FlatTool["worstCase"]>): FlatTool => ({
  ...ping,
  worstCase: { ...ping.worstCase, ...worst },
});
const { metadata } = ping;
const deferred: FlatTool = { ...ping, metadata: { ...metadata, visibility: { load: "deferred" } } };
const uncut: FlatTool = {
  ...ping,
  metadata: { ...metadata, limits: { ...metadata.limits, maxResultSizeChars: "unlimited" } },
};

const listNames = (tool: FlatTool, flows: readonly FlowSetting[]): readonly string[] =>
  listNeeded(
    [tool],
    flows.map((flow) => ({ flow })),
  ).map(({ name }) => name);

test.each([
  ["nothing stated", ping, ["flow", "results"]],
  ["calls that reach nobody outside", withWorst({ isOpenWorld: false }), ["results"]],
  ["results without a label", withWorst({ returnsUntrusted: false, returnsPrivate: false }), ["results"]],
  ["results with one label", withWorst({ returnsUntrusted: false }), ["flow", "results"]],
  ["a search for them", deferred, ["flow", "search", "results"]],
  ["results that are never cut", uncut, ["flow"]],
])("a registry names the extensions for tools with %s", (_, tool, expected) => {
  expect(listNames(tool, ["off", "note"])).toEqual(expected);
  expect(listNames(tool, ["off"])).toEqual(expected.filter((name) => name !== "flow"));
});

test("under `ask`, a registry of open-world tools names the extension of flow even if no result has a label", () => {
  const tool = withWorst({ returnsUntrusted: false, returnsPrivate: false });
  expect(listNames(tool, ["ask"])).toEqual(["flow", "results"]);
  expect(listNames(withWorst({ isOpenWorld: false }), ["ask"])).toEqual(["results"]);
});

test("an extension comes with the tools that ask for it; a project without toolsets has the default flow", () => {
  const closed: FlatTool = { ...withWorst({ isOpenWorld: false }), name: "closed" };
  expect(
    listNeeded([ping, closed, { ...deferred, name: "later" }], listToolsetMembers([], [])).map(({ name, tools }) => [
      name,
      tools,
    ]),
  ).toEqual([
    ["flow", ["ping", "later"]],
    ["search", ["later"]],
    ["results", ["ping", "closed", "later"]],
  ]);
});
