import fc from "fast-check";
import { expect, test } from "vitest";
import type { Position } from "@hasp/base/diagnostics";
import { decodeUtf8 } from "./read-text.js";

test.each<[string, readonly number[], string, Position]>([
  [
    "a byte of Latin-1",
    [0x61, 0x0a, 0xc3, 0xbc, 0x72, 0xfc, 0x6e],
    "byte 4 of line 2 is 0xFC (offset 5)",
    { offset: 4, line: 2, column: 3 },
  ],
  ["a sequence that is cut off", [0xc3], "byte 1 of line 1 is 0xC3 (offset 0)", { offset: 0, line: 1, column: 1 }],
  [
    "a character in too many bytes",
    [0x0a, 0x0a, 0xc0, 0xaf],
    "byte 1 of line 3 is 0xC0 (offset 2)",
    { offset: 2, line: 3, column: 1 },
  ],
  [
    "half of a surrogate pair",
    [0x61, 0xed, 0xa0, 0x80],
    "byte 2 of line 1 is 0xED (offset 1)",
    { offset: 1, line: 1, column: 2 },
  ],
  [
    "a byte that only continues",
    [0x0d, 0x0a, 0x80],
    "byte 1 of line 2 is 0x80 (offset 2)",
    { offset: 2, line: 2, column: 1 },
  ],
])("reports %s by line and byte", (_, bytes, reason, at) => {
  expect(decodeUtf8(Uint8Array.from(bytes))).toEqual({ reason: `it is not UTF-8 text: ${reason}`, at });
});

test("agrees with TextDecoder, and reports the first invalid byte", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.uint8Array({ maxLength: 4 }), (text, tail) => {
      const bytes = Buffer.concat([Buffer.from(text), tail]);
      const decoded = decodeUtf8(bytes);
      const strict = (end: number): string | undefined => {
        try {
          return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes.subarray(0, end));
        } catch {
          return undefined;
        }
      };
      if ("text" in decoded) return decoded.text === strict(bytes.length);
      const offset = Number(/offset (\d+)/u.exec(decoded.reason)?.[1]);
      // Everything before it is text; no end after it makes the whole text.
      return strict(offset) !== undefined && strict(bytes.length) === undefined && strict(offset + 1) === undefined;
    }),
  );
});
