import { closed, ref, text } from "../model/field-schemas.js";
import type { JsonObject } from "@hasp/schema";

/** `$defs` of the spec format, shared by several kinds. */
export const declarationDefinitions: JsonObject = {
  DeclaredValue: {
    description:
      "`input.x`, `context.x` or a literal; `{ literal: … }` for a string that begins with `input.` or `context.`.",
    examples: ["input.limit", "context.customerId", 50, { literal: "input.txt" }],
  },
  DeclaredValues: {
    type: "object",
    minProperties: 1,
    additionalProperties: { $ref: "#/$defs/DeclaredValue" },
    "x-expected": "a map from names to values: input.x, context.x or a literal",
  },
  ConnectionName: {
    type: "string",
    pattern: "^[A-Za-z][A-Za-z0-9_-]{0,63}$",
    "x-expected": "the name of a connection of the configuration",
  },
  JsonPointer: {
    type: "string",
    pattern: "^(/([^~/]|~[01])*)*$",
    "x-expected": "a JSON Pointer such as /items",
  },
};

/** `$defs` of the configuration, shared by several kinds of connections. */
export const connectionDefinitions: JsonObject = {
  Secret: closed({
    minProperties: 1,
    maxProperties: 1,
    properties: {
      env: ref("VariableName", "The environment variable that holds it."),
      context: ref("ContextMember", "The member of the context that holds it."),
    },
    "x-expected": "{ env: <VARIABLE> } or { context: <member> }; the configuration contains no secrets",
  }),
  VariableName: {
    type: "string",
    pattern: "^[A-Za-z_][A-Za-z0-9_]*$",
    "x-expected": "the name of an environment variable",
    examples: ["ORDERS_TOKEN"],
  },
  ContextMember: {
    type: "string",
    pattern: "^[A-Za-z_$][A-Za-z0-9_$]*$",
    "x-expected": "the name of a member of the context",
    examples: ["db"],
  },
  HttpUrl: {
    type: "string",
    pattern: "^https?://[^\\s/?#@]+(/[^\\s?#]*)?$",
    "x-expected": "an https URL without user, query and fragment, such as https://api.example.com/v2",
  },
  Auth: {
    description: "How requests are authorized: one way, or a list of ways that are all sent. Default: none.",
    if: { type: "array" },
    then: { minItems: 1, items: { $ref: "#/$defs/AuthMethod" } },
    else: { $ref: "#/$defs/AuthMethod" },
    examples: [{ bearer: { env: "ORDERS_TOKEN" } }],
  },
  AuthMethod: closed({
    minProperties: 1,
    maxProperties: 1,
    "x-expected": "exactly one of bearer, basic, apiKey, oauth2 and context",
    properties: {
      bearer: ref("Secret", "The header `Authorization: Bearer …`."),
      basic: closed({
        description: "The header `Authorization: Basic …`.",
        required: ["username"],
        properties: {
          username: {
            description: "The user name; it is not a secret and may be written out.",
            anyOf: [{ type: "string", minLength: 1 }, { $ref: "#/$defs/Secret" }],
            "x-expected": "a name, { env: <VARIABLE> } or { context: <member> }",
          },
          password: ref("Secret", "The password. Default: empty."),
        },
      }),
      apiKey: closed({
        description: "A key in a header, in the query or in a cookie.",
        required: ["in", "name"],
        oneOf: [{ required: ["env"] }, { required: ["context"] }],
        "x-expected": "{ in, name, env } or { in, name, context }",
        properties: {
          in: { description: "Where the key is sent.", enum: ["header", "query", "cookie"] },
          name: text("The name of the header, parameter or cookie."),
          env: ref("VariableName", "The environment variable that holds the key."),
          context: ref("ContextMember", "The member of the context that holds the key."),
        },
        examples: [{ in: "header", name: "X-Api-Key", env: "ORDERS_KEY" }],
      }),
      oauth2: ref("OAuth2", "Tokens of an OAuth 2 server, renewed as needed."),
      context: ref(
        "ContextMember",
        "The member of the context that holds a bearer token, for tokens that differ by user.",
      ),
    },
  }),
  OAuth2: closed({
    required: ["flow", "clientId"],
    anyOf: [{ required: ["tokenUrl"] }, { required: ["discoveryUrl"] }],
    "x-expected": "an OAuth 2 client with flow, clientId and tokenUrl or discoveryUrl",
    if: { properties: { flow: { description: "The flow.", const: "clientCredentials" } } },
    then: { required: ["clientSecret"] },
    else: {
      if: { required: ["discoveryUrl"] },
      else: {
        if: { properties: { flow: { description: "The flow.", const: "deviceCode" } } },
        then: { required: ["deviceAuthorizationUrl"] },
        else: { required: ["authorizationUrl"] },
      },
    },
    properties: {
      flow: {
        description:
          "How a token is obtained. `clientCredentials` needs no person; for the others, a person runs `hasp login <connection>` once.",
        enum: ["clientCredentials", "deviceCode", "authorizationCode"],
      },
      tokenUrl: ref("OAuthUrl", "Where tokens are issued and renewed."),
      refreshUrl: ref("OAuthUrl", "Where tokens are renewed. Default: tokenUrl."),
      authorizationUrl: ref("OAuthUrl", "Where a person signs in with a browser."),
      deviceAuthorizationUrl: ref("OAuthUrl", "Where `deviceCode` gets the code that a person types."),
      discoveryUrl: {
        description: "The server's metadata, which gives the addresses that are left out.",
        type: "string",
        pattern: "^(https://|http://(127\\.0\\.0\\.1|localhost)[:/])[^\\s?#@]*/\\.well-known/[^\\s?#@]+$",
        "x-expected": "an https URL such as https://login.example.com/.well-known/openid-configuration",
        examples: ["https://login.example.com/.well-known/openid-configuration"],
      },
      issuer: ref(
        "HttpUrl",
        "The server's name, for servers that state it in their answers. Default: what the metadata says.",
      ),
      clientId: {
        description: "The client's id; it is not a secret and may be written out.",
        anyOf: [{ type: "string", minLength: 1 }, { $ref: "#/$defs/EnvironmentSecret" }],
        "x-expected": "an id, or { env: <VARIABLE> }",
      },
      clientSecret: ref("EnvironmentSecret", "The client's secret, for clients that have one."),
      sendSecretIn: {
        description: "Where the secret is sent: in the header `Authorization`, or in the body. Default: header.",
        enum: ["header", "body"],
      },
      scopes: {
        description: "The scopes to ask for.",
        type: "array",
        uniqueItems: true,
        items: {
          type: "string",
          pattern: "^[\\x21\\x23-\\x5b\\x5d-\\x7e]+$",
          "x-expected": "a scope such as orders.read",
        },
      },
      audience: text("The audience to ask for, for servers that want one."),
    },
    examples: [
      {
        flow: "clientCredentials",
        tokenUrl: "https://login.example.com/token",
        clientId: "support-agent",
        clientSecret: { env: "ORDERS_CLIENT_SECRET" },
        scopes: ["orders.read"],
      },
    ],
  }),
  EnvironmentSecret: closed({
    required: ["env"],
    properties: { env: ref("VariableName", "The environment variable that holds it.") },
    "x-expected": "{ env: <VARIABLE> }; the configuration contains no secrets",
  }),
  OAuthUrl: {
    type: "string",
    pattern: "^(https://|http://(127\\.0\\.0\\.1|localhost)[:/])[^\\s#@]+$",
    "x-expected": "an https URL, such as https://login.example.com/token",
  },
};
