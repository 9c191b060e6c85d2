import fc from "fast-check";
import { expect, test } from "vitest";
import { type Diagnostic, sortDiagnostics } from "./diagnostic.js";

const few = (...texts: readonly string[]): fc.Arbitrary<string> => fc.constantFrom(...texts);

const place = fc
  .record({ uri: few("a", "b"), pointer: few("", "/x"), offset: fc.constantFrom(0, 1) })
  .map(({ uri, pointer, offset }): NonNullable<Diagnostic["location"]> => ({
    uri,
    pointer,
    range: { start: { offset, line: 1, column: offset + 1 }, end: { offset, line: 1, column: offset + 1 } },
  }));

const diagnostic = fc
  .record({ code: few("p/a", "p/b"), message: few("m", "n"), tool: few("", "s", "t"), location: fc.option(place) })
  .map(({ code, message, tool, location }): Diagnostic => ({
    code,
    severity: "error",
    message,
    ...(tool === "" ? {} : { tool }),
    ...(location === null ? {} : { location }),
  }));

test("in whatever order findings come, and however often, the list is the same, and nothing is missing", () => {
  fc.assert(
    fc.property(
      fc.array(diagnostic, { maxLength: 30 }).chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list))),
      ([list, some]) => {
        const sorted = sortDiagnostics(list);
        expect(sortDiagnostics([...some, ...list.toReversed()])).toEqual(sorted);
        const texts = sorted.map((each) => JSON.stringify(each));
        expect(new Set(texts).size).toBe(texts.length);
        expect(new Set(texts)).toEqual(new Set(list.map((each) => JSON.stringify(each))));
      },
    ),
  );
});

test("files come by name, findings without a place first, and in a file by place", () => {
  const at = (uri: string, offset: number): Diagnostic => ({
    code: "p/a",
    severity: "info",
    message: `${uri} ${offset}`,
    location: {
      uri,
      pointer: "",
      range: { start: { offset, line: 1, column: 1 }, end: { offset, line: 1, column: 1 } },
    },
  });
  const nowhere: Diagnostic = { code: "p/z", severity: "info", message: "nowhere" };
  expect(sortDiagnostics([at("b", 1), at("a", 20), nowhere, at("a", 3)]).map(({ message }) => message)).toEqual([
    "nowhere",
    "a 3",
    "a 20",
    "b 1",
  ]);
});
