import { expect, test } from "vitest";
import { printType } from "./declare-tool.js";

test("prints a type for any schema of a server in bounded time", () => {
  expect(printType({ type: "object", properties: { a: { $ref: "#/%zz" } } })).toBe("{ a?: unknown }");
  expect(printType({ $ref: "#/$defs/a~1%62", $defs: { "a/b": { type: "string" } } })).toBe("string");
  expect(printType({ type: "object", properties: { a: { $ref: "#named" } } })).toBe("{ a?: unknown }");
  expect(printType({ type: "object", properties: { a: { $ref: "#/constructor" } } })).toBe("{ a?: unknown }");
  const names = Array.from({ length: 200 }, (_, index) => `p${index}`);
  const recursive = {
    type: "object" as const,
    properties: Object.fromEntries(names.map((name) => [name, { $ref: "#" }])),
  };
  expect(printType(recursive).length).toBeLessThan(1_000_000);
});
