import { createValidator, type JsonObject, type JsonSchema, type JsonValue } from "@hasp/schema";
import type { Location } from "@hasp/base/diagnostics";
import { connectionDefinitions } from "@hasp/compiler/formats";
import { listPrivateAddresses } from "@hasp/compiler/handlers";
import { dropUndefined, readOwnMember, toList, toObject, isList, isObject, escapeToken } from "@hasp/base/json";
import type { ImportSource } from "../source/importer.js";
import { readString } from "../source/json-values.js";
import { createVariableName } from "../specs/names.js";
import { findObject, type LocatedObject } from "./openapi-document.js";

export interface SecurityScheme {
  readonly name: string;
  locate(): Location;
  carriedBy(parameter: { readonly in: string; readonly name: string }): boolean;
  settings(use: SchemeUse): SchemeSettings | undefined;
}

interface SchemeUse {
  /** The connection's name, with which its variables begin. */
  readonly prefix: string;
  readonly scopes: readonly string[];
  readonly baseUrl: string | undefined;
  /** True if somebody has chosen the address of the service, which may then be private. */
  readonly mayBePrivate: boolean;
}

interface SchemeSettings {
  readonly isUnattended: boolean;
  readonly auth: JsonObject;
  readonly variables: readonly Variable[];
}

interface Variable {
  readonly name: string;
  readonly holds: string;
}

type Requirement = ReadonlyMap<string, readonly string[]>;

export interface ChosenSecurity {
  readonly requirement: Requirement;
  readonly leftOut: readonly SecurityScheme[];
  readonly comments: readonly string[];
}

export function readSecuritySchemes({ document, documents }: ImportSource): ReadonlyMap<string, SecurityScheme> {
  const components = readOwnMember(document.value, "components");
  const declared = readOwnMember(components, "securitySchemes");
  return new Map(
    Object.entries(toObject(declared)).flatMap(([name, value]): [string, SecurityScheme][] => {
      const pointer = `/components/securitySchemes/${escapeToken(name)}`;
      const placed = findObject({ value, document, pointer }, documents);
      return typeof placed === "string" ? [] : [[name, schemeOf(name, placed)]];
    }),
  );
}

/**
 * Chooses the first alternative that needs no person, else the first usable one. An operation without `security` has
 * that of the document.
 */
