import { createHash } from "node:crypto";

/** A short digest of a text: 128 bits of SHA-256, enough that nobody finds a second text, short enough for a review. */
export function digestOf(text: string): string {
  return `sha256:${createHash("sha256").update(text, "utf8").digest("hex").slice(0, 32)}`;
}

/** One text for each JSON value, whatever the order of its keys. */
export function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const keys = Object.keys(value).toSorted();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonicalText(Reflect.get(value, key))}`).join(",")}}`;
}
