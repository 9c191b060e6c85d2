import { expect, test } from "vitest";
import { TextsOnDemand } from "./texts-on-demand.js";

test("reads a text when it is asked for, once, and knows all paths before", () => {
  const read: string[] = [];
  const texts = new TextsOnDemand([["known", "k"]], ["a", "gone"], (path) => {
    read.push(path);
    return path === "gone" ? undefined : path.toUpperCase();
  });
  expect([...texts.keys()]).toEqual(["known", "a", "gone"]);
  expect([texts.size, texts.has("a"), texts.has("other"), texts.get("other")]).toEqual([3, true, false, undefined]);
  expect(read).toEqual([]);
  expect([texts.get("a"), texts.get("a"), texts.get("gone"), texts.get("known")]).toEqual(["A", "A", "", "k"]);
  expect(read).toEqual(["a", "gone"]);
  expect(texts.size).toBe(3);
});

test("is a map like any other to who wants all of it", () => {
  const make = (): TextsOnDemand => new TextsOnDemand([["known", "k"]], ["a"], (path) => path);
  expect([...make()]).toEqual([
    ["known", "k"],
    ["a", "a"],
  ]);
  expect([...make().values()]).toEqual(["k", "a"]);
  const seen: string[] = [];
  make().forEach((text, path) => seen.push(`${path}=${text}`));
  expect(seen).toEqual(["known=k", "a=a"]);
  const texts = make();
  texts.set("a", "given");
  texts.set("new", "n");
  expect([...texts]).toEqual([
    ["known", "k"],
    ["a", "given"],
    ["new", "n"],
  ]);
});
