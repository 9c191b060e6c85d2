import { createHash } from "node:crypto";

/** A short digest of a text: 128 bits of SHA-256, enough that nobody finds a second text, short enough for a review. */
export function digestOf(text: string): string {
  return `sha256:${createHash("sha256").update(text, "utf8").digest("hex").slice(0, 32)}`;
}
