import { NotExecuted } from "@hasp/runtime";

interface EnvironmentValue {
  readonly env: string;
}

/**
 * A program's identity at an authorization server. The flow `clientCredentials` needs no person; a person approves
 * once in the flows `deviceCode`, on any device (RFC 8628), and `authorizationCode`, in a browser on this machine (RFC
 * 8252, with PKCE).
 */
export interface OauthClient {
  readonly name: string;
  readonly flow: "clientCredentials" | "deviceCode" | "authorizationCode";
  /** Not needed with `discoveryUrl`. All addresses are `https`, or `http` on this machine if that is allowed. */
  readonly tokenUrl?: string;
  /** The endpoint that renews tokens, if it is not `tokenUrl`. */
  readonly refreshUrl?: string;
  /** A `/.well-known/` address of the server's metadata, which gives the addresses that are not set here. */
  readonly discoveryUrl?: string;
  /** The page for the person, in the flow `authorizationCode`. */
  readonly authorizationUrl?: string;
  /** The endpoint that gives the code to type, in the flow `deviceCode`. */
  readonly deviceAuthorizationUrl?: string;
  /** The name of the authorization server; needed if its answers contain it (`iss`, ID tokens). */
  readonly issuer?: string;
  readonly clientId: string | EnvironmentValue;
  /** Absent for a public client. */
  readonly clientSecret?: EnvironmentValue;
  /** Sends the secret in the `Authorization` header or in the body. Default: `header`. */
  readonly sendSecretIn?: "header" | "body";
  readonly scopes?: readonly string[];
  /** The API that the tokens are for, if the server asks for it. */
  readonly audience?: string;
  /** Allows a server at a private address, such as this machine. Default `false`. */
  readonly allowPrivateAddresses?: boolean;
}

interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string | undefined;
}

export function readCredentials(client: OauthClient): ClientCredentials {
  const { clientId, clientSecret } = client;
  return {
    clientId: typeof clientId === "string" ? clientId : readVariable(client, clientId),
    clientSecret: clientSecret && readVariable(client, clientSecret),
  };
}

function readVariable(client: OauthClient, { env }: EnvironmentValue): string {
  const value = process.env[env];
  if (value === undefined || value === "") {
    throw new NotExecuted(`The connection ${client.name} needs the environment variable ${env}, which is not set.`);
  }
  return value;
}

/** The suffix of a metadata address, in OpenID Connect and RFC 8414; the server's name stands before it. */
export const WELL_KNOWN: RegExp = /\/\.well-known\/(?:openid-configuration|oauth-authorization-server)(?=\/|$)/u;

export const ADDRESSES: readonly (
  | "tokenUrl"
  | "refreshUrl"
  | "discoveryUrl"
  | "authorizationUrl"
  | "deviceAuthorizationUrl"
)[] = ["tokenUrl", "refreshUrl", "discoveryUrl", "authorizationUrl", "deviceAuthorizationUrl"];

/** An endpoint that the server's metadata may supply. */
export type EndpointSetting = "tokenUrl" | "authorizationUrl" | "deviceAuthorizationUrl";

export const NEEDED: { readonly [Flow in OauthClient["flow"]]: readonly EndpointSetting[] } = {
  clientCredentials: ["tokenUrl"],
  deviceCode: ["tokenUrl", "deviceAuthorizationUrl"],
  authorizationCode: ["tokenUrl", "authorizationUrl"],
};

/** Throws a `TypeError` if an address is missing, or would send secrets in the clear. */
export function checkClient(client: OauthClient): void {
  const { name, flow, discoveryUrl } = client;
  for (const member of discoveryUrl === undefined ? NEEDED[flow] : []) {
    if (client[member] === undefined) throw new TypeError(`The flow ${flow} of ${name} needs \`${member}\`.`);
  }
  for (const member of ADDRESSES) {
    const value = client[member];
    if (value !== undefined && !isSafe(value)) {
      throw new TypeError(`\`${member}\` of ${name} must be an https URL.`);
    }
  }
  if (discoveryUrl !== undefined && !WELL_KNOWN.test(discoveryUrl)) {
    throw new TypeError(`\`discoveryUrl\` of ${name} must end with /.well-known/openid-configuration.`);
  }
  if (flow === "clientCredentials" && client.clientSecret === undefined) {
    throw new TypeError(`The flow clientCredentials of ${name} needs \`clientSecret\`.`);
  }
}

function isSafe(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const url = new URL(address);
  return url.protocol === "https:" || isThisMachine(url);
}

/** True for plain HTTP that never leaves this machine. */
export function isThisMachine({ protocol, hostname }: URL): boolean {
  return protocol === "http:" && ["127.0.0.1", "[::1]", "localhost"].includes(hostname);
}
