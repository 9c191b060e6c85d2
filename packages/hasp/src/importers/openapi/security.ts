import type { JsonObject, JsonValue } from "@hasp/schema";
import { isList, isObject } from "../../model/json-kind.js";
import type { ImportSource } from "../source/import-source.js";
import { objectOf, textOf } from "../source/json-values.js";
import { variableName } from "./variable-name.js";
import { objectAt } from "./openapi-document.js";

/** A way in which API callers authenticate. */
export interface SecurityScheme {
  readonly name: string;
  /** Whether a parameter carries the credential. */
  carriedBy(parameter: { readonly in: string; readonly name: string }): boolean;
  /** Whether nobody has to log in; `undefined` if connections cannot use the scheme at all. */
  readonly isUnattended: boolean | undefined;
  /** What the configuration says about it. */
  settings(use: SchemeUse): SchemeSettings;
}

/** How a connection uses a scheme. */
export interface SchemeUse {
  /** The connection's name, with which its variables begin. */
  readonly prefix: string;
  readonly scopes: readonly string[];
  /** Against which the addresses of the scheme are resolved. */
  readonly baseUrl: string | undefined;
}

/** One way to authenticate, as a connection has it. */
export interface SchemeSettings {
  readonly auth: JsonObject;
  readonly variables: readonly Variable[];
}

/** An environment variable and what it holds. */
interface Variable {
  readonly name: string;
  readonly holds: string;
}

/** One alternative of an operation: schemes that are all needed, by name, each with its scopes. */
export type Requirement = ReadonlyMap<string, readonly string[]>;

/** The security of an operation. */
export interface ChosenSecurity {
  readonly requirement: Requirement;
  /** The alternatives that were not chosen, and schemes that no connection can use, in words. */
  readonly comments: readonly string[];
}

/** Returns the security schemes that a document declares. */
export function securitySchemesOf({ document, documents }: ImportSource): ReadonlyMap<string, SecurityScheme> {
  const components = isObject(document.value) ? document.value["components"] : undefined;
  const declared = isObject(components) ? components["securitySchemes"] : undefined;
  return new Map(
    Object.entries(isObject(declared) ? declared : {}).flatMap(([name, value]): [string, SecurityScheme][] => {
      const placed = objectAt({ value, document, pointer: "" }, documents);
      return typeof placed === "string" ? [] : [[name, schemeOf(name, placed.value)]];
    }),
  );
}

/**
 * Chooses among the alternatives of an operation: the first that no person has to attend, else the first that
 * connections can use. An operation without `security` has that of the document.
 */
export function chooseSecurity(
  operation: JsonValue | undefined,
  root: JsonValue,
  schemes: ReadonlyMap<string, SecurityScheme>,
): ChosenSecurity {
  const own = isObject(operation) ? operation["security"] : undefined;
  const written = own ?? (isObject(root) ? root["security"] : undefined);
  const alternatives = (isList(written) ? written : []).filter(isObject).map(requirementOf);
  const kindOf = (requirement: Requirement): boolean | undefined => {
    const kinds = [...requirement.keys()].map((name) => schemes.get(name)?.isUnattended);
    return kinds.includes(undefined) ? undefined : !kinds.includes(false);
  };
  const requirement =
    alternatives.find((alternative) => kindOf(alternative) === true) ??
    alternatives.find((alternative) => kindOf(alternative) === false) ??
    new Map<string, readonly string[]>();
  const others = alternatives.filter((alternative) => alternative !== requirement).map(wordsOf);
  return {
    requirement,
    comments: others.length === 0 ? [] : [`Other security that the document accepts: ${others.join("; ")}`],
  };
}

function requirementOf(written: JsonObject): Requirement {
  return new Map(
    Object.entries(written).map(([name, scopes]): [string, readonly string[]] => [
      name,
      isList(scopes) ? scopes.filter((scope): scope is string => typeof scope === "string") : [],
    ]),
  );
}

function wordsOf(requirement: Requirement): string {
  return requirement.size === 0 ? "none" : [...requirement.keys()].join(" with ");
}

function schemeOf(name: string, value: JsonObject): SecurityScheme {
  const { type, in: place, name: carrier } = value;
  const plain = (text: string): string => (place === "header" ? text.toLowerCase() : text);
  const { isUnattended, settings } = describeScheme(name, value) ?? UNUSABLE;
  return {
    name,
    carriedBy: (parameter) =>
      type === "apiKey" &&
      typeof carrier === "string" &&
      parameter.in === place &&
      plain(parameter.name) === plain(carrier),
    isUnattended,
    settings: (use) => settings(variableName(use.prefix, name), use),
  };
}

