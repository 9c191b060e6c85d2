/**
 * A text that two JSON values share exactly if JSON Schema calls them equal: numbers by value (`1` is `1.0`, `-0` is `0`),
 * objects whatever the order of their keys.
 */
export function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join()}]`;
  if (typeof value !== "object" || value === null) return typeof value === "string" ? JSON.stringify(value) : String(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members
    .map(([key, member]) => `${JSON.stringify(key)}:${canonicalText(member)}`)
    .toSorted()
    .join()}}`;
}

/** A set of JSON values under JSON Schema's equality. A scalar costs one look-up. */
export class JsonValueSet {
  readonly #scalars = new Set<unknown>();
  readonly #texts = new Set<unknown>();

  /** Adds a value; `false` if an equal one was there. */
  add(value: unknown): boolean {
    if (this.has(value)) return false;
    if (isScalar(value)) this.#scalars.add(value);
    else this.#texts.add(canonicalText(value));
    return true;
  }

  has(value: unknown): boolean {
    if (isScalar(value)) return this.#scalars.has(value);
    return this.#texts.size > 0 && this.#texts.has(canonicalText(value));
  }
}

function isScalar(value: unknown): boolean {
  return typeof value !== "object" || value === null;
}
