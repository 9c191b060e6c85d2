import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { inBoundedTime } from "../../in-bounded-time.testing.js";
import { assertedFormats } from "./formats.js";

interface Group {
  readonly description: string;
  readonly tests: readonly { readonly description: string; readonly data: unknown; readonly valid: boolean }[];
}

const folder = new URL(
  "../../../../../shared/data/json-schema-test-suite/tests/draft2020-12/optional/format/",
  import.meta.url,
).pathname;

/** Formats for which the suite asks for more than the table promises: the Punycode rules behind `xn--`. */
const beyond: { readonly [format: string]: RegExp } = { hostname: /xn--/i };

describe.skipIf(!existsSync(folder))(
  "asserted formats by the official suite (skipped where ../shared is absent)",
  () => {
    test.each([...assertedFormats])("the format %s agrees with the official suite", (name, format) => {
      const groups = JSON.parse(readFileSync(`${folder}${name}.json`, "utf8")) as readonly Group[];
      const wrong = groups
        .flatMap((group) => group.tests)
        .filter(({ data, valid }) => typeof data === "string" && format.accepts(data) !== valid)
        .filter(({ data }) => !beyond[name]?.test(String(data)))
        .map(({ description, data }) => `${description}: ${JSON.stringify(data)}`);
      expect(wrong).toEqual([]);
    });
  },
);

test.each([...assertedFormats])("the example of %s is valid", (_name, format) => {
  expect(format.accepts(format.example)).toBe(true);
});

test.each([...assertedFormats])("%s does not backtrack over hostile text", (_name, format) => {
  for (const part of ["1", "a.", "-", "%41", "::", "P1Y", "/~0", '"\\"', "a@", "//a", "1:", "["]) {
    // Quadratic time would be a minute and more for each.
    for (const text of [part.repeat(400_000), `${part.repeat(400_000)}!`, `http://${part.repeat(400_000)}\u0000`]) {
      inBoundedTime(() => format.accepts(text));
    }
  }
});
