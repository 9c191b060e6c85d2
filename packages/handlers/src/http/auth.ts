import { isList } from "@hasp/base/json";
import { messageOf, readProperty, withTimeout, type Redactor, type TokenSource } from "@hasp/runtime/internal";
import { NotExecuted } from "@hasp/runtime";
import { guard } from "@hasp/runtime/contract";
import { setHeader, type Headers } from "./request/headers.js";
import type { WrittenPair } from "./request/serialize.js";
import { writePlainPair } from "./request/target.js";

/** The environment variable or the member of the host's context that holds a secret. It is read at each call. */
type SecretSource<Context = unknown> = { readonly env: string } | { readonly context: Extract<keyof Context, string> };

type HttpAuthScheme<Context = unknown> =
  | { readonly bearer: SecretSource<Context> }
  | {
      readonly basic: {
        readonly username: SecretSource<Context> | string;
        /** Left out for services that take a key as the name, without a password. */
        readonly password?: SecretSource<Context>;
      };
    }
  | {
      readonly apiKey: { readonly in: "header" | "query" | "cookie"; readonly name: string } & SecretSource<Context>;
    }
  | { readonly context: Extract<keyof Context, string> }
  | { readonly oauth2: TokenSource };

/** One scheme, or several that are all sent. */
export type HttpAuth<Context = unknown> = HttpAuthScheme<Context> | readonly HttpAuthScheme<Context>[];

export interface HttpCredentials {
  readonly headers: Headers;
  readonly query: readonly WrittenPair[];
  readonly cookies: readonly WrittenPair[];
  /** Records that the service refused the credentials. Returns true if new ones can be obtained. */
  readonly refused: () => boolean;
}

interface CredentialsScope {
  readonly context: unknown;
  readonly signal: AbortSignal;
  /** The receiver of the credentials. */
  readonly origin: string;
  readonly secrets: Redactor;
  readonly timeoutMs: number;
  /** Leaves out unset secrets, for tests that send nothing. */
  readonly isLenient: boolean;
}

/** Reads the secrets of a connection. Throws {@link NotExecuted} for an unset one. */
export async function readCredentials(
  auth: HttpAuth<never> | undefined,
  scope: CredentialsScope,
): Promise<HttpCredentials> {
  const found: FoundCredentials = { headers: {}, query: [], cookies: [], tokens: [] };
  for (const scheme of auth === undefined ? [] : isList(auth) ? auth : [auth]) await apply(scheme, scope, found);
  return {
    ...found,
    refused: () => {
      for (const { source, token } of found.tokens) {
        guard((refused: string) => source.refused(refused))?.(token);
      }
      return found.tokens.length > 0;
    },
  };
}

const SCHEMES: readonly string[] = ["bearer", "basic", "apiKey", "context", "oauth2"];

/** Throws a `TypeError` for settings with no scheme, or with two schemes for one place. */
export function checkAuth(auth: HttpAuth<never>, name: string): void {
  for (const scheme of isList(auth) ? auth : [auth]) {
    const [kind = "", ...others] = Object.keys(scheme);
    const place: unknown = "apiKey" in scheme ? scheme.apiKey.in : "header";
    const isKnown = SCHEMES.includes(kind) && others.length === 0;
    if (isKnown && (place === "header" || place === "query" || place === "cookie")) continue;
    throw new TypeError(
      `httpConnection: \`auth\` of ${name} must be one of ${SCHEMES.join(", ")}, or a list of these; an API key is in a header, query or cookie.`,
    );
  }
}

interface FoundCredentials {
  readonly headers: Headers;
  readonly query: WrittenPair[];
  readonly cookies: WrittenPair[];
  readonly tokens: { readonly source: TokenSource; readonly token: string }[];
}

async function apply(scheme: HttpAuthScheme<never>, scope: CredentialsScope, found: FoundCredentials): Promise<void> {
  const { secrets } = scope;
  const read = (source: SecretSource<never>): string | undefined => {
    const secret = readSecret(source, scope);
    return secret === undefined ? undefined : secrets.add(secret);
  };
  const bearer = (token: string | undefined): void => {
    if (token !== undefined) setSecretHeader(found.headers, "authorization", `Bearer ${token}`);
  };
  if ("bearer" in scheme) bearer(read(scheme.bearer));
  else if ("context" in scheme) bearer(read(scheme));
  else if ("basic" in scheme) {
    const { username, password } = scheme.basic;
    const name = typeof username === "string" ? username : read(username);
    const word = password === undefined ? "" : read(password);
    if (name === undefined || word === undefined) return;
    const pair = secrets.add(Buffer.from(`${name}:${word}`).toString("base64"));
    setSecretHeader(found.headers, "authorization", `Basic ${pair}`);
  } else if ("apiKey" in scheme) {
    const key = read(scheme.apiKey);
    if (key === undefined) return;
    const { in: place, name } = scheme.apiKey;
    if (place === "header") setSecretHeader(found.headers, name.toLowerCase(), key);
    else found[place === "query" ? "query" : "cookies"].push(writePlainPair(name, key));
  } else {
    const source = scheme.oauth2;
    secrets.addAll(source);
    const token = secrets.add(await tokenOf(source, scope));
    found.tokens.push({ source, token });
    bearer(token);
  }
}

function readSecret(source: SecretSource<never>, { context, isLenient }: CredentialsScope): string | undefined {
  const isVariable = "env" in source;
  const value: unknown = isVariable ? process.env[source.env] : readProperty(context, source.context);
  if (typeof value === "string" && value !== "") return value;
  if (isLenient) return undefined;
  throw new NotExecuted(
    isVariable
      ? `the environment variable ${source.env} is not set`
      : `the host's context has no string at "${String(source.context)}"`,
  );
}

/** Sets a header to a secret, which no error may quote. */
function setSecretHeader(headers: Headers, name: string, value: string): void {
  if (/[^\t\u0020-\u007e\u0080-\u00ff]/u.test(value)) {
    throw new NotExecuted(
      `the secret for the header "${name}" has a line break or another character that headers cannot contain`,
    );
  }
  setHeader(headers, name, value);
}

async function tokenOf(source: TokenSource, { signal, origin, timeoutMs }: CredentialsScope): Promise<string> {
  let token: unknown;
  try {
    token = await withTimeout(source.token(signal, origin), { milliseconds: timeoutMs });
  } catch (cause) {
    if (readProperty(cause, "code") === "not-executed") throw cause;
    throw new NotExecuted(`no access token could be obtained: ${messageOf(cause)}`, { cause });
  }
  if (typeof token !== "string" || token === "") throw new NotExecuted("no access token could be obtained");
  return token;
}
