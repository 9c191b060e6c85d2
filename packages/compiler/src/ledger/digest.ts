import { canonicalText } from "@hasp/schema";
import { sha256 } from "../../../runtime/src/json/sha256.js";

/** Computes a short digest: 128 bits of SHA-256, safe against collisions and short enough for a review. */
export function digestOf(text: string): string {
  return `sha256:${sha256(text).slice(0, 32)}`;
}

/** Computes the digest of a value of JSON; what is missing counts as null. */
export function digestOfValue(value: unknown): string {
  return digestOf(canonicalText(value ?? null));
}
