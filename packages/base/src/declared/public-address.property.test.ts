import { isIP } from "node:net";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isAddress } from "./public-address.js";

/** Addresses and near misses. */
const texts = fc.oneof(
  fc.ipV4(),
  fc.ipV6(),
  fc
    .array(fc.constantFrom("::", ":", "0", "ab", "12345", "1.2.3.4", "255", "256", "01", ".", "ffff", "%", "g"), {
      maxLength: 12,
    })
    .map((parts) => parts.join("")),
  fc.array(fc.constantFrom("", "0", "1f", "FFFF"), { minLength: 7, maxLength: 9 }).map((parts) => parts.join(":")),
);

test("isAddress accepts the same texts as Node does, zones aside", () => {
  fc.assert(
    fc.property(texts, (text) => {
      fc.pre(!text.includes("%"));
      expect([text, isAddress(text)]).toEqual([text, isIP(text) !== 0]);
    }),
  );
});
