import { describe, expect, test } from "vitest";
import { generatedNames } from "./names.js";

const kebabs = (...names: readonly string[]): readonly (string | undefined)[] => {
  const generated = generatedNames(names);
  return names.map((name) => generated.get(name)?.kebab);
};

describe("names that tools would share", () => {
  test("a tool alone has its plain name", () => {
    expect(kebabs("getX")).toEqual(["get-x"]);
    expect(kebabs("get_x", "get_y")).toEqual(["get-x", "get-y"]);
  });

  test("no tool of a group keeps the plain name, which a handler may have had before", () => {
    const [camel, snake, hyphens] = kebabs("getX", "get_x", "get-x");
    for (const name of [camel, snake, hyphens]) expect(name).toMatch(/^get-x-[0-9a-f]{4}$/u);
    expect(new Set([camel, snake, hyphens]).size).toBe(3);
  });

  test("the order of the tools changes nothing", () => {
    expect(kebabs("getX", "get_x")).toEqual(kebabs("get_x", "getX").toReversed());
  });
});
