import { fromBase64Url, toBase64Url } from "../../../runtime/src/json/base64url.js";

/**
 * The secret that signs answer links: at least 32 characters or bytes that nobody can guess. Of a list, the first signs
 * and each is accepted, so that a secret can be replaced while links are in use.
 */
export type AnswerSecret = string | Uint8Array | readonly (string | Uint8Array)[];

export interface AnswerGrant {
  readonly questionId: string;
  readonly decisions: readonly ("allow" | "deny")[];
  /** The person who answers. */
  readonly by?: string;
  /** Milliseconds since 1970. */
  readonly expires: number;
}

const ALGORITHM = { name: "HMAC", hash: "SHA-256" };
const LEAST_SECRET = 32;
/** Longer tokens cannot be ours. */
const MOST_TOKEN = 4096;
/** Keeps a signature from being valid for anything else that is signed with the same secret. */
const PURPOSE = "hasp answer link 1";

/** Signs a grant. Throws a `TypeError` for a secret that is too short. */
export async function signGrant(grant: AnswerGrant, secret: AnswerSecret): Promise<string> {
  const [first] = secretBytes(secret);
  const text = toBase64Url(new TextEncoder().encode(JSON.stringify(grant)));
  const signature = await crypto.subtle.sign(ALGORITHM.name, await keyOf(first), signedBytes(text));
  return `${text}.${toBase64Url(new Uint8Array(signature))}`;
}

/** Reads the grant of a token; `undefined` if it was not signed with the secret, or has expired. */
export async function openGrant(token: string, secret: AnswerSecret): Promise<AnswerGrant | undefined> {
  if (token.length > MOST_TOKEN) return undefined;
  const [text = "", signature = "", ...more] = token.split(".");
  const [payload, signed] = [fromBase64Url(text), fromBase64Url(signature)];
  if (payload === undefined || signed === undefined || more.length > 0) return undefined;
  for (const bytes of secretBytes(secret)) {
    if (await crypto.subtle.verify(ALGORITHM.name, await keyOf(bytes), signed, signedBytes(text))) {
      const grant = JSON.parse(new TextDecoder().decode(payload)) as AnswerGrant;
      return grant.expires > Date.now() ? grant : undefined;
    }
  }
  return undefined;
}

/** Returns the bytes of each secret. Throws a `TypeError` if one is missing or too short. */
export function secretBytes(secret: unknown): readonly [Uint8Array, ...Uint8Array[]] {
  const secrets: readonly unknown[] = Array.isArray(secret) ? secret : [secret];
  const [first, ...more] = secrets.map((each) => {
    const bytes = typeof each === "string" ? new TextEncoder().encode(each) : each;
    if (bytes instanceof Uint8Array && bytes.byteLength >= LEAST_SECRET) return bytes;
    throw new TypeError(`Answer links need a \`secret\` of at least ${LEAST_SECRET} characters or bytes.`);
  });
  if (first === undefined) throw new TypeError("Answer links need a `secret`.");
  return [first, ...more];
}

function keyOf(bytes: Uint8Array): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", bytes, ALGORITHM, false, ["sign", "verify"]);
}

function signedBytes(text: string): Uint8Array {
  return new TextEncoder().encode(`${PURPOSE}\n${text}`);
}
