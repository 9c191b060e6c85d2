import { expect, test } from "vitest";
import { groupFile } from "@hasp/compiler/layout";
import { groupSuffix } from "@hasp/compiler/layout";
import { divideIntoGroups } from "./groups.js";

const named = (names: readonly string[]): readonly { readonly name: string }[] => names.map((name) => ({ name }));
const divided = (names: readonly string[], size: number): readonly (readonly [string, readonly string[]])[] =>
  divideIntoGroups(named(names), () => size).map(({ prefix, items }) => [prefix, items.map(({ name }) => name)]);

test("keeps items that fit in one group without a prefix", () => {
  expect(divided(["a", "b", "c"], 30_000)).toEqual([["", ["a", "b", "c"]]]);
  expect(divided([], 1)).toEqual([["", []]]);
});

test("divides items that do not fit by first characters, in order", () => {
  const names = ["get", "get_a", "get_b", "list_a", "list_b", "run"];
  expect(divided(names, 50_000)).toEqual([
    ["get", ["get"]],
    ["get_", ["get_a", "get_b"]],
    ["l", ["list_a", "list_b"]],
    ["r", ["run"]],
  ]);
});

test("changes only the group of a new item", () => {
  const names = ["get_a", "get_b", "list_a", "list_b", "run"];
  const before = new Map(divided(names, 50_000));
  const after = new Map(divided([...names, "run_all"], 50_000));
  expect([...after].filter(([prefix, members]) => String(before.get(prefix)) !== String(members))).toEqual([
    ["r", ["run", "run_all"]],
  ]);
});

test("gives one item that is too large a group of its own", () => {
  expect(divided(["a", "b"], 200_000)).toEqual([
    ["a", ["a"]],
    ["b", ["b"]],
  ]);
});

test("names files and constants without clashes on any file system", () => {
  expect(groupFile("Get-x_")).toBe("~47et-x_");
  expect(["con", "index", "conx"].map(groupFile)).toEqual(["con~", "index~", "conx"]);
  expect(groupSuffix("get-x")).toBe("_get$x");
});
