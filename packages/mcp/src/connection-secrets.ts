import { isStructured } from "@hasp/base/json";
import { NotExecuted } from "@hasp/runtime";
import { readProperty, type Redactor } from "@hasp/runtime/internal";

/** The environment variable or the member of the host's context that holds a secret. It is read on demand. */
export type McpSecret<Context = unknown> =
  | { readonly env: string }
  | { readonly context: Extract<keyof Context, string> };

type McpAuthScheme<Context = unknown> =
  | { readonly bearer: McpSecret<Context> }
  | { readonly basic: { readonly username: McpSecret<Context> | string; readonly password?: McpSecret<Context> } }
  | { readonly apiKey: { readonly in: "header"; readonly name: string } & McpSecret<Context> }
  /** A member of the context that holds a bearer token. */
  | { readonly context: Extract<keyof Context, string> }
  | { readonly oauth2: McpTokenSource };

interface McpTokenSource {
  /** Returns a token for this origin, such as `https://mcp.example.com`. */
  token(signal: AbortSignal, origin: string): Promise<string>;
  /** Records that the server refused a token: the next token must differ. */
  refused?(token: string): void;
  /** Other secrets that it knows, such as the client's, to be kept out of results. */
  readonly secrets?: readonly string[];
}

/** One scheme, or several that are all sent. */
export type McpAuth<Context = unknown> = McpAuthScheme<Context> | readonly McpAuthScheme<Context>[];

/** Reads a secret, to be kept out of results. Throws {@link NotExecuted} if it is not set. */
export type ReadSecret = (secret: McpSecret<never> | string) => string;

export function secretReader(connection: string, context: unknown, secrets: Redactor): ReadSecret {
  return (secret) => {
    if (typeof secret === "string") return secret;
    const value = "env" in secret ? readEnvironment()[secret.env] : readProperty(context, secret.context);
    if (typeof value === "string" && value !== "") return secrets.add(value);
    throw new NotExecuted(
      "env" in secret
        ? `${connection} needs the environment variable ${secret.env}, which is not set`
        : `${connection} needs "${String(secret.context)}" in the context, which is not a string`,
    );
  };
}

/** The headers that authenticate a connection; `refused` returns true if new ones can be obtained. */
export interface McpCredentials {
  readonly headers: readonly (readonly [name: string, value: string])[];
  refused(): boolean;
}

/** Reads the secrets of a connection, for requests to an origin. Throws {@link NotExecuted} for an unset one. */
export async function readCredentials(
  auth: McpAuth<never> | undefined,
  { read, secrets }: { readonly read: ReadSecret; readonly secrets: Redactor },
  signal: AbortSignal,
  origin: string,
): Promise<McpCredentials> {
  const renewals: (() => void)[] = [];
  const headers = await Promise.all(
    [auth ?? []].flat().map(async (scheme: McpAuthScheme<never>): Promise<readonly [string, string]> => {
      if ("bearer" in scheme) return ["authorization", `Bearer ${read(scheme.bearer)}`];
      if ("context" in scheme) return ["authorization", `Bearer ${read(scheme)}`];
      if ("oauth2" in scheme) {
        secrets.addAll(scheme.oauth2);
        const token = secrets.add(await scheme.oauth2.token(signal, origin));
        renewals.push(() => scheme.oauth2.refused?.(token));
        return ["authorization", `Bearer ${token}`];
      }
      if ("apiKey" in scheme) return [scheme.apiKey.name, read(scheme.apiKey)];
      const { username, password } = scheme.basic;
      const pair = `${read(username)}:${password === undefined ? "" : read(password)}`;
      const bytes = Array.from(new TextEncoder().encode(pair), (byte) => String.fromCharCode(byte)).join("");
      return ["authorization", `Basic ${secrets.add(btoa(bytes))}`];
    }),
  );
  return {
    headers,
    refused: () => {
      for (const renew of renewals) renew();
      return renewals.length > 0;
    },
  };
}

export function contextNames(named: unknown): readonly string[] {
  if (!isStructured(named)) return [];
  const { context, ...rest } = named as { readonly context?: unknown };
  return [...(typeof context === "string" ? [context] : []), ...Object.values(rest).flatMap(contextNames)];
}

/** Copies some texts of a context, so that the rest is not kept. */
export function pickMembers(context: unknown, names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = readProperty(context, name);
      return [[name, typeof value === "string" ? value : ""]];
    }),
  );
}

export function readEnvironment(): { readonly [name: string]: string | undefined } {
  return typeof process === "undefined" ? {} : process.env;
}
