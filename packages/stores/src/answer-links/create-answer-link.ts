import type { Question } from "@hasp/runtime";
import { type AnswerSecret, signGrant } from "./answer-token.js";

export interface AnswerLinkOptions {
  /** The address at which the host serves {@link createAnswerHandler}: absolute, and https outside of tests. */
  readonly url: string;
  readonly secret: AnswerSecret;
  /** The decisions that the link permits. Default: both. */
  readonly decisions?: readonly ("allow" | "deny")[] | undefined;
  /** The person who answers by it; send it to nobody else. Default: the question's principal. */
  readonly by?: string | undefined;
  /** The end of the link, if before that of the question. */
  readonly expiresAt?: Date | undefined;
}

/**
 * Creates a link by which one person answers one question once, for a mail, a chat or a page. It is signed, and bound
 * to the question, the person, the permitted decisions and an expiry. Opening it shows the question; only a
 * confirmation there decides, so that a program that previews links decides nothing. Of all links to a question, the
 * first that is used counts. Throws a `TypeError` for a mistake in the options.
 */
export async function createAnswerLink(
  { id, principal, expiresAt: end }: Pick<Question, "id" | "principal" | "expiresAt">,
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
  const token = await signGrant({ questionId: id, decisions, ...(by !== undefined && { by }), expires }, secret);
  return `${url}${url.includes("?") ? "&" : "?"}answer=${token}`;
}
