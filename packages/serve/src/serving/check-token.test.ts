import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT, exportSPKI, type JWTPayload } from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import { createTokenChecker } from "./check-token.js";
import type { Auth } from "./read-auth.js";

const ISSUER = "https://issuer.example";
const AUDIENCE = "https://tools.example/mcp";
const now = Math.floor(Date.now() / 1000);
const right: JWTPayload = { iss: ISSUER, aud: AUDIENCE, sub: "ann", exp: now + 600, scope: "read" };

type KeyPair = Awaited<ReturnType<typeof generateKeyPair>>;

interface Keys {
  readonly ours: KeyPair;
  readonly others: KeyPair;
  readonly curve: KeyPair;
  readonly publicText: string;
}
let keys: Keys;
let auth: Auth;
beforeAll(async () => {
  const [ours, others, curve] = await Promise.all([
    generateKeyPair("RS256", { extractable: true }),
    generateKeyPair("RS256", { extractable: true }),
    generateKeyPair("ES256", { extractable: true }),
  ]);
  keys = { ours, others, curve, publicText: await exportSPKI(ours.publicKey) };
  const jwks = {
    keys: [
      { ...(await exportJWK(ours.publicKey)), kid: "rsa" },
      { ...(await exportJWK(curve.publicKey)), kid: "ec", alg: "ES256" },
      // A published secret must not sign anything.
      { kty: "oct", k: Buffer.from("a published secret of 32 bytes!!").toString("base64url"), kid: "secret" },
    ],
  };
  auth = {
    issuer: ISSUER,
    audience: AUDIENCE,
    jwks,
    resource: new URL(AUDIENCE),
    scopes: { read: "readers", write: "writers" },
  };
});

interface Header {
  readonly alg?: string;
  readonly kid?: string;
  readonly [more: string]: unknown;
}
type Key = KeyPair["privateKey"] | Uint8Array;

/** Signs a valid token with these changes. */
function sign(claims: JWTPayload = {}, header: Header = {}, key: Key = keys.ours.privateKey): Promise<string> {
  return new SignJWT({ ...right, ...claims })
    .setProtectedHeader({ alg: "RS256", kid: "rsa", ...header })
    .sign(key, { crit: { "made-up": true } });
}
const without = (claim: string): JWTPayload => ({ [claim]: undefined });
const bearer = async (token: Promise<string>): Promise<string> => `Bearer ${await token}`;
const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

async function outcome(authorization: string | undefined, settings: Auth = auth): Promise<string> {
  const request = new Request(
    "http://localhost/mcp",
    authorization === undefined ? {} : { headers: { authorization } },
  );
  const checked = await createTokenChecker(settings, () => undefined)(request);
  if (!(checked instanceof Response)) return `${checked.principal}: ${(checked.toolsets ?? []).join(" ")}`;
  const challenge = checked.headers.get("www-authenticate") ?? "";
  if (checked.status !== 500) {
    expect(challenge).toContain('resource_metadata="https://tools.example/.well-known/oauth-protected-resource/mcp"');
    expect(challenge).toContain('scope="read write"');
  }
  return `${checked.status} ${/error="(?<code>\w+)"/u.exec(challenge)?.groups?.["code"] ?? ""}`;
}

