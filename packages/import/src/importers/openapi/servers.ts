import type { JsonObject, JsonValue } from "@hasp/schema";
import { isList, isObject } from "../../../../compiler/src/model/json-kind.js";

export interface Server {
  /** Scheme, host and path prefix, without a trailing slash; `undefined` if the document does not say. */
  readonly baseUrl: string | undefined;
  /** The other servers, one line each. */
  readonly comments: readonly string[];
}

/**
 * Returns the server of an operation: the nearest list's first server whose address is complete with default variables.
 * Resolves relative addresses against `base`, the address of the document.
 */
export function serverOf(owners: readonly (JsonValue | undefined)[], base: string | undefined): Server {
  const lists = owners.map((owner) => (isObject(owner) ? owner["servers"] : undefined));
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
export function plainBaseUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, host, pathname, username, password } = new URL(text);
  // Credentials do not belong in a configuration.
  if (!/^https?:$/u.test(protocol) || username !== "" || password !== "" || /[{}]/u.test(text)) return undefined;
  return `${protocol}//${host}${pathname.replace(/\/+$/u, "")}`;
}

function addressOf({ url, variables }: JsonObject, base: string | undefined): string | undefined {
  if (typeof url !== "string") return undefined;
  const filled = url.replaceAll(/\{([^{}]*)\}/gu, (placeholder, name: string) => {
    const variable = isObject(variables) && Object.hasOwn(variables, name) ? variables[name] : undefined;
    const value = isObject(variable) ? variable["default"] : undefined;
    return typeof value === "string" || typeof value === "number" ? String(value) : placeholder;
  });
  if (/[{}]/u.test(filled)) return undefined;
  if (/^[a-z][a-z0-9+.-]*:\/\//iu.test(filled)) return plainBaseUrl(filled);
  return base !== undefined && URL.canParse(filled, base) ? plainBaseUrl(new URL(filled, base).href) : undefined;
}

function variablesOf(server: JsonObject | undefined): readonly string[] {
  const { url, variables } = server ?? {};
  if (typeof url !== "string" || !isObject(variables)) return [];
  const names = Object.keys(variables).filter((name) => url.includes(`{${name}}`));
  return names.length === 0 ? [] : [`The document's address is ${url}, here with the defaults of its variables`];
}
