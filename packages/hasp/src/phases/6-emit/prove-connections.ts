import type { JsonObject, JsonValue } from "@hasp/schema";
import { connectionFile, connectionSettings } from "../../emitters/base/connection-file.js";
import type { BuildToEmit } from "../../emitters/base/emitter.js";
import { isList, isObject } from "../../model/json-kind.js";
import type { OutputFile } from "../../model/output.js";
import { own } from "../../model/own.js";
import {
  ReadCall,
  ReadCode,
  readModule,
  type ReadModule,
  type ReadValue,
  returnedValue,
} from "../../typescript/read-module.js";
import { fault } from "./fault.js";

/** A call of a function of the runtime. */
class Call {
  readonly called: string;
  readonly subpath: string;
  readonly values: readonly Expected[];

  constructor(called: string, subpath: string, values: readonly Expected[]) {
    this.called = called;
    this.subpath = subpath;
    this.values = values;
  }
}

/** A function that takes a member of the context. */
class Member {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

type Expected = JsonValue | Call | Member | readonly Expected[] | { readonly [key: string]: Expected };

/**
 * Proves that the module of each connection holds the address, the credentials and the limits that the configuration
 * states for it, and no others. Throws otherwise, which is a bug in hasp.
 */
export function proveConnections({ plan, layout }: BuildToEmit, files: readonly OutputFile[]): void {
  for (const connection of Object.keys(plan.connections ?? {})) {
    const { path, constant } = connectionFile(connection, plan, layout);
    const module = readModule(files.find((file) => file.path === path) ?? fault(path, "it was not written"));
    const found = connectionSettings(connection, plan);
    const expected = found === undefined ? null : connectionCall(connection, found.kind, found.settings);
    if (!isSame(module, module.constant(constant), expected)) {
      fault(path, `it is not what the configuration says about ${connection}`);
    }
  }
}

function connectionCall(connection: string, kind: string, settings: JsonObject): Call {
  const { auth, context, allowPrivateAddresses, ...plain } = settings;
  // Only a server of MCP is reached by a client that is not the runtime's own.
  const isForeignClient = kind === "mcp" && plain["url"] !== undefined && allowPrivateAddresses !== true;
  return new Call(`${kind}Connection`, kind, [
    {
      name: connection,
      ...(plain as JsonObject),
      ...(allowPrivateAddresses === undefined || kind === "mcp" ? {} : { allowPrivateAddresses }),
      ...(isForeignClient ? { fetch: new Call("publicFetch", "http", []) } : {}),
      ...(auth === undefined ? {} : { auth: authOf(auth, connection, allowPrivateAddresses === true) }),
      ...(typeof context === "string" ? { client: new Member(context) } : {}),
    },
  ]);
}

function authOf(auth: JsonValue, connection: string, reachesPrivate: boolean): Expected {
  if (isList(auth)) return auth.map((method) => authOf(method, connection, reachesPrivate));
  const oauth2 = own(auth as JsonObject, "oauth2");
  if (!isObject(oauth2)) return auth;
  // Only a person's sign-in is worth keeping.
  const store: { readonly [key: string]: Expected } =
    oauth2["flow"] === "clientCredentials" ? {} : { store: new Call("tokenStore", "oauth", []) };
  const reach: { readonly [key: string]: Expected } = reachesPrivate ? { allowPrivateAddresses: true } : {};
  return { oauth2: new Call("oauthTokens", "oauth", [{ name: connection, ...oauth2, ...reach, ...store }]) };
}

function isSame(module: ReadModule, found: ReadValue | undefined, expected: Expected): boolean {
  if (expected instanceof Call) {
    const called = found instanceof ReadCall ? module.imports.get(found.called) : undefined;
    return (
      found instanceof ReadCall &&
      called?.name === expected.called &&
      called.from === `@hasp/runtime/${expected.subpath}` &&
      areSame(module, found.values, expected.values)
    );
  }
  if (expected instanceof Member) {
    const taken = found === undefined ? undefined : returnedValue(found);
    return taken instanceof ReadCode && taken.text === `context.${expected.name}`;
  }
  if (found instanceof ReadCode) return false;
  if (Array.isArray(expected)) return Array.isArray(found) && areSame(module, found, expected as readonly Expected[]);
  if (typeof expected !== "object" || expected === null) return found === expected;
  if (typeof found !== "object" || found === null || Array.isArray(found)) return false;
  const entries = Object.entries(expected as { readonly [key: string]: Expected });
  return (
    Object.keys(found).length === entries.length &&
    entries.every(([key, value]) => isSame(module, own(found as { readonly [key: string]: ReadValue }, key), value))
  );
}

function areSame(module: ReadModule, found: readonly ReadValue[], expected: readonly Expected[]): boolean {
  return found.length === expected.length && expected.every((each, index) => isSame(module, found[index], each));
}
