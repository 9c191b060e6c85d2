import { canonicalText } from "../../json/canonical-text.js";

/**
 * Returns a scalar or text that two JSON values share exactly if JSON Schema calls them equal: numbers by value (`1` is
 * `1.0`, `-0` is `0`), objects whatever the order of their keys. For a `Set` or the keys of a `Map`.
 */
export function equalityKey(value: unknown): unknown {
  if (typeof value === "string") return `"${value}`;
  return typeof value === "object" && value !== null ? canonicalText(value) : value;
}

/**
 * A map whose keys are the values that a schema lists, equal as JSON Schema means it. To look up a large value costs no
 * more than to look up the largest listed one.
 */
export class ValueMap<Entry> {
  readonly #entries = new Map<unknown, Entry>();
  /** The length of the longest text of a listed array or object. */
  #longest = 0;

  get(value: unknown): Entry | undefined {
    const isContainer = typeof value === "object" && value !== null;
    return isContainer && roomBeside(value, this.#longest) < 0 ? undefined : this.#entries.get(equalityKey(value));
  }

  set(value: unknown, entry: Entry): void {
    const key = equalityKey(value);
    if (typeof value === "object" && value !== null) this.#longest = Math.max(this.#longest, String(key).length);
    this.#entries.set(key, entry);
  }
}

/** Subtracts from `room` what the JSON text of a value needs at least, and stops as soon as nothing is left. */
function roomBeside(value: unknown, room: number): number {
  if (typeof value === "string") return room - value.length;
  if (typeof value !== "object" || value === null) return room - 1;
  let left = room - 2;
  if (left < 0) return left;
  for (const key of Array.isArray(value) ? value.keys() : Object.keys(value)) {
    const part: unknown = Reflect.get(value, key);
    if (part !== undefined) left = roomBeside(part, left);
    if (left < 0) return left;
  }
  return left;
}
