import { NotExecuted } from "../results/tool-result.js";

/** A value that the environment holds: the name of its variable. */
export interface EnvironmentValue {
  readonly env: string;
}

/**
 * How this program is known to an authorization server, and how it gets its tokens:
 *
 * - `clientCredentials`: with its own secret. Nobody needs to be there.
 * - `deviceCode`: a person approves once, on any device (RFC 8628); then the refresh token serves.
 * - `authorizationCode`: a person approves once, in a browser on this machine (RFC 8252, with PKCE); then the refresh
 *   token serves.
 */
export interface OauthClient {
  /** The name of the connection, for messages and for the store. */
  readonly name: string;
  readonly flow: "clientCredentials" | "deviceCode" | "authorizationCode";
  /** The token endpoint. `https`; plain `http` is for servers on this machine. */
  readonly tokenUrl: string;
  /** Where `authorizationCode` sends the person. */
  readonly authorizationUrl?: string;
  /** Where `deviceCode` gets the code that the person types. */
  readonly deviceAuthorizationUrl?: string;
  /** Who the authorization server says it is; needed if its answers name it (`iss`, ID tokens). */
  readonly issuer?: string;
  readonly clientId: string | EnvironmentValue;
  /** Absent for a public client. */
  readonly clientSecret?: EnvironmentValue;
  /** How the secret is sent: in the `Authorization` header, or in the body. Default: `header`. */
  readonly sendSecretIn?: "header" | "body";
  readonly scopes?: readonly string[];
  /** The API that the tokens are for, where the server wants to know it. */
  readonly audience?: string;
}

/** What a client has once its environment is read. */
export interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string | undefined;
}

/** Reads the client's variables. Throws {@link NotExecuted} that names one that is not set. */
export function readCredentials(client: OauthClient): Credentials {
  const { clientId, clientSecret } = client;
  return {
    clientId: typeof clientId === "string" ? clientId : readVariable(client, clientId),
    clientSecret: clientSecret === undefined ? undefined : readVariable(client, clientSecret),
  };
}

function readVariable(client: OauthClient, { env }: EnvironmentValue): string {
  const value = process.env[env];
  if (value === undefined || value === "") {
    throw new NotExecuted(`The connection ${client.name} needs the environment variable ${env}, which is not set.`);
  }
  return value;
}

/** Throws a `TypeError` where an address is missing, or would send secrets in the clear. */
export function checkClient(client: OauthClient): void {
  checkUrl(client, "tokenUrl");
  if (client.flow === "deviceCode") checkUrl(client, "deviceAuthorizationUrl");
  if (client.flow === "authorizationCode") checkUrl(client, "authorizationUrl");
  if (client.flow === "clientCredentials" && client.clientSecret === undefined) {
    throw new TypeError(`The flow clientCredentials of ${client.name} needs \`clientSecret\`.`);
  }
}

function checkUrl(client: OauthClient, member: "tokenUrl" | "authorizationUrl" | "deviceAuthorizationUrl"): void {
  const value = client[member];
  const url = value === undefined || !URL.canParse(value) ? undefined : new URL(value);
  if (url === undefined) {
    throw new TypeError(`The flow ${client.flow} of ${client.name} needs \`${member}\`, an absolute URL.`);
  }
  if (url.protocol !== "https:" && !isThisMachine(url)) {
    throw new TypeError(
      `\`${member}\` of ${client.name} must be an https URL: ${url.origin} would get secrets in the clear.`,
    );
  }
}

/** Whether what is sent to a URL never leaves this machine. */
export function isThisMachine({ protocol, hostname }: URL): boolean {
  return protocol === "http:" && ["127.0.0.1", "[::1]", "localhost"].includes(hostname);
}
