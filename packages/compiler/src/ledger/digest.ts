import { canonicalText } from "@hasp/schema";
import { sha256 } from "../../../runtime/src/json/sha256.js";

/** Returns 128 bits of SHA-256: safe against collisions and short enough to review. */
export function digestOf(text: string): string {
  return `sha256:${sha256(text).slice(0, 32)}`;
}

export function digestOfValue(value: unknown): string {
  return digestOf(canonicalText(value ?? null));
}
