import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readAuth } from "./read-auth.js";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "hasp-auth-"));
  writeFileSync(join(folder, "jwks.json"), '{ "keys": [{ "kty": "EC" }] }');
  writeFileSync(join(folder, "empty.json"), '{ "keys": [] }');
});
afterAll(() => rmSync(folder, { recursive: true }));

const right = {
  issuer: "https://i.example",
  audience: "https://t.example/mcp",
  jwks: "jwks.json",
  scopes: { "a/b": "readers" },
};

async function codesOf(auth: object): Promise<readonly string[]> {
  const file = join(folder, "auth.yaml");
  writeFileSync(file, JSON.stringify(auth, null, 2));
  const read = await readAuth(file, "auth.yaml", ["readers"]);
  return "issuer" in read ? ["right"] : read.map(({ code, location }) => `${code} ${location?.range.start.line ?? ""}`);
}

test.each<[what: string, auth: object, codes: readonly string[]]>([
  ["nothing wrong", right, ["right"]],
  ["keys at an address", { ...right, jwks: "https://i.example/jwks" }, ["right"]],
  ["keys on this machine", { ...right, jwks: "http://127.0.0.1:1/jwks" }, ["right"]],
  [
    "an audience that is a name, and an address",
    { ...right, audience: "api", resource: "https://t.example/" },
    ["right"],
  ],
  ["a key that there is not", { ...right, issuers: "x" }, ["serve/unknown-key 8"]],
  ["a missing key", { ...right, jwks: undefined }, ["serve/missing-key 1"]],
  ["no scopes", { ...right, scopes: {} }, ["serve/wrong-value 5"]],
  ["a scope that is none", { ...right, scopes: { "a b": "readers" } }, ["serve/wrong-value 6"]],
  ["a toolset that there is not", { ...right, scopes: { "a/b": "writers" } }, ["serve/unknown-toolset 6"]],
  ["an audience that is a name", { ...right, audience: "api" }, ["serve/auth-no-address 3"]],
  ["keys over plain http", { ...right, jwks: "http://i.example/jwks" }, ["serve/auth-no-keys 4"]],
  ["keys that are not there", { ...right, jwks: "none.json" }, ["serve/auth-no-keys 4"]],
  ["no keys", { ...right, jwks: "empty.json" }, ["serve/auth-no-keys 4"]],
  ["keys that are no JSON", { ...right, jwks: "." }, ["serve/auth-no-keys 4"]],
])("reads the file of --auth with %s", async (_what, auth, codes) => {
  expect(await codesOf(auth)).toEqual(codes);
});

test("reports a missing file of --auth", async () => {
  const read = await readAuth(join(folder, "none.yaml"), "none.yaml", []);
  expect(read).toMatchObject([{ code: "serve/auth-unreadable" }]);
});
