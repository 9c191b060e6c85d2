import { expect, test } from "vitest";
import { ignored, type Members, type Version } from "./version.js";

test("a key of a format without a comparer does not compile", () => {
  // @ts-expect-error -- `testContext` has none, though it may be left out.
  const members: Members<{ readonly context: string; readonly testContext?: string }, Version> = {
    context: ignored("it is moved"),
  };
  expect(Object.keys(members)).toEqual(["context"]);
});