interface Described {
  readonly isUnattended: boolean | undefined;
  settings(variable: string, use: SchemeUse): SchemeSettings;
}

/** Client certificates, HTTP schemes other than basic and bearer. */
const UNUSABLE: Described = { isUnattended: undefined, settings: () => ({ auth: {}, variables: [] }) };

function describeScheme(name: string, value: JsonObject): Described | undefined {
  const { type, in: place, name: carrier, flows } = value;
  const scheme = textOf(value["scheme"])?.toLowerCase();
  if (type === "apiKey" && typeof carrier === "string" && typeof place === "string") {
    return {
      isUnattended: true,
      settings: (env) => ({
        auth: { apiKey: { in: place, name: carrier, env } },
        variables: [{ name: env, holds: `the API key, which the document calls ${name}` }],
      }),
    };
  }
  if (type === "http" && scheme === "basic") {
    return {
      isUnattended: true,
      settings: (env) => ({
        auth: { basic: { username: { env: `${env}_USERNAME` }, password: { env: `${env}_PASSWORD` } } },
        variables: [
          { name: `${env}_USERNAME`, holds: `the user name for ${name}` },
          { name: `${env}_PASSWORD`, holds: `the password for ${name}` },
        ],
      }),
    };
  }
  if (type === "http" && scheme === "bearer") return bearer(name, true);
  if (type === "openIdConnect") return bearer(name, false);
  return type === "oauth2" ? (describeFlow(name, isObject(flows) ? flows : {}) ?? bearer(name, false)) : undefined;
}

/** A token that somebody has obtained elsewhere. */
function bearer(name: string, isUnattended: boolean): Described {
  return {
    isUnattended,
    settings: (env) => ({
      auth: { bearer: { env } },
      variables: [{ name: env, holds: `a bearer token, which the document calls ${name}` }],
    }),
  };
}

/** The flows that connections can use: first the one that needs no person. */
const FLOWS = [
  { written: "clientCredentials", flow: "clientCredentials", address: undefined, isUnattended: true },
  {
    written: "deviceAuthorization",
    flow: "deviceCode",
    address: "deviceAuthorizationUrl",
    isUnattended: false,
  },
  { written: "authorizationCode", flow: "authorizationCode", address: "authorizationUrl", isUnattended: false },
] as const;

function describeFlow(name: string, flows: JsonObject): Described | undefined {
  for (const { written, flow, address, isUnattended } of FLOWS) {
    const value = flows[written];
    if (!isObject(value)) continue;
    // A document may name an address that nobody can call.
    if (absolute(value["tokenUrl"], ANY_BASE) === undefined) continue;
    if (address !== undefined && absolute(value[address], ANY_BASE) === undefined) continue;
    return {
      isUnattended,
      settings: (env, { scopes, baseUrl }) => ({
        auth: {
          oauth2: objectOf([
            ["flow", flow],
            ["tokenUrl", absolute(value["tokenUrl"], baseUrl)],
            ...(address === undefined ? [] : [[address, absolute(value[address], baseUrl)] as const]),
            ["clientId", { env: `${env}_CLIENT_ID` }],
            ["clientSecret", isUnattended ? { env: `${env}_CLIENT_SECRET` } : undefined],
            ["scopes", scopes.length === 0 ? undefined : [...scopes]],
          ]),
        },
        variables: [
          { name: `${env}_CLIENT_ID`, holds: `the client id for ${name}` },
          ...(isUnattended ? [{ name: `${env}_CLIENT_SECRET`, holds: `the client secret for ${name}` }] : []),
        ],
      }),
    };
  }
  return undefined;
}

const ANY_BASE = "https://service.invalid";

/** An address that the configuration accepts; `undefined` for anything else. */
function absolute(address: JsonValue | undefined, baseUrl: string | undefined): string | undefined {
  if (typeof address !== "string" || !URL.canParse(address, baseUrl ?? ANY_BASE)) return undefined;
  const { protocol, host, pathname, username, password } = new URL(address, baseUrl ?? ANY_BASE);
  if (!/^https?:$/u.test(protocol) || username !== "" || password !== "") return undefined;
  return `${protocol}//${host}${pathname}`;
}
