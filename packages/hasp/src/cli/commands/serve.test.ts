import { expect, test } from "vitest";
import { readListenAddress } from "./serve.js";

test.each([
  ["3000", { host: "127.0.0.1", port: 3000 }],
  ["0.0.0.0:80", { host: "0.0.0.0", port: 80 }],
  ["[::1]:0", { host: "::1", port: 0 }],
  ["a.example:443", { host: "a.example", port: 443 }],
  ["65536", undefined],
  ["::1:80", undefined],
  ["http://localhost:80", undefined],
  ["localhost", undefined],
  ["-1", undefined],
])("reads %s as an address or refuses it", (text, address) => {
  expect(readListenAddress(text)).toEqual(address);
});