export function chooseSecurity(
  operation: JsonValue | undefined,
  root: JsonValue,
  schemes: ReadonlyMap<string, SecurityScheme>,
  service: Pick<SchemeUse, "baseUrl" | "mayBePrivate">,
): ChosenSecurity {
  const own = readOwnMember(operation, "security");
  const written = own ?? readOwnMember(root, "security");
  const alternatives = toList(written).filter(isObject).map(requirementOf);
  const settingsOf = (name: string, scopes: readonly string[]): SchemeSettings | undefined =>
    schemes.get(name)?.settings({ prefix: "", scopes, ...service });
  const kindOf = (requirement: Requirement): boolean | undefined => {
    const kinds = [...requirement].map(([name, scopes]) => settingsOf(name, scopes)?.isUnattended);
    return kinds.includes(undefined) ? undefined : !kinds.includes(false);
  };
  const usable =
    alternatives.find((alternative) => kindOf(alternative) === true) ??
    alternatives.find((alternative) => kindOf(alternative) === false);
  const requirement = usable ?? new Map<string, readonly string[]>();
  const unusable = (usable === undefined ? alternatives : []).flatMap((alternative) =>
    [...alternative].flatMap(([name, scopes]) => (settingsOf(name, scopes) === undefined ? [name] : [])),
  );
  const others = alternatives.filter((alternative) => alternative !== requirement).map(wordsOf);
  return {
    requirement,
    leftOut: [...new Set(unusable)].flatMap((name) => schemes.get(name) ?? []),
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

function schemeOf(name: string, { value, document, pointer }: LocatedObject): SecurityScheme {
  const { type, in: place, name: carrier } = value;
  const plain = (text: string): string => (place === "header" ? text.toLowerCase() : text);
  return {
    name,
    locate: () => document.locate(pointer),
    carriedBy: (parameter) =>
      type === "apiKey" &&
      typeof carrier === "string" &&
      parameter.in === place &&
      plain(parameter.name) === plain(carrier),
    settings: (use) =>
      candidates(name, value, createVariableName(use.prefix, name), use).find(
        ({ auth }) =>
          isAuthMethod(auth).valid && (use.mayBePrivate || listPrivateAddresses({ auth }, "baseUrl").length === 0),
      ),
  };
}

/** A check for auth methods that the configuration accepts, since a document may contain anything. */
const isAuthMethod = createValidator({ $ref: "#/$defs/AuthMethod", $defs: connectionDefinitions } as JsonSchema);

/** Lists settings for a scheme, the best first. None for client certificates or HTTP schemes but basic and bearer. */
function candidates(name: string, value: JsonObject, env: string, use: SchemeUse): readonly SchemeSettings[] {
  const { type, in: place, name: carrier, flows } = value;
  const scheme = readString(value["scheme"])?.toLowerCase();
  if (type === "apiKey") {
    return [
      {
        isUnattended: true,
        auth: {
          apiKey: dropUndefined({ in: place, name: carrier, env }),
        },
        variables: [{ name: env, holds: `the API key, which the document calls ${name}` }],
      },
    ];
  }
  if (type === "http" && scheme === "basic") {
    return [
      {
        isUnattended: true,
        auth: { basic: { username: { env: `${env}_USERNAME` }, password: { env: `${env}_PASSWORD` } } },
        variables: [
          { name: `${env}_USERNAME`, holds: `the user name for ${name}` },
          { name: `${env}_PASSWORD`, holds: `the password for ${name}` },
        ],
      },
    ];
  }
  if (type === "http" && scheme === "bearer") return [bearer(name, env, true)];
  if (type === "openIdConnect") return [bearer(name, env, false)];
  if (type !== "oauth2") return [];
  const found = flowCandidates(name, toObject(flows), env, use);
  return found.length === 0 ? [bearer(name, env, false)] : found;
}

function bearer(name: string, env: string, isUnattended: boolean): SchemeSettings {
  return {
    isUnattended,
    auth: { bearer: { env } },
    variables: [{ name: env, holds: `a bearer token, which the document calls ${name}` }],
  };
}

/** The supported flows: first the one that needs no person. */
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

function flowCandidates(
  name: string,
  flows: JsonObject,
  env: string,
  { scopes, baseUrl }: SchemeUse,
): readonly SchemeSettings[] {
  return FLOWS.flatMap(({ written, flow, address, isUnattended }): SchemeSettings[] => {
    const value = flows[written];
    if (!isObject(value)) return [];
    const tokenUrl = absolute(value["tokenUrl"], baseUrl);
    const further = address === undefined ? undefined : absolute(value[address], baseUrl);
    // A document may name an address that nobody can call.
    if (tokenUrl === undefined || (address !== undefined && further === undefined)) return [];
    return [
      {
        isUnattended,
        auth: {
          oauth2: dropUndefined({
            flow,
            tokenUrl,
            ...(address !== undefined && { [address]: further }),
            clientId: { env: `${env}_CLIENT_ID` },
            clientSecret: isUnattended ? { env: `${env}_CLIENT_SECRET` } : undefined,
            scopes: scopes.length === 0 ? undefined : [...scopes],
          }),
        },
        variables: [
          { name: `${env}_CLIENT_ID`, holds: `the client id for ${name}` },
          ...(isUnattended ? [{ name: `${env}_CLIENT_SECRET`, holds: `the client secret for ${name}` }] : []),
        ],
      },
    ];
  });
}

const ANY_BASE = "https://service.invalid";

/** Resolves a web address without query and fragment. */
function absolute(address: JsonValue | undefined, baseUrl: string | undefined): string | undefined {
  if (typeof address !== "string" || !URL.canParse(address, baseUrl ?? ANY_BASE)) return undefined;
  const { protocol, host, pathname, username, password } = new URL(address, baseUrl ?? ANY_BASE);
  if (!/^https?:$/u.test(protocol) || username !== "" || password !== "") return undefined;
  return `${protocol}//${host}${pathname}`;
}
