import type { JsonObject, JsonValue } from "@hasp/schema";
import { dropUndefined, readOwnMember, groupBy, isList, isObject } from "@hasp/base/json";
import { UNKNOWN_BASE_URL } from "../specs/add-connection.js";
import { computeDigest } from "../specs/imported-part.js";
import { createConnectionName, findFreeName } from "../specs/names.js";
import type { ImportedConnection, ImportSource } from "../source/importer.js";
import { readString } from "../source/json-values.js";
import { listPrivateAddresses } from "@hasp/compiler/handlers";
import type { OpenapiOperation } from "./operations.js";
import { chooseSecurity, type ChosenSecurity, type SecurityScheme } from "./security.js";

interface ConnectionPlan {
  nameOf(operation: OpenapiOperation): string;
  /** Returns the document's own address for an operation, even if the user replaces it. */
  statedServer(operation: OpenapiOperation): string | undefined;
  /** Returns the digest of the document's own security for an operation; `undefined` if it has none. */
  statedSecurity(operation: OpenapiOperation): string | undefined;
  leftOut(operations: readonly OpenapiOperation[]): readonly SecurityScheme[];
  connectionsOf(operations: readonly OpenapiOperation[]): readonly ImportedConnection[];
}

export function isAddressUnknown({ http }: JsonObject): boolean {
  return isObject(http) && http["baseUrl"] === UNKNOWN_BASE_URL;
}

interface ServiceUse {
  readonly server: Server;
  readonly security: ChosenSecurity;
}

/**
 * Plans a connection for each server and security. Names the document's default, or else the most common one, after the
 * document, and the others after their differences.
 */
export function planConnections(
  operations: readonly OpenapiOperation[],
  source: ImportSource,
  schemes: ReadonlyMap<string, SecurityScheme>,
): ConnectionPlan {
  const root = source.document.value;
  const address = baseAddressOf(source);
  const replaced = source.settings?.baseUrl === undefined ? undefined : normalizeBaseUrl(source.settings.baseUrl);
  const useOf = (operation?: OpenapiOperation): ServiceUse => {
    const server =
      replaced === undefined
        ? findServer([operation?.entry.value, operation?.item.value, root], address)
        : { baseUrl: replaced, comments: [] };
    const service = { baseUrl: server.baseUrl, mayBePrivate: isChosen(server) };
    return { server, security: chooseSecurity(operation?.entry.value, root, schemes, service) };
  };
  /** True if somebody named the service's host: as its address, or as that of the document. */
  const isChosen = ({ baseUrl }: Server): boolean =>
    replaced !== undefined || (baseUrl !== undefined && hostOf(source.address) === hostOf(baseUrl));
  const uses = new Map(operations.map((operation) => [operation, useOf(operation)]));
  const groups = groupBy([...uses.values()], keyOf);
  const [largest] = [...groups.values()].toSorted((left, right) => right.length - left.length);
  const statesSecurity = isObject(root) && root["security"] !== undefined;
  const main = statesSecurity ? useOf() : (largest?.[0] ?? useOf());
  const ownName = source.settings?.connectionName ?? createConnectionName(source.name.replace(EXTENSION, ""), "api");
  const names = new Map<string, string>();
  for (const [key, [use = main]] of groups) {
    const taken = new Set(names.values());
    const others = differences(use, main);
    const wanted = others.length === 0 ? ownName : createConnectionName([ownName, ...others].join("-"), "api");
    names.set(
      key,
      findFreeName(wanted, (candidate) => taken.has(candidate)),
    );
  }
  const nameOf = (operation: OpenapiOperation): string => names.get(keyOf(uses.get(operation) ?? main)) ?? ownName;
  return {
    nameOf,
    statedServer: ({ entry, item }) => findServer([entry.value, item.value, root], address).baseUrl,
    statedSecurity(operation) {
      const { server, security } = uses.get(operation) ?? main;
      const service = { baseUrl: server.baseUrl, mayBePrivate: isChosen(server) };
      const stated = [...security.requirement].flatMap(
        ([scheme, scopes]) => schemes.get(scheme)?.settings({ prefix: "", scopes, ...service })?.auth ?? [],
      );
      return stated.length === 0 ? undefined : computeDigest(stated);
    },
    leftOut: (some) => [...new Set(some.flatMap((operation) => uses.get(operation)?.security.leftOut ?? []))],
    connectionsOf(some) {
      return [...groupBy(some, nameOf)].map(([name, members]) => {
        const own = members.map((operation) => uses.get(operation) ?? main);
        // A secret of one host must not reach another because a document says so.
        const isOwnHost = hostOf(own[0]?.server.baseUrl) === hostOf(main.server.baseUrl);
        return connectionOf(name, { prefix: isOwnHost ? ownName : name, uses: own, schemes, isChosen });
      });
    },
  };
}

const EXTENSION = /\.(?:json|ya?ml)$/iu;
const LONGEST_COMMENT = 300;

function baseAddressOf({ document, address }: ImportSource): string | undefined {
  const self = isObject(document.value) ? readString(document.value["$self"]) : undefined;
  if (self !== undefined && URL.canParse(self, address)) return new URL(self, address).href;
  return address;
}

function hostOf(address: string | undefined): string | undefined {
  return address === undefined || !URL.canParse(address) ? undefined : new URL(address).host;
}

function keyOf({ server, security }: ServiceUse): string {
  return JSON.stringify([server.baseUrl ?? null, [...security.requirement.keys()].toSorted()]);
}

