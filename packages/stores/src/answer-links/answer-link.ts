import { fromBase64Url, toBase64Url, dropUndefined } from "@hasp/base/json";
import type { Question } from "@hasp/runtime/call-store";

/**
 * The secret that signs links: at least 32 characters or bytes that nobody can guess. The first of a list signs and
 * each is accepted, so that a secret can be replaced while links are in use.
 */
export type AnswerSecret = string | Uint8Array | readonly (string | Uint8Array)[];

export interface AnswerGrant {
  readonly questionId: string;
  readonly decisions: readonly ("allow" | "deny")[];
  readonly by?: string;
  /** A model reads the link and could open and confirm it, so that only a sign-in shows who answers. */
  readonly isShownToModel?: true;
  /** Milliseconds since 1970. */
  readonly expires: number;
}

const ALGORITHM = { name: "HMAC", hash: "SHA-256" };
const LEAST_SECRET = 32;
/** Longer tokens cannot be ours. */
const MOST_TOKEN = 4096;
/** Keeps a signature from being valid for anything else that is signed with the same secret. */
const PURPOSE = "hasp answer link 1";

async function signGrant(grant: AnswerGrant, secret: AnswerSecret): Promise<string> {
  const [first] = readSecretBytes(secret);
  const text = toBase64Url(new TextEncoder().encode(JSON.stringify(grant)));
  const signature = await crypto.subtle.sign(ALGORITHM.name, await keyOf(first), signedBytes(text));
  return `${text}.${toBase64Url(new Uint8Array(signature))}`;
}

/** Reads the grant of a token; `undefined` if its signature is not valid, or it has expired. */
export async function openGrant(token: string, secret: AnswerSecret): Promise<AnswerGrant | undefined> {
  if (token.length > MOST_TOKEN) return undefined;
  const [text = "", signature = "", ...more] = token.split(".");
  const [payload, signed] = [fromBase64Url(text), fromBase64Url(signature)];
  if (payload === undefined || signed === undefined || more.length > 0) return undefined;
  for (const bytes of readSecretBytes(secret)) {
    if (await crypto.subtle.verify(ALGORITHM.name, await keyOf(bytes), signed, signedBytes(text))) {
      const grant = JSON.parse(new TextDecoder().decode(payload)) as AnswerGrant;
      return grant.expires > Date.now() ? grant : undefined;
    }
  }
  return undefined;
}

/** Returns the bytes of each secret. Throws a `TypeError` if one is missing or too short. */
export function readSecretBytes(secret: unknown): readonly [Uint8Array, ...Uint8Array[]] {
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

export interface AnswerLinkOptions {
  /** The address at which the host serves {@link createAnswerHandler}: absolute, and https outside of tests. */
  readonly url: string;
  readonly secret: AnswerSecret;
  /** The decisions that the link permits. Default: both. */
  readonly decisions?: readonly ("allow" | "deny")[] | undefined;
  /** The person who answers by it; send it to nobody else. Default: the question's principal. */
  readonly by?: string | undefined;
  /** Ends the link before the question expires. */
  readonly expiresAt?: Date | undefined;
}

/** A question to link to. `isShownToModel` is true for one that `answerLink` of an MCP server gets. */
type LinkedQuestion = Pick<Question, "id" | "principal" | "expiresAt"> & { readonly isShownToModel?: true };

/**
 * Creates a signed link by which one person answers one question once. Opening it shows the question; only a
 * confirmation there decides, so that a program that previews links decides nothing. A link that a model reads works
 * only for the person signed in. Of all links to a question, the first that is used counts. Throws a `TypeError` for a
 * mistake in the options.
 */
export async function createAnswerLink(
  { id, principal, expiresAt: end, isShownToModel }: LinkedQuestion,
  { url, secret, decisions = ["allow", "deny"], by = principal, expiresAt }: AnswerLinkOptions,
): Promise<string> {
  if (!/^https?:\/\/[^#\s]+$/u.test(url)) {
    throw new TypeError("createAnswerLink: `url` must be an absolute http or https URL without a #fragment.");
  }
  const isDecision = (decision: unknown): boolean => decision === "allow" || decision === "deny";
  if (decisions.length === 0 || !decisions.every(isDecision)) {
    throw new TypeError('createAnswerLink: `decisions` are "allow", "deny" or both.');
  }
  const expires = Math.min(Date.parse(end), Number(expiresAt ?? Infinity));
  if (Number.isNaN(expires)) throw new TypeError("createAnswerLink: `expiresAt` must be a date.");
  const grant: AnswerGrant = {
    questionId: id,
    decisions,
    ...dropUndefined({ by }),
    ...(isShownToModel === true && { isShownToModel }),
    expires,
  };
  const token = await signGrant(grant, secret);
  return `${url}${url.includes("?") ? "&" : "?"}answer=${token}`;
}
