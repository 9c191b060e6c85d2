import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { chooseGeneratedNames, takeName } from "./names.js";

const kebabs = (...names: readonly string[]): readonly (string | undefined)[] => {
  const generated = chooseGeneratedNames(names);
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

test("takes names that are all different and free, whatever is wanted", () => {
  const word = fc.constantFrom("A", "A2", "A_2", "A22", "toString", "__proto__", "constructor", "");
  const wanted = fc.array(fc.array(word, { minLength: 1, maxLength: 4 }), { maxLength: 30 });
  fc.assert(
    fc.property(fc.array(word), wanted, fc.constantFrom("", "_"), (reserved, lists, separator) => {
      const taken = new Set(reserved);
      const names = lists.map(([first = "", ...others]) => takeName(taken, [first, ...others], separator));
      expect(new Set([...names, ...reserved]).size).toBe(names.length + new Set(reserved).size);
      const again = new Set(reserved);
      expect(lists.map(([first = "", ...others]) => takeName(again, [first, ...others], separator))).toEqual(names);
    }),
  );
});
