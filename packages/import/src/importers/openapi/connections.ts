import type { JsonObject } from "@hasp/schema";
import { groupBy } from "../../../../compiler/src/model/group-by.js";
import { isObject } from "../../../../compiler/src/model/json-kind.js";
import { connectionNameOf } from "../connections/connection-name.js";
import type { ImportSource } from "../source/import-source.js";
import { objectOf, textOf } from "../source/json-values.js";
import type { ImportedConnection } from "../specs/imported-source.js";
import { freeName } from "../specs/tool-names.js";
import { isPrivateHost } from "../../../../compiler/src/builtin/handlers/base/check-address.js";
import type { Operation } from "./operations.js";
import { chooseSecurity, type ChosenSecurity, type SecurityScheme } from "./security.js";
import { plainBaseUrl, serverOf, type Server } from "./servers.js";

interface ConnectionPlan {
  nameOf(operation: Operation): string;
  /** Returns the document's own address for an operation, whatever the user wants. */
  statedServer(operation: Operation): string | undefined;
  /** Returns unusable schemes of operations that accept nothing else. */
  leftOut(operations: readonly Operation[]): readonly SecurityScheme[];
  connectionsOf(operations: readonly Operation[]): readonly ImportedConnection[];
}

/** A host that never exists (RFC 2606), for documents without an address. */
const UNKNOWN_BASE_URL = "https://service.invalid";

export function isAddressUnknown({ http }: JsonObject): boolean {
  return isObject(http) && http["baseUrl"] === UNKNOWN_BASE_URL;
}

/** The service of an operation, and its authentication. */
interface Use {
  readonly server: Server;
  readonly security: ChosenSecurity;
}

/**
 * Plans a connection for each server and security. Names the document's default, or else the most common one, after the
 * document, and the others after their differences.
 */
export function planConnections(
  operations: readonly Operation[],
  source: ImportSource,
  schemes: ReadonlyMap<string, SecurityScheme>,
): ConnectionPlan {
  const root = source.document.value;
  const address = baseAddressOf(source);
  const replaced = source.settings?.baseUrl === undefined ? undefined : plainBaseUrl(source.settings.baseUrl);
  const useOf = (operation?: Operation): Use => {
    const server =
      replaced === undefined
        ? serverOf([operation?.entry.value, operation?.item.value, root], address)
        : { baseUrl: replaced, comments: [] };
    return { server, security: chooseSecurity(operation?.entry.value, root, schemes, server.baseUrl) };
  };
  const uses = new Map(operations.map((operation) => [operation, useOf(operation)]));
  const groups = groupBy([...uses.values()], keyOf);
  const [largest] = [...groups.values()].toSorted((left, right) => right.length - left.length);
  const statesSecurity = isObject(root) && root["security"] !== undefined;
  const main = statesSecurity ? useOf() : (largest?.[0] ?? useOf());
  const ownName = source.settings?.connectionName ?? connectionNameOf(source.name.replace(EXTENSION, ""), "api");
  const names = new Map<string, string>();
  for (const [key, [use = main]] of groups) {
    const taken = new Set(names.values());
    const others = differences(use, main);
    const wanted = others.length === 0 ? ownName : connectionNameOf([ownName, ...others].join("-"), "api");
    names.set(
      key,
      freeName(wanted, (candidate) => taken.has(candidate)),
    );
  }
  const nameOf = (operation: Operation): string => names.get(keyOf(uses.get(operation) ?? main)) ?? ownName;
  return {
    nameOf,
    statedServer: ({ entry, item }) => serverOf([entry.value, item.value, root], address).baseUrl,
    leftOut: (some) => [...new Set(some.flatMap((operation) => uses.get(operation)?.security.leftOut ?? []))],
    connectionsOf(some) {
      return [...groupBy(some, nameOf)].map(([name, members]) => {
        const own = members.map((operation) => uses.get(operation) ?? main);
        return connectionOf(name, { prefix: ownName, uses: own, schemes, isAddressChosen: replaced !== undefined });
      });
    },
  };
}

const EXTENSION = /\.(?:json|ya?ml)$/iu;
const LONGEST_COMMENT = 300;

/** Returns the address against which servers are resolved. */
function baseAddressOf({ document, address }: ImportSource): string | undefined {
  const self = isObject(document.value) ? textOf(document.value["$self"]) : undefined;
  if (self !== undefined && URL.canParse(self, address)) return new URL(self, address).href;
  return address;
}

function keyOf({ server, security }: Use): string {
  return JSON.stringify([server.baseUrl ?? null, [...security.requirement.keys()].toSorted()]);
}

function differences({ server, security }: Use, main: Use): readonly string[] {
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
    isAddressChosen,
  }: {
    readonly prefix: string;
    readonly uses: readonly Use[];
    readonly schemes: ReadonlyMap<string, SecurityScheme>;
    readonly isAddressChosen: boolean;
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
    return schemes.get(scheme)?.settings({ prefix, scopes: [...own].toSorted(), baseUrl: server.baseUrl }) ?? [];
  });
  const auth: readonly JsonObject[] = described.map((scheme) => scheme.auth);
  const { baseUrl = UNKNOWN_BASE_URL } = server;
  return {
    name,
    settings: {
      http: objectOf([
        ["baseUrl", baseUrl],
        ["auth", auth.length > 1 ? [...auth] : auth[0]],
        ["allowPrivateAddresses", isAddressChosen && isPrivateHost(baseUrl) ? true : undefined],
      ]),
    },
    // A document may write anything; a comment is one line.
    comments: [...new Set([...server.comments, ...uses.flatMap(({ security }) => security.comments)])].map((comment) =>
      comment.replaceAll(/[\s\p{Cc}]+/gu, " ").slice(0, LONGEST_COMMENT),
    ),
    variables: described.flatMap(({ variables }) => variables),
  };
}
