import type { JsonObject } from "@hasp/schema";

export const authSchema: JsonObject = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "hasp auth",
  description: "Whose tokens let a client call tools over HTTP, and which tools.",
  $ref: "#/$defs/Auth",
  $defs: {
    Auth: {
      type: "object",
      additionalProperties: false,
      required: ["issuer", "audience", "jwks", "scopes"],
      properties: {
        issuer: {
          description: "The `iss` of every token, exactly as the issuer writes it.",
          type: "string",
          minLength: 1,
        },
        audience: {
          description: "The `aud` that tokens for this server have. Tokens for other services are refused.",
          type: "string",
          minLength: 1,
        },
        jwks: {
          description: "The issuer's public keys: an https address, or a file beside this one.",
          type: "string",
          minLength: 1,
        },
        resource: {
          description: "The address of this server for its clients, where `audience` is not that address.",
          type: "string",
          minLength: 1,
        },
        scopes: {
          description: "For each scope the toolset that it offers. A token without one of them is refused.",
          type: "object",
          minProperties: 1,
          propertyNames: { pattern: "^[\\x21\\x23-\\x5B\\x5D-\\x7E]+$" },
          additionalProperties: { type: "string", minLength: 1 },
          examples: [{ "orders:read": "readers" }],
        },
      },
    },
  },
};
