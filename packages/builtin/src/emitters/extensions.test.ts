import type { FlatTool } from "@hasp/compiler";
import { flatTool } from "@hasp/compiler/testing";
import { expect, test } from "vitest";
import { listNeeded } from "./prepare.js";

const ping = flatTool({ name: "ping", description: "Pings.", input: { type: "object" } });

const withWorst = (worst: Partial<FlatTool["worstCase"]>): FlatTool => ({
  ...ping,
  worstCase: { ...ping.worstCase, ...worst },
});
const { metadata } = ping;
const deferred: FlatTool = { ...ping, metadata: { ...metadata, visibility: { shouldDefer: true, alwaysLoad: false } } };
const uncut: FlatTool = {
  ...ping,
  metadata: { ...metadata, limits: { ...metadata.limits, maxResultSizeChars: "unlimited" } },
};

test.each([
  ["nothing stated", ping, ["flow", "results"]],
  ["calls that reach nobody outside", withWorst({ isOpenWorld: false }), ["results"]],
  ["results without a label", withWorst({ returnsUntrusted: false, returnsPrivate: false }), ["results"]],
  ["results with one label", withWorst({ returnsUntrusted: false }), ["flow", "results"]],
  ["a search for them", deferred, ["flow", "search", "results"]],
  ["results that are never cut", uncut, ["flow"]],
])("a registry names the extensions for tools with %s", (_, tool, expected) => {
  expect(listNeeded([tool], [{ flow: "off" }, { flow: "note" }])).toEqual(expected);
  expect(listNeeded([tool], [{ flow: "off" }])).toEqual(expected.filter((name) => name !== "flow"));
});

test("under `ask`, a registry of open-world tools names the extension of flow even if no result has a label", () => {
  const tool = withWorst({ returnsUntrusted: false, returnsPrivate: false });
  expect(listNeeded([tool], [{ flow: "ask" }])).toEqual(["flow", "results"]);
  expect(listNeeded([withWorst({ isOpenWorld: false })], [{ flow: "ask" }])).toEqual(["results"]);
});