function differences({ server, security }: ServiceUse, main: ServiceUse): readonly string[] {
  const schemes = [...security.requirement.keys()].toSorted();
  const hasOtherSecurity = schemes.join() !== [...main.security.requirement.keys()].toSorted().join();
  return [
    ...(server.baseUrl === main.server.baseUrl ? [] : [(server.baseUrl ?? "unknown").replace(/^https?:\/\//u, "")]),
    ...(hasOtherSecurity ? (schemes.length === 0 ? ["public"] : schemes) : []),
  ];
}

function connectionOf(
  name: string,
  {
    prefix,
    uses,
    schemes,
    isChosen,
  }: {
    readonly prefix: string;
    readonly uses: readonly ServiceUse[];
    readonly schemes: ReadonlyMap<string, SecurityScheme>;
    isChosen(server: Server): boolean;
  },
): ImportedConnection {
  const server = uses[0]?.server ?? { baseUrl: undefined, comments: [] };
  const scopes = new Map<string, Set<string>>();
  for (const { security } of uses) {
    for (const [scheme, own] of security.requirement) {
      scopes.set(scheme, new Set([...(scopes.get(scheme) ?? []), ...own]));
    }
  }
  const described = [...scopes].flatMap(([scheme, own]) => {
    const service = { baseUrl: server.baseUrl, mayBePrivate: isChosen(server) };
    return schemes.get(scheme)?.settings({ prefix, scopes: [...own].toSorted(), ...service }) ?? [];
  });
  const auth: readonly JsonObject[] = described.map((scheme) => scheme.auth);
  const { baseUrl = UNKNOWN_BASE_URL } = server;
  const isPrivate = listPrivateAddresses({ baseUrl }, "baseUrl").length > 0;
  const isUnreachable = isPrivate && !isChosen(server);
  const comments = [
    ...(isUnreachable ? [`The document's address is ${baseUrl}, which is private`] : []),
    ...server.comments,
    ...uses.flatMap(({ security }) => security.comments),
  ];
  return {
    name,
    settings: {
      http: dropUndefined({
        baseUrl: isUnreachable ? UNKNOWN_BASE_URL : baseUrl,
        auth: auth.length > 1 ? [...auth] : auth[0],
        allowPrivateAddresses: isPrivate && !isUnreachable ? true : undefined,
      }),
    },
    ...(isUnreachable && { unreachable: baseUrl }),
    // A document may contain anything; a comment is one line.
    comments: [...new Set(comments)].map((comment) =>
      comment.replaceAll(/[\s\p{Cc}]+/gu, " ").slice(0, LONGEST_COMMENT),
    ),
    variables: described.flatMap(({ variables }) =>
      variables.map(({ name: variable, holds }) => ({
        name: variable,
        holds: `${holds}, for ${baseUrl}`,
        isOfSource: true as const,
      })),
    ),
  };
}

interface Server {
  /** Scheme, host and path prefix, without a trailing slash; `undefined` if the document does not say. */
  readonly baseUrl: string | undefined;
  readonly comments: readonly string[];
}

/**
 * Returns the server of an operation: the nearest list's first server whose address is complete with default variables.
 * Resolves relative addresses against `base`, the address of the document.
 */
function findServer(owners: readonly (JsonValue | undefined)[], base: string | undefined): Server {
  const lists = owners.map((owner) => readOwnMember(owner, "servers"));
  const nearest = lists.find((list): list is readonly JsonValue[] => isList(list) && list.length > 0);
  // "If the servers property is not provided, … a Server Object with a url value of /" (OpenAPI 3.0.3).
  const written: readonly JsonValue[] = nearest ?? [{ url: "/" }];
  const servers = written.filter(isObject);
  const addresses = servers.map((server) => addressOf(server, base));
  const chosen = addresses.findIndex((address) => address !== undefined);
  const others = addresses.filter((address, index) => address !== undefined && index !== chosen);
  return {
    baseUrl: addresses[chosen],
    comments: [
      ...variablesOf(servers[chosen]),
      ...(others.length === 0 ? [] : [`Other servers of the document: ${others.slice(0, MOST_OTHERS).join(", ")}`]),
    ],
  };
}

const MOST_OTHERS = 5;

/** Normalizes a base URL: no trailing slash, no query; `undefined` for anything else. */
export function normalizeBaseUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, host, pathname, username, password } = new URL(text);
  // Credentials do not belong in a configuration.
  if (!/^https?:$/u.test(protocol) || username !== "" || password !== "" || /[{}]/u.test(text)) return undefined;
  return `${protocol}//${host}${pathname.replace(/(?<!\/)\/+$/u, "")}`;
}

function addressOf({ url, variables }: JsonObject, base: string | undefined): string | undefined {
  if (typeof url !== "string") return undefined;
  const filled = url.replaceAll(/\{([^{}]*)\}/gu, (placeholder, name: string) => {
    const variable = readOwnMember(variables, name);
    const value = readOwnMember(variable, "default");
    return typeof value === "string" || typeof value === "number" ? String(value) : placeholder;
  });
  if (/[{}]/u.test(filled)) return undefined;
  if (/^[a-z][a-z0-9+.-]*:\/\//iu.test(filled)) return normalizeBaseUrl(filled);
  return base !== undefined && URL.canParse(filled, base) ? normalizeBaseUrl(new URL(filled, base).href) : undefined;
}

function variablesOf(server: JsonObject | undefined): readonly string[] {
  const { url, variables } = server ?? {};
  if (typeof url !== "string" || !isObject(variables)) return [];
  const names = Object.keys(variables).filter((name) => url.includes(`{${name}}`));
  return names.length === 0 ? [] : [`The document's address is ${url}, here with the defaults of its variables`];
}
