import { closed, text } from "@hasp/compiler/model";
import { dirname, resolve } from "node:path";
import { readOwnMember, type JsonObject, escapeToken, isObject } from "@hasp/base/json";
import type { JSONWebKeySet } from "jose";
import type { Diagnostic } from "@hasp/base/diagnostics";
import { parseSource } from "@hasp/compiler/source";
import { createFormatCheck } from "@hasp/compiler/formats";
import { readText, secureAddress } from "@hasp/project";
import { serveDiagnostics } from "../diagnostics.js";

const authSchema: JsonObject = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "hasp auth",
  description: "Whose tokens let a client call tools over HTTP, and which tools.",
  $ref: "#/$defs/Auth",
  $defs: {
    Auth: closed({
      required: ["issuer", "audience", "jwks", "scopes"],
      properties: {
        issuer: text("The `iss` of every token, exactly as the issuer writes it."),
        audience: text("The `aud` that tokens for this server have. Tokens for other services are refused."),
        jwks: text("The issuer's public keys: an https address, or a file beside this one."),
        resource: text("The address of this server for its clients, where `audience` is not that address."),
        scopes: {
          description: "For each scope the toolset that it offers. A token without one of them is refused.",
          type: "object",
          minProperties: 1,
          propertyNames: { pattern: "^[\\x21\\x23-\\x5B\\x5D-\\x7E]+$" },
          additionalProperties: { type: "string", minLength: 1 },
          examples: [{ "orders:read": "readers" }],
        },
      },
    }),
  },
};

export interface Auth {
  readonly issuer: string;
  readonly audience: string;
  /** An address, or the keys themselves. */
  readonly jwks: URL | JSONWebKeySet;
  /** This server's address for clients. */
  readonly resource: URL;
  readonly scopes: Readonly<Record<string, string>>;
}

type RawAuth = { readonly [Key in "issuer" | "audience" | "jwks"]: string } & {
  readonly resource?: string;
  readonly scopes: Readonly<Record<string, string>>;
};

export async function readAuth(
  file: string,
  uri: string,
  toolsets: readonly string[],
): Promise<Auth | readonly Diagnostic[]> {
  const read = await readText(file);
  if ("reason" in read) return [serveDiagnostics("auth-unreadable", undefined, { path: uri, reason: read.reason })];
  const { value: document, diagnostics } = parseSource({ uri, text: read.text, role: "config" });
  if (document === undefined) return diagnostics;
  const { value, locate } = document;
  const problems = createFormatCheck(
    authSchema,
    "Auth",
  )(value).map(({ kind, pointer, part, parameters }) => serveDiagnostics(kind, locate(pointer, part), parameters));
  if (problems.length > 0) return problems;
  // The check above has proved this type.
  const { issuer, audience, jwks, resource = audience, scopes } = value as unknown as RawAuth;
  const known = toolsets.join(", ") || "none";
  const found = Object.entries(scopes).flatMap(([scope, name]) =>
    toolsets.includes(name)
      ? []
      : [
          serveDiagnostics("unknown-toolset", locate(`/scopes/${escapeToken(scope)}`), {
            name,
            known,
          }),
        ],
  );
  const address = webAddress(resource);
  if (address === undefined) found.push(serveDiagnostics("auth-no-address", locate("/audience")));
  const keys = await keysOf(jwks, dirname(file));
  if ("reason" in keys) found.push(serveDiagnostics("auth-no-keys", locate("/jwks"), keys));
  if (found.length > 0 || address === undefined || "reason" in keys) return found;
  return { issuer, audience, jwks: keys.keys, resource: address, scopes };
}

async function keysOf(
  jwks: string,
  folder: string,
): Promise<{ readonly keys: URL | JSONWebKeySet } | { readonly reason: string }> {
  if (/^https?:\/\//u.test(jwks)) {
    const address = webAddress(jwks);
    return address === undefined
      ? { reason: "keys must be fetched over https, because anyone who can change them in transit could sign tokens" }
      : { keys: address };
  }
  const read = await readText(resolve(folder, jwks));
  if ("reason" in read) return { reason: read.reason };
  try {
    const parsed: unknown = JSON.parse(read.text);
    const keys = readOwnMember(parsed, "keys");
    if (!Array.isArray(keys) || keys.length === 0 || !keys.every(isObject)) return { reason: "it has no `keys`" };
    return { keys: parsed as unknown as JSONWebKeySet };
  } catch {
    return { reason: "it is not JSON" };
  }
}

function webAddress(text: string): URL | undefined {
  const url = secureAddress(text);
  return url?.hash === "" ? url : undefined;
}