const INVALID = "401 invalid_token";
const CASES: readonly [what: string, authorization: () => Promise<string | undefined>, expected: string][] = [
  ["a right token", () => bearer(sign()), "ann: readers"],
  [
    "another signature of the issuer's",
    () => bearer(sign({}, { alg: "ES256", kid: "ec" }, keys.curve.privateKey)),
    "ann: readers",
  ],
  [
    "the name of another algorithm",
    async () => `Bearer ${part({ alg: "PS256", kid: "rsa" })}.${part(right)}.AAAA`,
    INVALID,
  ],
  ["a list of audiences with ours", () => bearer(sign({ aud: ["https://other.example", AUDIENCE] })), "ann: readers"],
  ["the type of an access token", () => bearer(sign({}, { typ: "at+jwt" })), "ann: readers"],
  ["several scopes", () => bearer(sign({ scope: "read write openid" })), "ann: readers writers"],
  ["scopes as `scp`, a list", () => bearer(sign({ ...without("scope"), scp: ["write"] })), "ann: writers"],
  ["scopes as `scp`, a text", () => bearer(sign({ ...without("scope"), scp: "write" })), "ann: writers"],
  ["a lower-case scheme", async () => `bearer ${await sign()}`, "ann: readers"],
  ["clocks that differ a little", () => bearer(sign({ exp: Math.floor(Date.now() / 1000) - 1 })), "ann: readers"],
  ["the same token again (a bearer token may be sent again)", () => bearer(sign()), "ann: readers"],

  ["no header", async () => undefined, INVALID],
  ["an empty header", async () => "", INVALID],
  ["a scheme without a token", async () => "Bearer", INVALID],
  ["another scheme", async () => `Basic ${await sign()}`, INVALID],
  ["a token without a scheme", () => sign(), INVALID],
  ["two tokens", async () => `Bearer ${await sign()}, Bearer ${await sign()}`, INVALID],
  ["what is no token", async () => "Bearer aaaa.bbbb.cccc", INVALID],
  ["a token without its signature", async () => `Bearer ${(await sign()).replace(/\.[^.]+$/u, ".")}`, INVALID],
  [
    "a token with the signature of another",
    async () => `Bearer ${(await sign()).replace(/\.[^.]+$/u, "")}.${(await sign({ sub: "bob" })).split(".")[2] ?? ""}`,
    INVALID,
  ],
  [
    "a token with other claims",
    async () => `Bearer ${(await sign()).replace(/\.[^.]+\./u, `.${part({ ...right, sub: "root" })}.`)}`,
    INVALID,
  ],
  ["`none`", async () => `Bearer ${new UnsecuredJWT(right).encode()}`, INVALID],
  ["`None`, and a signature", async () => `Bearer ${part({ alg: "None" })}.${part(right)}.AAAA`, INVALID],
  [
    "HS256 with the public key as the secret",
    () => bearer(sign({}, { alg: "HS256" }, new TextEncoder().encode(keys.publicText))),
    INVALID,
  ],
  [
    "HS256 with a secret that was published",
    () =>
      bearer(sign({}, { alg: "HS256", kid: "secret" }, new TextEncoder().encode("a published secret of 32 bytes!!"))),
    INVALID,
  ],
  ["another key under our name", () => bearer(sign({}, {}, keys.others.privateKey)), INVALID],
  ["a key that nobody knows", () => bearer(sign({}, { kid: "other" }, keys.others.privateKey)), INVALID],
  [
    "a key in its own header (`jwk`)",
    async () => bearer(sign({}, { kid: "own", jwk: await exportJWK(keys.others.publicKey) }, keys.others.privateKey)),
    INVALID,
  ],
  [
    "an address of keys in its own header (`jku`)",
    () => bearer(sign({}, { kid: "own", jku: "https://evil.example/jwks" }, keys.others.privateKey)),
    INVALID,
  ],
  ["a path as the name of a key", () => bearer(sign({}, { kid: "../../dev/null" }, keys.others.privateKey)), INVALID],
  [
    "a header that must be understood and is not (`crit`)",
    () => bearer(sign({}, { crit: ["made-up"], "made-up": 1 })),
    INVALID,
  ],
  ["another issuer", () => bearer(sign({ iss: "https://evil.example" })), INVALID],
  ["an issuer that only begins like ours", () => bearer(sign({ iss: `${ISSUER}.evil.example` })), INVALID],
  ["the issuer with a slash", () => bearer(sign({ iss: `${ISSUER}/` })), INVALID],
  ["no issuer", () => bearer(sign(without("iss"))), INVALID],
  ["a token for another service (confused deputy)", () => bearer(sign({ aud: "https://other.example/mcp" })), INVALID],
  ["the audience with another path", () => bearer(sign({ aud: `${AUDIENCE}/other` })), INVALID],
  ["no audience", () => bearer(sign(without("aud"))), INVALID],
  ["an empty list of audiences", () => bearer(sign({ aud: [] })), INVALID],
  ["an expired token (replay)", () => bearer(sign({ exp: now - 60 })), INVALID],
  ["no expiry", () => bearer(sign(without("exp"))), INVALID],
  ["an expiry as text", () => bearer(sign({ exp: String(now + 600) as never })), INVALID],
  ["a token of tomorrow", () => bearer(sign({ nbf: now + 86_400 })), INVALID],
  ["no subject", () => bearer(sign(without("sub"))), INVALID],
  ["an empty subject", () => bearer(sign({ sub: "" })), INVALID],
  ["a token for logout", () => bearer(sign({}, { typ: "logout+jwt" })), INVALID],
  ["a token that is bound to a key", () => bearer(sign({ cnf: { jkt: "x" } })), INVALID],

  ["no scopes", () => bearer(sign(without("scope"))), "403 insufficient_scope"],
  ["other scopes", () => bearer(sign({ scope: "openid reader READ" })), "403 insufficient_scope"],
  ["a scope that every object has", () => bearer(sign({ scope: "constructor __proto__" })), "403 insufficient_scope"],
  ["scopes that are no text", () => bearer(sign({ scope: { read: true } as never })), "403 insufficient_scope"],
];
describe("a request with", () => {
  test.each(CASES)("checks a request with %s", async (_what, authorization, expected) => {
    expect(await outcome(await authorization())).toBe(expected);
  });
});

test("keys that cannot be loaded are not the token's fault, and let nobody in", async () => {
  const jwks = new URL("http://127.0.0.1:1/jwks");
  expect(await outcome(await bearer(sign()), { ...auth, jwks })).toBe("500 ");
});
